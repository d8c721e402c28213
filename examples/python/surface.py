# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoises a surface by non-local means on its signed distance, and draws it before and after.

    python surface.py --figure surface.png              # a noisy box with a hole and a ball on it
    python surface.py LABELS.nii.gz --label 2           # the surface of a label, the least if none is named
    python surface.py MESH.vtk --spacing 0.5            # a closed surface; read by VTK, which must be there for it

A drawing shows the zero level of the distance, to which rays are followed, and a slice with both surfaces.
"""

import argparse
import os
import time

import itk
from surface_figure import draw
from surface_shapes import distance_to_label, distance_to_mesh, make_noisy_shape, on_device

MESHES = (".vtk", ".vtp", ".stl", ".ply", ".obj")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="label image, or surface (default: a synthetic one)")
    parser.add_argument("--label", type=int, help="the label whose surface is denoised (the least that there is)")
    parser.add_argument("--spacing", type=float, help="of the distances to a mesh, in mm (a hundredth of its size)")
    parser.add_argument("--size", type=int, default=64, help="voxels along the edges of the synthetic volume (64)")
    parser.add_argument("--noise", type=float, default=0.4, help="standard deviation of the synthetic noise in mm (0.4)")
    parser.add_argument("--neighbors", type=int, default=96, help="that a voxel is averaged with (96)")
    parser.add_argument("--iterations", type=int, default=10, help="steps (10)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--figure", help="where to save a figure (default: none is drawn)")
    arguments = parser.parse_args()
    if arguments.file and not os.path.isfile(arguments.file):
        parser.error(f"there is no file {arguments.file}")
    if arguments.size < 24:
        parser.error(f"--size must be at least 24, it is {arguments.size}")
    return arguments


def read_distance(arguments):
    """The distance to denoise, and the true one if it is known."""
    if not arguments.file:
        return make_noisy_shape(arguments)
    if arguments.file.lower().endswith(MESHES):
        return distance_to_mesh(arguments), None
    return distance_to_label(arguments), None


def denoise(noisy, arguments):
    filter = itk.CudaNonLocalMeansLevelSetImageFilter.New(
        noisy,
        number_of_neighbors=arguments.neighbors,
        number_of_iterations=arguments.iterations,
        **on_device(arguments),
    )
    start = time.perf_counter()
    filter.Update()
    print(
        f"{filter.GetNumberOfBandVoxels()} voxels within {filter.GetUsedBandWidth():.2f} mm in "
        f"{time.perf_counter() - start:.2f} s on {filter.GetComputeDevice()}\n"
        f"volume {filter.GetVolumeBefore():.1f} to {filter.GetVolumeAfter():.1f} mm^3"
    )
    return filter.GetOutput()


def distance_between(level, truth):
    """Mean distance of a surface from the true one, by the voxels next to it."""
    level, truth = itk.array_from_image(level), itk.array_from_image(truth)
    near = abs(level) < 0.5
    return abs(truth - level)[near].mean()


def main():
    arguments = parse_arguments()
    try:
        noisy, truth = read_distance(arguments)
        denoised = denoise(noisy, arguments)
    except RuntimeError as error:
        raise SystemExit(str(error)) from None
    if truth is not None:
        before, after = (distance_between(level, truth) for level in (noisy, denoised))
        print(f"mean distance from the true surface {before:.3f} to {after:.3f} mm")
    if arguments.figure:
        draw(noisy, denoised, arguments.figure)


if __name__ == "__main__":
    main()
