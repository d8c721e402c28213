# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-transform apply against slow versions in Python: of interpolation, of labels, of matrices.

    python3 test_transform.py TRANSFORM
"""

import csv
import json
import math
import random

import nifti_files as nf
import point_files
import programs
from slow_resampling import resampled
from space_maps import Grid, affine_text, inverse_of, matrix_of, mapped, product, transform_text

INTERPOLATIONS = ("linear", "nearest", "cubic-spline", "windowed-sinc", "label")
TURN = ((1.0, 2.0, -0.5), 25.0)
# Rounding in double of coordinates of 1e4 mm, times the slope of the values; far above 1e-11, far below what a wrong formula gives.
CLOSE = 1e-7


def smooth(grid, seed=1):
    """Values that no symmetry hides a mistake in."""
    chance = random.Random(seed)
    return [chance.uniform(-100.0, 100.0) for _ in range(math.prod(grid.size))]


class TransformTest(programs.ProgramTest):
    def apply(self, *arguments, words=""):
        return self.expect(0, words, "transform", "apply", *arguments, "-q")

    def refuse(self, words, *arguments):
        before = self.contents()
        self.expect(1, words, "transform", *arguments, "-q")
        self.assertEqual(self.contents(), before)

    def image(self, name, grid, values, kind="d", **fields):
        self.write(name, grid.nifti(kind, values, **fields))

    def affine(self, name, matrix):
        self.write(name, affine_text(matrix).encode())

    def read(self, name):
        return nf.read((self.folder / name).read_bytes())

    def points(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return [[float(row[axis]) for axis in "xyz"] for row in csv.DictReader(file)]

    def expect_values(self, name, expected, tolerance):
        fields, values = self.read(name)
        self.assertEqual(len(values), len(expected))
        worst = max(abs(a - b) for a, b in zip(values, expected))
        self.assertLessEqual(worst, tolerance, name)
        return fields


class Images(TransformTest):
    def test_shifts_by_whole_voxels_are_exact(self):
        """With each interpolation, of each type of numbers, far from 0 and at the ends of the type."""
        grid = Grid((6, 5, 4), TURN, (1.0, 1.5, 2.0), (3000.0, -2000.0, 5000.0))
        shift = [a - b for a, b in zip(grid.point_of((2, -1, 1)), grid.point_of((0, 0, 0)))]
        self.affine("shift.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], shift))
        chance = random.Random(3)
        for kind, low, high in (
            ("B", 0, 255), ("b", -128, 127), ("h", -32768, 32767), ("H", 0, 65535), ("i", 2_000_000_000, 2_147_483_647), ("f", 2**24 - 99, 2**24),
            ("d", 2**50, 2**51),
        ):  # fmt: skip
            values = [float(chance.randint(low, high)) if kind in "fd" else chance.randint(low, high) for _ in range(120)]
            self.image("a.nii", grid, values, kind)
            expected = []
            for x, y, z in grid.indices():
                inside = x + 2 < 6 and y - 1 >= 0 and z + 1 < 4
                expected.append(values[((z + 1) * 5 + y - 1) * 6 + x + 2] if inside else low)
            for interpolation in INTERPOLATIONS:
                self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", "shift.tfm", "--interpolation", interpolation, "--background", str(low))
                fields, got = self.read("o.nii")
                # Filters of splines round in the last digits: of float, 2^-24 of values of 2^24 along each of three axes, at most 27 times as much.
                tolerance = {"f": 32.0, "d": 2.0}.get(kind, 0) if interpolation == "cubic-spline" else 0
                self.assertLessEqual(max(abs(a - b) for a, b in zip(got, expected)), tolerance, (kind, interpolation))
                self.assertEqual(nf.TYPES[fields["datatype"]], kind, interpolation)

    def test_each_interpolation_is_that_of_a_slow_version(self):
        moving = Grid((6, 5, 4), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))
        fixed = Grid((5, 6, 3), ((0.0, 1.0, 1.0), -40.0), (1.25, 1.0, 1.5), (31.0, -19.0, 51.0))
        matrix = matrix_of([[1.02, 0.05, -0.03], [-0.04, 0.97, 0.06], [0.02, -0.07, 1.01]], [-1.0, 0.5, -1.5])
        values = smooth(moving)
        self.image("m.nii", moving, values)
        self.image("f.nii", fixed, [0] * 90, "B")
        self.affine("a.tfm", matrix)
        for interpolation in INTERPOLATIONS[:4]:
            self.apply("m.nii", "o.nii", "--reference", "f.nii", "-x", "a.tfm", "--interpolation", interpolation, "--background", "-7.5")
            expected = resampled(interpolation, moving, values, fixed, matrix, -7.5)
            self.assertTrue(10 < expected.count(-7.5) < 80)
            fields = self.expect_values("o.nii", expected, 1e-9)
            self.assertEqual((fields["dim"][:4], fields["datatype"]), ([3, *fixed.size], nf.CODES["d"]))
            for name in ("sform", "pixdim", "quatern", "qoffset", "sform_code"):
                self.assertEqual(fields[name], self.read("f.nii")[0][name], name)
        # The engine computes in float what has no more digits: 1e-7 of values of 100, times 8 voxels and places of 1e-6 voxels.
        whole = [round(value) for value in values]
        self.image("m.nii", moving, whole, "f")
        # Splines have coefficients of up to 27 times the values, and slopes of three times those.
        for interpolation, tolerance in (("linear", 2e-3), ("nearest", 2e-3), ("cubic-spline", 1e-2), ("windowed-sinc", 5e-3)):
            self.apply("m.nii", "o.nii", "--reference", "f.nii", "-x", "a.tfm", "--interpolation", interpolation)
            self.expect_values("o.nii", resampled(interpolation, moving, whole, fixed, matrix), tolerance)

    def test_a_ramp_moves_exactly(self):
        """Along an oblique grid, 10 m from the origin, by a rotation about the origin."""
        far = (10000.0, -8000.0, 9000.0)
        fixed = Grid((5, 4, 6), TURN, (1.0, 0.75, 2.0), far)
        rotation = nf.rotation((0.2, 1.0, 0.4), 3.0)
        matrix = matrix_of(rotation, [0.0, 0.0, 0.0])
        center = mapped(matrix, fixed.point_of((2, 2, 3)))
        moving = Grid((16, 16, 16), ((1.0, 0.0, 1.0), 10.0), (1.0, 1.0, 1.0), (-(center[0]), -(center[1]), center[2]), middle=True)
        ramp = lambda point: 3.0 * (point[0] - center[0]) - 2.0 * (point[1] - center[1]) + 0.5 * (point[2] - center[2]) + 1000.0
        self.image("m.nii", moving, [ramp(moving.point_of(index)) for index in moving.indices()])
        self.image("f.nii", fixed, [0] * 120, "B")
        self.affine("a.tfm", matrix)
        expected = [ramp(mapped(matrix, fixed.point_of(index))) for index in fixed.indices()]
        # Splines bend at the ends of the grid, by 0.27 a voxel: 5e-4 of 5 voxels away.
        for interpolation, tolerance in (("linear", CLOSE), ("cubic-spline", 5e-2)):
            self.apply("m.nii", "o.nii", "--reference", "f.nii", "-x", "a.tfm", "--interpolation", interpolation, "--background", "-1")
            self.expect_values("o.nii", expected, tolerance)

    def test_whole_numbers_are_rounded_and_kept_to_their_type(self):
        grid = Grid((4, 1, 1), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.image("a.nii", grid, [0, 255, 255, 0], "B")
        self.affine("half.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-0.5, 0, 0]))  # LPS: half a voxel up
        self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", "half.tfm", "--background", "9")
        self.assertEqual(self.read("o.nii")[1], [128, 255, 128, 9])
        words = "o.nii: 1 voxels are NaN or beyond the range of unsigned char"
        self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", "half.tfm", "--interpolation", "cubic-spline", words=words)
        self.assertEqual(self.read("o.nii")[1][1], 255)  # the spline goes beyond
        self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", "half.tfm", "--output-type", "float")
        fields, values = self.read("o.nii")
        self.assertEqual((fields["datatype"], values), (nf.CODES["f"], [127.5, 255, 127.5, 0]))
        self.refuse("--background is 300; a number of the type unsigned char is needed", "apply", "a.nii", "o.nii", "--reference", "a.nii", "--background", "300")
        for background, text in (("0.5", "0.5"), ("1e30", "1e+30")):
            arguments = ["a.nii", "o.nii", "--reference", "a.nii", "--interpolation", "label", "--background", background]
            self.refuse(f"--background is {text}; labels are whole numbers of 64 bits", "apply", *arguments)

    def test_values_that_the_type_does_not_hold_are_counted(self):
        values = [-0.6, -0.5, 0.0, 255.4, 255.5, 300.0, -32768.5, -32769.0, 65535.5, 1e9, math.inf, -math.inf, math.nan]
        grid = Grid((len(values), 1, 1), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        arguments = ["--reference", "a.nii", "-x", self.identity(), "--json", "report.json"]
        limits = {"unsigned char": (0, 255), "short": (-32768, 32767), "unsigned short": (0, 65535)}
        for kind in "fd":
            self.image("a.nii", grid, values, kind)
            for name, (low, high) in limits.items():
                count = sum(programs.is_limited(value, low, high) for value in values)
                words = f"o.nii: {count} voxels are NaN or beyond the range of {name}, and have 0 or its limits; --output-type float keeps"
                option = name.replace("unsigned ", "u")
                self.apply("a.nii", "o.nii", *arguments, "--output-type", option, words=words)
                self.assertEqual(self.limited(), count, (kind, name))
                self.assertEqual(self.read("o.nii")[1][-3:], [high, low, 0])
            self.expect_no_limits("a.nii", "o.nii", *arguments, "--output-type", "float")
        self.image("a.nii", grid, [3] * len(values), "B")
        self.expect_no_limits("a.nii", "o.nii", *arguments, "--interpolation", "cubic-spline")

    def limited(self):
        return json.loads((self.folder / "report.json").read_text())["limited_voxels"]

    def expect_no_limits(self, *arguments):
        status, _, error = self.run_program("transform", "apply", *arguments, "-q")
        self.assertEqual((status, error, self.limited()), (0, "", 0))

    def test_scaled_numbers_are_float(self):
        grid = Grid((3, 2, 2), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.image("a.nii", grid, range(12), "h", scl_slope=0.5, scl_inter=10.0)
        self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", self.identity())
        fields, values = self.read("o.nii")
        self.assertEqual((fields["datatype"], values), (nf.CODES["f"], [10.0 + 0.5 * i for i in range(12)]))

    def identity(self):
        self.affine("identity.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]))
        return "identity.tfm"

    def test_voxels_that_are_not_finite_do_not_spread(self):
        grid = Grid((9, 1, 1), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.affine("part.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-0.25, 0, 0]))
        for kind in "fd":
            self.image("a.nii", grid, [5.0, 5.0, 5.0, math.nan, 5.0, 5.0, math.inf, 5.0, 5.0], kind)
            for interpolation in ("linear", "cubic-spline", "windowed-sinc"):
                self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", "part.tfm", "--interpolation", interpolation)
                values = self.read("o.nii")[1]
                bad = [i for i, value in enumerate(values) if not math.isfinite(value)]
                self.assertEqual(bad, [2, 3, 5, 6], (kind, interpolation))
                for i in (0, 1, 4, 7):
                    self.assertAlmostEqual(values[i], 5.0, 5)  # some units in the last place of float
            # At voxels themselves, no other counts.
            for interpolation in INTERPOLATIONS[:4]:
                self.apply("a.nii", "o.nii", "--reference", "a.nii", "-x", self.identity(), "--interpolation", interpolation)
                self.assertEqual([i for i, value in enumerate(self.read("o.nii")[1]) if not math.isfinite(value)], [3, 6])

    def test_a_field_moves_as_its_vectors_say(self):
        """On its own grid by the engine, on another one by ITK's field, whose outside moves nothing."""
        grid = Grid((5, 4, 3), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))
        values = smooth(grid)
        shift = [a - b for a, b in zip(grid.point_of((1, 0, 0)), grid.point_of((0, 0, 0)))]
        self.image("m.nii", grid, values, "f")
        self.write("field.nii", grid.field([shift] * 60))
        wide = Grid((7, 4, 3), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))
        self.image("wide.nii", wide, [0] * 84, "B")
        moved = [values[i + 1] if i % 5 < 4 else -1.0 for i in range(60)]
        for interpolation in ("linear", "nearest", "cubic-spline"):
            self.apply("m.nii", "o.nii", "--reference", "m.nii", "-x", "field.nii", "--interpolation", interpolation, "--background", "-1")
            self.expect_values("o.nii", moved, 1e-3)  # vectors of single precision
            self.apply("m.nii", "o.nii", "--reference", "wide.nii", "-x", "field.nii", "--interpolation", interpolation, "--background", "-1")
            rows = [moved[5 * row : 5 * row + 5] + [-1.0, -1.0] for row in range(12)]
            self.expect_values("o.nii", sum(rows, []), 1e-3)

    def test_where_a_field_is_not_finite_there_is_background(self):
        grid = Grid((4, 2, 2), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.image("m.nii", grid, range(16), "h")
        vectors = [[0.0, 0.0, 0.0] for _ in range(16)]
        vectors[5] = [math.nan] * 3
        self.write("field.nii", grid.field(vectors))
        for interpolation in INTERPOLATIONS[:2] + INTERPOLATIONS[4:]:
            self.apply("m.nii", "o.nii", "--reference", "m.nii", "-x", "field.nii", "--interpolation", interpolation, "--background", "77")
            self.assertEqual(self.read("o.nii")[1], [*range(5), 77, *range(6, 16)], interpolation)

    def test_several_transforms_are_one_map(self):
        grid = Grid((6, 5, 4), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))
        values = smooth(grid)
        self.image("m.nii", grid, values)
        near = lambda angle, shift: matrix_of(nf.rotation((0.3, 1.0, 0.2), angle), shift)
        first, second, third = near(1.0, [0.5, 0.2, -0.3]), near(-2.0, [1.5, -1.0, 2.0]), near(1.5, [-1.0, 0.3, 1.0])
        for name, matrix in (("a", first), ("b", second), ("c", third)):
            self.affine(f"{name}.tfm", matrix)
        whole = product(third, product(inverse_of(second), first))
        expected = resampled("cubic-spline", grid, values, grid, whole)
        for steps in (
            ["-x", "a.tfm", "--inverse", "b.tfm", "-x", "c.tfm"],
            ["--transform", "a.tfm", "-x", "[b.tfm,1]", "-x", "[c.tfm,0]"],
            ["-x", "a.tfm", "-x", "[b.tfm, 1]", "--inverse", "[c.tfm,1]"],
        ):
            self.apply("m.nii", "o.nii", "--reference", "m.nii", *steps, "--interpolation", "cubic-spline")
            self.expect_values("o.nii", expected, CLOSE)
        report = json.loads(self.apply("m.nii", "o.nii", "--reference", "m.nii", "-x", "a.tfm", "--inverse", "b.tfm", "--json", "-"))
        self.assertEqual(report["transforms"], ["a.tfm", "inverse of b.tfm"])

    def test_slices(self):
        """Images of two axes, and of one slice."""
        self.write("s.mha", b"ObjectType = Image\nNDims = 2\nDimSize = 4 3\nBinaryData = True\nElementType = MET_SHORT\nElementDataFile = LOCAL\n" + b"".join(i.to_bytes(2, "little") for i in range(12)))
        self.write("t.tfm", transform_text("TranslationTransform_double_2_2", [1.0, 0.0], []).encode())
        for interpolation in INTERPOLATIONS:
            self.apply("s.mha", "o.mha", "--reference", "s.mha", "-x", "t.tfm", "--interpolation", interpolation)
            content = (self.folder / "o.mha").read_bytes()[-24:]
            got = [int.from_bytes(content[i : i + 2], "little") for i in range(0, 24, 2)]
            self.assertEqual(got, [1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0], interpolation)


