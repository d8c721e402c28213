# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws a slice of two volumes, of the deformation between them, and of the errors of the fields that were found."""

import matplotlib

matplotlib.use("Agg")
import itk
import matplotlib.pyplot as plt
import numpy as np


def draw_fields(path, deformed, original, length, errors, head):
    """length: of the true displacements, mm; errors: volumes by the name of the method, mm; head: the voxels that count."""
    columns = max(3, len(errors))
    figure, panels = plt.subplots(2, columns, figsize=(3.4 * columns, 7.8), layout="constrained")
    z = head.shape[0] // 2
    spacing = deformed.GetSpacing()
    aspect = {"aspect": spacing[1] / spacing[0]}
    for panel, image, title in ((panels[0, 0], deformed, "deformed"), (panels[0, 1], original, "original")):
        panel.imshow(itk.array_view_from_image(image)[z], cmap="gray", **aspect)
        panel.set_title(title)
    inside = np.where(head[z], 1.0, np.nan)
    truth = panels[0, 2].imshow(length[z] * inside, cmap="viridis", vmin=0, **aspect)
    panels[0, 2].set_title(f"true displacement\nmean {length[head].mean():.2f} mm")
    largest = max(np.percentile(error[head], 98) for error in errors.values())
    for panel, (name, error) in zip(panels[1], errors.items()):
        shown = panel.imshow(error[z] * inside, cmap="magma", vmin=0, vmax=largest, **aspect)
        panel.set_title(f"{name}\nmean error {error[head].mean():.3f} mm")
    for panel in panels.flat:
        panel.set_xticks([])
        panel.set_yticks([])
    figure.colorbar(truth, ax=panels[0], label="mm", pad=0.01)
    figure.colorbar(shown, ax=panels[1], label="error, mm", pad=0.01)
    figure.suptitle("Middle slice, head only")
    figure.savefig(path, dpi=100)
    plt.close(figure)
