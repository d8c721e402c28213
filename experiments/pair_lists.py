# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Registers lists of pairs of images by cudaneuro-register, in one process or a few, and reads the maps of its reports."""

import csv
import subprocess
import sys

import numpy as np

LPS = np.diag([-1.0, -1.0, 1.0, 1.0])


def register(command, pairs, output, jobs=1, options=()):
    """Registers pairs, which are names and paths of fixed and moving images. A pair that ends in an error has no report.

    The command is the program with its subcommand. Reports and maps go to output/reports.
    """
    reports = output / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    processes = []
    for job in range(min(jobs, len(pairs))):
        path = output / f"pairs{job}.csv"
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([("name", "fixed", "moving"), *pairs[job::jobs]])
        outputs = ["--output-transform", reports / "{name}.tfm", "--json", reports / "{name}.json"]
        words = [*command, "--pairs", path, *outputs, "--table", output / f"table{job}.csv", *options]
        with open(output / f"log{job}.txt", "w") as log:
            processes.append(subprocess.Popen([str(word) for word in words], stdout=log, stderr=subprocess.STDOUT))
    for job, status in enumerate([process.wait() for process in processes]):
        if status not in (0, 1):  # 1 tells of pairs that failed
            sys.exit(f"{command[0]}: exit status {status}; see {output}/log{job}.txt")


def matrix_of(report):
    """The map of a report, which is in LPS, in RAS."""
    matrix = np.eye(4)
    matrix[:3, :3] = report["alignment"]["matrix"]
    matrix[:3, 3] = report["alignment"]["offset_mm"]
    return LPS @ matrix @ LPS


def report_of(matrix, offset, seconds):
    """A report, as far as it is measured, of a program that tells of no quality; matrix and offset are in LPS."""
    alignment = {"matrix": np.asarray(matrix).tolist(), "offset_mm": np.asarray(offset).tolist(), "is_success": None}
    return {"alignment": alignment, "seconds": {"aligning": seconds}}


def milliseconds_of(report):
    seconds = report["seconds"]
    return 1000 * seconds.get("aligning_on_device", seconds["aligning"])