class Labels(TransformTest):
    def test_the_label_of_most_weight(self):
        moving = Grid((5, 4, 4), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))
        fixed = Grid((7, 6, 5), ((0.0, 1.0, 1.0), -40.0), (0.75, 1.0, 1.25), (30.5, -19.0, 50.5))
        matrix = matrix_of([[1.02, 0.05, -0.03], [-0.04, 0.97, 0.06], [0.02, -0.07, 1.01]], [-1.0, 0.5, -1.5])
        chance = random.Random(5)
        self.image("f.nii", fixed, [0] * 210, "B")
        self.affine("a.tfm", matrix)
        for kind, labels in (("B", (0, 1, 2, 255)), ("h", (-5, 0, 1000)), ("q", (0, 2**53 + 1, 2**53 + 2, -(2**62)))):
            values = [chance.choice(labels) for _ in range(80)]
            self.image("m.nii", moving, values, kind)
            self.apply("m.nii", "o.nii", "--reference", "f.nii", "-x", "a.tfm", "--interpolation", "label")
            expected = resampled("label", moving, values, fixed, matrix, 0)
            fields, got = self.read("o.nii")
            self.assertEqual((got, fields["datatype"]), (expected, nf.CODES[kind]))
            self.assertGreater(len(set(expected)), 2)

    def test_of_halves_it_is_the_smallest(self):
        grid = Grid((4, 1, 1), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.affine("half.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-0.5, 0, 0]))
        for values, expected in (([3, 2, 1, 1], [2, 1, 1, -4]), ([1, 2, 3, 1], [1, 2, 1, -4])):
            self.image("m.nii", grid, values, "h")
            self.apply("m.nii", "o.nii", "--reference", "m.nii", "-x", "half.tfm", "--interpolation", "label", "--background", "-4")
            self.assertEqual(self.read("o.nii")[1], expected)

    def test_numbers_that_are_no_labels(self):
        grid = Grid((2, 2, 2), None, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.image("m.nii", grid, [0.0, 1.0, 2.5, *[0.0] * 5], "f")
        self.affine("a.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]))
        self.refuse("2.5", "apply", "m.nii", "o.nii", "--reference", "m.nii", "-x", "a.tfm", "--interpolation", "label")


class Points(TransformTest):
    POINTS = [[1.5, -20.25, 3.0], [40.125, 5.0, -60.5], [-7.75, 8.5, 9.25]]

    def test_points_go_the_other_way(self):
        """From the fixed to the moving image; the inverse, and the last first, carries them along with an image."""
        self.write("p.csv", point_files.csv(self.POINTS))
        first = matrix_of([[1.02, 0.05, -0.03], [-0.04, 0.97, 0.06], [0.02, -0.07, 1.01]], [1.5, -2.25, 0.75])
        second = matrix_of(nf.rotation((0.2, 1.0, 0.4), 30.0), [-100.0, 20.0, 3.0])
        self.affine("a.tfm", first)
        self.affine("b.tfm", second)
        self.apply("p.csv", "o.csv", "-x", "a.tfm", "-x", "b.tfm")
        expected = [mapped(product(second, first), point) for point in self.POINTS]
        self.expect_points("o.csv", expected, 1e-9)
        self.apply("o.csv", "back.csv", "--inverse", "b.tfm", "--inverse", "a.tfm")
        self.expect_points("back.csv", self.POINTS, 1e-9)

    def expect_points(self, name, expected, tolerance):
        got = self.points(name)
        self.assertLess(max(math.dist(p, q) for p, q in zip(got, expected)), tolerance)
        self.assertEqual(len(got), len(expected))

    def test_meshes_keep_their_cells(self):
        ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
        self.write("m.ply", ply.encode())
        self.affine("a.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [10, 20, 30]))
        self.apply("m.ply", "o.off", "-x", "a.tfm")
        words = (self.folder / "o.off").read_text().split()
        self.assertEqual(words[:6], ["OFF", "#", "SPACE=LPS", "3", "1", "0"])
        self.assertEqual([float(word) for word in words[6:15]], [10, 20, 30, 11, 20, 30, 10, 21, 30])
        self.assertEqual(words[15:], ["3", "0", "1", "2"])

    def test_cells_that_a_format_does_not_have(self):
        corners = [[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [5, 5, 5]]
        mesh = point_files.obj(corners, [[0, 1, 2, 3]]) + b"l 1 5\np 5\n"
        self.write("m.obj", mesh)
        self.affine("a.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [10, 20, 30]))
        self.apply("m.obj", "o.gii", "-x", "a.tfm", words="o.gii is without the lines and vertices of the mesh: .vtk and .obj have such")
        points, triangles = point_files.read("o.gii", (self.folder / "o.gii").read_bytes())
        self.assertEqual(len(triangles), 2)
        self.assertEqual({i for cell in triangles for i in cell}, {0, 1, 2, 3})
        self.assertLess(max(math.dist(p, [a + b for a, b in zip(q, (10, 20, 30))]) for p, q in zip(points, corners)), 1e-5)

    def test_options_of_images_have_no_effect(self):
        self.write("p.csv", point_files.csv(self.POINTS))
        self.affine("a.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]))
        for name, value in (("--reference", "fixed.mha"), ("--interpolation", "linear"), ("--background", "1"), ("--output-type", "float")):
            self.refuse(f"{name} has no effect here", "apply", "p.csv", "o.csv", "-x", "a.tfm", name, value)


class Refusals(TransformTest):
    def setUp(self):
        super().setUp()
        self.affine("a.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]))

    def test_bad_transforms(self):
        flat = matrix_of([[1, 2, 3], [2, 4, 6], [0, 0, 1]], [0, 0, 0])
        apply = ["apply", "moving.mha", "o.mha", "--reference", "fixed.mha", "-x"]
        self.affine("flat.tfm", flat)
        self.refuse("cannot use flat.tfm: the matrix of its AffineTransform is singular: its determinant is 0", *apply, "flat.tfm")
        self.write("two.tfm", transform_text("AffineTransform_double_2_2", [1, 0, 0, 1, 0, 0], [0, 0]).encode())
        self.refuse("two.tfm has a transform of 2 axes, and the axes of fixed.mha have 3", *apply, "two.tfm")
        self.write("odd.tfm", transform_text("WobblyTransform_double_3_3", [1], [0]).encode())
        self.refuse("it has a transform of type WobblyTransform_double_3_3", *apply, "odd.tfm")
        self.refuse("none.tfm", *apply, "none.tfm")
        self.refuse("cannot understand [a.tfm,2]", *apply, "[a.tfm,2]")

    def test_missing_and_mixed_files(self):
        self.refuse("--reference is missing", "apply", "moving.mha", "o.mha", "-x", "a.tfm")
        self.refuse("o.csv", "apply", "moving.mha", "o.csv", "--reference", "fixed.mha", "-x", "a.tfm")
        self.refuse("cannot write moving.mha", "apply", "moving.mha", "moving.mha", "--reference", "fixed.mha", "-x", "a.tfm")
        self.refuse("cannot write a.tfm", "apply", "moving.mha", "a.tfm", "--reference", "fixed.mha", "-x", "a.tfm")

    def test_the_wrong_way_is_noticed(self):
        self.affine("far.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1000, 0, 0]))
        for interpolation in INTERPOLATIONS:
            self.apply("moving.mha", "o.mha", "--reference", "fixed.mha", "-x", "far.tfm", "--interpolation", interpolation, words="o.mha is all background")
        for background in ("nan", "inf"):
            arguments = ["--reference", "fixed.mha", "-x", "far.tfm", "--output-type", "float", "--background", background]
            self.apply("moving.mha", "o.mha", *arguments, words="o.mha is all background")


if __name__ == "__main__":
    programs.run_tests()
