# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws the figure of the quickstart."""

import matplotlib
import numpy as np
from matplotlib.patches import Rectangle
from report import load

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# An axial slice through the deep gray nuclei, and the part that is shown enlarged, in voxels.
SLICE = 80
ZOOM_X = slice(52, 146)
ZOOM_Y = slice(62, 176)


def axial(volume):
    return volume[:, :, SLICE].T


def zoomed(image):
    return image[ZOOM_Y, ZOOM_X]


def show(axes, image, title, **style):
    axes.imshow(image, origin="lower", interpolation="nearest", **style)
    axes.set_title(title, fontsize=11)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)


def draw_level(axes, reference, volumes, sigma):
    """Two rows: images, and what is wrong with them, up to two standard deviations of the noise.

    Volumes are of (title, figures, image).
    """
    gray = {"cmap": "gray", "vmin": 0, "vmax": 255}
    signed = {"cmap": "RdBu_r", "vmin": -2 * sigma, "vmax": 2 * sigma}
    show(axes[0, 0], zoomed(reference), "clean", **gray)
    show(axes[1, 0], reference, "whole slice", **gray)
    corner = (ZOOM_X.start, ZOOM_Y.start)
    size = (ZOOM_X.stop - ZOOM_X.start, ZOOM_Y.stop - ZOOM_Y.start)
    axes[1, 0].add_patch(Rectangle(corner, *size, fill=False, edgecolor="tab:orange", linewidth=1.5))
    for column, (title, figures, image) in enumerate(volumes, start=1):
        show(axes[0, column], zoomed(image), title, **gray)
        show(axes[1, column], zoomed(image - reference), figures, **signed)
    return axes[1, 1].images[0]


def figures_of(entry, when):
    return (
        f"whole: MSSIM {entry[f'mssim_{when}']:.3f}, MSE {entry[f'mse_{when}']:.0f}\n"
        f"head: MSSIM {entry[f'mssim_head_{when}']:.3f}, MSE {entry[f'mse_head_{when}']:.0f}"
    )


def save_figure(folder, entries):
    """Draws figure.png: for each level of noise the clean, noisy and denoised slices, and the differences."""
    reference = axial(load(folder, "reference.nii.gz"))
    levels = list(dict.fromkeys(entry["noise_percent"] for entry in entries))
    columns = 2 + len(entries) // len(levels)
    figure = plt.figure(figsize=(3.0 * columns + 1, 8.5 * len(levels) + 0.5), layout="constrained")
    figure.suptitle(
        "A T1 volume with noise, denoised: images, and their differences from the clean volume. "
        "The first line of figures is of the whole volume, air included.",
        fontsize=12,
    )
    parts = np.atleast_1d(figure.subfigures(len(levels), 1))
    for part, percent in zip(parts, levels):
        part.suptitle(f"{percent} % of Rician noise", fontsize=15, fontweight="bold")
        own = [entry for entry in entries if entry["noise_percent"] == percent]
        volumes = [("noisy", figures_of(own[0], "before"), axial(load(folder, f"noisy-{percent}.nii.gz")))]
        volumes += [(entry["filter"], figures_of(entry, "after"), axial(load(folder, entry["volume"]))) for entry in own]
        axes = part.subplots(2, columns)
        image = draw_level(axes, reference, volumes, own[0]["noise_added"])
        part.colorbar(image, ax=axes[1, :], location="right", shrink=0.8, fraction=0.03, pad=0.01, label="difference")
    figure.savefig(folder / "figure.png", dpi=110)
