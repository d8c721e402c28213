# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Matches landmarks by geodesic shooting, and draws the path that they take, with a grid that they carry along.

    python landmarks.py --figure landmarks.png         # a ring whose points turn and swell
    python landmarks.py TEMPLATE.csv TARGET.csv --sigma 1.5

The files have a point a line, two or three coordinates in mm with commas between them, in the same order. Of points in
3D the figure shows x and y.
"""

import argparse
import os
import time

import itk
import numpy as np
from landmarks_figure import draw


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="template and target (default: a ring)")
    parser.add_argument("--sigma", type=float, default=8.0, help="standard deviation of the kernel in mm (8)")
    parser.add_argument("--iterations", type=int, default=200, help="at most so many (200)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--figure", help="where to save a figure (default: none is drawn)")
    arguments = parser.parse_args()
    if len(arguments.files) not in (0, 2):
        parser.error(f"needed are two files or none, given are {len(arguments.files)}")
    missing = [file for file in arguments.files if not os.path.isfile(file)]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    return arguments


def make_ring():
    """Points on a circle, and on an ellipse that is turned by an eighth of a circle and has waves."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    template = 30 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    turned = angle + np.pi / 4
    radius = 30 + 4 * np.sin(5 * angle)
    return template, np.stack([1.3 * radius * np.cos(turned), 0.8 * radius * np.sin(turned)], axis=1)


def read_points(path):
    points = np.loadtxt(path, delimiter=",", ndmin=2)
    if points.shape[1] not in (2, 3):
        raise SystemExit(f"{path} has {points.shape[1]} coordinates a line; 2 or 3 are expected")
    return points


def register(template, target, arguments):
    point_set_type = itk.DevicePointSet[itk.D, template.shape[1]]
    registration = itk.CudaGeodesicShootingRegistration[point_set_type].New()
    if arguments.device:
        registration.SetComputeDevice(arguments.device)
    # The points stay in NumPy's memory.
    registration.SetTemplatePointSet(point_set_type.FromArray(template))
    registration.SetTargetPointSet(point_set_type.FromArray(target))
    registration.SetSigma(arguments.sigma)
    registration.SetIntegrator("Heun")
    registration.SetMaximumNumberOfIterations(arguments.iterations)
    start = time.perf_counter()
    try:
        registration.Update()
    except RuntimeError as error:
        raise SystemExit(str(error)) from None
    print(
        f"{registration.GetNumberOfIterations()} iterations in {time.perf_counter() - start:.2f} s on "
        f"{registration.GetComputeDevice()}: {registration.GetStopReasonName()}\n"
        f"mean distance {registration.GetInitialMeanDistance():.3f} to {registration.GetMeanDistance():.4f} mm, "
        f"maximum {registration.GetInitialMaximumDistance():.3f} to {registration.GetMaximumDistance():.4f} mm"
    )
    return registration


def main():
    arguments = parse_arguments()
    template, target = (read_points(path) for path in arguments.files) if arguments.files else make_ring()
    registration = register(template, target, arguments)
    if arguments.figure:
        draw(registration, template, target, arguments.figure)


if __name__ == "__main__":
    main()
