# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of a benchmark, as Markdown, from the file that the benchmark wrote.

    cudaneuro-benchmark --json performance.json
    python tables.py performance.json
"""

import json
import sys

LIMITS = (
    ("copy_bytes_per_second", "copy, read + write (GB/s)", 1e9),
    ("fma_per_second", "fp32 FMA (1e12/s)", 1e12),
    ("ex2_per_second", "ex2.approx (1e12/s)", 1e12),
    ("host_to_device_bytes_per_second", "PCIe, to device (GB/s)", 1e9),
    ("device_to_host_bytes_per_second", "PCIe, from device (GB/s)", 1e9),
)


def rounded(value):
    """At least three significant digits."""
    return f"{value:.{4 if value < 1 else 3 if value < 10 else 2 if value < 100 else 1}f}"


def result_cells(row):
    if "error" in row:
        return row["name"], row["size"], "failed", row["error"].replace("|", "\\|"), "-", "-"
    limit = ("-", "-", "-")
    if row["limit"]:
        limit = (row["limit"], rounded(row["limit_value"]), f"{100 * row['share_of_limit']:.0f} %")
    return row["name"], row["size"], rounded(row["milliseconds"]), *limit


def memory_cells(row):
    return row["name"], row["size"], rounded(row["bytes"] / 2**20), rounded(row["float_volumes"])


def matching_cells(row):
    distances = [f"{row[key]:.4f}" for key in ("mean_before", "mean_after", "maximum_before", "maximum_after")]
    work = f"{row['iterations']:.0f}", f"{row['evaluations']:.0f}", f"{row['seconds']:.3f}"
    return row["name"], row["size"], *distances, *work


def tuning_cells(row):
    times = [shape["milliseconds"] for shape in row["shapes"]]
    default = next(shape["milliseconds"] for shape in row["shapes"] if shape["default"])
    best, worst = min(times), max(times)
    return row["kernel"], len(times), rounded(best), rounded(default), rounded(worst), f"{worst / best:.2f}"


def print_table(heading, rows):
    """The cells of the heading that end with a colon are of columns of numbers."""
    if rows:
        print("|", " | ".join(cell.rstrip(":") for cell in heading), "|")
        print("|", " | ".join("---:" if cell.endswith(":") else "---" for cell in heading), "|")
        for row in rows:
            print("|", " | ".join(map(str, row)), "|")
        print()


report = json.load(open(sys.argv[1], encoding="utf-8"))
print(f"{report['device']}, {report['date']}, commit {report['commit']}:\n\n    {report['command']}\n")
limits = [(name, rounded(report["limits"][key] / unit)) for key, name, unit in LIMITS if key in report["limits"]]
print_table(("limit", "measured:"), limits)
print_table(("name", "size", "ms:", "limit", "limit, ms:", "share:"), list(map(result_cells, report["results"])))
memory = report.get("device_memory", [])
print_table(("device memory", "size", "MiB:", "volumes of float:"), list(map(memory_cells, memory)))
matching = report.get("landmark_matching", [])
heading = ("landmarks", "size", "mean before, mm:", "mean after:", "maximum before:", "maximum after:")
print_table((*heading, "iterations:", "evaluations:", "s:"), list(map(matching_cells, matching)))
tuning = report.get("tuning", [])
print_table(("kernel", "shapes:", "best:", "default:", "worst:", "worst / best:"), list(map(tuning_cells, tuning)))
