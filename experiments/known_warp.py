# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Recovers a known deformation: registers a volume with a deformed copy of it, and compares the fields.

    python known_warp.py                              # a phantom of a head
    python known_warp.py DEFORMED.mha ORIGINAL.mha FIELD.mha

The field has, at each voxel p of the deformed volume, the way in mm to where its intensity was taken from:
deformed(p) = original(p + field(p)). It and the volumes have the same grid.
"""

import argparse
import os
import pathlib
import sys
import time

import itk
import numpy as np
from field_figure import draw_fields

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "examples" / "python"))

from simulated_mr import head_phantom, smooth_field, texture  # noqa: E402

# The deformation is smoother than those between two brains, for which the defaults are.
SMOOTH = {"UnbiasedWeight": 0.02, "UpdateFieldStandardDeviations": 4.0}
METHODS = {
    "unbiased": (itk.CudaUnbiasedFluidRegistrationFilter, SMOOTH),
    "unbiased, correlation": (itk.CudaUnbiasedFluidRegistrationFilter, {"Metric": "LocalCorrelation", **SMOOTH}),
    "greedy": (itk.CudaGreedyFluidRegistrationFilter, {}),
    "symmetric": (itk.CudaSymmetricRegistrationFilter, SMOOTH),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="deformed volume, original, true field (default: a phantom)")
    parser.add_argument("--iterations", type=int, default=100, help="of each of the four levels (100)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--output", default="known_warp.png", help="the figure (known_warp.png)")
    arguments = parser.parse_args()
    if len(arguments.files) not in (0, 3):
        parser.error(f"needed are three files or none, given are {len(arguments.files)}")
    if arguments.iterations < 1:
        parser.error(f"--iterations must be at least 1, it is {arguments.iterations}")
    missing = [file for file in arguments.files if not os.path.isfile(file)]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    return arguments


def make_phantom():
    """A head, the head deformed by some voxels, and the field."""
    shape = (60, 90, 75)
    original, field = itk.image_from_array(head_phantom(shape) * texture(shape)), smooth_field(shape)
    as_image = itk.image_from_array(field, ttype=itk.Image[itk.Vector[itk.F, 3], 3])
    return itk.cuda_warp_image_filter(original, displacement_field=as_image), original, field


def read_files(paths):
    deformed, original = (itk.imread(path, itk.F) for path in paths[:2])
    field = itk.array_from_image(itk.imread(paths[2]))
    if field.shape != (*deformed.shape, 3) or original.shape != deformed.shape:
        raise SystemExit(f"The grids differ: {deformed.shape}, {original.shape}, field {field.shape}")
    return deformed, original, field


def mark_head(deformed, field):
    """The voxels that are brighter than air and come from inside the original."""
    blurred = itk.array_from_image(itk.cuda_discrete_gaussian_image_filter(deformed, sigma=3.0))
    mark = blurred > 0.1 * np.percentile(blurred, 99)
    for component in range(3):  # x, y, z
        axis = 2 - component
        length, spacing = deformed.shape[axis], deformed.GetSpacing()[component]
        source = np.arange(length).reshape([-1 if i == axis else 1 for i in range(3)]) + field[..., component] / spacing
        mark &= (source >= 0) & (source <= length - 1)
    return mark


def main():
    arguments = parse_arguments()
    if arguments.device:
        os.environ["CUDANEURO_DEVICE"] = arguments.device  # for all filters
    deformed, original, field = read_files(arguments.files) if arguments.files else make_phantom()
    head, length = mark_head(deformed, field), np.linalg.norm(field, axis=-1)
    print(f"True displacement in the head: mean {length[head].mean():.2f} mm, at most {length[head].max():.2f} mm\n")
    print("                       seconds  error, mm: mean  median  95 %    max   least J  folds")
    errors = {}
    for name, (filter_class, parameters) in METHODS.items():
        registration = filter_class.New(deformed, original, NumberOfIterations=arguments.iterations, **parameters)
        seconds = -time.perf_counter()
        registration.Update()
        seconds += time.perf_counter()
        errors[name] = np.linalg.norm(itk.array_view_from_image(registration.GetDisplacementField()) - field, axis=-1)
        error = errors[name][head]
        of_map = registration.GetMinimumJacobian(), registration.GetNumberOfFoldedVoxels()
        of_error = error.mean(), np.median(error), np.percentile(error, 95), error.max()
        print("%-22s%8.2f%17.3f%8.3f%7.3f%7.2f%10.3f%6d" % (name, seconds, *of_error, *of_map))
    draw_fields(arguments.output, deformed, original, length, errors, head)
    print(arguments.output)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # of ITK: no such device, no format that it can read
        raise SystemExit(str(error)) from None
