# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Known maps recovered from points, with and without images: a part of registration_terms.py."""

import concurrent.futures
import functools
import itertools
import json

import contrast_heads as heads
import nifti
import numpy as np
from program_runs import CORRELATION, run_program, save, seconds_of

MAPS = ("01", "05", "09")  # heads that are deformed
HELD_OUT = 5000  # places at which a map is compared with the known one
POINT_COUNTS = (20, 200, 1000)
POINT_ERRORS = (0, 1, 2)  # mm along each axis
LEAST_DEVIATION = 0.5  # the standard deviation that is given where the error is 0
DEVIATIONS = (0.25, 1.0)  # others of the 200 points without an error
GROSS = (0.1, 20.0)  # a tenth of the points is off by so many mm


class PointRuns:
    """A head and the same head deformed, with points."""

    def __init__(self, options, head):
        self.options, self.head = options, head
        self.folder = options.output / "points" / head
        self.folder.mkdir(parents=True, exist_ok=True)
        known = np.load(options.heads / f"{head}_places.npz")
        self.places, self.fixed, self.moving = known["places"], known["fixed"], known["moving"]
        self.images = [heads.image_path(options.heads, name, "t1") for name in (head + heads.DEFORMED, head)]
        self.affine = nifti.read(heads.labels_path(options.heads, head))[1]
        heads.write_points(self.folder / "held_out.csv", self.fixed[-HELD_OUT:])

    def write(self, name, count, error, gross=None):
        """Files of points of which the moving ones have an error; gross is the share and the size of those that are wrong."""
        generator = heads.generator_of(self.head, 70 + 10 * POINT_COUNTS.index(count) + error)
        moving = self.moving[:count] + error * generator.standard_normal((count, 3))
        if gross:
            wrong = generator.choice(count, int(gross[0] * count), replace=False)
            direction = generator.standard_normal((len(wrong), 3))
            moving[wrong] += gross[1] * direction / np.linalg.norm(direction, axis=1, keepdims=True)
        paths = [self.folder / f"{name}_{role}.csv" for role in ("fixed", "moving")]
        heads.write_points(paths[0], self.fixed[:count])
        heads.write_points(paths[1], moving)
        return paths

    def errors(self, mapped, count):
        """mm from the known map: at the points, and at the places that are held out."""
        target = np.concatenate([self.moving[:count], self.moving[-HELD_OUT:]])
        distance = np.linalg.norm(mapped - target, axis=1)
        at_points, held_out = distance[:count], distance[count:]
        figures = lambda values: {
            "median": float(np.median(values)),
            "p95": float(np.quantile(values, 0.95)),
            "max": float(values.max()),
        }  # noqa: E731
        return {"points": figures(at_points) if count else None, "held_out": figures(held_out)}

    def result(self, count, words, name, method):
        """Runs the program and compares its field with the known map."""
        report, field = self.folder / f"{name}.json", self.folder / f"{name}.mha"
        command = [self.options.program, method, *words, "--output-field", field, "--json", report, "--quiet", *self.options.rest]
        if not run_program(command, self.folder / f"{name}.log"):
            return None
        report = json.loads(report.read_text())
        places = np.concatenate([self.places[:count], self.places[-HELD_OUT:]])
        errors = self.errors(heads.mapped(heads.read_field(field), self.affine, places), count)
        field.unlink()
        given = {key: report["points"]["distance_after"][f"{key}_mm"] for key in ("median", "maximum")} if count else None
        return {**errors, "given": given, "least_jacobian": report["jacobian"]["minimum"], "seconds": seconds_of(report)}

    def register(self, method, count=0, error=0, with_images=True, deviation=None, gross=None):
        deviation = deviation or max(error, LEAST_DEVIATION)
        what = "images and points" if with_images and count else "images" if with_images else "points"
        name = f"{method}_{what.replace(' ', '_')}_{count}_{error}_{deviation}{'_gross' if gross else ''}"
        words = (
            [*self.images, "--align", "none", *CORRELATION]
            if with_images
            else ["--grid", self.images[0], "--moving-grid", self.images[1]]
        )
        if count:
            fixed, moving = self.write(name, count, error, gross)
            words += ["--fixed-points", fixed, "--moving-points", moving, "--point-standard-deviation", deviation]
        row = {
            "head": self.head,
            "method": method,
            "what": what,
            "count": count,
            "error": error,
            "deviation": deviation,
            "gross": gross,
        }
        return {**row, "result": self.result(count, words, name, method)}

    def match(self, count, error):
        """cudaneuro-landmarks match, whose Gaussian is as wide as points are far from each other."""
        name = f"match_{count}_{error}"
        fixed, moving = self.write(name, count, error)
        volume = np.prod(np.ptp(self.fixed, axis=0)) / 2
        sigma = round(float((volume / count) ** (1 / 3)), 1)
        points, held_out, report = (self.folder / f"{name}{ending}" for ending in ("_at.csv", "_held_out.csv", ".json"))
        words = [
            self.options.landmarks,
            "match",
            fixed,
            moving,
            "--sigma",
            sigma,
            "--output-points",
            points,
            "--json",
            report,
            "--quiet",
        ]
        words += ["--mesh", self.folder / "held_out.csv", "--output-mesh", held_out]
        row = {"head": self.head, "method": "landmarks match", "what": "points", "count": count, "error": error, "sigma": sigma}
        if not run_program(words, self.folder / f"{name}.log"):
            return {**row, "result": None}
        mapped = np.concatenate([heads.read_points(path) for path in (points, held_out)])
        seconds = json.loads(report.read_text())["seconds"]
        return {**row, "result": {**self.errors(mapped, count), "given": None, "seconds": seconds}}


def point_tasks(runs, methods):
    """Calls that give a row each; all of them for the first method, and what 200 points do for the others."""
    for number, method in enumerate(methods):
        yield functools.partial(runs.register, method)
        counts = POINT_COUNTS if number == 0 else (200,)
        for count, error, with_images in itertools.product(counts, POINT_ERRORS, (True, False)):
            yield functools.partial(runs.register, method, count, error, with_images)
        yield functools.partial(runs.register, method, 200, 0, True, None, GROSS)
        for deviation, with_images in itertools.product(DEVIATIONS if number == 0 else (), (True, False)):
            yield functools.partial(runs.register, method, 200, 0, with_images, deviation)
    if runs.options.landmarks:
        for count, error in itertools.product(POINT_COUNTS, POINT_ERRORS):
            yield functools.partial(runs.match, count, error)


def points(options):
    present = [head for head in MAPS if (options.heads / f"{head}_places.npz").exists()]
    tasks = [task for head in present for task in point_tasks(PointRuns(options, head), options.methods.split(","))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda task: task(), tasks))
    truths = {head: json.loads((options.heads / f"{head}_truth.json").read_text()) for head in present}
    save(options.output / "points.json", {"truths": truths, "rows": rows})
