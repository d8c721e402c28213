# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Real brains with labels, and the seconds that each term takes: a part of registration_terms.py."""

import itertools

import contrast_heads as heads
import nifti
import numpy as np
from program_runs import CORRELATION, run_list, run_program, save, seconds_of

GIVEN = 0.1  # the share of the labels that is given
FOLDS = 4  # choices of them
REPEATS = 6  # of each timing, the first of which does not count
TIMED_POINTS = 1000
SHIFT = 1.0  # mm along each axis
TIMED_LABELS = 54
NOISE = 0.03  # of further channels, of the largest intensity


def names_of(folder):
    return sorted(path.name.split("_")[0] for path in folder.glob("*_seg.nii*"))


def path_of(folder, name):
    return next(folder.glob(f"{name}.nii*")).resolve()


def rows_of(folder, moving_names, fixed):
    rows = []
    for name in moving_names:
        images = {"fixed": path_of(folder, fixed), "moving": path_of(folder, name)}
        rows.append(
            {
                "name": f"{fixed}-{name}",
                **images,
                "fixed_labels": path_of(folder, f"{fixed}_seg"),
                "moving_labels": path_of(folder, f"{name}_seg"),
            }
        )
    return rows


def folds_of(numbers):
    """The labels that are given, and all others, in each choice; no label is given twice."""
    shuffled = np.random.default_rng(4).permutation(numbers).tolist()
    count = max(1, round(GIVEN * len(numbers)))
    for fold in range(min(FOLDS, len(numbers) // count)):
        given = shuffled[fold * count : (fold + 1) * count]
        yield given, [number for number in shuffled if number not in given]


def mean_dice(report, when, numbers):
    dice = report["overlap"][when]["labels"]
    return float(np.mean([dice[str(number)] for number in numbers if str(number) in dice]))


def labels(options):
    """The first brain is the fixed image; all others are registered with it."""
    fixed, *moving = names_of(options.brains)
    rows = rows_of(options.brains, moving, fixed)
    numbers = [int(number) for number in np.unique(nifti.read(rows[0]["fixed_labels"])[0]) if number > 0]
    result = []
    for method in options.methods.split(","):
        common = ["--align", "none", *CORRELATION, *options.rest]
        without = run_list(options.program, method, rows, options.output / f"labels_{method}", common)
        for fold, (given, others) in enumerate(folds_of(numbers)):
            weights = [word for number in given for word in ("--weight-of-label", f"{number}=1")]
            words = [*common, "--label-weight", "1", "--weight-of-label", "others=0", *weights]
            with_labels = run_list(options.program, method, rows, options.output / f"labels_{method}_{fold}", words)
            for pair in sorted(set(without) & set(with_labels)):
                row = {"method": method, "pair": pair, "fold": fold, "given_labels": given}
                for name, reports in (("without", without), ("with", with_labels)):
                    report = reports[pair]
                    row[name] = {
                        "given": mean_dice(report, "after", given),
                        "others": mean_dice(report, "after", others),
                        "least_jacobian": report["jacobian"]["minimum"],
                        "spread": report["jacobian"]["standard_deviation_logarithm"],
                        "seconds": seconds_of(report),
                    }
                row["before"] = {
                    "given": mean_dice(without[pair], "before", given),
                    "others": mean_dice(without[pair], "before", others),
                }
                result.append(row)
        print(method, len(result), flush=True)
    save(options.output / "labels.json", result)


# --- seconds


def noisy(path, output, number):
    voxels, affine = nifti.read(path)
    noise = NOISE * voxels.max() * np.random.default_rng(number).standard_normal(voxels.shape, dtype=np.float32)
    nifti.write(output, np.where(voxels > 0, voxels + noise, voxels).astype(np.float32), affine)


def split_labels(path, output):
    """So many of the labels are cut into two at their middle that there are TIMED_LABELS."""
    voxels, affine = nifti.read(path)
    numbers = [int(number) for number in np.unique(voxels) if number > 0]
    result = np.zeros(voxels.shape, np.uint16)
    for index, number in enumerate(numbers, 1):
        places = np.argwhere(voxels == number)
        result[tuple(places.T)] = index
        if index <= TIMED_LABELS - len(numbers):
            far = places[places[:, 1] > np.median(places[:, 1])]
            result[tuple(far.T)] = len(numbers) + index
    nifti.write(output, result, affine)


def timed_points(options, row, folder):
    """Files of points that agree with the map that the images find, and of the same points off by SHIFT."""
    field = folder / "field.mha"
    words = [
        options.program,
        "unbiased",
        row["fixed"],
        row["moving"],
        "--align",
        "none",
        *CORRELATION,
        "--output-field",
        field,
        "--quiet",
    ]
    run_program([*words, *options.rest], folder / "field.log")
    voxels, affine = nifti.read(row["fixed"])
    inside = np.argwhere(voxels > 0)
    places = inside[np.random.default_rng(9).choice(len(inside), TIMED_POINTS, replace=False)]
    moving = heads.mapped(heads.read_field(field), affine, places)
    field.unlink()
    points = {"fixed_points": heads.to_world(affine, places), "moving_points": moving, "moving_off": moving + SHIFT}
    paths = {name: (folder / f"{name}.csv").resolve() for name in points}
    for name, values in points.items():
        heads.write_points(paths[name], values)
    return {**paths, "fixed_off": paths["fixed_points"]}


def timed_inputs(options):
    """A pair with further channels of the same images with noise, points, and labels."""
    folder = options.output / "timed"
    folder.mkdir(parents=True, exist_ok=True)
    names = names_of(options.brains)[:2]
    row = {}
    for index, (role, name) in enumerate(zip(("fixed", "moving"), names)):
        row[role] = path_of(options.brains, name)
        for channel in (2, 3):
            row[f"{role}_{channel}"] = (folder / f"{role}_{channel}.nii").resolve()
            noisy(row[role], row[f"{role}_{channel}"], 10 * index + channel)
        row[f"{role}_labels"] = (folder / f"{role}_labels.nii").resolve()
        split_labels(path_of(options.brains, f"{name}_seg"), row[f"{role}_labels"])
    row.update(timed_points(options, row, folder))
    return row


# What is timed: columns of the list, and options.
TIMED = {
    "one channel": ((), ()),
    "two channels": (("_2",), ()),
    "three channels": (("_2", "_3"), ()),
    "1,000 points": (("_points",), ()),
    "1,000 points that hardly pull": (("_points",), ("--point-weight", "1e-6")),
    "1,000 points off by 1.7 mm": (("_off",), ()),
    "labels": (("_labels",), ("--label-weight", "1")),
}


def times(options):
    row = timed_inputs(options)
    result = {"device": None, "seconds": {}}
    for method, (name, (columns, words)) in itertools.product(options.methods.split(","), TIMED.items()):
        keys = ["fixed", "moving", *(role + column for column in columns for role in ("fixed", "moving"))]
        columns_of = {key.replace("_off", "_points"): row[key] for key in keys}
        rows = [{"name": f"run{index}", **columns_of} for index in range(REPEATS)]
        folder = options.output / "timed" / f"{method}_{name.replace(' ', '_').replace(',', '')}"
        reports = run_list(options.program, method, rows, folder, ["--align", "none", *CORRELATION, *words, *options.rest])
        seconds = sorted(seconds_of(report) for report in list(reports.values())[1:])
        result["seconds"].setdefault(method, {})[name] = {
            "median": float(np.median(seconds)),
            "least": seconds[0],
            "largest": seconds[-1],
        }
        result["device"] = next(iter(reports.values()))["device"]
        print(method, name, seconds, flush=True)
    save(options.output / "times.json", result)
