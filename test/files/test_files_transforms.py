# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests transform files as other programs write them: that each moves points as its numbers say, that ITK repeats what is made with
them, and what is said of files that cannot be read.

    python3 test_files_transforms.py LANDMARKS REGISTER CHECK_TRANSFORM_FILE
"""

import csv
import gzip
import itertools
import math
import struct
import subprocess
import unittest
import zlib

import point_files
import programs

MATRIX = [[1.02, 0.05, -0.03], [-0.04, 0.97, 0.06], [0.02, -0.07, 1.01]]
TRANSLATION = [1.5, -2.25, 0.75]
CENTER = [5.0, 6.0, -7.0]
PARAMETERS = [*MATRIX[0], *MATRIX[1], *MATRIX[2], *TRANSLATION]
FLAT = [1.02, 0.05, -0.04, 0.97, 1.5, -2.25]
POINTS = [[1.5, -20.25, 3.0], [40.125, 5.0, -60.5], [-7.75, 8.5, 9.25]]
HEAD = "#Insight Transform File V1.0\n#Transform 0\n"
# How ANTs, c3d_affine_tool and older versions of ITK name an affine transform.
NAMES = ["MatrixOffsetTransformBase_double_3_3", "MatrixOffsetTransformBase_float_3_3", "AffineTransform_double_3_3", "AffineTransform_float_3_3"]


def words(numbers):
    return " ".join(map(repr, numbers))


def text(name, parameters, fixed):
    return f"{HEAD}Transform: {name}\nParameters: {words(parameters)}\nFixedParameters: {words(fixed)}\n"


def matlab(columns, code="d", order="<", transposed=False):
    """Level 4: columns of numbers with their names."""
    kind = {"d": 0, "f": 10}[code] + (1000 if order == ">" else 0)
    content = b""
    for name, numbers in columns:
        shape = (1, len(numbers)) if transposed else (len(numbers), 1)
        content += struct.pack(f"{order}5i", kind, *shape, 0, len(name) + 1) + name.encode() + b"\0"
        content += struct.pack(f"{order}{len(numbers)}{code}", *numbers)
    return content


def matlab_5(name, is_compressed=False):
    """Level 5: a variable, its flags, its size, and its name."""
    data = struct.pack("<8I", 6, 8, 6, 0, 5, 8, 1, 1) + struct.pack("<2I", 1, len(name)) + name.ljust((len(name) + 7) // 8 * 8, b"\0")
    data += struct.pack("<2Id", 9, 8, 1.0)
    data = struct.pack("<2I", 14, len(data)) + data
    if is_compressed:
        data = zlib.compress(data)
        data = struct.pack("<2I", 15, len(data)) + data
    return b"MATLAB 5.0 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\1IM" + data


def spline(order, x):
    """The centered B-spline of an order, by its recursion."""
    if order == 0:
        return float(-0.5 <= x < 0.5)
    half = (order + 1) / 2
    return ((half + x) * spline(order - 1, x + 0.5) + (half - x) * spline(order - 1, x - 0.5)) / order


def affine(point, matrix=MATRIX, translation=TRANSLATION, center=CENTER):
    centered = [a - b for a, b in zip(point, center)]
    return [sum(m * c for m, c in zip(row, centered)) + t + o for row, t, o in zip(matrix, translation, center)]


def turned(point, versor):
    """A point turned by the vector part of a quaternion."""
    cross = lambda a, b: [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
    once = [2.0 * x for x in cross(versor, point)]
    return [p + math.sqrt(1.0 - math.hypot(*versor) ** 2) * a + b for p, a, b in zip(point, once, cross(versor, once))]


class TransformsTest(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("points.csv", point_files.csv(POINTS))

    def write(self, name, content):
        super().write(name, content.encode() if isinstance(content, str) else content)

    def move(self, name, *arguments, words="", points="points.csv"):
        self.expect(0, words, "landmarks", "warp", name, "--points", points, "-o", "o.csv", "--threads", "1", "-q", *arguments)
        with open(self.folder / "o.csv", newline="", encoding="utf-8") as file:
            return [[float(row[axis]) for axis in "xyz" if axis in row] for row in csv.DictReader(file)]

    def expect_moved(self, name, expected, tolerance=1e-9, **options):
        got = self.move(name, **options)
        self.assertLess(max(math.dist(p, q) for p, q in zip(got, expected)), tolerance, name)

    def refuse(self, name, content, words):
        self.write(name, content)
        for program, arguments in [
            ("landmarks", ["warp", name, "--points", "points.csv", "-o", "o.csv", "-q"]),
            ("register", ["rigid", "fixed.mha", "moving.mha", "-i", name, "-o", "o.mha", "-q"]),
        ]:
            self.expect(1, f"cannot read {name}: ", program, *arguments)
            self.expect(1, words, program, *arguments)
        self.assertFalse({"o.csv", "o.mha"} & self.names())


class Reading(TransformsTest):
    def test_affine_transforms(self):
        moved = [affine(p) for p in POINTS]
        for name in NAMES:
            for ending in (".txt", ".tfm"):
                self.write("a" + ending, text(name, PARAMETERS, CENTER))
                self.expect_moved("a" + ending, moved)
            columns = [(name, PARAMETERS), ("fixed", CENTER)]
            for options in [{}, {"order": ">"}, {"transposed": True}]:
                self.write("a.mat", matlab(columns, **options))
                self.expect_moved("a.mat", moved)
            self.write("a.mat", matlab(columns, "f"))
            self.expect_moved("a.mat", moved, 1e-4)
            # SciPy writes a dictionary's columns in the order in which they are in it.
            self.write("a.mat", matlab(columns[::-1]))
            self.expect_moved("a.mat", moved)
            # What a file is, its contents tell.
            self.write("a.mat", text(name, PARAMETERS, CENTER))
            self.expect_moved("a.mat", moved)

    def test_text_of_people(self):
        moved = [affine(p) for p in POINTS]
        content = text(NAMES[0], PARAMETERS, CENTER)
        for changed in [content.replace("\n", "\r\n"), content.replace("Parameters: ", "Parameters:\t  ").replace("\n", " \n"),
                        content.replace("#Transform 0\n", "\n# by hand\n\n") + "\n\n", content.replace("\n", "\n  "), "\ufeff" + content,
                        "# by hand\n" + content.replace(HEAD, "")]:
            self.write("a.txt", changed)
            self.expect_moved("a.txt", moved)
        self.write("a.txt", content[:-1])
        self.expect_moved("a.txt", moved, words="a.txt may be cut short: its last line does not end")

    def test_two_axes(self):
        self.write("flat.csv", point_files.csv([p[:2] for p in POINTS]))
        moved = [affine(p[:2], [FLAT[:2], FLAT[2:4]], FLAT[4:], CENTER[:2]) for p in POINTS]
        for name in [name.replace("3_3", "2_2") for name in NAMES]:
            self.write("a.txt", text(name, FLAT, CENTER[:2]))
            self.expect_moved("a.txt", moved, points="flat.csv")
            self.write("a.mat", matlab([(name, FLAT), ("fixed", CENTER[:2])]))
            self.expect_moved("a.mat", moved, points="flat.csv")

    def test_the_inverse(self):
        self.write("moved.csv", point_files.csv([affine(p) for p in POINTS]))
        self.write("a.mat", matlab([(NAMES[0], PARAMETERS), ("fixed", CENTER)]))
        got = self.move("a.mat", "--inverse", points="moved.csv")
        self.assertLess(max(math.dist(p, q) for p, q in zip(got, POINTS)), 1e-9)

    def test_composites_apply_the_last_part_first(self):
        # As 3D Slicer and ANTs write them: a shift, and before it an affine transform.
        parts = [f"Transform: CompositeTransform_double_3_3\n#Transform 1\nTransform: TranslationTransform_double_3_3\nParameters: 10 20 30\nFixedParameters:\n",
                 f"#Transform 2\nTransform: {NAMES[1]}\nParameters: {words(PARAMETERS)}\nFixedParameters: {words(CENTER)}\n"]
        self.write("c.tfm", HEAD + "".join(parts))
        self.expect_moved("c.tfm", [[a + b for a, b in zip(affine(p), (10, 20, 30))] for p in POINTS])

    def test_rotations_about_a_center(self):
        versor = [0.1, 0.2, 0.3]
        expected = [[a + c for a, c in zip(turned([x - c for x, c in zip(p, CENTER)], versor), CENTER)] for p in POINTS]
        self.write("v.tfm", text("VersorTransform_double_3_3", versor, CENTER))
        self.expect_moved("v.tfm", expected)
        # One whose center is among the parameters has no fixed ones.
        self.write("flat.csv", point_files.csv([p[:2] for p in POINTS]))
        c, s = math.cos(0.3), math.sin(0.3)
        self.write("c.tfm", text("CenteredRigid2DTransform_double_2_2", [0.3, *CENTER[:2], 7.0, -8.0], []))
        self.expect_moved("c.tfm", [affine(p[:2], [[c, -s], [s, c]], [7.0, -8.0], CENTER[:2]) for p in POINTS], points="flat.csv")

    def test_displacements_in_text(self):
        # A field of 3 x 2 x 2 voxels of 100 mm around the points, which moves all by the same.
        for name in ["DisplacementFieldTransform_double_3_3", "GaussianSmoothingOnUpdateDisplacementFieldTransform_float_3_3"]:
            grid = [3, 2, 2, -100, -50, -70, 100, 100, 100, 1, 0, 0, 0, 1, 0, 0, 0, 1]
            self.write("d.tfm", text(name, [1.5, -2.0, 0.25] * 12, grid))
            self.expect_moved("d.tfm", [[p[0] + 1.5, p[1] - 2.0, p[2] + 0.25] for p in POINTS], 1e-4)

    def test_splines_of_all_orders(self):
        self.write("flat.csv", point_files.csv([p[:2] for p in POINTS]))
        size, first, step = 9, -200.0, 50.0
        for order, (axes, name) in itertools.product((1, 2, 3), ((2, "flat.csv"), (3, "points.csv"))):
            values = [[7.0 * math.sin(1.3 * i + axis) for i in range(size**axes)] for axis in range(axes)]
            expected = []
            for point in POINTS:
                weights = [[spline(order, (x - first) / step - i) for i in range(size)] for x in point[:axes]]
                # The first axis is the fastest.
                products = [math.prod(row) for row in itertools.product(*weights[::-1])]
                expected.append([x + sum(map(float.__mul__, products, column)) for x, column in zip(point, values)])
            grid = [*[size] * axes, *[first] * axes, *[step] * axes, *[float(i == j) for i in range(axes) for j in range(axes)]]
            kind = f"BSplineTransform_double_{axes}_{axes}" + (f"_{order}" if order != 3 else "")
            self.write("s.tfm", text(kind, sum(values, []), grid))
            self.expect_moved("s.tfm", expected, points=name)

    def test_hdf5_moves_as_text(self):
        quick = ["--align", "affine", "--iterations", "2", "--levels", "1", "--threads", "1", "-q"]
        for ending in ("h5", "tfm"):
            self.expect(0, "", "register", "greedy", "fixed.mha", "moving.mha", *quick, "--output-transform", f"map.{ending}")
        self.write("points.csv", point_files.csv([[1.5, 2.5, 3.5], [6.0, 5.0, 4.0]]))
        self.assertGreater(math.dist(self.move("map.h5")[0], [1.5, 2.5, 3.5]), 0.1)
        self.expect_moved("map.h5", self.move("map.tfm"), 1e-5)

    def test_itk_repeats_what_is_made(self):
        shift = [1.0, 0.02, 0.0, -0.02, 1.0, 0.0, 0.0, 0.0, 1.0, 0.4, -0.3, 0.2]
        self.write("ants.mat", matlab([("MatrixOffsetTransformBase_double_3_3", shift), ("fixed", [6.0, 6.0, 6.0])]))
        self.write("itk.tfm", text("AffineTransform_double_3_3", shift, [6.0, 6.0, 6.0]))
        quick = ["--align", "none", "--iterations", "0", "--levels", "1", "--threads", "1", "-q", "--output-type", "float"]
        self.expect(0, "", "register", "greedy", "fixed.mha", "moving.mha", "-i", "ants.mat", "-o", "w.mha", *quick)
        check = [*programs.command("CheckTransformFile"), "moving.mha", "itk.tfm", "w.mha", "0.05", "0.002"]
        done = subprocess.run(check, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_lists_check_them_first(self):
        self.write("ants.mat", matlab([(NAMES[0], PARAMETERS), ("fixed", CENTER)]))
        self.write("few.mat", matlab([(NAMES[0], PARAMETERS[:11]), ("fixed", CENTER)]))
        for name, status, said in [("ants.mat", 0, ""), ("few.mat", 1, "cannot read few.mat: the count of parameters")]:
            self.write("list.csv", f"fixed,moving,initial_transform\nfixed.mha,moving.mha,{name}\n")
            arguments = ["greedy", "--pairs", "list.csv", "--align", "none", "-n", "1", "--levels", "1", "-o", "out_{name}.mha", "--json", "out_{name}.json", "--table", "table.csv", "-q", "--threads", "1"]
            self.expect(status, said, "register", *arguments)


class Refusals(TransformsTest):
    def test_other_programs_are_named(self):
        matrix = "1 0 0 12.5  \n0 1 0 -3  \n0 0 1 4  \n0 0 0 1  \n"
        for name, content, said in [
            ("fsl.mat", matrix, "cudaneuro-transform convert takes one of FSL by --input-format flirt --fixed FIXED --moving MOVING"),
            ("greedy.txt", matrix, "one of greedy or c3d by --input-format ras-matrix"),
            ("numpy.txt", "# a matrix\n" + matrix, "it is a matrix of 4 x 4 numbers"),
            ("a.lta", "type      = 0\nnxforms   = 1\nmean      = 0 0 0\n", "the count of its numbers is 0; a matrix has 16"),
            ("a.txt", "# transform file\ntype      = 1\nnxforms   = 1\n", "the count of its numbers is 0; a matrix has 16"),
            ("a.xfm", "MNI Transform File\n% by mritotal\n\nTransform_Type = Linear;\n", "lta_convert --inmni a.xfm"),
            ("a.mat", matlab_5(b"AffineTransform_double_3_3"), "save it with the option '-v4'"),
            ("a.mat", matlab_5(b"AffineTransform_double_3_3", is_compressed=True), "save it with the option '-v4'"),
            ("a.mat", b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM" + bytes(384) + b"\x89HDF\r\n\x1a\n", "it is a Matlab file of version 7.3"),
            ("a.mat", matlab_5(b"M"), "it is a Matlab file without a transform of ITK or ANTs"),
            ("a.mat", matlab_5(b"M", is_compressed=True), "it is a Matlab file without a transform of ITK or ANTs"),
            ("a.mat", b"MATLAB 5.0 MAT-file", "it is a Matlab file without a transform of ITK or ANTs"),
            ("mri_sn.mat", matlab_5(b"Affine"), "it is a normalization of SPM; apply it by SPM's Normalise: Write"),
            ("TransformParameters.0.txt", '(Transform "EulerTransform")\n(NumberOfParameters 6)\n', "it is a transform of elastix; transformix -def all -tp TransformParameters.0.txt"),
            ("t.txt", '// a comment\n(NumberOfParameters 6)\n(Transform "EulerTransform")\n', "it is a transform of elastix"),
            ("a.aff12.1D", " 1 0 0 1.5 0 1 0 2 0 0 1 3\n" * 2, "it has matrices of AFNI, which cat_matvec prints"),
            ("mat.txt", "# 3dvolreg matrices (DICOM-to-DICOM, row-by-row):\n 1 0 0 1.5 0 1 0 2 0 0 1 3\n", "it has matrices of AFNI"),
            ("mat.txt", "# 3dAllineate matrices (DICOM-to-DICOM, row-by-row):\n 1 0 0 1.5 0 1 0 2 0 0 1 3\n", "it has matrices of AFNI"),
            ("register.dat", "bert\n1.0\n1.0\n0.15\n" + matrix + "round\n", "lta_convert --inreg register.dat --src MOVING --trg FIXED --outlta OUT.lta"),
            ("talairach.m3z", gzip.compress(struct.pack(">f5i", 1.0, 4, 4, 4, 1, 1) + bytes(500)), "mri_warp_convert --inm3z talairach.m3z --outitk OUT.nii.gz"),
            ("a.xyz", "hello\n", "it is neither an image of displacements nor a transform file"),
            ("a.tfm", text("InverseDisplacementFieldTransform_double_3_3", [0.0] * 3, [1] * 18), "3D Slicer, whose own it is, converts it to a grid"),
            ("a.tfm", text("BSplineTransform_double_3_3_0", [0.0] * 81, [3] * 18), "B-splines of order 1 to 3"),
            ("a.tfm", text(NAMES[0], PARAMETERS, CENTER).encode("utf-16"), "it is text of 16 bits (UTF-16); save it as UTF-8"),
        ]:
            self.refuse(name, content, said)

    def test_damaged_files(self):
        grid = [3, 2, 2, -100, -50, -70, 100, 100, 100, 1, 0, 0, 0, 1, 0, 0, 0, 1]
        field = "DisplacementFieldTransform_double_3_3"
        columns = matlab([(NAMES[0], PARAMETERS), ("fixed", CENTER)])
        for name, content, said in [
            # What ITK reads past the end of, without a word.
            ("a.tfm", text("TranslationTransform_double_3_3", [1.0], []), "the count of parameters of its TranslationTransform_double_3_3 is 1; it must be 3"),
            ("a.mat", matlab([("TranslationTransform_double_3_3", [1.0]), ("fixed", [])]), "is 1; it must be 3"),
            ("a.tfm", text(NAMES[0], PARAMETERS[:11], CENTER), f"the count of parameters of its {NAMES[0]} is 11; it must be 12"),
            ("a.tfm", text(NAMES[0], PARAMETERS, CENTER[:2]), f"the count of fixed parameters of its {NAMES[0]} is 2; it must be 3"),
            ("a.tfm", text(field, [0.0] * 35, grid), "is 35; it must be 36"),
            ("a.tfm", text(field, [0.0] * 36, [2.0**20, 2.0**20, 2.0**20, *grid[3:]]), "it must be 3458764513820540928"),
            ("a.tfm", text(field, [0.0] * 36, [3.5, *grid[1:]]), "a size of the grid of its transform is 3.5"),
            ("a.tfm", text(field, [0.0] * 36, grid[:17]), "is 17; it must be 18"),
            ("a.tfm", text(NAMES[0], PARAMETERS, CENTER).split("FixedP")[0], "has no Parameters, or no FixedParameters"),
            ("a.tfm", text(NAMES[0], PARAMETERS, CENTER).replace("1.02", "1.0z"), 'Parameters is "1.0z'),
            ("a.tfm", text(NAMES[0], [math.nan, *PARAMETERS[1:]], CENTER), "nan"),
            ("a.tfm", HEAD, "it has no transform"),
            ("a.tfm", HEAD + "Transform: CompositeTransform_double_3_3\n", "its composite transform has no parts"),
            ("a.tfm", HEAD + "Transform: CompositeTransform_double_3_3\n" * 2 + text(NAMES[0], PARAMETERS, CENTER).replace(HEAD, ""), "a composite transform inside another one"),
            ("a.tfm", text(NAMES[0], PARAMETERS, CENTER) * 2, "2 transforms; a file with one"),
            ("a.tfm", text("MatrixOffsetTransformBase_double_3_2", PARAMETERS, CENTER), "of 2 or 3 axes"),
            ("a.mat", columns[:-1], "it is cut short"),
            ("a.mat", columns[:130], "it is cut short"),
            ("a.mat", b"", "it has no transform"),
            ("a.h5", b"\x89HDF\r\n\x1a\n" + bytes(100), "it is damaged, or an HDF5 file of something else"),
        ]:
            self.refuse(name, content, said)


if __name__ == "__main__":
    programs.run_tests()
