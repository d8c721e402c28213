#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""How well labels overlap, against how much the map grows and shrinks: the curves of Documentation/registration-choices.md.

  registration_curve.py run PROGRAM PAIRS OUTPUT.csv     registers the pairs with each setting below
  registration_curve.py table OUTPUT.csv                 prints the table, in Markdown
  registration_curve.py plot OUTPUT.csv FIGURE.png       draws the curves; needs matplotlib

PROGRAM is cudaneuro-register, PAIRS a list as its option --pairs takes it, with labels of both images.
"""

import csv
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

CORRELATION = ["--metric", "local-correlation"]
INFORMATION = ["--metric", "mutual-information"]
BOUND = ["--jacobian-bound", "0.1"]

# Curve, fixed options, and the weights that make its points.
CURVES = [
    ("unbiased, local correlation", ["unbiased", *CORRELATION], [0.03, 0.1, 0.3, 0.5, 1, 3, 10]),
    ("unbiased, local correlation, sigma 4, 3, 2, 1", ["unbiased", *CORRELATION, "--update-field-standard-deviations-per-level", "4,3,2,1"], [0.1, 0.3, 1]),
    ("unbiased, local correlation, sigma 2", ["unbiased", *CORRELATION, "--update-field-standard-deviations", "2"], [0.1, 0.3, 1]),
    ("unbiased, local correlation, J > 0.1", ["unbiased", *CORRELATION, *BOUND], [0.3, 0.5, 0.7, 1]),
    ("unbiased, local correlation, 50 finest iterations", ["unbiased", *CORRELATION, "--number-of-iterations", "100,100,100,50"], [0.1, 0.3, 1]),
    ("unbiased, mean squares", ["unbiased"], [0.01, 0.03, 0.1, 0.3, 1]),
    ("unbiased, mean squares, sigma 2", ["unbiased", "--update-field-standard-deviations", "2"], [0.1]),
    ("unbiased, mutual information", ["unbiased", *INFORMATION], [0.1, 0.3, 1, 3]),
    ("symmetric, local correlation", ["symmetric", *CORRELATION], [0.03, 0.1, 0.3, 0.5, 1, 3]),
    ("symmetric, local correlation, sigma 2", ["symmetric", *CORRELATION, "--update-field-standard-deviations", "2"], [0.1, 1]),
    ("symmetric, local correlation, J > 0.1", ["symmetric", *CORRELATION, *BOUND], [0.3, 0.7, 1]),
    ("symmetric, mean squares", ["symmetric"], [0.03, 0.1, 0.3]),
    ("symmetric, mutual information", ["symmetric", *INFORMATION], [0.3, 1, 3]),
    ("greedy, local correlation", ["greedy", *CORRELATION], [None]),
    ("greedy, mean squares", ["greedy"], [None]),
    ("greedy, mutual information", ["greedy", *INFORMATION], [None]),
]

MEANS = {
    "union": "union_after",
    "labels": "mean_after",
    "spread": "jacobian_standard_deviation_logarithm",
    "p0_1": "jacobian_percentile_0_1",
    "p99_9": "jacobian_percentile_99_9",
    "inverse_mean_mm": "inverse_mean_mm",
}
COLUMNS = ["curve", "weight", "command", *MEANS, "least_j", "largest_j", "folds", "inverse_maximum_mm", "seconds"]


def register(program, pairs, options):
    """The rows of the table of pairs, and the seconds of each on the device."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        outputs = ["--json", str(folder / "{name}.json"), "--table", str(folder / "table.csv")]
        subprocess.run([program, *options, "--align", "none", "--pairs", pairs, *outputs], check=True)
        with open(folder / "table.csv", newline="") as table:
            rows = list(csv.DictReader(table))
        seconds = [json.loads((folder / f"{row['name']}.json").read_text())["seconds"]["on_device"] for row in rows]
    return rows, seconds


def summary(curve, weight, options, rows, seconds):
    def values(column):
        return [float(row[column]) for row in rows if row.get(column)]

    result = {"curve": curve, "weight": weight, "command": " ".join(options)}
    for name, column in MEANS.items():
        of_pairs = values(column)
        result[name] = sum(of_pairs) / len(of_pairs) if of_pairs else ""
    result["least_j"] = min(values("jacobian_minimum"))
    result["largest_j"] = max(values("jacobian_maximum"))
    result["folds"] = int(sum(values("jacobian_folded_voxels")))
    result["inverse_maximum_mm"] = max(values("inverse_maximum_mm"), default="")
    result["seconds"] = sum(seconds) / len(seconds)
    return result


def run(program, pairs, output):
    with open(output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for curve, options, weights in CURVES:
            for weight in weights:
                of_point = options if weight is None else [*options, "--unbiased-weight", str(weight)]
                writer.writerow(summary(curve, weight, of_point, *register(program, pairs, of_point)))
                file.flush()


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def table(path):
    print("| method | weight | union | labels | spread of log J | 0.1 to 99.9 % of J | J | inverse, mm | s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    previous = ""
    for row in read(path):
        number = {name: float(row[name]) for name in COLUMNS[3:] if row[name]}
        inverse = f"{number['inverse_mean_mm']:.3f}, {number['inverse_maximum_mm']:.2f}" if row["inverse_mean_mm"] else ""
        print(
            f"| {row['curve'] if row['curve'] != previous else ''} | {row['weight']} | {number['union']:.3f} "
            f"| {number['labels']:.3f} | {number['spread']:.3f} | {number['p0_1']:.2f} to {number['p99_9']:.2f} "
            f"| {number['least_j']:.2g} to {number['largest_j']:.2g} | {inverse} | {number['seconds']:.2f} |"
        )
        previous = row["curve"]


def plot(path, figure):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figures, axes = plt.subplots(1, 2, figsize=(11, 5), sharex=True)
    colors = plt.get_cmap("tab20").colors  # more than the default has
    for axis, column, title in zip(axes, ("union", "labels"), ("all labels as one", "mean of the labels")):
        for color, (curve, points) in zip(colors, itertools.groupby(read(path), key=lambda row: row["curve"])):
            points = sorted((float(row["spread"]), float(row[column])) for row in points)
            shape = {"marker": "o", "markersize": 4} if len(points) > 1 else {"marker": "*", "markersize": 9}
            axis.plot(*zip(*points), color=color, label=curve, **shape)
        axis.set_xlabel("spread of log J")
        axis.set_ylabel("Dice coefficient")
        axis.set_title(title)
        axis.grid(alpha=0.3)
    axes[1].legend(fontsize=7, loc="lower right")
    figures.tight_layout()
    figures.savefig(figure, dpi=110)


def main():
    commands = {"run": (run, 3), "table": (table, 1), "plot": (plot, 2)}
    command, arguments = sys.argv[1:2], sys.argv[2:]
    if not command or command[0] not in commands or len(arguments) != commands[command[0]][1]:
        sys.exit(__doc__)
    commands[command[0]][0](*arguments)


if __name__ == "__main__":
    main()
