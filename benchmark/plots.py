# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of Documentation/performance.md from the file that the benchmark wrote; needs Matplotlib.

    python plots.py performance.json FOLDER

Each picture notes the file that it was drawn from, by which the tests see that it is up to date.
"""

import hashlib
import json
import math
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

FILTERS = (
    ("bilateral R=2", "bilateral filter, radius 2"),
    ("diffusion Weickert26 N=20", "diffusion, 20 steps"),
    ("non-local means PatchSum (3,2)", "non-local means"),
    ("MSSIM", "structural similarity"),
)
CALLS = (
    ("linear registration affine, call", "affine alignment"),
    ("registration unbiased 3x100, call", "unbiased registration"),
    ("registration greedy 100 SOR, call", "greedy registration"),
    ("atlas of 36 images, 50/50/25, call", "atlas of 36 images"),
    ("atlas of 319 images, 50/50/25, call", "atlas of 319 images"),
    ("landmarks matched, 400 iterations, call", "matching of landmarks"),
    ("surface denoised, call", "denoising of a surface"),
    ("mesh denoised, call", "denoising of a mesh"),
)
# Images of an atlas, or how many for each GPU, and their size.
SCALING = (
    (lambda gpus: 36 * gpus, "192x192x192", "36 images of 192³ for each GPU"),
    (lambda gpus: 72, "192x192x192", "72 images of 192³"),
    (lambda gpus: 72, "256x256x256", "72 images of 256³"),
    (lambda gpus: 319, "256x256x256", "319 images of 256³"),
)
UNITS = {"1847x40x1": "1847 points", "17651x125x96": "17,651 voxels in the band"}
UNITS |= {"175208x125x96": "175,208 in the band", "1000045x125x96": "1,000,045 in the band"}
UNITS |= {"17424x34848x1": "17,424 vertices", "174724x349448x1": "174,724", "1000000x2000000x1": "1,000,000"}


def voxels(size):
    return math.prod(int(number) for number in size.split("x"))


def duration(milliseconds):
    if milliseconds < 1000:
        return f"{milliseconds:.3g} ms"
    return f"{milliseconds / 1000:.3g} s"


def note_that_all_failed(axes):
    """Says so in place of a plot, as a logarithmic axis finds no ticks without a number above 0."""
    axes.text(0.5, 0.5, "no row was measured", transform=axes.transAxes, ha="center", va="center")


def draw_filters(results, axes):
    """Time against voxels: on the device (full lines), and from host memory to host memory (dashed)."""
    names = [name + suffix for name, _ in FILTERS for suffix in (", kernel", ", host to host")]
    if not any(row["name"] in names for row in results):
        note_that_all_failed(axes)
        return
    for i, (name, label) in enumerate(FILTERS):
        for suffix, style, named in ((", kernel", "o-", label), (", host to host", "o--", None)):
            rows = sorted((voxels(r["size"]), r["milliseconds"]) for r in results if r["name"] == name + suffix)
            axes.plot([n / 1e6 for n, _ in rows], [t for _, t in rows], style, color=f"C{i}", label=named, markersize=4)
    axes.set(xscale="log", yscale="log", xlabel="million voxels", ylabel="ms")
    axes.grid(alpha=0.3)
    axes.plot([], [], "k-", label="images on the GPU")
    axes.plot([], [], "k--", label="from and to host memory")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(matplotlib.ticker.NullLocator())


def draw_calls(results, axes):
    """Bars: the time of whole calls."""
    rows = [(label, r) for name, label in CALLS for r in results if r["name"] == name]
    if not rows:
        note_that_all_failed(axes)
        return
    rows.reverse()
    for place, (label, row) in enumerate(rows):
        axes.barh(place, row["milliseconds"], color="C0", height=0.6)
        axes.text(row["milliseconds"] * 1.15, place, duration(row["milliseconds"]), va="center")
    sizes = [UNITS.get(row["size"], row["size"].replace("x", " x ")) for _, row in rows]
    axes.set_yticks(range(len(rows)), [f"{label}, {size}" for (label, _), size in zip(rows, sizes)])
    axes.set(xscale="log", xlabel="ms", xlim=(1, 1e5))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)


def atlases(results):
    """Milliseconds of each atlas by its number of images, its size and the number of GPUs."""
    name = re.compile(r"atlas of (\d+) images, 50/50/25(?:, (\d+) GPUs)?, call")
    matches = [(name.fullmatch(r["name"]), r) for r in results]
    return {(int(m[1]), r["size"], int(m[2] or 1)): r["milliseconds"] for m, r in matches if m}


def draw_scaling(results, axes):
    """Images a second on several GPUs over those on one."""
    times = atlases(results)
    most = max((gpus for _, _, gpus in times), default=1)
    axes.plot([1, most], [1, most], "k:", label="as many times as GPUs")
    for images, size, label in SCALING:
        here = [gpus for gpus in (1, 2, 4, 8) if (images(gpus), size, gpus) in times]
        if 1 not in here:  # a row that failed: there is nothing to compare with
            continue
        rates = [images(gpus) / times[images(gpus), size, gpus] for gpus in here]
        axes.plot(here, [rate / rates[0] for rate in rates], "o-", label=label, markersize=4)
    axes.set(xlabel="GPUs", ylabel="times as many images a second", xticks=[n for n in (1, 2, 4, 8) if n <= most])
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def main(path, folder):
    text = pathlib.Path(path).read_bytes()
    report = json.loads(text)
    note = {"Source": f"performance.json {hashlib.sha256(text).hexdigest()}"}
    # Behind it, in brackets, are the commits of rows that were measured later.
    commit = report["commit"].partition(" (")[0]
    device = f"{report['device'].partition(',')[0]}, {report['date'][:10]}, commit {commit}"
    pictures = (("filters", draw_filters, (9, 4.2)), ("calls", draw_calls, (9, 4.2)), ("scaling", draw_scaling, (6, 4.2)))
    for name, draw, size in pictures:
        figure, axes = plt.subplots(figsize=size, layout="constrained")
        draw([row for row in report["results"] if "error" not in row], axes)
        axes.set_title(device, fontsize="small", loc="right")
        figure.savefig(pathlib.Path(folder) / f"performance-{name}.png", dpi=110, metadata=note)


if __name__ == "__main__":
    main(*sys.argv[1:])
