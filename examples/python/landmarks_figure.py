# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws the path of landmarks, and a grid that they carry along."""

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


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
