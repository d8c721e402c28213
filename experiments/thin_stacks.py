#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Rigid registration of stacks of few slices of one head: the table of Documentation/linear-registration.md.

  thin_stacks.py draw STACKS [--maps MAPS]                draws stacks of a formula and, with label maps, of drawn heads
  thin_stacks.py run STACKS PROGRAM OUTPUT [-- OPTIONS]   registers them; PROGRAM is cudaneuro-register
  thin_stacks.py itk STACKS OUTPUT                        the same with ITK's Mattes metric, if the package SimpleITK is there
  thin_stacks.py table STACKS OUTPUT...                   the errors at the corners of the stacks

Stacks have 96 x 96 x n voxels of 2 x 2 x 6 mm. The head is turned by 8 degrees within the slices. A stack is registered with a stack of
the same place, and with the whole head of voxels of 2 mm.
"""

import functools
import json
import multiprocessing
import pathlib
import sys
import time

import drawn_heads as heads
import nifti
import numpy as np
import pair_lists
from scipy import ndimage
from subcommands import Subcommands

KINDS = ("formula", "t1")
SLICES = (2, 3, 5, 8, 12, 20)
REPEATS = 10
SPACING = np.array([2.0, 2.0, 6.0])
WIDTH = 96
VOLUME = (96, 96, 80)
ANGLE = 8.0  # degrees
NOISE = 3.0
LARGEST_HEIGHT = 25.0  # mm of a stack's center from that of the head
MISS = 1.0  # mm of error from which a stack counts as lost


class FormulaHead:
    """An ellipsoid of 60 x 75 x 55 mm with a scalp, a skull, and 40 blobs in the brain; from 0 to 255."""

    RADII = (60.0, 75.0, 55.0)

    def __init__(self, generator):
        directions = generator.standard_normal((40, 3))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        self.places = directions * np.cbrt(generator.uniform(0, 1, (40, 1))) * 0.8 * np.array(self.RADII)
        self.heights = generator.uniform(30, 70, 40) * generator.choice([-1, 1], 40)
        self.widths = generator.uniform(4, 10, 40)

    def __call__(self, points):
        """The intensities at points, which are rows."""
        radius = np.linalg.norm(points / self.RADII, axis=1)
        values = np.select([radius < 0.86, radius < 0.92, radius < 1], [120.0, 25.0, 200.0], 0.0)
        inside = np.flatnonzero(radius < 0.86)
        for few in np.array_split(inside, 1 + len(inside) // 20000):  # so that the distances stay in the cache
            brain = points[few]
            squares = (brain**2).sum(axis=1)[:, None] - 2 * brain @ self.places.T + (self.places**2).sum(axis=1)
            values[few] += np.exp((-squares / (2 * self.widths**2)).astype(np.float32)) @ self.heights.astype(np.float32)
        return values.clip(0, 255)


class MapHead:
    """A head drawn from a label map, with the center of its brain at the origin."""

    def __init__(self, path, contrast, generator):
        voxels, affine = nifti.read(path)
        labels = heads.Lattice(voxels.astype(np.int16), affine)
        self.image = heads.clean_image(labels, contrast, generator)
        brain = np.argwhere(heads.structures_of(labels.voxels)).mean(axis=0)
        self.index_map = np.linalg.inv(affine)
        self.center = affine[:3, :3] @ brain + affine[:3, 3]

    def __call__(self, points):
        indices = self.index_map[:3, :3] @ (points + self.center).T + self.index_map[:3, 3:]
        return ndimage.map_coordinates(self.image.voxels, indices, order=1)


def scan(head, shape, spacing, height, pose, generator):
    """Scans a head that a pose has moved. Voxels are means over parts of at most 2 mm."""
    affine = np.diag([*spacing, 1.0])
    affine[:3, 3] = -(np.array(shape) - 1) / 2 * spacing + [0, 0, height]
    indices = np.indices(shape).reshape(3, -1).T
    parts = np.array([(x, y, z) for x in (-0.25, 0.25) for y in (-0.25, 0.25) for z in part_heights(spacing[2])])
    back = np.linalg.inv(pose)
    values = np.zeros(len(indices))
    for part in parts:
        points = (indices + part) @ affine[:3, :3].T + affine[:3, 3]
        values += head(points @ back[:3, :3].T + back[:3, 3]) / len(parts)
    return heads.scanned(values.reshape(shape).astype(np.float32), NOISE, generator), affine


def part_heights(thickness):
    """Within a slice, in slices."""
    number = int(np.ceil(thickness / 2))
    return (np.arange(number) + 0.5) / number - 0.5


def draw_stacks(task, folder):
    """Draws the stacks and the whole of a head. Returns descriptions of the pairs, with the height of each stack."""
    kind, repeat, path = task
    generator = np.random.default_rng([repeat, KINDS.index(kind)])
    head = FormulaHead(generator) if kind == "formula" else MapHead(path, kind, generator)
    pose = heads.rigid([0, 0, ANGLE], np.zeros(3), np.zeros(3))
    whole = f"{kind}_{repeat:02d}_whole.nii"
    nifti.write(folder / whole, *scan(head, VOLUME, [2.0] * 3, 0, pose, generator))
    pairs = []
    for slices in SLICES:
        height = float(generator.uniform(-LARGEST_HEIGHT, LARGEST_HEIGHT))
        names = [f"{kind}_{repeat:02d}_{slices:02d}_{role}.nii" for role in ("fixed", "moving")]
        for name, of_role in zip(names, (np.eye(4), pose)):
            stack = scan(head, (WIDTH, WIDTH, slices), SPACING, height, of_role, generator)
            nifti.write(folder / name, *stack)
        for onto, moving in (("stack", names[1]), ("whole", whole)):
            name = f"{kind}_{repeat:02d}_{slices:02d}_{onto}"
            about = {"kind": kind, "slices": slices, "onto": onto, "height": height, "pose": pose.tolist()}
            pairs.append({"name": name, "fixed": names[0], "moving": moving, **about})
    return pairs


def draw(options):
    options.stacks.mkdir(parents=True, exist_ok=True)
    tasks = [("formula", repeat, None) for repeat in range(1, REPEATS + 1)]
    if options.maps:
        tasks += [("t1", int(path.name.split(".")[0][-2:]), path) for path in sorted(options.maps.glob("*_[0-9][0-9].nii*"))]
    with multiprocessing.Pool(options.jobs) as pool:
        pairs = sum(pool.map(functools.partial(draw_stacks, folder=options.stacks), tasks, 1), [])
    (options.stacks / "stacks.json").write_text(json.dumps(pairs))


def pairs_of(options):
    pairs = json.loads((options.stacks / "stacks.json").read_text())
    return [pair for pair in pairs if pair["onto"] in options.onto.split(",") and pair["kind"] in options.kinds.split(",")]


def run(options):
    pairs = [(p["name"], *((options.stacks / p[role]).resolve() for role in ("fixed", "moving"))) for p in pairs_of(options)]
    pair_lists.register([options.program, "rigid"], pairs, options.output, options.jobs, options.rest)


def itk_method(slices):
    """Mattes' metric of all voxels, and the descent of its examples."""
    import SimpleITK as sitk

    method = sitk.ImageRegistrationMethod()
    method.SetMetricAsMattesMutualInformation(32)
    method.SetInterpolator(sitk.sitkLinear)
    if slices < 4:  # its filter of gradients needs four; central differences do not
        method.MetricUseFixedImageGradientFilterOff()
        method.MetricUseMovingImageGradientFilterOff()
    method.SetOptimizerAsRegularStepGradientDescent(learningRate=1.0, minStep=1e-4, numberOfIterations=300)
    method.SetOptimizerScalesFromPhysicalShift()
    return method


