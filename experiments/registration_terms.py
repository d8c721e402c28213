#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Channels, points and labels in one registration: the tables of Documentation/registration-terms.md.

  registration_terms.py draw MAPS HEADS                   draws heads from label maps, training_seg_01.nii.gz to _10 of SynthSeg
  registration_terms.py channels HEADS PROGRAM OUTPUT     registers pairs by each contrast, and by two channels
  registration_terms.py ants HEADS OUTPUT                 the same with ANTs from the same alignment, if antspyx is there
  registration_terms.py points HEADS PROGRAM OUTPUT       recovers known maps from points, with and without images
  registration_terms.py labels BRAINS PROGRAM OUTPUT      gives a tenth of the labels: BRAINS/na01.nii.gz, na01_seg.nii.gz, ...
  registration_terms.py times BRAINS PROGRAM OUTPUT       seconds of a registration with each term
  registration_terms.py tables OUTPUT                     prints what the others left in OUTPUT

PROGRAM is cudaneuro-register. Needs NumPy and SciPy.
"""

import functools
import itertools
import multiprocessing
import pathlib
import tempfile
import time

import contrast_heads as heads
import drawn_heads
import nifti
import numpy as np
import registration_terms_labels as brains
import registration_terms_points as known_maps
import registration_terms_tables as tables
from program_runs import CORRELATION, run_list, save, seconds_of
from subcommands import Subcommands

METHODS = ("unbiased", "symmetric", "greedy")
# What is registered, and the contrasts of its channels.
CHANNELS = {
    "t1": ("t1",),
    "t2": ("t2",),
    "t1 + t2": ("t1", "t2"),
    "all": ("all",),
    "t1_shown": ("t1_shown",),
    "t2_shown": ("t2_shown",),
}
STRUCTURES = drawn_heads.STRUCTURES
THALAMUS, PUTAMEN = ([STRUCTURES.index(label) + 1 for label in pair] for pair in (heads.THALAMUS, heads.PUTAMEN))


def names_of(folder):
    return sorted({path.name.split("_")[0] for path in pathlib.Path(folder).glob("*_labels.nii")})


# --- heads


def draw_one(task):
    head_labels, head, contrast, purpose, folder = task
    heads.draw_image(head_labels, contrast, folder, head, purpose)


def deformed(labels, head, folder):
    """The head deformed by a known map; writes its labels and places whose way is known."""
    known = heads.KnownMap(labels.voxels.shape, heads.generator_of(head, 50))
    result = known.warped(labels)
    heads.write_labels(result, folder, head + heads.DEFORMED)
    places = heads.KnownPairs(result, known, known_maps.HELD_OUT + max(known_maps.POINT_COUNTS), heads.generator_of(head, 51))
    np.savez(folder / f"{head}_places.npz", places=places.places, fixed=places.fixed, moving=places.moving)
    distance = np.linalg.norm(places.fixed - places.moving, axis=1)
    truth = {
        "least_jacobian": float(known.jacobians().min()),
        "mean_mm": float(distance.mean()),
        "largest_mm": float(distance.max()),
    }
    save(folder / f"{head}_truth.json", truth)
    return result


def tasks_of_head(path, folder, factor):
    head = path.name.split(".")[0][-2:]
    labels = heads.read_labels(path, factor)
    heads.write_labels(labels, folder, head)
    tasks = [(labels, head, contrast, number, folder) for number, contrast in enumerate(heads.CONTRASTS)]
    if head in known_maps.MAPS:
        tasks.append((deformed(labels, head, folder), head + heads.DEFORMED, "t1", 60, folder))
    return tasks


def draw(options):
    options.heads.mkdir(parents=True, exist_ok=True)
    paths = sorted(options.maps.glob("*_[0-9][0-9].nii*"))
    with multiprocessing.Pool(options.jobs) as pool:
        tasks = pool.map(functools.partial(tasks_of_head, folder=options.heads, factor=options.factor), paths, 1)
        pool.map(draw_one, itertools.chain.from_iterable(tasks), 1)


def mean_of(labels, numbers):
    values = [labels[str(number)] for number in numbers if str(number) in labels]
    return float(np.mean(values))


def overlap_row(labels):
    everything = range(1, len(STRUCTURES) + 1)
    means = {"thalamus": mean_of(labels, THALAMUS), "putamen": mean_of(labels, PUTAMEN), "mean": mean_of(labels, everything)}
    return {**means, "both": (means["thalamus"] + means["putamen"]) / 2}


def chosen_pairs(options):
    """The names of heads: first with second, third with fourth and so on, in both directions, or those that were asked for."""
    if options.pairs:
        return [tuple(pair.split("-")) for pair in options.pairs.split(",")]
    names = [name for name in names_of(options.heads) if not name.endswith(heads.DEFORMED)]
    pairs = list(zip(names[::2], names[1::2]))
    return pairs + [pair[::-1] for pair in pairs]


# --- channels


def channel_row(folder, pair, contrasts, alignments):
    """A row of --pairs."""
    roles = ("fixed", "moving")
    row = {"name": "-".join(pair)}
    for role, head in zip(roles, pair):
        row[role] = heads.image_path(folder, head, contrasts[0]).resolve()
        row[f"{role}_labels"] = heads.labels_path(folder, head).resolve()
        row.update(
            {f"{role}_{number}": heads.image_path(folder, head, name).resolve() for number, name in enumerate(contrasts[1:], 2)}
        )
    row["initial_transform"] = (alignments / f"{row['name']}.tfm").resolve()
    return row


def align(options, pairs):
    """Affine transforms of pairs by T1, from which all methods start."""
    folder = options.output / "affine"
    rows = [channel_row(options.heads, pair, ("t1",), folder) for pair in pairs]
    rows = [{key: row[key] for key in ("name", "fixed", "moving")} for row in rows]
    run_list(options.program, "affine", rows, folder, ["--output-transform", folder / "{name}.tfm"])


def channels(options):
    pairs = chosen_pairs(options)
    align(options, pairs)
    result = []
    for method, (name, contrasts) in itertools.product(options.methods.split(","), CHANNELS.items()):
        rows = [channel_row(options.heads, pair, contrasts, options.output / "affine") for pair in pairs]
        folder = options.output / method / name.replace(" ", "")
        reports = run_list(options.program, method, rows, folder, ["--align", "none", *CORRELATION, *options.rest])
        for pair, report in reports.items():
            overlap = overlap_row(report["overlap"]["after"]["labels"])
            jacobian = {key: report["jacobian"][key] for key in ("minimum", "standard_deviation_logarithm")}
            before = overlap_row(report["overlap"]["before"]["labels"])
            row = {"method": method, "channels": name, "pair": pair, **overlap, "before": before, **jacobian}
            result.append({**row, "seconds": seconds_of(report)})
        print(method, name, len(reports), flush=True)
    save(options.output / f"channels{options.suffix}.json", result)


# --- ANTs, which has the box of the brain of the fixed head: on the whole head it takes three times as long

BRAIN_MARGIN = 12  # mm


def brain_box(folder, head):
    places = np.nonzero(nifti.read(heads.labels_path(folder, head))[0])
    return tuple((max(0, int(p.min()) - BRAIN_MARGIN), int(p.max()) + 1 + BRAIN_MARGIN) for p in places)


def ants_image(path, box=None):
    import ants

    if box is None:
        return ants.image_read(str(path))
    part = drawn_heads.Lattice(*nifti.read(path)).part(box)
    with tempfile.TemporaryDirectory() as name:
        nifti.write(pathlib.Path(name) / "part.nii", np.asfortranarray(part.voxels), part.affine)
        return ants.image_read(f"{name}/part.nii")


def ants_overlap(images, transforms):
    import ants

    warped = ants.apply_transforms(*images, transforms, interpolator="nearestNeighbor").numpy().astype(int)
    numbers = range(1, len(STRUCTURES) + 1)
    target = images[0].numpy().astype(int)
    either = np.bincount(target.ravel(), minlength=len(STRUCTURES) + 1) + np.bincount(
        warped.ravel(), minlength=len(STRUCTURES) + 1
    )
    both = np.bincount(target[target == warped], minlength=len(STRUCTURES) + 1)
    return overlap_row({str(number): float(2 * both[number] / max(1, either[number])) for number in numbers})


def ants_row(folder, pair, name, alignment, iterations):
    import ants

    boxes = (brain_box(folder, pair[0]), None)
    fixed, moving = (
        [ants_image(heads.image_path(folder, head, one), box) for one in CHANNELS[name]] for head, box in zip(pair, boxes)
    )
    further = [["CC", f, m, 1, 4] for f, m in zip(fixed[1:], moving[1:])] or None
    start = time.perf_counter()
    result = ants.registration(
        fixed[0],
        moving[0],
        type_of_transform="SyNOnly",
        initial_transform=str(alignment),
        syn_metric="CC",
        syn_sampling=4,
        reg_iterations=iterations,
        multivariate_extras=further,
    )
    seconds = time.perf_counter() - start
    label_maps = [ants_image(heads.labels_path(folder, head), box) for head, box in zip(pair, boxes)]
    overlap = ants_overlap(label_maps, result["fwdtransforms"])
    return {
        "method": "ANTs",
        "channels": name,
        "pair": "-".join(pair),
        **overlap,
        "seconds": seconds,
        "iterations": list(iterations),
    }


def run_ants(options):
    iterations = tuple(int(number) for number in options.iterations.split(","))
    for name, pair in itertools.product(options.channels.split(","), chosen_pairs(options)):
        alignment = options.output / "affine" / f"{'-'.join(pair)}.tfm"
        row = ants_row(options.heads, pair, name, alignment, iterations)
        save(options.output / "ants" / f"{name.replace(' ', '')}_{row['pair']}.json", row)
        print(row, flush=True)


def main():
    commands = Subcommands(__doc__)
    drawing = commands.add("draw", draw, "maps", "heads")
    drawing.add_argument("--factor", type=int, default=1, help="mm of a voxel")
    for name, function, paths in (
        ("channels", channels, ("heads", "program", "output")),
        ("ants", run_ants, ("heads", "output")),
    ):
        added = commands.add(name, function, *paths)
        added.add_argument("--pairs", help="as 01-02,03-04; by default 01-02 to 09-10 and their reverses")
        if name == "ants":
            added.add_argument("--iterations", default="100,70,50,20")
            added.add_argument("--channels", default=",".join(CHANNELS))
        else:
            added.add_argument("--methods", default=",".join(METHODS))
            added.add_argument("--suffix", default="", help="of the name of the result")
    added = commands.add("points", known_maps.points, "heads", "program", "output")
    added.add_argument("--methods", default=",".join(METHODS), help="the first with all numbers and errors of points")
    added.add_argument("--landmarks", type=pathlib.Path, help="the program cudaneuro-landmarks")
    added = commands.add("labels", brains.labels, "brains", "program", "output")
    added.add_argument("--methods", default=",".join(METHODS))
    added = commands.add("times", brains.times, "brains", "program", "output")
    added.add_argument("--methods", default=",".join(METHODS))
    commands.add("tables", tables.print_all, "output")
    commands.run()


if __name__ == "__main__":
    main()
