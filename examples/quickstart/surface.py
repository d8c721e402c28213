# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoises surfaces whose true shape is known: a folded one, and a part with sharp edges."""

import numpy as np
from drawing import bar, plt, show_surface
from scipy.spatial import cKDTree
from surfaces import read_ply

LIMIT = 180
# Shapes, and noise in lengths of edges.
SURFACES = {"Folds": 0.25, "Blocks": 0.25}
VIEW = (-55, 30)


def draw(topic, rows):
    figure, axes = plt.subplots(len(rows), 4, figsize=(16, 4.3 * len(rows)), layout="constrained")
    for panels, (name, noisy, denoised, truth, rms) in zip(axes, rows):
        show_surface(panels[0], *noisy, f"{name}: noisy, RMS {rms[0]:.2f} mm", view=VIEW)
        show_surface(panels[1], *denoised, f"denoised, RMS {rms[1]:.2f} mm", view=VIEW)
        limits = (0, 3 * rms[0])
        for panel, (points, triangles), title in ((panels[2], noisy, "noisy"), (panels[3], denoised, "denoised")):
            distances = to_surface(points, *truth)
            show_surface(panel, points, triangles, f"{title}: distance", distances, limits, "YlOrRd", VIEW)
        bar(figure, None, list(panels[2:]), "distance from the true surface, mm", "YlOrRd", limits)
    figure.savefig(topic.path("figure.png"), dpi=100)
    plt.close(figure)


def to_surface(points, corners, triangles, samples=6):
    """Distances of points from a surface, by points that lie densely on its triangles."""
    weights = [(i, j, samples - i - j) for i in range(samples + 1) for j in range(samples + 1 - i)]
    dense = np.concatenate([np.tensordot(np.array(w) / samples, corners[triangles], (0, 1)) for w in weights])
    return cKDTree(dense).query(points)[0]


def run(topic):
    topic.title = "Surface"
    topic.text = (
        "Two surfaces whose true shape is known, with noise along their normals: one with folds like the cortex, and a part with "
        "sharp edges. The vertices of their meshes are moved to normals that are filtered; nothing is chosen. Distances are between "
        "surfaces, both ways, and angles between their normals, over the area."
    )
    lengths = ("RMS distance before", "after", "largest before", "after")
    topic.table = [("surface", *lengths, "mean angle before", "after", "change of volume", "seconds")]
    rows = []
    for name, noise in SURFACES.items():
        noisy, truth, denoised = (topic.path(f"{name.lower()}-{kind}.ply") for kind in ("noisy", "true", "denoised"))
        size = ["--edge-length", 4] if topic.small else []
        arguments = ["--shape", name, "--deviation", noise, *size, "--output", noisy, "--output-true", truth]
        topic.run("cudaneuro-surface", "synthesize", *arguments)
        done = topic.run("cudaneuro-surface", "denoise", noisy, "--output", denoised)
        reports = [topic.run("cudaneuro-surface", "compare", truth, surface) for surface in (noisy, denoised)]
        before, after = (report["distance"] for report in reports)
        lengths = (before["rms_mm"], after["rms_mm"], before["maximum_mm"], after["maximum_mm"])
        angles = [report["angle"]["mean_degrees"] for report in reports]
        volume, seconds = reports[1]["volume_change_percent"], done["seconds"]["denoising"]
        row = (*(f"{x:.3f} mm" for x in lengths), *(f"{x:.1f} degrees" for x in angles), f"{volume:+.2f} %", f"{seconds:.1f}")
        topic.table.append((name, *row))
        topic.check(f"{name}: RMS distance after over before", after["rms_mm"] / before["rms_mm"], below=0.7)
        topic.check(f"{name}: angle after over before", angles[1] / angles[0], below=0.4)
        topic.check(f"{name}: change of volume", abs(volume), below=1, unit="%")
        topic.details[name] = {"before": before, "after": after, "angles": angles, "seconds": done["seconds"]}
        rows.append((name, *(read_ply(path) for path in (noisy, denoised, truth)), (before["rms_mm"], after["rms_mm"])))
    topic.caption = "Surfaces with noise and denoised, and both colored by their distance from the true one."
    draw(topic, rows)