def itk_report(fixed, moving):
    """Rigidly, from the centers of mass, with images smoothed within the slices and then as they are."""
    import SimpleITK as sitk

    images = [sitk.ReadImage(str(path), sitk.sitkFloat32) for path in (fixed, moving)]
    start = time.perf_counter()
    moments = sitk.CenteredTransformInitializerFilter.MOMENTS
    found = sitk.Euler3DTransform(sitk.CenteredTransformInitializer(*images, sitk.Euler3DTransform(), moments))
    for deviation in (4, 2, 0):
        method = itk_method(min(image.GetSize()[2] for image in images))
        method.SetInitialTransform(found, inPlace=True)
        method.Execute(*(sitk.DiscreteGaussian(image, [deviation**2, deviation**2, 0]) for image in images))
    matrix = np.reshape(found.GetMatrix(), (3, 3))
    center = np.array(found.GetCenter())
    offset = np.array(found.GetTranslation()) + center - matrix @ center
    return pair_lists.report_of(matrix, offset, time.perf_counter() - start)


def itk_pair(pair, stacks, output):
    try:
        report = itk_report(stacks / pair["fixed"], stacks / pair["moving"])
    except RuntimeError as error:
        print(f"{pair['name']}: {str(error).strip().splitlines()[-1]}", file=sys.stderr)
        return
    (output / "reports" / f"{pair['name']}.json").write_text(json.dumps(report))


