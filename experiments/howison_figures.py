# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Figures 2 to 4 from the table that howison_sweep.py writes, and their results in numbers.

    python howison_figures.py sweep/howison.csv sweep
"""

import collections
import csv
import math
import os
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FIGURES = (("bilateral", 2, "Bilateral filter"), ("diffusion", 3, "Anisotropic diffusion (26 neighbors, PM2)"),
           ("non-local means", 4, "Non-local means"))  # fmt: skip
LABELS = {"R": "radius R, voxels", "sd": "domain sigma $\\sigma_d$, voxels", "sr": "range sigma $\\sigma_r$, of 255",
          "N": "steps N", "dt": "time step $\\Delta t$", "k": "$\\kappa$, of 1",
          "W-P": "window and patch radius W-P, voxels", "h": "h, of 255"}  # fmt: skip

Best = collections.namedtuple("Best", "image parameters d_mse d_mssim")


def read_table(path):
    """The best configuration of each image, by MSSIM, for each filter; and all values of each parameter, in order."""
    best, values = collections.defaultdict(dict), collections.defaultdict(dict)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            parameters = dict(item.split("=") for item in row["parameters"].split())
            d_mse, d_mssim = float(row["d_mse"]), float(row["d_mssim"])
            for name, value in parameters.items():
                values[name].setdefault(value)
            known = best[row["filter"]].get(row["image"])
            if math.isfinite(d_mse) and math.isfinite(d_mssim) and (known is None or d_mssim > known.d_mssim):
                best[row["filter"]][row["image"]] = Best(row["image"], parameters, d_mse, d_mssim)
    return {name: list(images.values()) for name, images in best.items()}, values


def draw_figure(path, title, points, values):
    """One panel for each parameter: the same points, colored by its values."""
    names = list(points[0].parameters)
    figure, panels = plt.subplots(1, len(names), figsize=(5.2 * len(names), 4.6), sharey=True, layout="constrained")
    for name, panel in zip(names, panels):
        panel.axhline(0, color="0.75", linewidth=0.8)
        panel.axvline(0, color="0.75", linewidth=0.8)
        for i, value in enumerate(values[name]):
            chosen = [p for p in points if p.parameters[name] == value]
            color = plt.get_cmap("turbo")((i + 0.5) / len(values[name]))
            panel.scatter([p.d_mse for p in chosen], [p.d_mssim for p in chosen], s=22, color=color, alpha=0.8,
                          edgecolor="black", linewidth=0.3, label=f"{value} ({len(chosen)})")  # fmt: skip
        panel.set_xlabel("relative change of MSE (eq. 17)")
        panel.set_title(LABELS[name], fontsize=11)
        panel.legend(title="value (images)", fontsize=8, title_fontsize=8)
    panels[0].set_ylabel("relative change of MSSIM (eq. 17)")
    figure.suptitle(f"{title}: the configuration of best MSSIM for each of {len(points)} images")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def summarize(title, points, values):
    for name, changes in (("MSSIM", [p.d_mssim for p in points]), ("MSE", [p.d_mse for p in points])):
        print(f"{title}: {name} changes by {statistics.median(changes):+.2f} (median; {min(changes):+.2f} to "
              f"{max(changes):+.2f}), rises in {sum(c > 0 for c in changes)} of {len(points)} images")  # fmt: skip
    for name in points[0].parameters:
        counts = collections.Counter(p.parameters[name] for p in points)
        print(f"  best {name}: " + ", ".join(f"{value} in {counts[value]}" for value in values[name] if counts[value]))


def draw_figures(table, folder):
    """Returns the paths of the figures."""
    best, values = read_table(table)
    paths = []
    for name, number, title in FIGURES:
        paths.append(os.path.join(folder, f"figure{number}-{name.replace(' ', '-')}.png"))
        summarize(title, best[name], values)
        draw_figure(paths[-1], title, best[name], values)
    return paths


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(*draw_figures(*sys.argv[1:]), sep="\n")
