# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Registers two images symmetrically, and draws them with the map and its change of volume.

    python register.py --figure register.png            # a phantom of a head, and the phantom deformed
    python register.py fixed.nii.gz moving.nii.gz --warped moving_on_fixed.nii.gz --field map.nii.gz

The images are of one contrast and lie on each other: align.py does that for others. The map and its inverse do not fold.
"""

import argparse
import os

import itk
import matplotlib
import numpy as np
from simulated_mr import head_phantom, smooth_field, texture

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("images", nargs="*", help="the fixed and the moving image (default: a phantom)")
    parser.add_argument("--iterations", type=int, default=50, help="of each of the four levels (50)")
    parser.add_argument("--warped", help="where the moving image goes, on the grid of the fixed image")
    parser.add_argument("--field", help="where the displacements go, in mm, from fixed to moving")
    parser.add_argument("--figure", help="where to save a figure (default: none is drawn)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    arguments = parser.parse_args()
    if len(arguments.images) not in (0, 2):
        parser.error(f"needed are two images or none, given are {len(arguments.images)}")
    if arguments.iterations < 1:
        parser.error(f"--iterations must be at least 1, it is {arguments.iterations}")
    missing = [path for path in arguments.images if not os.path.isfile(path)]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    return arguments


def make_phantom(shape=(40, 60, 50)):
    """A head that is deformed by some voxels, and the head."""
    head = itk.image_from_array(head_phantom(shape) * texture(shape))
    field = itk.image_from_array(smooth_field(shape), ttype=itk.Image[itk.Vector[itk.F, 3], 3])
    return itk.cuda_warp_image_filter(head, displacement_field=field), head


def draw(path, fixed, moving, warped, jacobian):
    images = [itk.array_view_from_image(image) for image in (fixed, moving, warped, jacobian)]
    fixed, moving, warped, jacobian = (pixels[pixels.shape[0] // 2].astype(np.float32) for pixels in images)
    figure, panels = plt.subplots(2, 3, figsize=(11, 8), layout="constrained")
    white, largest = np.percentile(fixed, 99.5), np.abs(moving - fixed).max()
    for panel, plane, title in zip(panels[0], (fixed, moving, warped), ("fixed", "moving", "warped")):
        panel.imshow(plane, cmap="gray", vmin=0, vmax=white)
        panel.set_title(title)
    for panel, plane, title in zip(panels[1], (moving, warped), ("moving - fixed", "warped - fixed")):
        shown = panel.imshow(plane - fixed, cmap="RdBu_r", vmin=-largest, vmax=largest)
        panel.set_title(title)
    figure.colorbar(shown, ax=panels[1, :2], label="difference of intensity", location="bottom", shrink=0.6)
    shown = panels[1, 2].imshow(np.log2(jacobian), cmap="PuOr", vmin=-1, vmax=1)
    panels[1, 2].set_title("change of volume")
    figure.colorbar(shown, ax=panels[1, 2], label="log2 of the Jacobian determinant", location="bottom")
    for panel in panels.flat:
        panel.axis("off")
    figure.savefig(path, dpi=100)


def main():
    arguments = parse_arguments()
    if arguments.device:
        os.environ["CUDANEURO_DEVICE"] = arguments.device
    fixed, moving = (itk.imread(path, itk.F) for path in arguments.images) if arguments.images else make_phantom()
    registration = itk.CudaSymmetricRegistrationFilter.New(fixed, moving, NumberOfIterations=arguments.iterations)
    registration.Update()
    field = registration.GetDisplacementField()
    warped = itk.cuda_warp_image_filter(moving, displacement_field=field)
    before, after = (np.sqrt(np.mean((np.asarray(image) - np.asarray(fixed)) ** 2)) for image in (moving, warped))
    print(f"RMS difference {before:.2f} to {after:.2f}, least Jacobian determinant {registration.GetMinimumJacobian():.3f}")
    for image, path in ((warped, arguments.warped), (field, arguments.field)):
        if path:
            itk.imwrite(image, path)
    if arguments.figure:
        draw(arguments.figure, fixed, moving, warped, itk.cuda_displacement_field_jacobian_determinant_filter(field))


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # of ITK: no such device, different grids, no format that it can read
        raise SystemExit(str(error)) from None
