# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-register and cudaneuro-atlas on images of one slice, on planes of any orientation.

    python3 test_slices.py REGISTER ATLAS CHECK_TRANSFORM_FILE
"""

import functools
import gzip
import json
import math
import struct

import programs
from moved_heads import IDENTITY, brightness, inverse, mapped, product, rotation

# Maps from coordinates of a plane, whose third is 0, to points in mm: columns are the axes of the plane and its normal.
PLANES = {
    "sagittal": ([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], (4.0, 1.0, -2.0)),
    "coronal": ([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]], (1.0, 3.0, 2.0)),
    "oblique": (product(rotation(50), rotation(37, (1, 0, 0))), (2.0, -3.0, 4.0)),
}
# Size, spacing, and how far the grid is turned in its plane.
FIXED = ((64, 60), (1.5, 1.6), 0)
MOVING = ((72, 70), (1.6, 1.5), 11)
SHIFT = (3.0, -4.0, 0.0)
MAPS = {
    "translation": (IDENTITY, SHIFT),
    "rigid": (rotation(8, (0, 0, 1)), SHIFT),
    "similarity": ([[1.05 * value for value in row] for row in rotation(8, (0, 0, 1))], SHIFT),
    "affine": (product(rotation(7, (0, 0, 1)), [[1.05, 0.03, 0.0], [0.0, 0.96, 0.0], [0.0, 0.0, 1.0]]), SHIFT),
}
# In mm: mutual information prefers a head that is larger by some percent, as test_alignment.py says.
TOLERANCE = {"translation": 0.3, "rigid": 0.3, "similarity": 1.5, "affine": 1.5}


def composed(outer, inner):
    return product(outer[0], inner[0]), mapped(outer, inner[1])


def in_space(name, affine, other=None):
    """A map between points of space that is \\p affine in coordinates of planes."""
    return composed(PLANES[other or name], composed(affine, inverse(PLANES[name])))


def corners(name):
    return [mapped(PLANES[name], (x, y, 0.0)) for x in (-32, 32) for y in (-32, 32)]


def largest_error(name, affine, truth):
    return max(math.dist(mapped(affine, corner), mapped(truth, corner)) for corner in corners(name))


def out_of_plane(name, affine):
    back = inverse(PLANES[name])
    return max(abs(mapped(back, mapped(affine, corner))[2]) for corner in corners(name))


@functools.lru_cache(maxsize=None)
def voxels(name, grid, command):
    """The head on a plane, behind a map in it."""
    (width, height), spacing, degrees = grid
    turn = rotation(degrees, (0, 0, 1))
    back = inverse(MAPS[command]) if command else (IDENTITY, (0.0, 0.0, 0.0))
    values = []
    for y in range(height):
        for x in range(width):
            place = [spacing[0] * (x - 0.5 * (width - 1)), spacing[1] * (y - 0.5 * (height - 1)), 0.0]
            point = mapped(PLANES[name], mapped(back, mapped((turn, (0.0, 0.0, 0.0)), place)))
            values.append(round(10 * brightness(point)))
    return struct.pack(f"<{len(values)}h", *values)


def header(name, grid, slices=1):
    """Of a MetaImage, whose matrix has the axes as rows."""
    (width, height), spacing, degrees = grid
    matrix = product(PLANES[name][0], rotation(degrees, (0, 0, 1)))
    first = mapped((matrix, PLANES[name][1]), (-0.5 * spacing[0] * (width - 1), -0.5 * spacing[1] * (height - 1), 0.0))
    words = lambda values: " ".join(map(repr, values))
    return (
        f"ObjectType = Image\nNDims = 3\nDimSize = {width} {height} {slices}\nElementSpacing = {words(spacing)} 3\n"
        f"Offset = {words(first)}\nTransformMatrix = {words([matrix[row][axis] for axis in range(3) for row in range(3)])}\n"
        "BinaryData = True\nElementType = MET_SHORT\nElementDataFile = LOCAL\n"
    ).encode()


def slice_of(name, grid, command=None):
    return header(name, grid) + voxels(name, grid, command)


def translation_file(offset):
    return (
        "#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_3_3\n"
        f"Parameters: {' '.join(map(repr, offset))}\nFixedParameters:\n"
    ).encode()


class SliceTest(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.arguments = ["-q", "--json", "r.json"]

    def report(self, path="r.json"):
        return json.loads((self.folder / path).read_text())

    def map_of(self, report):
        return report["alignment"]["matrix"], report["alignment"]["offset_mm"]

    def write_pair(self, name, command):
        self.write("fixed.mha", slice_of(name, FIXED))
        self.write("moving.mha", slice_of(name, MOVING, command))

    def expect_reproduced(self):
        """Expects that ITK makes the warped image from the transform."""
        self.expect(0, "", "CheckTransformFile", "moving.mha", "map.tfm", "w.mha", "0.5", "0.002")


class LinearSlices(SliceTest):
    CLASSES = {
        "translation": "TranslationTransform",
        "rigid": "VersorRigid3DTransform",
        "similarity": "Similarity3DTransform",
        "affine": "AffineTransform",
    }

    def test_each_kind_is_found_in_the_plane(self):
        outputs = ["--output-transform", "map.tfm", "-o", "w.mha", "--output-type", "float"]
        for name in PLANES:
            for command, truth in MAPS.items():
                with self.subTest(name, command=command):
                    self.write_pair(name, command)
                    self.expect(0, "", "register", command, "fixed.mha", "moving.mha", *self.arguments, *outputs)
                    report = self.report()
                    self.assertTrue(report["alignment"]["is_success"])
                    self.assertEqual(report["alignment"]["transform"], self.CLASSES[command])
                    found = self.map_of(report)
                    self.assertLess(largest_error(name, found, in_space(name, truth)), TOLERANCE[command])
                    self.assertLess(out_of_plane(name, found), 1e-6)
                    self.expect_reproduced()

    def test_initial_transforms_stay_in_the_plane(self):
        self.write_pair("oblique", "rigid")
        normal = [row[2] for row in PLANES["oblique"][0]]
        along = [row[0] for row in PLANES["oblique"][0]]
        self.write("near.tfm", translation_file([2.0 * a for a in along]))
        self.write("off.tfm", translation_file([2.5 * n for n in normal]))
        start = ["--start", "initial-transform", "-i"]
        self.expect(0, "", "register", "rigid", "fixed.mha", "moving.mha", *self.arguments, *start, "near.tfm")
        found = self.map_of(self.report())
        self.assertLess(largest_error("oblique", found, in_space("oblique", MAPS["rigid"])), TOLERANCE["rigid"])
        self.assertLess(out_of_plane("oblique", found), 1e-6)
        words = "misses the plane of the moving slice is 2.5"
        self.expect(1, words, "register", "rigid", "fixed.mha", "moving.mha", *self.arguments, *start, "off.tfm")

    def test_planes_that_differ(self):
        for name in ("coronal", "oblique"):
            with self.subTest(name):
                self.write("fixed.mha", slice_of("sagittal", FIXED))
                self.write("moving.mha", header(name, MOVING) + voxels("sagittal", MOVING, "rigid"))
                arguments = [*self.arguments, "--search-angle", "180"]
                self.expect(0, "", "register", "rigid", "fixed.mha", "moving.mha", *arguments)
                found = self.map_of(self.report())
                truth = in_space("sagittal", MAPS["rigid"], name)
                self.assertLess(largest_error("sagittal", found, truth), TOLERANCE["rigid"])

    def test_not_to_a_volume(self):
        self.write_pair("oblique", "rigid")
        self.write("volume.mha", header("oblique", MOVING, 4) + 4 * voxels("oblique", MOVING, "rigid"))
        for command in ("rigid", "unbiased"):
            words = "72 x 70 x 4; it must be that of one slice, as the fixed image's, 64 x 60 x 1"
            self.expect(1, words, "register", command, "fixed.mha", "volume.mha", *self.arguments)


class DeformedSlices(SliceTest):
    def test_each_method(self):
        self.write_pair("oblique", "affine")
        outputs = ["--output-transform", "map.tfm", "-o", "w.mha", "--output-type", "float", "--output-field", "d.mha"]
        for command in ("unbiased", "symmetric", "greedy"):
            with self.subTest(command):
                quick = ["--levels", "2", "--iterations", "10"]
                self.expect(0, "", "register", command, "fixed.mha", "moving.mha", *self.arguments, *quick, *outputs)
                self.expect_reproduced()
                size = FIXED[0][0] * FIXED[0][1]
                field = struct.unpack(f"<{3 * size}f", (self.folder / "d.mha").read_bytes()[-12 * size :])
                normal = [row[2] for row in PLANES["oblique"][0]]
                across = [sum(n * d for n, d in zip(normal, field[i : i + 3])) for i in range(0, len(field), 3)]
                self.assertGreater(max(map(abs, field)), 0.1)
                self.assertLess(max(map(abs, across)), 1e-5)  # of mm, in float

    def test_not_across_planes(self):
        self.write("fixed.mha", slice_of("oblique", FIXED))
        moving = header("oblique", FIXED)
        self.write("moving.mha", moving + voxels("oblique", FIXED, "rigid"))
        normal = [row[2] for row in PLANES["oblique"][0]]
        self.write("off.tfm", translation_file([9.5 * n for n in normal]))
        words = "misses the plane of the moving slice is 9.5"
        self.expect(1, words, "register", "unbiased", "fixed.mha", "moving.mha", *self.arguments, "-i", "off.tfm")


class AtlasOfSlices(SliceTest):
    def test_is_on_the_plane(self):
        images = ["a.mha", "b.mha", "c.mha"]
        for image, command in zip(images, ("translation", "rigid", "affine")):
            self.write(image, slice_of("oblique", FIXED if image == "a.mha" else MOVING, command))
        quick = ["--levels", "2", "--iterations", "6,4", "--threads", "1", "-q"]
        self.expect(0, "", "atlas", "build", *images, "-o", "out", "--align", "affine", *quick)
        content = gzip.decompress((self.folder / "out" / "template.nii.gz").read_bytes())
        self.assertEqual(struct.unpack("<3h", content[42:48]), (*FIXED[0], 1))
        rows = struct.unpack("<12f", content[280:328])
        # NIfTI points to the left and to the back.
        matrix = [[sign * value for value in rows[i : i + 4]] for sign, i in ((-1, 0), (-1, 4), (1, 8))]
        back = inverse(PLANES["oblique"])
        for x in (0, FIXED[0][0] - 1):
            for y in (0, FIXED[0][1] - 1):
                point = [row[0] * x + row[1] * y + row[3] for row in matrix]
                self.assertLess(abs(mapped(back, point)[2]), 1e-4)  # of mm, in float
        report = self.report("out/report.json")
        for image in report["images"]:
            alignment = image["alignment"]
            self.assertLess(out_of_plane("oblique", (alignment["matrix"], alignment["offset_mm"])), 1e-6)


if __name__ == "__main__":
    programs.run_tests()
