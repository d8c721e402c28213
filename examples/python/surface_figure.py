# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws a surface before and after: its zero level, to which rays are followed, and a slice with both."""

import itk
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def sample(level, points):
    """Linear interpolation between voxels, at indices [..., (z, y, x)]."""
    points = np.clip(points, 0, np.array(level.shape) - 1.001)
    first = points.astype(int)
    part = points - first
    values = 0.0
    for corner in np.ndindex(2, 2, 2):
        weight = np.prod(np.where(corner, part, 1 - part), axis=-1)
        values = values + weight * level[tuple(np.moveaxis(first + corner, -1, 0))]
    return values


def render(image, pixels=300):
    """What rays that go through the volume at an angle see of its zero level, in shades of gray."""
    level = itk.array_from_image(image)
    spacing = np.array(image.GetSpacing())[::-1]
    extent = spacing * level.shape
    view = np.array([-0.45, 0.72, 0.53]) / np.linalg.norm([-0.45, 0.72, 0.53])
    # Products of vectors in the order z, y, x have the other sign.
    right = np.cross([1.0, 0.0, 0.0], view)
    right /= np.linalg.norm(right)
    up = np.cross(view, right)
    radius = 0.5 * np.linalg.norm(extent)
    across = np.linspace(-0.75, 0.75, pixels) * radius
    ray = extent / 2 - radius * view + across[::-1, None, None] * up + across[None, :, None] * right
    # The distance tells how far a ray can go.
    travelled = np.zeros(ray.shape[:2])
    for _ in range(120):
        distance = sample(level, (ray + travelled[..., None] * view) / spacing)
        travelled = np.minimum(travelled + 0.9 * distance, 2 * radius)
    hit = (ray + travelled[..., None] * view)[travelled < 2 * radius]
    steps = 0.7 * spacing.min() * np.eye(3)
    normal = np.stack([sample(level, (hit + step) / spacing) - sample(level, (hit - step) / spacing) for step in steps], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
    light = -view + 0.6 * up - 0.5 * right
    shades = np.ones(ray.shape[:2])
    shades[travelled < 2 * radius] = 0.15 + 0.8 * np.clip(normal @ light / np.linalg.norm(light), 0, 1)
    return shades


def draw(noisy, denoised, path):
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.8))
    for axes, image, title in ((left, noisy, "before"), (middle, denoised, "after")):
        axes.imshow(render(image), cmap="gray", vmin=0, vmax=1)
        axes.set_title(title)
        axes.axis("off")
    spacing = noisy.GetSpacing()
    for image, color, label in ((noisy, "0.6", "before"), (denoised, "tab:red", "after")):
        level = itk.array_from_image(image)
        slice_ = level[np.argmax((level < 0).sum(axis=(1, 2)))]
        x, y = (np.arange(n) * s for n, s in zip(slice_.shape[::-1], spacing))
        right.contour(x, y, slice_, levels=[0.0], colors=[color], linewidths=1.2)
        right.plot([], [], color=color, label=label)
    right.set_aspect("equal")
    right.set_xlabel("mm")
    right.set_title("The slice with most inside")
    right.legend(loc="upper right")
    figure.tight_layout()
    figure.savefig(path, dpi=100)
