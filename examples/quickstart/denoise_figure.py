# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws the figure of denoised volumes."""

import numpy as np
from brain import load
from drawing import GRAY, axial, plt, show
from matplotlib.patches import Rectangle

# A slice through the deep gray nuclei, and the part of it that is shown enlarged, as parts of the volume's size.
SLICE = 0.43
ZOOM_X = (0.27, 0.74)
ZOOM_Y = (0.27, 0.75)


def zoomed(image):
    (y, x), (low_x, high_x), (low_y, high_y) = image.shape, ZOOM_X, ZOOM_Y
    return image[int(low_y * y) : int(high_y * y), int(low_x * x) : int(high_x * x)]


def load_slice(topic, name):
    return axial(load(topic.path(name)), SLICE)


def draw_level(axes, reference, volumes, sigma):
    """Two rows: images, and what is wrong with them, up to two standard deviations of the noise.

    Volumes are of (title, figures, image).
    """
    signed = {"cmap": "RdBu_r", "vmin": -2 * sigma, "vmax": 2 * sigma}
    show(axes[0, 0], zoomed(reference), "clean", **GRAY)
    show(axes[1, 0], reference, "whole slice", **GRAY)
    (y, x), part = reference.shape, zoomed(reference)
    corner = (ZOOM_X[0] * x, ZOOM_Y[0] * y)
    frame = Rectangle(corner, part.shape[1], part.shape[0], fill=False, edgecolor="tab:orange", linewidth=1.5)
    axes[1, 0].add_patch(frame)
    for column, (title, figures, image) in enumerate(volumes, start=1):
        show(axes[0, column], zoomed(image), title, **GRAY)
        show(axes[1, column], zoomed(image - reference), figures, **signed)
    return axes[1, 1].images[0]


def figures_of(entry, when):
    return (
        f"whole: MSSIM {entry[f'mssim_{when}']:.3f}, MSE {entry[f'mse_{when}']:.0f}\n"
        f"head: MSSIM {entry[f'mssim_head_{when}']:.3f}, MSE {entry[f'mse_head_{when}']:.0f}"
    )


def save_figure(topic, entries):
    """Draws for each level of noise the clean, noisy and denoised slices, and the differences."""
    reference = load_slice(topic, "reference.nii.gz")
    levels = list(dict.fromkeys(entry["noise_percent"] for entry in entries))
    columns = 2 + len(entries) // len(levels)
    figure = plt.figure(figsize=(2.6 * columns + 1, 7.0 * len(levels)), layout="constrained")
    parts = np.atleast_1d(figure.subfigures(len(levels), 1))
    for part, percent in zip(parts, levels):
        part.suptitle(f"{percent} % of Rician noise", fontsize=14, fontweight="bold")
        own = [entry for entry in entries if entry["noise_percent"] == percent]
        volumes = [("noisy", figures_of(own[0], "before"), load_slice(topic, f"noisy-{percent}.nii.gz"))]
        volumes += [(e["filter"], figures_of(e, "after"), load_slice(topic, e["volume"])) for e in own]
        axes = part.subplots(2, columns)
        image = draw_level(axes, reference, volumes, own[0]["noise_added"])
        part.colorbar(image, ax=axes[1, :], location="right", shrink=0.8, fraction=0.03, pad=0.01, label="difference")
    figure.savefig(topic.path("figure.png"), dpi=100)
    plt.close(figure)
