# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Matches landmarks by geodesic shooting, and draws the path that they take, with a grid that they carry along.

    python landmarks.py                                # a ring whose points turn and swell
    python landmarks.py TEMPLATE.csv TARGET.csv --sigma 1.5

The files have a point a line, two or three coordinates in mm with commas between them, in the same order. Of points in
3D the figure shows x and y.
"""

import argparse
import os
import time

import itk
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="template and target (default: a ring)")
    parser.add_argument("--sigma", type=float, default=8.0, help="standard deviation of the kernel in mm (8)")
    parser.add_argument("--iterations", type=int, default=200, help="at most so many (200)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--output", default="landmarks.png", help="the figure (landmarks.png)")
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


def move_grid(transform, points, lines=25, samples=101):
    """Lines of a grid around points, in the plane through their middle, and where the transform takes them."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.25 * (high - low).max()
    middle = list((low + high) / 2)
    for along, across in ((0, 1), (1, 0)):
        for at in np.linspace(low[across] - margin, high[across] + margin, lines):
            line = []
            for x in np.linspace(low[along] - margin, high[along] + margin, samples):
                point = list(middle)
                point[along], point[across] = float(x), float(at)
                line.append(list(transform.TransformPoint(point))[:2])
            yield np.array(line)


def draw(registration, template, target, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5.6), width_ratios=(1.6, 1))
    for line in move_grid(registration.GetTransform(), np.concatenate([template, target])):
        left.plot(*line.T, color="0.8", linewidth=0.6)
    left.plot(*registration.GetTrajectory()[..., :2].swapaxes(0, 1).T, color="tab:blue", linewidth=0.8)
    left.plot(*template[:, :2].T, "o", color="tab:gray", markersize=3, label="template")
    left.plot(*target[:, :2].T, "o", color="tab:red", markersize=3, label="target")
    left.set_aspect("equal")
    left.set_xlabel("mm")
    left.set_title("The path, and a grid that is carried along")
    left.legend(loc="upper right")
    right.semilogy(registration.GetLosses(), label="loss")
    right.semilogy(registration.GetKineticEnergies()[1:], label="kinetic energy")
    right.set_xlabel("iteration")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def main():
    arguments = parse_arguments()
    template, target = (read_points(path) for path in arguments.files) if arguments.files else make_ring()
    registration = register(template, target, arguments)
    draw(registration, template, target, arguments.output)


if __name__ == "__main__":
    main()
