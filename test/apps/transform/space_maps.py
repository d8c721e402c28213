# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Grids and affine maps in plain Python, in LPS and mm, and the files that have them. It knows nothing of the programs."""

import itertools
import struct

import nifti_files as nf


def product(outer, inner):
    """Of two maps of 4 x 4 numbers, the second applied first."""
    return [[sum(outer[i][k] * inner[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def matrix_of(rows, offset):
    return [[*map(float, row), float(o)] for row, o in zip(rows, offset)] + [[0.0, 0.0, 0.0, 1.0]]


def mapped(matrix, point):
    return [sum(m * p for m, p in zip(row, point)) + row[3] for row in matrix[:3]]


def inverse_of(matrix):
    """By cofactors."""
    m = matrix
    cofactor = lambda i, j: m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] - m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3]
    determinant = sum(m[0][j] * cofactor(0, j) for j in range(3))
    rows = [[cofactor(j, i) / determinant for j in range(3)] for i in range(3)]
    return matrix_of(rows, [-sum(a * m[k][3] for k, a in enumerate(row)) for row in rows])


def flipped(matrix):
    """RAS to LPS, or back."""
    signs = [-1.0, -1.0, 1.0, 1.0]
    return [[signs[i] * signs[j] * matrix[i][j] for j in range(4)] for i in range(4)]


def transform_text(name, parameters, fixed):
    words = lambda numbers: " ".join(repr(float(number)) for number in numbers)
    return f"#Insight Transform File V1.0\n#Transform 0\nTransform: {name}\nParameters: {words(parameters)}\nFixedParameters: {words(fixed)}\n"


def affine_text(matrix):
    parameters = [*matrix[0][:3], *matrix[1][:3], *matrix[2][:3], *(row[3] for row in matrix[:3])]
    return transform_text("AffineTransform_double_3_3", parameters, [0.0, 0.0, 0.0])


def read_affine(text):
    """The matrix of a transform file with an affine transform, which may have a center."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line and not line.startswith("#"))
    assert lines["Transform"].strip().startswith(("AffineTransform_", "MatrixOffsetTransformBase_")), lines["Transform"]
    numbers = [float(word) for word in lines["Parameters"].split()]
    center = [float(word) for word in lines["FixedParameters"].split()]
    rows = [numbers[3 * i : 3 * i + 3] for i in range(3)]
    offset = [t + c - sum(a * b for a, b in zip(row, center)) for row, t, c in zip(rows, numbers[9:], center)]
    return matrix_of(rows, offset)


class Grid:
    """Where voxels are: a rotation in RAS, spacings, and the place in RAS of the first voxel, or of the middle of the grid."""

    def __init__(self, size, turn, spacing, origin, middle=False):
        rotation = nf.rotation(*turn) if turn else [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        if middle:
            half = [s * (n - 1) / 2 for n, s in zip(size, spacing)]
            origin = [o - sum(a * h for a, h in zip(row, half)) for row, o in zip(rotation, origin)]
        self.size, self.spacing, self.origin, self.turn, self.rotation = size, spacing, origin, turn, rotation
        self.ras = matrix_of([[a * s for a, s in zip(row, spacing)] for row in rotation], origin)
        self.lps = [[-a for a in self.ras[0]], [-a for a in self.ras[1]], self.ras[2], self.ras[3]]
        self.inverse = inverse_of(self.lps)

    def indices(self):
        """Of all voxels, x first."""
        return [(x, y, z) for z, y, x in itertools.product(*(range(n) for n in reversed(self.size)))]

    def point_of(self, index):
        return mapped(self.lps, index)

    def index_of(self, point):
        index = mapped(self.inverse, point)
        return [round(x) if abs(x - round(x)) < 1e-9 else x for x in index]

    def fields(self):
        return {
            "pixdim": [1.0, *self.spacing, 1.0, 1.0, 1.0, 1.0], "sform_code": 1, "sform": nf.sform(self.rotation, self.spacing, self.origin),
            "qform_code": 1, "quatern": nf.quaternion(*self.turn) if self.turn else [0.0, 0.0, 0.0], "qoffset": list(self.origin),
        }  # fmt: skip

    def nifti(self, kind, values, **fields):
        """NIfTI-2, whose numbers are double."""
        return nf.nifti(self.size, kind, list(values), 2, **{**self.fields(), **fields})

    def field(self, vectors):
        """Displacements in LPS, as ITK and ANTs write them."""
        values = [vector[axis] for axis in range(3) for vector in vectors]
        return nf.nifti((*self.size, 1, 3), "f", values, 2, **{**self.fields(), "intent_code": 1007})


def read_field(content):
    """The vectors of such a file."""
    fields, values = nf.read(content)
    assert fields["intent_code"] == 1007 and fields["dim"][5] == 3
    count = len(values) // 3
    return [[values[axis * count + i] for axis in range(3)] for i in range(count)]


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]
