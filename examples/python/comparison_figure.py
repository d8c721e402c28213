# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws a slice of a volume, of the denoised volumes, and of their differences from the volume without noise."""

import itk
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def middle_slice(image):
    pixels = itk.array_view_from_image(image)
    return pixels[pixels.shape[0] // 2]


def draw_comparison(path, clean, noisy, results, texts):
    """results: images by the name of the filter; texts: a line below each of them and below "input"."""
    names = list(results)
    columns = 1 + len(names)
    figure, panels = plt.subplots(2, columns, figsize=(3.4 * columns, 7.4), layout="constrained")
    reference = middle_slice(clean)
    spacing = clean.GetSpacing()
    gray = {"cmap": "gray", "vmin": 0, "vmax": np.percentile(reference, 99.5), "aspect": spacing[1] / spacing[0]}
    largest = max(np.percentile(np.abs(middle_slice(results[name]) - reference), 99.5) for name in names)
    largest = largest or 1.0
    difference = {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest, "aspect": gray["aspect"]}

    top = panels[0, 0].imshow(middle_slice(noisy), **gray)
    panels[0, 0].set_title(f"input\n{texts['input']}")
    panels[1, 0].imshow(reference, **gray)
    panels[1, 0].set_title("without noise" if noisy is not clean else "input")
    for column, name in enumerate(names, 1):
        panels[0, column].imshow(middle_slice(results[name]), **gray)
        panels[0, column].set_title(f"{name}\n{texts[name]}")
        bottom = panels[1, column].imshow(middle_slice(results[name]) - reference, **difference)
        panels[1, column].set_title(f"{name} - " + ("without noise" if noisy is not clean else "input"))
    for panel in panels.flat:
        panel.set_xticks([])
        panel.set_yticks([])
    figure.colorbar(top, ax=panels[0], label="intensity", pad=0.01)
    figure.colorbar(bottom, ax=panels[1], label="difference of intensity", pad=0.01)
    size = "%.0f x %.0f mm" % tuple(n * s for n, s in zip(reference.shape[::-1], spacing))
    figure.suptitle(f"Middle slice, {size}")
    figure.savefig(path, dpi=100)
    plt.close(figure)
