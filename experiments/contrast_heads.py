# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws heads in contrasts of which one hides the thalamus, one the putamen and one nothing, and heads deformed by a known map.

Intensities of tissues are random and the same for all heads. Arrays are indexed [i, j, k], affines give mm, RAS.
"""

import pathlib

import drawn_heads as heads
import nifti
import numpy as np
from scipy import ndimage

# What a structure that is hidden has the intensity of: the white matter beside it.
WHITE_MATTER = 2
THALAMUS = (10, 49)
PUTAMEN = (12, 51)
# The number of the random intensities, and the structures that are hidden.
CONTRASTS = {
    "t1": (1, THALAMUS),
    "t2": (2, PUTAMEN),
    "all": (3, ()),
    "t1_shown": (1, ()),
    "t2_shown": (2, ()),
}
# Labels of tissues that border on each other in the brain; their intensities differ by LEAST_STEP or more where both are shown.
BORDERS = (
    (2, 3),
    (2, 4),
    (3, 4),
    (2, 10),
    (2, 11),
    (2, 12),
    (2, 13),
    (2, 16),
    (2, 17),
    (2, 26),
    (2, 28),
    (4, 10),
    (4, 11),
    (4, 17),
)
BORDERS += ((10, 28), (11, 26), (12, 13), (12, 26), (13, 28), (16, 28), (7, 8), (7, 16), (4, 8), (3, 17), (3, 12))
LEAST_STEP = 25  # four times the noise
MARGIN = 4  # mm of air that is kept around the head

# The known map: cubic B-splines through random displacements on a lattice of so many nodes an axis, 0 at its border.
NODES = 8
LEAST_JACOBIAN = 0.3
DEFORMED = "d"  # behind the name of a head that such a map has deformed


def generator_of(head, purpose):
    """Random numbers that do not depend on what else is drawn."""
    return np.random.default_rng([int(head), 100 + purpose])


def tissue_of(label):
    return next(number for number, (labels, *_) in enumerate(heads.TISSUES) if label in labels)


def contrast_values(contrast):
    """The intensity of each tissue."""
    number, hidden = CONTRASTS[contrast]
    generator = np.random.default_rng([number, 41])
    borders = np.array([[tissue_of(label) for label in pair] for pair in BORDERS])
    values = heads.intensities("random", generator)
    while (np.abs(values[borders[:, 0]] - values[borders[:, 1]]) < LEAST_STEP).any():
        values = heads.intensities("random", generator)
    if hidden:
        values[tissue_of(hidden[0])] = values[tissue_of(WHITE_MATTER)]
    return values


def read_labels(path, factor=1):
    """The labels of a head with a little air around it; every `factor`-th voxel."""
    voxels, affine = nifti.read(path)
    voxels = voxels.astype(np.int16)
    places = np.nonzero((voxels > 0) & (voxels != 517))
    box = [[max(0, int(p.min()) - MARGIN), min(n, int(p.max()) + 1 + MARGIN)] for p, n in zip(places, voxels.shape)]
    part = heads.Lattice(voxels, affine).part(box)
    affine = part.affine.copy()
    affine[:3, :3] *= factor
    return heads.Lattice(np.ascontiguousarray(part.voxels[::factor, ::factor, ::factor]), affine)


def image_path(folder, head, contrast):
    return pathlib.Path(folder) / f"{head}_{contrast}.nii"


def labels_path(folder, head):
    return pathlib.Path(folder) / f"{head}_labels.nii"


def write_labels(labels, folder, head):
    nifti.write(labels_path(folder, head), heads.structures_of(labels.voxels), labels.affine)


def draw_image(labels, contrast, folder, head, purpose):
    image = heads.shaded_scan(heads.painted(labels, contrast_values(contrast)), generator_of(head[:2], purpose))
    nifti.write(image_path(folder, head, contrast), image.voxels, image.affine)


class KnownMap:
    """x -> x + u(x), in voxels, that takes a grid onto itself; its Jacobian determinant is at least LEAST_JACOBIAN."""

    def __init__(self, shape, generator):
        self.shape = np.array(shape)
        nodes = np.zeros((3, *(NODES,) * 3))
        nodes[:, 1:-1, 1:-1, 1:-1] = generator.standard_normal((3, *(NODES - 2,) * 3))
        self._splines = [ndimage.spline_filter(component, 3, mode="mirror") for component in nodes]
        self._scale = 1.0
        self._scale = self._scale_that_keeps_the_bound()

    def displacements(self, places):
        """Of places [3, ...] in voxels."""
        at = places * ((NODES - 1) / (self.shape - 1)).reshape(3, *(1,) * (places.ndim - 1))
        values = [ndimage.map_coordinates(spline, at, order=3, prefilter=False, mode="mirror") for spline in self._splines]
        return self._scale * np.stack(values)

    def jacobians(self, step=2):
        """Determinants at every `step`-th voxel."""
        axes = [np.arange(0, n, step, dtype=float) for n in self.shape]
        field = self.displacements(np.stack(np.meshgrid(*axes, indexing="ij")))
        gradient = np.stack([np.stack(np.gradient(component, step), axis=-1) for component in field], axis=-2)
        return np.linalg.det(np.eye(3) + gradient)

    def _scale_that_keeps_the_bound(self):
        low, high = 0.0, float(self.shape.min())
        step = max(1, int(self.shape.min()) // 48)
        for _ in range(14):
            self._scale = (low + high) / 2
            low, high = (self._scale, high) if self.jacobians(step).min() > LEAST_JACOBIAN else (low, self._scale)
        return low

    def warped(self, labels):
        """Labels of which voxel x is what the given ones are at x + u(x)."""
        voxels = np.zeros_like(labels.voxels)
        rows = np.stack(np.meshgrid(*(np.arange(n, dtype=float) for n in (1, *self.shape[1:])), indexing="ij"))
        for i in range(self.shape[0]):
            places = rows + np.array([i, 0, 0]).reshape(3, 1, 1, 1)
            at = places + self.displacements(places)
            voxels[i] = ndimage.map_coordinates(labels.voxels, at, order=0, mode="nearest", prefilter=False)[0]
        return heads.Lattice(voxels, labels.affine)


def to_world(affine, places):
    """mm of places [n, 3] in voxels."""
    return places @ affine[:3, :3].T + affine[:3, 3]


class KnownPairs:
    """Places of the brain of the deformed head and where they are in the other one, in mm, RAS."""

    def __init__(self, deformed, known, count, generator):
        inside = np.argwhere(heads.structures_of(deformed.voxels) > 0)
        chosen = inside[generator.choice(len(inside), count, replace=False)]
        self.places = chosen + generator.uniform(-0.45, 0.45, chosen.shape)
        self.fixed = to_world(deformed.affine, self.places)
        self.moving = to_world(deformed.affine, self.places + known.displacements(self.places.T).T)


def write_points(path, points):
    """As .csv, which has LPS."""
    rows = [f"p{number},{-x!r},{-y!r},{z!r}" for number, (x, y, z) in enumerate(points.astype(float).tolist())]
    pathlib.Path(path).write_text("\n".join(["label,x,y,z", *rows]) + "\n")


def read_points(path):
    lines = pathlib.Path(path).read_text().splitlines()
    columns = lines[0].split(",")
    first = columns.index("x")
    return np.array([line.split(",")[first : first + 3] for line in lines[1:]], float) * [-1, -1, 1]


def read_field(path):
    """Displacements [i, j, k, 3] in mm, RAS, of a field in MetaImage without compression."""
    content = pathlib.Path(path).read_bytes()
    mark = b"ElementDataFile = LOCAL\n"
    start = content.index(mark) + len(mark)
    header = dict(line.split(" = ", 1) for line in content[: start - 1].decode().split("\n") if " = " in line)
    if header["ElementType"] != "MET_FLOAT" or header.get("CompressedData", "False") != "False":
        raise ValueError(f"{path} is not of plain floats")
    shape = [int(n) for n in header["DimSize"].split()]
    field = np.frombuffer(content, "<f4", 3 * int(np.prod(shape)), start).reshape(*shape[::-1], 3)
    return field.transpose(2, 1, 0, 3) * np.array([-1, -1, 1], np.float32)


def mapped(field, affine, places):
    """mm where a field takes places [n, 3] in voxels."""
    moves = [ndimage.map_coordinates(field[..., axis], places.T, order=1, mode="nearest") for axis in range(3)]
    return to_world(affine, places) + np.stack(moves, axis=-1)
