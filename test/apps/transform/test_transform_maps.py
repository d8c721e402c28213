# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what cudaneuro-transform does with maps: compose, invert, jacobian, compare.

    python3 test_transform_maps.py TRANSFORM
"""

import json
import math
import random
import struct

import nifti_files as nf
import point_files
import programs
from space_maps import Grid, affine_text, inverse_of, mapped, matrix_of, product, read_affine, read_field, transform_text
from test_transform import TransformTest

TURN = ((1.0, 2.0, -0.5), 25.0)
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
FIRST = matrix_of([[1.02, 0.05, -0.03], [-0.04, 0.97, 0.06], [0.02, -0.07, 1.01]], [1.5, -2.25, 0.75])
SECOND = matrix_of(nf.rotation((0.2, 1.0, 0.4), 30.0), [-100.0, 20.0, 3.0])
GRID = Grid((12, 11, 10), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))


def bent(point, size=1.0):
    """A smooth displacement in mm, whose derivatives are 0.12 at most."""
    x, y, z = point
    return [size * 0.8 * math.sin(0.15 * y + 0.2), size * 0.6 * math.cos(0.2 * x), size * 0.7 * math.sin(0.1 * x + 0.12 * z)]


def composite_text(*transforms):
    """A file with a composite; the transform that stands last is applied first."""
    parts = ["#Insight Transform File V1.0\n#Transform 0\nTransform: CompositeTransform_double_3_3\n"]
    for number, text in enumerate(transforms, 1):
        parts.append(f"#Transform {number}\n" + text.split("#Transform 0\n")[1])
    return "".join(parts)


class MapsTest(TransformTest):
    def setUp(self):
        super().setUp()
        self.affine("a.tfm", FIRST)
        self.affine("b.tfm", SECOND)
        self.write("field.nii", GRID.field([bent(GRID.point_of(index)) for index in GRID.indices()]))
        self.image("grid.nii", GRID, [0] * 1320, "B")

    def test_no_input_is_overwritten(self):
        self.refuse("grid.nii would overwrite the input grid.nii", "compare", "a.tfm", "b.tfm", "--mask", "grid.nii", "--map", "grid.nii")

    def run_maps(self, command, *arguments, words=""):
        return self.expect(0, words, "transform", command, *arguments, "-q")

    def report(self, *arguments):
        return json.loads(self.run_maps(*arguments, "--json", "-"))

    def text(self, name):
        return (self.folder / name).read_text()

    def expect_matrix(self, got, expected, tolerance=1e-12):
        for row, other in zip(got, expected):
            for a, b in zip(row, other):
                self.assertLessEqual(abs(a - b), tolerance * max(1.0, abs(b)))

    def moved(self, points, *steps):
        self.write("p.csv", point_files.csv(points))
        self.apply("p.csv", "o.csv", *steps)
        return self.points("o.csv")

    def expect_points(self, got, expected, tolerance):
        self.assertEqual(len(got), len(expected))
        self.assertLess(max(math.dist(p, q) for p, q in zip(got, expected)), tolerance)


class Composing(MapsTest):
    def test_linear_transforms_are_multiplied(self):
        whole = product(inverse_of(FIRST), product(SECOND, FIRST))
        self.run_maps("compose", "c.tfm", "-x", "a.tfm", "-x", "b.tfm", "--inverse", "a.tfm")
        self.expect_matrix(read_affine(self.text("c.tfm")), whole)
        # One stays as it is.
        self.run_maps("compose", "c.txt", "-x", "a.tfm")
        self.assertEqual(read_affine(self.text("c.txt")), FIRST)
        # With a center, and as a translation.
        center = [5.0, 6.0, -7.0]
        self.write("turn.tfm", transform_text("Euler3DTransform_double_3_3", [0.3, 0.0, 0.0, 1.0, 2.0, 3.0], center + [0.0]).encode())
        self.write("shift.tfm", transform_text("TranslationTransform_double_3_3", [10.0, 20.0, 30.0], []).encode())
        self.run_maps("compose", "c.tfm", "-x", "turn.tfm", "-x", "shift.tfm")
        c, s = math.cos(0.3), math.sin(0.3)
        expected = lambda p: [p[0] + 11.0, c * (p[1] - 6) - s * (p[2] + 7) + 28.0, s * (p[1] - 6) + c * (p[2] + 7) + 26.0]
        for point in ([0.0, 0.0, 0.0], [10.0, -20.0, 35.0]):
            self.assertLess(math.dist(mapped(read_affine(self.text("c.tfm")), point), expected(point)), 1e-12)

    def test_fields_are_what_comes_one_after_the_other(self):
        vectors = []
        for index in GRID.indices():
            point = GRID.point_of(index)
            first = [a + b for a, b in zip(point, bent(point))]
            vectors.append([a - b for a, b in zip(mapped(FIRST, first), point)])
        steps = ["-x", "field.nii", "-x", "a.tfm"]
        for name in ("c.nii", "c.nii.gz"):
            self.run_maps("compose", name, *steps, "--reference", "grid.nii")
            # Vectors of single precision, of up to 10 mm.
            self.expect_points(read_field((self.folder / name).read_bytes()), vectors, 1e-5)
        # The field of a transform file is the same.
        self.run_maps("compose", "c.h5", *steps, "--reference", "grid.nii")
        points = [GRID.point_of(index) for index in GRID.indices()]
        self.expect_points(self.moved(points, "-x", "c.h5"), [[a + b for a, b in zip(p, v)] for p, v in zip(points, vectors)], 1e-5)
        # And as the image moves: in one run, or by the composed field. Not at the rim, where rounding decides what is outside.
        values = [math.sin(0.3 * i) for i in range(1320)]
        self.image("m.nii", GRID, values, "f")
        for name, *arguments in (["one.nii", *steps], ["two.nii", "-x", "c.nii"]):
            self.apply("m.nii", name, "--reference", "grid.nii", *arguments, "--background", "9")
        one, two = self.read("one.nii")[1], self.read("two.nii")[1]
        both = [(a, b) for a, b in zip(one, two) if a != 9 and b != 9]
        self.assertGreater(len(both), 700)
        self.assertLess(max(abs(a - b) for a, b in both), 1e-4)

    def test_what_is_missing(self):
        self.expect(2, "At least one of --transform and --inverse", "transform", "compose", "c.tfm")
        self.refuse("--reference is missing", "compose", "c.nii", "-x", "a.tfm")
        self.refuse("its ending is that of no format", "compose", "c.mat", "-x", "field.nii", "-x", "a.tfm")
        self.refuse("its ending is that of no format", "compose", "c.xyz", "-x", "a.tfm")
        for output, command in (("c.tfm", ["compose", "c.tfm", "-x", "a.tfm"]), ("c.h5", ["invert", "a.tfm", "c.h5"]), ("c.mat", ["convert", "a.tfm", "c.mat"])):
            self.refuse(f"--reference has no effect here: {output} gets a linear transform", *command, "--reference", "grid.nii")
        self.write("two.tfm", transform_text("AffineTransform_double_2_2", [1, 0, 0, 1, 0, 0], [0, 0]).encode())
        self.refuse("two.tfm has a transform of 2 axes, and the other transforms have 3", "compose", "c.tfm", "-x", "a.tfm", "-x", "two.tfm")


class Inverting(MapsTest):
    def test_linear_transforms(self):
        self.run_maps("invert", "a.tfm", "i.tfm")
        self.expect_matrix(read_affine(self.text("i.tfm")), inverse_of(FIRST))
        self.run_maps("invert", "[a.tfm,1]", "i.tfm")
        self.expect_matrix(read_affine(self.text("i.tfm")), FIRST)
        self.run_maps("invert", "a.tfm", "i.mat")
        self.run_maps("convert", "i.mat", "i.txt")
        self.expect_matrix(read_affine(self.text("i.txt")), inverse_of(FIRST))
        flat = matrix_of([[1, 2, 3], [2, 4, 6], [0, 0, 1]], [0, 0, 0])
        self.affine("flat.tfm", flat)
        self.refuse("cannot use flat.tfm: the matrix of its AffineTransform is singular: its determinant is 0", "invert", "flat.tfm", "i.tfm")

    def test_there_and_back(self):
        """At points inside, where neither leaves its grid: the tolerance of 1e-3 voxels of 2 mm, and what linear interpolation of
        either field makes of curves of 0.8 sin(0.2 x), 0.03/8 a square of 2 mm each way."""
        inside = [GRID.point_of(index) for index in GRID.indices() if all(2 <= i < n - 3 for i, n in zip(index, GRID.size))]
        report = self.report("invert", "field.nii", "i.nii")
        self.assertLess(report["inversion"]["maximum_residual_voxels"], 1e-3)
        there = self.moved(inside, "-x", "field.nii")
        self.assertGreater(max(math.dist(p, q) for p, q in zip(inside, there)), 0.9)
        self.expect_points(self.moved(there, "-x", "i.nii"), inside, 0.03)
        self.expect_points(self.moved(there, "--inverse", "field.nii"), inside, 0.03)
        self.expect_points(self.moved(there, "-x", "[field.nii,1]"), inside, 0.03)

    def test_composites_are_inverted_part_by_part(self):
        """A field and a map far away, whose grids have nothing in common."""
        self.run_maps("convert", "field.nii", "f.tfm")
        self.write("both.tfm", composite_text(affine_text(SECOND), self.text("f.tfm")).encode())
        inside = [GRID.point_of(index) for index in GRID.indices() if all(2 <= i < n - 3 for i, n in zip(index, GRID.size))]
        there = self.moved(inside, "-x", "both.tfm")
        self.expect_points(there, self.moved(inside, "-x", "field.nii", "-x", "b.tfm"), 1e-9)
        self.run_maps("invert", "both.tfm", "i.h5")
        self.expect_points(self.moved(there, "-x", "i.h5"), inside, 0.03)
        # Two linear parts become one transform.
        self.write("two.tfm", composite_text(affine_text(SECOND), affine_text(FIRST)).encode())
        self.run_maps("invert", "two.tfm", "i.tfm")
        self.expect_matrix(read_affine(self.text("i.tfm")), inverse_of(product(SECOND, FIRST)))
        # An image of displacements lies on the moving grid.
        self.refuse("--reference is missing", "invert", "both.tfm", "i.nii")
        self.refuse("its ending is that of no format", "invert", "both.tfm", "i.mat")

    def test_what_has_no_inverse(self):
        fixed = [4.0] * 3 + [0.0] * 3 + [10.0] * 3 + [1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0]
        self.write("s.tfm", transform_text("BSplineTransform_double_3_3", [0.0] * 192, fixed).encode())
        self.refuse("s.tfm has a BSplineTransform, which can't be inverted", "invert", "s.tfm", "i.tfm")
        self.write("nan.nii", GRID.field([[math.nan if i == 5 else 0.0 for i in index] for index in GRID.indices()]))
        self.run_maps("invert", "nan.nii", "i.nii", words="warning: the inverse of nan.nii is NaN at some voxels")


class Headers(MapsTest):
    SAID = {"descrip": b"by hand", "aux_file": b"other.txt", "cal_max": 2.5, "intent_name": b"of a test"}
    # The two places differ by less than what is remarked.
    PLACE = {"sform_code": 4, "qform_code": 1, "sform": GRID.fields()["sform"], "quatern": GRID.fields()["quatern"], "qoffset": GRID.fields()["qoffset"]}
    EXTENSION = struct.pack("<ii", 32, 6) + b"a comment of 24 bytes" + bytes(3)

    def setUp(self):
        super().setUp()
        vectors = [bent(GRID.point_of(index)) for index in GRID.indices()]
        values = [vector[axis] for axis in range(3) for vector in vectors]
        fields = {**GRID.fields(), **self.PLACE, **self.SAID, "intent_code": 1007}
        self.write("said.nii", nf.nifti((*GRID.size, 1, 3), "f", values, 2, "<", self.EXTENSION, **fields))

    def test_fields_on_their_own_grid(self):
        for command, *arguments in (["convert", "said.nii"], ["invert", "said.nii"], ["convert", "[said.nii,1]"], ["compose"]):
            self.run_maps(command, *([arguments[0], "o.nii"] if arguments else ["o.nii", "-x", "said.nii"]))
            fields, _ = self.read("o.nii")
            expected = {**self.PLACE, **self.SAID, "intent_code": 1007}
            self.assertEqual({key: fields[key] for key in expected}, expected, command)
            self.assertEqual(fields["extension"][:32], self.EXTENSION, command)

    def test_images_of_another_kind_have_the_place_alone(self):
        for command, output in ((["jacobian", "said.nii"], "--output"), (["compare", "said.nii", "a.tfm"], "--map")):
            self.run_maps(*command, output, "o.nii")
            fields, _ = self.read("o.nii")
            self.assertEqual({key: fields[key] for key in self.PLACE}, self.PLACE, command)
            self.assertEqual((fields["intent_code"], fields["descrip"], fields["extension"][:32].strip(b"\0")), (0, b"", b""))

    def test_keys_of_fields(self):
        for ending, key in (("nrrd", b"study:=mine\n"), ("mha", b"study = mine\n")):
            self.run_maps("convert", "field.nii", f"f.{ending}")
            content = (self.folder / f"f.{ending}").read_bytes()
            end = content.index(b"\n\n") + 1 if ending == "nrrd" else content.index(b"ElementDataFile")
            self.write(f"f.{ending}", content[:end] + key + content[end:])
            for command in ("convert", "invert"):
                self.run_maps(command, f"f.{ending}", f"o.{ending}")
                self.assertIn(key, (self.folder / f"o.{ending}").read_bytes(), command)
            self.run_maps("convert", f"o.{ending}", "back.nii")
            self.run_maps("invert", "field.nii", "inverse.nii")
            read = lambda name: read_field((self.folder / name).read_bytes())
            self.expect_points(read("back.nii"), read("inverse.nii"), 1e-6)

    def test_fields_as_grids(self):
        """Whatever their vectors are."""
        self.run_maps("convert", "field.nii", "f.nrrd")
        plain = nf.nifti((*GRID.size, 1, 3), "f", [0.0] * 3960, 2, **GRID.fields())
        self.write("plain.nii", plain)
        self.run_maps("compose", "c.nii", "-x", "field.nii", "-x", "a.tfm", "--reference", "grid.nii")
        self.apply("grid.nii", "m.nii", "-x", "a.tfm", "--reference", "grid.nii")
        for name in ("field.nii", "f.nrrd", "plain.nii", "said.nii"):
            self.run_maps("compose", "o.nii", "-x", "field.nii", "-x", "a.tfm", "--reference", name)
            self.assertEqual(self.read("o.nii")[1], self.read("c.nii")[1], name)
            self.run_maps("jacobian", "a.tfm", "--reference", name)
            self.apply("grid.nii", "o.nii", "-x", "a.tfm", "--reference", name)
            self.assertEqual(self.read("o.nii")[1], self.read("m.nii")[1], name)


class Jacobians(MapsTest):
    def determinants(self, *arguments):
        figures = self.report("jacobian", *arguments, "--output", "j.nii")["jacobian"]
        fields, values = self.read("j.nii")
        self.assertEqual((fields["datatype"], fields["dim"][1:4]), (nf.CODES["f"], list(GRID.size)))
        self.assertEqual((figures["minimum"], figures["maximum"]), (min(values), max(values)))
        self.assertEqual(figures["folded_voxels"], sum(value <= 0 for value in values))
        return values

    def test_of_linear_maps(self):
        m = FIRST
        expected = sum(m[0][j] * (m[1][(j + 1) % 3] * m[2][(j + 2) % 3] - m[1][(j + 2) % 3] * m[2][(j + 1) % 3]) for j in range(3))
        for value in self.determinants("a.tfm", "--reference", "grid.nii"):
            self.assertAlmostEqual(value, expected, 6)
        self.refuse("--reference is missing", "jacobian", "a.tfm")

    def test_of_fields(self):
        """The derivative along each axis of space by hand, in the middle, against differences of 1 to 2 mm: their error is
        h^2/6 of the third derivative, 0.8 0.2^3, of three terms."""
        values = self.determinants("field.nii")
        for number, index in enumerate(GRID.indices()):
            if all(1 <= i < n - 1 for i, n in zip(index, GRID.size)):
                x, y, z = GRID.point_of(index)
                rows = [
                    [1.0, 0.8 * 0.15 * math.cos(0.15 * y + 0.2), 0.0],
                    [-0.6 * 0.2 * math.sin(0.2 * x), 1.0, 0.0],
                    [0.7 * 0.1 * math.cos(0.1 * x + 0.12 * z), 0.0, 1.0 + 0.7 * 0.12 * math.cos(0.1 * x + 0.12 * z)],
                ]
                expected = rows[2][2] * (rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0])
                self.assertLess(abs(values[number] - expected), 2e-3)

    def test_of_a_field_and_a_map_from_afar(self):
        self.affine("far.tfm", matrix_of([[2, 0, 0], [0, 1, 0], [0, 0, 1]], [1e7, 1e7, -1e7]))
        alone = self.determinants("field.nii")
        self.run_maps("convert", "field.nii", "f.tfm")
        self.write("both.tfm", composite_text(self.text("far.tfm"), self.text("f.tfm")).encode())
        for a, b in zip(self.determinants("both.tfm", "--reference", "grid.nii"), alone):
            self.assertAlmostEqual(a, 2.0 * b, 5)

    def test_folds_are_counted(self):
        self.write("fold.nii", GRID.field([bent(GRID.point_of(index), 12.0) for index in GRID.indices()]))
        values = self.determinants("fold.nii")
        self.assertTrue(0 < sum(value <= 0 for value in values) < len(values))


class Comparing(MapsTest):
    def test_distances(self):
        report = self.report("compare", "a.tfm", "b.tfm", "--reference", "grid.nii", "--map", "d.nii")
        expected = sorted(math.dist(mapped(FIRST, p), mapped(SECOND, p)) for p in map(GRID.point_of, GRID.indices()))
        self.expect_figures(report, expected)
        self.assertEqual((report["voxels"], report["voxels_without_place"]), (1320, 0))
        image = self.read("d.nii")[1]
        for index, value in zip(GRID.indices(), image):
            point = GRID.point_of(index)
            self.assertAlmostEqual(value, math.dist(mapped(FIRST, point), mapped(SECOND, point)), 4)
        self.assertEqual(self.report("compare", "a.tfm", "a.tfm", "--reference", "grid.nii")["distance_mm"]["maximum"], 0.0)
        # A map after its inverse is the identity.
        self.affine("identity.tfm", matrix_of(IDENTITY, [0, 0, 0]))
        self.run_maps("compose", "c.tfm", "-x", "b.tfm", "--inverse", "b.tfm")
        self.assertLess(self.report("compare", "c.tfm", "identity.tfm", "--reference", "grid.nii")["distance_mm"]["maximum"], 1e-11)

    def expect_figures(self, report, expected):
        figures = report["distance_mm"]
        place = 0.95 * (len(expected) - 1)
        low = math.floor(place)
        high = min(low + 1, len(expected) - 1)
        middle = len(expected) // 2
        median = expected[middle] if len(expected) % 2 else (expected[middle - 1] + expected[middle]) / 2
        for name, value in (
            ("mean", sum(expected) / len(expected)), ("median", median), ("maximum", expected[-1]),
            ("percentile_95", expected[low] + (place - low) * (expected[high] - expected[low])),
            ("root_mean_square", math.sqrt(sum(d * d for d in expected) / len(expected))),
        ):  # fmt: skip
            self.assertAlmostEqual(figures[name], value, 9, name)

    def test_masks(self):
        chance = random.Random(2)
        mask = [chance.choice((0, 0, 1, 7)) for _ in range(1320)]
        self.image("mask.nii", GRID, mask, "B")
        points = [GRID.point_of(index) for index, inside in zip(GRID.indices(), mask) if inside]
        expected = sorted(math.dist(mapped(FIRST, p), mapped(SECOND, p)) for p in points)
        for arguments in (["--reference", "grid.nii"], []):
            report = self.report("compare", "a.tfm", "b.tfm", "--mask", "mask.nii", *arguments)
            self.expect_figures(report, expected)
            self.assertEqual(report["voxels"], len(points))
        self.image("small.nii", Grid((3, 3, 3), None, (1, 1, 1), (0, 0, 0)), [1] * 27, "B")
        self.refuse("small.nii", "compare", "a.tfm", "b.tfm", "--reference", "grid.nii", "--mask", "small.nii")

    def test_voxels_without_a_place_are_told(self):
        vectors = [[1.0, 0.0, 0.0] for _ in range(1320)]
        vectors[7] = [math.nan] * 3
        # Along the axes of space, so that rounding gives the neighbors no share of it.
        grid = Grid(GRID.size, None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.write("nan.nii", grid.field(vectors))
        self.affine("identity.tfm", matrix_of(IDENTITY, [0, 0, 0]))
        for maps in (["nan.nii", "identity.tfm"], ["identity.tfm", "nan.nii"]):
            report = self.report("compare", *maps)
            self.assertEqual((report["voxels"], report["voxels_without_place"]), (1319, 1))
            self.assertAlmostEqual(report["distance_mm"]["maximum"], 1.0, 6)
        self.write("nan.nii", GRID.field([[math.nan] * 3] * 1320))
        self.refuse("no voxel is left to compare at: at 1320 a map leads to no place", "compare", "nan.nii", "identity.tfm")


if __name__ == "__main__":
    programs.run_tests()
