# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Aligns two images of any contrasts, and draws them as a checkerboard before and after.

    python align.py --figure align.png                     # a phantom of a head in two contrasts, one of them turned
    python align.py T1.nii.gz T2.nii.gz --type Affine --aligned T2_in_T1.nii.gz
"""

import argparse
import os

import itk
import matplotlib
import numpy as np
from simulated_mr import head_phantom

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TYPES = ("Translation", "Rigid", "Similarity", "Affine")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("images", nargs="*", help="the fixed and the moving image (default: a phantom)")
    parser.add_argument("--type", choices=TYPES, default="Rigid", help="of the transform (Rigid)")
    parser.add_argument("--search", type=float, default=0.0, help="rotations to try first, in degrees, to 180 (0)")
    parser.add_argument("--aligned", help="where the moving image goes, on the grid of the fixed image")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--figure", help="where to save a figure (default: none is drawn)")
    arguments = parser.parse_args()
    if len(arguments.images) not in (0, 2):
        parser.error(f"needed are two images or none, given are {len(arguments.images)}")
    missing = [path for path in arguments.images if not os.path.isfile(path)]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    return arguments


def make_phantom():
    """A head, and the same head with dark and bright exchanged, turned by 8 degrees and shifted."""
    head = itk.image_from_array(head_phantom((36, 54, 45)))
    head.SetOrigin([-22.0, -26.5, -17.5])  # x, y, z: the middle is at 0
    known = itk.AffineTransform[itk.D, 3].New()
    known.Rotate3D([0.2, 0.3, 1.0], np.deg2rad(8))
    known.Translate([3.0, -2.0, 1.0])
    moving = itk.cuda_warp_image_filter(head, transform=known)
    pixels = itk.array_view_from_image(moving)
    pixels[pixels > 0] = 200 - pixels[pixels > 0]
    return head, moving


def checkerboard(first, second, tile=8):
    """The middle planes of two images on one grid, each in every other tile."""
    planes = []
    for image in (first, second):
        pixels = itk.array_view_from_image(image)
        plane = pixels[pixels.shape[0] // 2].astype(np.float32)
        planes.append(plane / max(np.percentile(plane, 99), 1e-6))
    y, x = np.indices(planes[0].shape) // tile
    return np.where((x + y) % 2, *planes)


def draw(path, fixed, before, after):
    figure, panels = plt.subplots(1, 2, figsize=(9, 5), layout="constrained")
    for panel, image, title in zip(panels, (before, after), ("before", "after")):
        panel.imshow(checkerboard(fixed, image), cmap="gray", vmin=0, vmax=1)
        panel.set_title(title)
        panel.axis("off")
    figure.savefig(path, dpi=100)


def main():
    arguments = parse_arguments()
    if arguments.device:
        os.environ["CUDANEURO_DEVICE"] = arguments.device
    fixed, moving = (itk.imread(path, itk.F) for path in arguments.images) if arguments.images else make_phantom()
    registration = itk.CudaLinearRegistrationFilter.New(
        fixed, moving, TransformType=arguments.type, SearchAngle=arguments.search
    )
    registration.Update()
    if arguments.aligned:
        itk.imwrite(registration.GetWarpedImage(), arguments.aligned)
    parameters = ", ".join(f"{value:.5g}" for value in registration.GetTransform().GetParameters())
    print(f"{registration.GetTransform().GetNameOfClass()} [{parameters}]")
    print(
        f"{'success' if registration.GetIsSuccess() else 'failure'} with quality {registration.GetQuality():.2f}, "
        f"overlap {registration.GetOverlap():.2f}, {registration.GetElapsedIterations()} iterations"
    )
    if arguments.figure:
        before = itk.cuda_warp_image_filter(moving, output_parameters_from_image=fixed)
        draw(arguments.figure, fixed, before, registration.GetWarpedImage())


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # of ITK: no such device, no format that it can read, images that do not overlap
        raise SystemExit(str(error)) from None
