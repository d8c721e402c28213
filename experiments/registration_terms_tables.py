# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of registration_terms.py, in Markdown."""

import itertools
import json

import numpy as np


def line(*values):
    return "| " + " | ".join(map(str, values)) + " |"


def heading(texts, *titles):
    """Titles of columns, the first `texts` of which are of text and the others of numbers."""
    return [line(*titles), line(*["---"] * texts, *["---:"] * (len(titles) - texts))]


def grouped(rows, *keys):
    """Rows of the same values of keys, in the order in which these values come."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(json.dumps(row.get(key)) for key in keys), []).append(row)
    return list(groups.values())


def mean(rows, *path):
    values = []
    for row in rows:
        for key in path:
            row = row[key]
        values.append(row)
    return float(np.mean(values))


STRUCTURES = ("thalamus", "putamen", "both", "mean")


def channels_table(rows):
    lines = heading(2, "method", "channels", "pairs", "thalamus", "putamen", "both of them", "all 27", "s")
    for group in grouped(rows, "method", "channels"):
        first = group[0]
        numbers = [f"{mean(group, key):.3f}" for key in STRUCTURES]
        lines.append(line(first["method"], first["channels"], len(group), *numbers, f"{mean(group, 'seconds'):.2f}"))
    return lines


def musts(rows):
    """What both channels reach of the overlap where everything is visible, and above the better single channel, a method."""
    lines = heading(
        2,
        "method",
        "overlap of",
        "of that of `all`",
        "of the best that shows everything",
        "above the better single channel",
        "least of a pair",
    )
    for group in grouped(rows, "method"):
        by_name = {of_name[0]["channels"]: of_name for of_name in grouped(group, "channels")}
        if not {"t1", "t2", "t1 + t2", "all"} <= set(by_name):
            continue
        shown = [by_name[name] for name in ("all", "t1_shown", "t2_shown") if name in by_name]
        for key, text in (("both", "thalamus and putamen"), ("mean", "all 27")):
            both = mean(by_name["t1 + t2"], key)
            of_best = both / max(mean(one, key) for one in shown)
            better = max(("t1", "t2"), key=lambda name: mean(by_name[name], key))
            of_pairs = {name: {row["pair"]: row[key] for row in by_name[name]} for name in ("t1 + t2", better)}
            gains = [value - of_pairs[better][pair] for pair, value in of_pairs["t1 + t2"].items() if pair in of_pairs[better]]
            above = both - mean(by_name[better], key)
            lines.append(
                line(
                    group[0]["method"],
                    text,
                    f"{both / mean(by_name['all'], key):.3f}",
                    f"{of_best:.3f}",
                    f"{above:+.3f}",
                    f"{min(gains):+.3f}",
                )
            )
    return lines


def points_table(data):
    lines = heading(
        2,
        "method",
        "given",
        "points",
        "error, mm",
        "s.d., mm",
        "at the points: median",
        "largest",
        "in the brain: median",
        "95 %",
        "largest",
        "least J",
    )
    for group in grouped(data["rows"], "method", "what", "count", "error", "deviation", "gross"):
        first, done = group[0], [row for row in group if row["result"]]
        if not done:
            lines.append(line(first["method"], first["what"], first["count"], first["error"], "failed"))
            continue
        largest = lambda *path: max(mean([row], "result", *path) for row in done)  # noqa: E731
        at = (
            [f"{mean(done, 'result', 'points', 'median'):.2f}", f"{largest('points', 'max'):.2f}"] if first["count"] else ["", ""]
        )
        inside = [f"{mean(done, 'result', 'held_out', key):.2f}" for key in ("median", "p95")] + [
            f"{largest('held_out', 'max'):.2f}"
        ]
        bound = f"{min(row['result']['least_jacobian'] for row in done):.2f}" if "least_jacobian" in done[0]["result"] else ""
        text = first["what"] + (", a tenth wrong by 20 mm" if first.get("gross") else "")
        lines.append(line(first["method"], text, first["count"], first["error"], first.get("deviation", ""), *at, *inside, bound))
    return lines


def labels_table(rows):
    lines = heading(1, "method", "", "labels that are given", "all others", "least J", "spread of log J", "s")
    for group in grouped(rows, "method"):
        lines.append(
            line(group[0]["method"], "before", *(f"{mean(group, 'before', key):.3f}" for key in ("given", "others")), "", "", "")
        )
        for name in ("without", "with"):
            dice = [f"{mean(group, name, key):.3f}" for key in ("given", "others")]
            least = min(row[name]["least_jacobian"] for row in group)
            lines.append(
                line("", name, *dice, f"{least:.3f}", f"{mean(group, name, 'spread'):.3f}", f"{mean(group, name, 'seconds'):.2f}")
            )
    return lines


def times_table(data):
    lines = [f"Device: {json.dumps(data['device'])}", "", *heading(1, "method", "", "s", "range", "beyond one channel")]
    for method, of_method in data["seconds"].items():
        one = of_method["one channel"]["median"]
        for name, seconds in of_method.items():
            beyond = (
                f"{seconds['median'] - one:+.3f} s, {100 * (seconds['median'] / one - 1):+.1f} %" if name != "one channel" else ""
            )
            lines.append(
                line(method, name, f"{seconds['median']:.3f}", f"{seconds['least']:.3f} to {seconds['largest']:.3f}", beyond)
            )
    return lines


def read(path):
    return json.loads(path.read_text())


def channel_rows(output):
    files = [path for path in sorted(output.glob("channels*.json"))] + sorted((output / "ants").glob("*.json"))
    parts = (read(path) for path in files)
    return list(itertools.chain.from_iterable(part if isinstance(part, list) else [part] for part in parts))


def print_all(options):
    rows = channel_rows(options.output)
    if rows:
        print("\n".join([*channels_table(rows), "", *musts(rows), ""]))
    for name, table in (("points", points_table), ("labels", labels_table), ("times", times_table)):
        path = options.output / f"{name}.json"
        if path.exists():
            print("\n".join([*table(read(path)), ""]))
