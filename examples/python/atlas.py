# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes the atlas of images that are aligned with each other, and a figure of it beside the plain mean.

    python atlas.py a.nii.gz b.nii.gz c.nii.gz ... --output-dir atlas --figure atlas.png
"""

import argparse
import os

import itk
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("images", nargs="+", help="two or more, on one grid")
    parser.add_argument("--output-dir", default=".", help="where the results go (the current folder)")
    parser.add_argument("--figure", help="where to save a figure (default: none is drawn)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    arguments = parser.parse_args()
    missing = [path for path in arguments.images if not os.path.isfile(path)]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    return arguments


def draw(path, mean, template):
    figure, panels = plt.subplots(1, 2, figsize=(8, 4.6), layout="constrained")
    for panel, image, title in zip(panels, (mean, template), ("mean of the images", "atlas")):
        pixels = itk.array_view_from_image(image)
        panel.imshow(pixels[pixels.shape[0] // 2], cmap="gray")
        panel.set_title(title)
        panel.axis("off")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main():
    arguments = parse_arguments()
    if arguments.device:
        os.environ["CUDANEURO_DEVICE"] = arguments.device
    os.makedirs(arguments.output_dir, exist_ok=True)
    images = [itk.imread(path, itk.F) for path in arguments.images]
    atlas = itk.CudaDiffeomorphicAtlasFilter.New(*images, ComputeInitialMean=True)
    atlas.AddObserver(
        itk.IterationEvent(),
        lambda: print(f"\rlevel {atlas.GetCurrentLevel()}, energy {atlas.GetEnergy():.6f}", end="", flush=True),
    )
    atlas.Update()
    print()
    itk.imwrite(atlas.GetOutput(), os.path.join(arguments.output_dir, "template.nii.gz"))
    for i in range(len(images)):
        itk.imwrite(atlas.GetDisplacementField(i), os.path.join(arguments.output_dir, f"field_{i}.nii.gz"))
    if arguments.figure:
        draw(arguments.figure, atlas.GetInitialMean(), atlas.GetOutput())
    print(f"{len(images)} images, least Jacobian determinant {atlas.GetMinimumJacobian():.3f}")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # of ITK: no such device, different grids, no format that it can read
        raise SystemExit(str(error)) from None
