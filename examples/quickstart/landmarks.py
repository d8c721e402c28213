# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Matches landmarks on a folded surface: points between them, which it does not know, must arrive, too."""

import numpy as np
from drawing import bar, plt, project, show_surface
from surfaces import read_vtk

LIMIT = 120
VIEW = (-50, 25)


def read_points(path):
    return np.genfromtxt(path, delimiter=",", names=True) if path.read_text()[0].isalpha() else np.loadtxt(path, delimiter=",")


def as_array(table):
    return np.stack([table[name] for name in table.dtype.names[:3]], axis=-1) if table.dtype.names else table[:, :3]


def draw(topic, surfaces, triangles, landmarks, distances):
    template, moved, target = surfaces
    before, after = distances
    limits = (0, float(np.percentile(before, 99)))
    figure, axes = plt.subplots(1, 3, figsize=(15, 5.2), layout="constrained")
    show_surface(axes[0], template, triangles, "template: landmarks (black), their targets (red)", view=VIEW)
    (start, near), (end, _) = (project(points, VIEW) for points in landmarks)
    front = near > np.median(near)
    axes[0].plot(*np.stack([start[front], end[front]], axis=-1).transpose(1, 2, 0), color="tab:blue", linewidth=1.0)
    axes[0].plot(*start[front].T, "o", color="black", markersize=1.8)
    axes[0].plot(*end[front].T, "o", color="tab:red", markersize=2.4)
    for panel, points, values, title in ((axes[1], template, before, "before"), (axes[2], moved, after, "after")):
        text = f"{title}: {values.mean():.2f} mm from the target on average"
        show_surface(panel, points, triangles, text, values=values, limits=limits, cmap="YlOrRd", view=VIEW)
    bar(figure, None, axes[1:], "distance of the surface's points from where they belong, mm", "YlOrRd", limits)
    figure.savefig(topic.path("figure.png"), dpi=110)
    plt.close(figure)


def run(topic):
    topic.title = "Landmarks"
    count = 300 if topic.small else 900
    folder = topic.path("points")
    topic.run("cudaneuro-landmarks", "synthesize", "--output-folder", folder, "--number-of-points", count, "--surfaces")
    template, target = folder / "template.csv", folder / "target_0001.csv"
    options = ["--sigma", 4, "--maximum-number-of-iterations", 60 if topic.small else 150, "--mesh", folder / "template_surface.vtk"]
    options += ["--output-mesh", topic.path("moved.vtk"), "--output-points", topic.path("moved.csv")]
    options += ["--output-transform", topic.path("map.h5"), "--output-inverse-transform", topic.path("inverse.h5")]
    done = topic.run("cudaneuro-landmarks", "match", template, target, *options)
    landmarks = [as_array(read_points(path)) for path in (template, target, topic.path("moved.csv"))]
    surface, triangles = read_vtk(folder / "template_surface.vtk")
    moved, truth = (read_vtk(path)[0] for path in (topic.path("moved.vtk"), folder / "target_0001_surface.vtk"))

    of_landmarks = [np.linalg.norm(points - landmarks[1], axis=1) for points in (landmarks[0], landmarks[2])]
    of_surface = [np.linalg.norm(points - truth, axis=1) for points in (surface, moved)]
    topic.text = (
        f"{count} landmarks on a folded surface, and their places after a random map without folds, with noise of 0.02 mm. The "
        f"found map carries the whole surface along: its {len(surface)} points are not landmarks, and the true map is known."
    )
    topic.table = [("distance from where they belong", "mean before", "mean after", "largest before", "largest after")]
    for name, (before, after) in (("landmarks", of_landmarks), ("points of the surface", of_surface)):
        numbers = (before.mean(), after.mean(), before.max(), after.max())
        topic.table.append((name, *(f"{number:.3f} mm" for number in numbers)))
    topic.check("mean distance of landmarks", of_landmarks[1].mean(), below=0.1, unit="mm")
    ratio = of_surface[1].mean() / of_surface[0].mean()
    topic.check("mean distance of points of the surface, after over before", ratio, below=0.6 if topic.small else 0.4)
    topic.details = {"seconds": done["seconds"], "targets": [{"name": t["name"]} for t in done["targets"]]}
    topic.caption = "Landmarks and their targets, and the surface before and after, colored by its distance from the target."
    draw(topic, (surface, moved, truth), triangles, landmarks[:2], of_surface)
