#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Affine registration of heads of two persons, whole and cut off: the tables of Documentation/linear-registration.md.

  linear_heads.py draw MAPS HEADS [--size 256]             draws heads from label maps, training_seg_01.nii.gz to _10 of SynthSeg
  linear_heads.py run HEADS PROGRAM OUTPUT [-- OPTIONS]    registers pairs of them; PROGRAM is cudaneuro-register
  linear_heads.py ants HEADS OUTPUT                        the same with ANTs, if the package antspyx is there
  linear_heads.py measure HEADS OUTPUT                     compares the maps in OUTPUT with the labels: measures.json and table.md
  linear_heads.py table MEASURES                           prints the table again

Needs NumPy and SciPy. Each head is drawn as T1 on the grid of its map (fixed), and turned, on an oblique grid, as T1, T2 and
with random intensities (moving). Each image is there whole, cut at the chin, cut above the ears, and with half of it out at one side.
"""

import functools
import itertools
import json
import multiprocessing
import pathlib
import time

import drawn_heads as heads
import label_overlap
import nifti
import numpy as np
import pair_lists
from subcommands import Subcommands

FIELD = 256  # mm along each axis
DESIGN = {f"{number:02d}" for number in range(1, 7)}  # heads by which methods may be tuned; the others are held out


def image_path(folder, head, role, contrast, crop):
    return pathlib.Path(folder) / f"{head}_{role}_{contrast}_{crop}.nii"


def labels_path(folder, head, role):
    return pathlib.Path(folder) / f"{head}_{role}_labels.nii.gz"


def generator_of(head, purpose):
    """Random numbers that do not depend on what else is drawn."""
    return np.random.default_rng([int(head), purpose])


def write_crops(folder, head, role, contrast, image, boxes, factor):
    for crop, box in boxes.items():
        part = image.part([[bound // factor for bound in bounds] for bounds in box])
        nifti.write(image_path(folder, head, role, contrast, crop), part.voxels, part.affine)


def draw_role(labels, head, role, contrasts, folder, factor):
    """Draws the images of a head on the grid of its labels. Returns the boxes of the crops."""
    structures = heads.Lattice(heads.structures_of(labels.voxels), labels.affine)
    nifti.write(labels_path(folder, head, role), structures.voxels, structures.affine)
    keeps_right = bool(generator_of(head, 1).integers(2))
    boxes = {crop: heads.crop_box(structures, crop, keeps_right) for crop in heads.CROPS}
    for contrast in contrasts:
        purpose = 10 + 10 * (role == "moving") + heads.CONTRASTS.index(contrast)
        image = heads.draw(labels, contrast, factor, generator_of(head, purpose))
        write_crops(folder, head, role, contrast, image, boxes, factor)
    return boxes


def draw_head(path, folder, factor):
    head = path.name.split(".")[0][-2:]
    voxels, affine = nifti.read(path)
    fixed = heads.Lattice(voxels.astype(np.int16), affine).resized(FIELD)
    generator = generator_of(head, 0)
    pose = heads.random_pose(fixed.center, generator)
    oblique = heads.oblique_affine(fixed.center, FIELD, generator)
    moving = heads.resampled(fixed, oblique, fixed.voxels.shape, pose)
    boxes = {
        "fixed": draw_role(fixed, head, "fixed", ["t1"], folder, factor),
        "moving": draw_role(moving, head, "moving", heads.CONTRASTS, folder, factor),
    }
    print(f"head {head}", flush=True)
    return head, {"boxes": boxes, "pose": pose.tolist()}


def draw(options):
    options.heads.mkdir(parents=True, exist_ok=True)
    paths = sorted(options.maps.glob("*_[0-9][0-9].nii*"))
    one = functools.partial(draw_head, folder=options.heads, factor=FIELD // options.size)
    with multiprocessing.Pool(options.jobs) as pool:
        drawn = dict(pool.imap_unordered(one, paths))
    (options.heads / "heads.json").write_text(json.dumps({"size": options.size, "heads": dict(sorted(drawn.items()))}))


def chosen_runs(options):
    """Descriptions of runs: names of heads, contrast, crop, and which of the images is cut."""
    names = list(json.loads((options.heads / "heads.json").read_text())["heads"])
    pairs = list(itertools.permutations(names, 2))
    if options.pairs:
        pairs = [tuple(f"{int(number):02d}" for number in pair.split("-")) for pair in options.pairs.split(",")]
    runs = []
    for (fixed, moving), contrast, crop in itertools.product(pairs, options.contrasts.split(","), options.crops.split(",")):
        run = {"fixed": fixed, "moving": moving, "contrast": contrast, "crop": crop, "cut": options.cut}
        runs.append({"name": f"{fixed}-{moving}_{contrast}_{crop}_{options.cut}", **run})
    return runs


def crops_of(run):
    """The crops of the fixed and the moving image."""
    return tuple(run["crop"] if run["cut"] in (role, "both") else "whole" for role in ("fixed", "moving"))


def images_of(run, folder):
    fixed_crop, moving_crop = crops_of(run)
    fixed = image_path(folder, run["fixed"], "fixed", "t1", fixed_crop)
    moving = image_path(folder, run["moving"], "moving", run["contrast"], moving_crop)
    return fixed.resolve(), moving.resolve()


def listed_runs(options):
    """The chosen runs, after their list is written to the output, where a measurement finds it."""
    options.output.mkdir(parents=True, exist_ok=True)
    runs = chosen_runs(options)
    (options.output / "runs.json").write_text(json.dumps(runs))
    return runs


def run(options):
    pairs = [(one["name"], *images_of(one, options.heads)) for one in listed_runs(options)]
    pair_lists.register([options.program, options.type], pairs, options.output, options.jobs, options.rest)
    measure(options)


def ants_report(fixed, moving):
    import ants

    images = [ants.image_read(str(path)) for path in (fixed, moving)]
    start = time.perf_counter()
    result = ants.registration(*images, type_of_transform="Affine")
    seconds = time.perf_counter() - start
    transform = ants.read_transform(result["fwdtransforms"][0])
    matrix = np.reshape(transform.parameters[:9], (3, 3))
    center = np.array(transform.fixed_parameters)
    offset = transform.parameters[9:] + center - matrix @ center
    return pair_lists.report_of(matrix, offset, seconds)


def run_ants(options):
    reports = options.output / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    for one in listed_runs(options):
        report = ants_report(*images_of(one, options.heads))
        (reports / f"{one['name']}.json").write_text(json.dumps(report))
        print(one["name"], f"{report['seconds']['aligning']:.1f} s", flush=True)
    measure(options)


@functools.lru_cache(maxsize=None)
def labels_of(path):
    return label_overlap.HeadLabels(heads.Lattice(*nifti.read(path)))


def truths_of(run, folder, boxes):
    """With the reference, and with the strict one."""
    roles = ("fixed", "moving")
    parts = [boxes[run[role]]["boxes"][role][crop] for role, crop in zip(roles, crops_of(run))]
    labels = [labels_of(labels_path(folder, run[role], role)) for role in roles]
    return [label_overlap.PairTruth(*labels, *parts, is_strict) for is_strict in (False, True)]


def measured(run, truths, report):
    """A run without a report ended in an error: it has no map, and is no success."""
    truth, strict = truths
    row = {**run, "reference": truth.reference_overlap, "structures": len(truth.structures), "error": report is None}
    if report is None:
        return {**row, "dice": 0.0, "verdict": "wrong", "strict_verdict": "wrong", "success": False}
    matrix = pair_lists.matrix_of(report)
    dice = truth.overlap(matrix)
    stretches = np.log(np.linalg.svd(matrix[:3, :3], compute_uv=False))
    return {
        **row,
        "dice": dice,
        "verdict": label_overlap.verdict(truth.reference_overlap - dice),
        "strict_verdict": label_overlap.verdict(strict.reference_overlap - strict.overlap(matrix)),
        "excess_mm": truth.distance(matrix) - truth.distance(truth.reference),
        "success": report["alignment"]["is_success"],
        "quality": report["alignment"].get("quality"),
        "milliseconds": pair_lists.milliseconds_of(report),
        "strain": float(np.abs(stretches).max()),
        "matrix": matrix.tolist(),
    }


def measure_group(group, folder, output, boxes):
    """Measures runs of one pair of heads and crops, which have the same truths."""
    truths = truths_of(group[0], folder, boxes)
    rows = []
    for one in group:
        path = output / "reports" / f"{one['name']}.json"
        rows.append(measured(one, truths, json.loads(path.read_text()) if path.exists() else None))
    return rows


def measure(options):
    runs = json.loads((options.output / "runs.json").read_text())
    boxes = json.loads((options.heads / "heads.json").read_text())["heads"]
    key = lambda one: (one["fixed"], one["moving"], one["crop"], one["cut"])  # noqa: E731
    groups = [list(group) for _, group in itertools.groupby(sorted(runs, key=key), key)]
    one = functools.partial(measure_group, folder=options.heads, output=options.output, boxes=boxes)
    with multiprocessing.Pool(options.jobs) as pool:
        rows = list(itertools.chain.from_iterable(pool.imap(one, groups)))
    (options.output / "measures.json").write_text(json.dumps(rows, indent=1))
    text = table_of(rows)
    (options.output / "table.md").write_text(text)
    print(text)


def set_of(row):
    is_design = [row[role] in DESIGN for role in ("fixed", "moving")]
    return "design" if all(is_design) else "across" if any(is_design) else "held out"


def cells(rows):
    def number(condition):
        return sum(map(condition, rows))

    with_map = [row for row in rows if not row["error"]]
    losses = [row["reference"] - row["dice"] for row in with_map]
    excess = [row["excess_mm"] for row in with_map]
    times = [row["milliseconds"] for row in with_map]
    has_quality = any(row["success"] is not None for row in with_map)
    return [
        len(rows),
        number(lambda row: row["verdict"] == "right"),
        number(lambda row: row["strict_verdict"] == "right"),
        number(lambda row: row["verdict"] == "wrong"),
        number(lambda row: row["strict_verdict"] == "wrong"),
        number(lambda row: row["verdict"] == "wrong" and row["success"]) if has_quality else "",
        number(lambda row: row["verdict"] == "right" and not row["success"]) if has_quality else "",
        number(lambda row: row["error"]),
        f"{-np.mean(losses):.3f}" if losses else "",
        f"{np.mean(excess):.2f}, {max(excess):.1f}" if excess else "",
        f"{np.mean(times):.1f}" if times else "",
    ]


TITLES = ["heads", "crop", "contrast", "n", "right", "strictly", "wrong", "strictly", "false success", "false failure", "error"]
TITLES += ["overlap against the reference", "mm beyond it: mean, largest", "ms"]


def table_of(rows):
    """Rows of each set of heads, crop and contrast, then of each set, then of all."""
    lines = ["| " + " | ".join(TITLES) + " |", "| --- | --- | --- |" + " ---: |" * (len(TITLES) - 3)]
    present = {name: [row for row in rows if set_of(row) == name] for name in ("design", "held out", "across")}
    for name, of_set in present.items():
        kinds = sorted({(heads.CROPS.index(row["crop"]), heads.CONTRASTS.index(row["contrast"])) for row in of_set})
        for crop, contrast in kinds:
            kind = (heads.CROPS[crop], heads.CONTRASTS[contrast])
            of_kind = [row for row in of_set if (row["crop"], row["contrast"]) == kind]
            lines.append(line([name, *kind, *cells(of_kind)]))
    for name, of_set in present.items():
        if of_set:
            lines.append(line([name, "all", "all", *cells(of_set)]))
    lines.append(line(["all", "all", "all", *cells(rows)]))
    return "\n".join(lines) + "\n"


def line(values):
    return "| " + " | ".join(map(str, values)) + " |"


def print_table(options):
    print(table_of(json.loads(options.measures.read_text())))


def main():
    commands = Subcommands(__doc__)
    commands.add("draw", draw, "maps", "heads").add_argument("--size", type=int, choices=(64, 128, 256), default=FIELD)
    for name, function, paths in (("run", run, ("heads", "program", "output")), ("ants", run_ants, ("heads", "output"))):
        added = commands.add(name, function, *paths)
        added.add_argument("--pairs", help="as 1-2,3-4: numbers of fixed and moving heads; by default all ordered pairs")
        added.add_argument("--contrasts", default="t1,t2", help="of the moving image: t1,t2,random")
        added.add_argument("--crops", default=",".join(heads.CROPS))
        added.add_argument("--cut", choices=("moving", "fixed", "both"), default="moving", help="which image is cut")
        if name == "run":
            added.add_argument("--type", default="affine", help="rigid, similarity or affine")
    commands.add("measure", measure, "heads", "output")
    commands.add("table", print_table, "measures")
    commands.run()


if __name__ == "__main__":
    main()
