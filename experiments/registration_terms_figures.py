#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The pictures of Documentation/registration-terms.md; needs matplotlib.

registration_terms_figures.py heads HEADS FIGURE.png      a slice of one head in three contrasts
registration_terms_figures.py overlap OUTPUT FIGURE.png   overlap by what was registered
"""

import pathlib
import sys

import contrast_heads as heads
import nifti
import numpy as np
import registration_terms_tables as tables

SHOWN = {"t1": "“T1” hides the thalamus", "t2": "“T2” hides the putamen", "all": "shows everything"}
HALF = 60  # voxels of the slice that are shown on each side of the structures
TITLES = {"thalamus": "thalamus", "putamen": "putamen", "mean": "all 27 structures"}


def axial(voxels, affine, index_of):
    """A slice across the axis of the body, the front up; index_of tells which one, by the axis."""
    up, front = (int(np.argmax(np.abs(affine[world, :3]))) for world in (2, 1))
    image = np.take(voxels, index_of(up), axis=up)
    image = image if front == min({0, 1, 2} - {up}) else image.T
    return image[::-1] if affine[1, front] > 0 else image


def heads_figure(folder, figure, plt):
    """Of the first head; the slice is the middle one of thalamus and putamen."""
    labels, affine = nifti.read(next(iter(sorted(folder.glob("*_labels.nii")))))
    head = sorted(folder.glob("*_labels.nii"))[0].name.split("_")[0]
    numbers = [heads.heads.STRUCTURES.index(label) + 1 for label in (*heads.THALAMUS, *heads.PUTAMEN)]
    center = np.argwhere(np.isin(labels, numbers)).mean(axis=0).round().astype(int)
    box = tuple(slice(max(0, c - HALF), c + HALF) for c in center)
    middle = lambda axis: int(center[axis] - box[axis].start)  # noqa: E731
    picture, axes = plt.subplots(1, len(SHOWN), figsize=(9, 3.3))
    borders = axial(np.isin(labels[box], numbers), affine, middle)
    for axis, (contrast, title) in zip(axes, SHOWN.items()):
        voxels, _ = nifti.read(heads.image_path(folder, head, contrast))
        axis.imshow(axial(voxels[box], affine, middle), cmap="gray", vmin=0, vmax=255)
        axis.contour(borders, [0.5], colors="tab:orange", linewidths=0.7)
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    picture.tight_layout()
    picture.savefig(figure, dpi=110)


def overlap_figure(output, figure, plt):
    rows = tables.channel_rows(output)
    methods = [group[0]["method"] for group in tables.grouped(rows, "method")]
    names = [group[0]["channels"] for group in tables.grouped(rows, "channels")]
    picture, axes = plt.subplots(1, len(TITLES), figsize=(11, 3.6))
    for axis, (key, title) in zip(axes, TITLES.items()):
        for number, name in enumerate(names):
            means = []
            for method in methods:
                values = [row[key] for row in rows if (row["method"], row["channels"]) == (method, name)]
                means.append(np.mean(values) if values else np.nan)
            places = np.arange(len(methods)) + (number - (len(names) - 1) / 2) * 0.8 / len(names)
            axis.bar(places, means, 0.8 / len(names), label=name.replace("_shown", ", nothing hidden"))
        least = min(row[key] for row in rows)
        axis.set_ylim(np.floor(20 * least) / 20, 1)
        axis.set_xticks(range(len(methods)), methods, fontsize=9)
        axis.set_title(title, fontsize=10)
        axis.grid(axis="y", alpha=0.3)
    axes[0].set_ylabel("Dice coefficient")
    picture.legend(*axes[0].get_legend_handles_labels(), fontsize=8, loc="lower center", ncol=len(names))
    picture.tight_layout(rect=(0, 0.07, 1, 1))
    picture.savefig(figure, dpi=110)


def main():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    commands = {"heads": heads_figure, "overlap": overlap_figure}
    if len(sys.argv) != 4 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](pathlib.Path(sys.argv[2]), sys.argv[3], plt)


if __name__ == "__main__":
    main()
