# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs cudaneuro-register, on one pair or on a list, and reads its reports."""

import csv
import json
import subprocess
import sys

CORRELATION = ("--metric", "local-correlation")


def save(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1))


def run_program(words, log):
    """Runs a command; its end is printed where it fails."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log.write_text(" ".join(map(str, words)) + "\n" + done.stdout)
    if done.returncode != 0:
        print(f"{log}: exit status {done.returncode}: {done.stdout[-600:]}", file=sys.stderr, flush=True)
    return done.returncode == 0


def run_list(program, method, rows, folder, options=()):
    """Registers a list of pairs, which are rows of the columns of --pairs. Returns the reports by name."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "pairs.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows([{key: str(value) for key, value in row.items()} for row in rows])
    words = [
        program,
        method,
        "--pairs",
        folder / "pairs.csv",
        "--json",
        folder / "{name}.json",
        "--table",
        folder / "table.csv",
        *options,
    ]
    run_program([*words, "--quiet"], folder / "log.txt")
    paths = {row["name"]: folder / f"{row['name']}.json" for row in rows}
    return {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}


def seconds_of(report):
    """Of the registration alone."""
    return report["seconds"].get("on_device", report["seconds"]["registering"])