def run_itk(options):
    (options.output / "reports").mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool(options.jobs) as pool:
        pool.map(functools.partial(itk_pair, stacks=options.stacks, output=options.output), pairs_of(options), 1)


def error_at_corners(matrix, pair):
    """The largest distance in mm of a corner of the stack from its place."""
    half = np.array([WIDTH, WIDTH, pair["slices"]]) / 2 * SPACING
    corners = np.array(np.meshgrid(*([-1, 1],) * 3)).reshape(3, -1).T * half + [0, 0, pair["height"]]
    difference = matrix - np.array(pair["pose"])
    return float(np.linalg.norm(corners @ difference[:3, :3].T + difference[:3, 3], axis=1).max())


def cells(pairs, output):
    """Median and largest error, how many are lost, of these how many are called a success, refused though found, and errors."""
    paths = [(pair, output / "reports" / f"{pair['name']}.json") for pair in pairs]
    found = [(pair, json.loads(path.read_text())) for pair, path in paths if path.exists()]
    if not found:
        return ["", "", "", "", str(len(pairs))]
    errors = np.array([error_at_corners(pair_lists.matrix_of(report), pair) for pair, report in found])
    success = np.array([bool(report["alignment"]["is_success"]) for _, report in found])
    lost = errors > MISS
    has_quality = any(report["alignment"]["is_success"] is not None for _, report in found)
    judged = [(lost & success).sum(), (~lost & ~success).sum()] if has_quality else ["", ""]
    return [f"{np.median(errors):.2f}, {errors.max():.1f}", *map(str, [lost.sum(), *judged, len(pairs) - len(found)])]


def table(options):
    titles = ["head", "onto", "slices", "n", "by"]
    titles += ["error in mm: median, largest", f"more than {MISS:g} mm", "of these called a success", "right called a failure"]
    print("| " + " | ".join([*titles, "no map"]) + " |\n" + "| --- " * 5 + "| ---: " * 5 + "|")
    pairs = pairs_of(options)
    for kind, onto, slices in sorted({(pair["kind"], pair["onto"], pair["slices"]) for pair in pairs}):
        chosen = [pair for pair in pairs if (pair["kind"], pair["onto"], pair["slices"]) == (kind, onto, slices)]
        for output in options.outputs:
            row = [kind, onto, str(slices), str(len(chosen)), output.name, *cells(chosen, output)]
            print("| " + " | ".join(row) + " |")


def main():
    commands = Subcommands(__doc__)
    commands.add("draw", draw, "stacks").add_argument("--maps", type=pathlib.Path)
    for name, function, paths in (
        ("run", run, ("stacks", "program", "output")),
        ("itk", run_itk, ("stacks", "output")),
        ("table", table, ("stacks", "outputs...")),
    ):
        added = commands.add(name, function, *paths)
        added.add_argument("--onto", default="stack,whole")
        added.add_argument("--kinds", default=",".join(KINDS))
    commands.run()


if __name__ == "__main__":
    main()
