# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws slices of volumes, and surfaces, with matplotlib."""

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402
from matplotlib.colors import Normalize  # noqa: E402

GRAY = {"cmap": "gray", "vmin": 0, "vmax": 255}


def bare(axes, title=""):
    """No ticks, no frame."""
    axes.set_title(title, fontsize=11)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)


def axial(volume, part=0.5):
    """The slice at a part of the height, as an image whose rows go from back to front. The left is on the left."""
    return volume[:, :, int(part * volume.shape[2])].T


def sagittal(volume, part=0.42):
    """The slice at a part of the width, whose rows go from the bottom to the top."""
    return volume[int(part * volume.shape[0])].T


def show(axes, image, title="", **style):
    bare(axes, title)
    return axes.imshow(image, origin="lower", **{"interpolation": "nearest", **style})


def show_surface(axes, points, triangles, title="", values=None, limits=(0, 1), cmap="viridis", view=(-60, 20)):
    """A shaded surface seen from an azimuth and a height, in degrees; values at points give its color."""
    azimuth, height = np.deg2rad(view)
    towards = np.array([np.cos(height) * np.cos(azimuth), np.cos(height) * np.sin(azimuth), np.sin(height)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    up = np.cross(towards, right)
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    outward = np.einsum("ij,ij->i", normals, corners.mean(axis=1) - points.mean(axis=0)).sum()
    normals *= np.sign(outward)
    seen = normals @ towards > 0
    order = np.flatnonzero(seen)[np.argsort(corners[seen].mean(axis=1) @ towards)]  # those behind first
    light = towards + 0.7 * up - 0.5 * right
    shade = 0.3 + 0.7 * np.clip(normals[order] @ light / np.linalg.norm(light), 0, 1)
    if values is None:
        colors = np.tile([0.93, 0.86, 0.79], (len(order), 1))
    else:
        colors = matplotlib.colormaps[cmap](Normalize(*limits)(values[triangles[order]].mean(axis=1)))[:, :3]
    colors = colors * shade[:, None]
    flat = np.stack([corners[order] @ right, corners[order] @ up], axis=-1)
    axes.add_collection(PolyCollection(flat, facecolors=colors, edgecolors=colors, linewidths=0.3, antialiased=False))
    axes.autoscale_view()
    axes.set_aspect("equal")
    bare(axes, title)


def project(points, view=(-60, 20)):
    """Where points are in a drawing of show_surface, and how near to the viewer."""
    azimuth, height = np.deg2rad(view)
    towards = np.array([np.cos(height) * np.cos(azimuth), np.cos(height) * np.sin(azimuth), np.sin(height)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    return np.stack([points @ right, points @ np.cross(towards, right)], axis=-1), points @ towards


def bar(figure, values, axes, label, cmap="viridis", limits=(0, 1)):
    """A color bar for colors that show_surface has computed."""
    mappable = matplotlib.cm.ScalarMappable(Normalize(*limits), cmap)
    figure.colorbar(mappable, ax=axes, label=label, shrink=0.7, pad=0.02)
