# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the results of all topics as Markdown and as JSON."""

import json


def number(check, value):
    text = f"{value:.3g}" if 1e-3 <= abs(value) < 1e4 or value == 0 else f"{value:.1e}"
    return f"{text} {check.unit}".rstrip()


def table(rows):
    """Rows of text as a table in Markdown; the first is the head."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return lines


def section(topic):
    lines = [f"## {topic.title or topic.name}", ""]
    if topic.text:
        lines += [topic.text, ""]
    if topic.error:
        return [*lines, f"**Failed: {topic.error}**", ""]
    lines += [f"![{topic.caption}]({topic.name}/figure.png)", "", topic.caption, "", *table(topic.table), ""]
    rows = [("checked", "is", "must be", "")]
    for check in topic.checks:
        bound = f"{'above' if check.above else 'below'} {number(check, check.bound)}"
        rows.append((check.what, number(check, check.value), bound, "holds" if check.passes else "**FAILS**"))
    lines += [*table(rows), "", f"{topic.taken:.0f} s on {topic.device}. In `{topic.name}/`, these commands:", ""]
    return [*lines, "```sh", *topic.commands, "```", ""]


def as_json(topic):
    checks = [
        {"what": c.what, "value": c.value, "unit": c.unit, "above" if c.above else "below": c.bound, "passes": c.passes}
        for c in topic.checks
    ]
    return {
        "topic": topic.name,
        "passes": topic.passes(),
        "error": topic.error or None,
        "seconds": topic.taken,
        "device_description": topic.device,
        "checks": checks,
        "commands": topic.commands,
        "details": topic.details,
    }


def save_report(folder, topics):
    """Writes report.json and report.md."""
    (folder / "report.json").write_text(json.dumps([as_json(topic) for topic in topics], indent=2) + "\n")
    lines = ["# What ITKCudaNeuro does, on data with a known answer", ""]
    rows = [("topic", "first number that is checked", "is", "must be", "all hold", "seconds")]
    for topic in topics:
        numbers = ("", "", "")
        if topic.checks:
            check = topic.checks[0]
            bound = f"{'above' if check.above else 'below'} {number(check, check.bound)}"
            numbers = (check.what, number(check, check.value), bound)
        link = f"[{topic.title or topic.name}](#{(topic.title or topic.name).lower()})"
        rows.append((link, *numbers, "yes" if topic.passes() else "**NO**", f"{topic.taken:.0f}"))
    lines += [*table(rows), ""]
    for topic in topics:
        lines += section(topic)
    (folder / "report.md").write_text("\n".join(lines))
