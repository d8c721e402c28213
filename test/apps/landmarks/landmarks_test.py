# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of cudaneuro-landmarks have in common."""

import array
import json
import math

import point_files
import programs

# Points of a bent sheet, about 4 mm apart, and where a smooth map takes them.
TEMPLATE = [[4.0 * i, 4.0 * j, 3.0 * math.sin(0.4 * i)] for i in range(5) for j in range(5)]
TRIANGLES = [[5 * i + j, 5 * i + j + 1, 5 * i + j + 5] for i in range(4) for j in range(4)]
QUICK = ["--time-steps", "10", "--iterations", "100", "--threads", "1", "-q"]


def moved(points, amount=1.0):
    return [[p[0] + amount * math.sin(0.2 * p[1]), p[1] + 0.5 * amount, p[2] - amount * math.cos(0.1 * p[0])] for p in points]


TARGET = moved(TEMPLATE)
# Distances that the iterations of these tests leave are below this, in mm; points move by more than 1 mm.
NEAR = 0.1


def largest_distance(points, others):
    assert len(points) == len(others)
    return max(math.dist(p, q) for p, q in zip(points, others))


class LandmarksTest(programs.ProgramTest):
    """Each test has a folder with a template and a target."""

    def setUp(self):
        super().setUp()
        self.write("template.csv", point_files.csv(TEMPLATE))
        self.write("target.csv", point_files.csv(TARGET))

    def match(self, status, words, *arguments, points=("template.csv", "target.csv"), **options):
        return self.expect(status, words, "landmarks", "match", *points, "--sigma", "6", *arguments, *QUICK, **options)

    def warp(self, status, words, *arguments, **options):
        return self.expect(status, words, "landmarks", "warp", *arguments, "--threads", "1", "-q", **options)

    def expect_refused(self, words, *arguments, **options):
        """Expects an error in one line, and that nothing is written."""
        before = self.names()
        self.match(1, words, *arguments, **options)
        self.assertEqual(self.names(), before)

    def points(self, name):
        return point_files.read(name, (self.folder / name).read_bytes())[0]

    def report(self, name="report.json"):
        return json.loads((self.folder / name).read_text())

    def field(self, name, at):
        """The displacement in a MetaImage of floats at a voxel, and the size."""
        header, _, data = (self.folder / name).read_bytes().partition(b"ElementDataFile = LOCAL\n")
        size = next(list(map(int, line.split(b"=")[1].split())) for line in header.split(b"\n") if line.startswith(b"DimSize"))
        values = array.array("f", data)
        first = len(size) * sum(index * math.prod(size[:axis]) for axis, index in enumerate(at))
        return list(values[first : first + len(size)]), size

    def write_grid(self, name="grid.mha"):
        """A grid with voxels of 4 mm, whose voxel (i, j, 2) is at (4 i, 4 j, 0)."""
        header = programs.meta_header((5, 5, 5), "MET_UCHAR")
        header = header.replace(b"ElementType", b"Offset = 0 0 -8\nElementSpacing = 4 4 4\nElementType")
        self.write(name, header + bytes(125))
