# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests which way each format of transforms moves points and images, and what cudaneuro-transform convert makes of them.

    python3 test_transform_formats.py TRANSFORM CHECK_TRANSFORM_FILE
"""

import math
import struct
import subprocess

import nifti_files as nf
import programs
from space_maps import Grid, affine_text, flipped, inverse_of, mapped, matrix_of, product, read_affine, read_field, transform_text
from test_transform_maps import composite_text, FIRST, GRID, IDENTITY, MapsTest, SECOND, TURN

# The images of the formats that belong to two images: with left-handed axes, as FSL's templates, and with right-handed ones.
LEFT = Grid((9, 8, 7), TURN, (1.0, 1.5, 2.0), (3.0, -2.0, 5.0))
MAP = matrix_of(nf.rotation((0.1, 0.4, 1.0), 8.0), [2.0, -3.0, 1.5])


class RadiologicalGrid(Grid):
    """The same with its first axis turned around."""

    def __init__(self, size, turn, spacing, origin):
        super().__init__(size, turn, spacing, origin)
        self.ras = [[-row[0], *row[1:]] for row in self.ras]
        self.lps = [[-row[0], *row[1:]] for row in self.lps]
        self.inverse = inverse_of(self.lps)

    def fields(self):
        return {"pixdim": [1.0, *self.spacing, 1.0, 1.0, 1.0, 1.0], "sform_code": 1, "sform": [a for row in self.ras[:3] for a in row]}


RIGHT = RadiologicalGrid((11, 10, 9), ((0.0, 1.0, 1.0), -30.0), (1.25, 1.0, 1.5), (6.0, -4.0, 2.0))


def fsl(grid, is_turned):
    """From FSL's coordinates to LPS."""
    n, (x, y, z) = grid.size[0], grid.spacing
    to_index = matrix_of([[(-1.0 if is_turned else 1.0) / x, 0, 0], [0, 1.0 / y, 0], [0, 0, 1.0 / z]], [n - 1.0 if is_turned else 0.0, 0, 0])
    return product(grid.lps, to_index)


def lta(matrix, kind, source, target):
    rows = "".join(" ".join(map(repr, row)) + "\n" for row in matrix)
    text = f"# a comment\ntype      = {kind} # LINEAR\nnxforms   = 1\nmean      = 0.0 0.0 0.0\nsigma     = 1.0\n1 4 4\n{rows}"
    for name, grid in (("src", source), ("dst", target)):
        center = mapped(grid.ras, [n / 2 for n in grid.size])
        axes = [[grid.ras[row][column] / grid.spacing[column] for row in range(3)] for column in range(3)]
        text += f"{name} volume info\nvalid = 1  # volume info valid\nfilename = {name}.mgz\n"
        words = lambda values: " ".join(map(repr, values))
        text += f"volume = {words(grid.size)}\nvoxelsize = {words(grid.spacing)}\n"
        text += "".join(f"{axis}ras   = {words(values)}\n" for axis, values in zip("xyz", axes)) + f"cras   = {words(center)}\n"
    return text + "subject bert\nfscale 0.15\n"


class Directions(MapsTest):
    """Each format that a table of programs-transform.md has: a file that holds the map from the fixed to the moving image as the
    format has it, made here by hand, takes a point of the fixed image to the moving one, and an image the other way."""

    def setUp(self):
        super().setUp()
        self.fixed, self.moving = LEFT, RIGHT
        # The middle voxel of the fixed image goes to the middle of the moving one.
        shift = [a - b for a, b in zip(self.moving.point_of((5, 5, 4)), mapped(MAP, self.fixed.point_of((4, 3, 3))))]
        self.map = [[*row[:3], row[3] + s] for row, s in zip(MAP, shift)] + [MAP[3]]
        self.image("fixed.nii", self.fixed, [0] * 504, "B")
        values = [0] * 990
        values[(4 * 10 + 5) * 11 + 5] = 1
        self.image("moving.nii", self.moving, values, "B")

    def expect_direction(self, name, tolerance=1e-9):
        self.expect_direction_of_points(name, tolerance)
        self.expect_direction_of_images(name)

    def expect_direction_of_points(self, name, tolerance):
        points = [self.fixed.point_of(index) for index in ((4, 3, 3), (2, 3, 4), (5, 4, 2))]
        self.expect_points(self.moved(points, "-x", name), [mapped(self.map, point) for point in points], tolerance)

    def expect_direction_of_images(self, name):
        self.apply("moving.nii", "o.nii", "--reference", "fixed.nii", "-x", name, "--interpolation", "nearest")
        values = self.read("o.nii")[1]
        self.assertEqual(values[(3 * 8 + 3) * 9 + 4], 1)
        self.assertLessEqual(sum(values), 3)
        self.apply("moving.nii", "o.nii", "--reference", "fixed.nii", "--inverse", name, "--interpolation", "nearest")
        self.assertEqual(self.read("o.nii")[1][(3 * 8 + 3) * 9 + 4], 0)

    def test_text_of_itk(self):
        for name in ("m.tfm", "m.txt"):
            self.affine(name, self.map)
            self.expect_direction(name)

    def test_matlab_of_ants(self):
        parameters = [*self.map[0][:3], *self.map[1][:3], *self.map[2][:3], *(row[3] for row in self.map[:3])]
        content = b""
        for name, numbers in (("AffineTransform_double_3_3", parameters), ("fixed", [0.0, 0.0, 0.0])):
            content += struct.pack("<5i", 0, len(numbers), 1, 0, len(name) + 1) + name.encode() + b"\0" + struct.pack(f"<{len(numbers)}d", *numbers)
        self.write("m.mat", content)
        self.expect_direction("m.mat")

    def test_hdf5_of_itk(self):
        self.affine("m.tfm", self.map)
        self.run_maps("convert", "m.tfm", "m.h5")
        self.expect_direction("m.h5")

    def vectors(self):
        return [[a - b for a, b in zip(mapped(self.map, p), p)] for p in map(self.fixed.point_of, self.fixed.indices())]

    def test_fields_of_ants_and_itk(self):
        self.write("m.nii", self.fixed.field(self.vectors()))
        self.expect_direction("m.nii", 1e-5)
        self.run_maps("convert", "m.nii", "m.nrrd")
        self.expect_direction("m.nrrd", 1e-5)
        self.run_maps("convert", "m.nii", "m.mha")
        self.expect_direction("m.mha", 1e-5)

    def test_fields_along_ras(self):
        """Displacement vectors by the intent of NIfTI."""
        values = [sign * vector[axis] for axis, sign in enumerate((-1.0, -1.0, 1.0)) for vector in self.vectors()]
        self.write("m.nii", nf.nifti((*self.fixed.size, 1, 3), "f", values, 2, **{**self.fixed.fields(), "intent_code": 1006}))
        self.expect_direction("m.nii", 1e-5)

    def test_lta_of_freesurfer(self):
        """It leads from the moving to the fixed image, in RAS, or between voxels."""
        ras = flipped(inverse_of(self.map))
        self.write("m.lta", lta(ras, 1, self.moving, self.fixed).encode())
        self.expect_direction("m.lta", 1e-9)
        voxels = product(inverse_of(self.fixed.ras), product(ras, self.moving.ras))
        self.write("m.lta", lta(voxels, 0, self.moving, self.fixed).encode())
        self.expect_direction("m.lta", 1e-9)
        # FreeSurfer computes in single precision.
        self.write("m.lta", lta([*ras[:3], [0.0, -5.96e-08, 1.19e-07, 0.9999998807907104]], 1, self.moving, self.fixed).encode())
        self.expect_direction("m.lta", 1e-9)

    def test_lta_is_written(self):
        self.affine("m.tfm", self.map)
        self.run_maps("convert", "m.tfm", "m.lta", "--fixed", "fixed.nii", "--moving", "moving.nii")
        self.expect_direction("m.lta", 1e-9)
        lines = self.text("m.lta").splitlines()
        self.assertEqual((lines[0], lines[1]), ("type      = 1 # LINEAR_RAS_TO_RAS", "nxforms   = 1"))
        self.expect_matrix([[float(word) for word in line.split()] for line in lines[5:9]], flipped(inverse_of(self.map)))
        # What it says of the images are their grids, as the map between voxels shows that is made with them.
        ras = flipped(inverse_of(self.map))
        voxels = product(inverse_of(self.fixed.ras), product(ras, self.moving.ras))
        words = "\n".join(" ".join(map(repr, row)) for row in voxels)
        text = "\n".join(["type = 0", *lines[1:5], words, *lines[9:]]) + "\n"
        self.write("v.lta", text.encode())
        self.expect_direction_of_points("v.lta", 1e-9)

    def test_flirt(self):
        """It leads from the moving to the fixed image, in coordinates of the voxels, which are turned around where the axes are
        right-handed."""
        for fixed, moving in ((LEFT, RIGHT), (RIGHT, LEFT)):
            turned = lambda grid: grid is LEFT
            matrix = product(inverse_of(fsl(fixed, turned(fixed))), product(inverse_of(self.map), fsl(moving, turned(moving))))
            self.write("flirt.mat", ("\n".join("  ".join(map(repr, row)) for row in matrix) + "\n").encode())
            self.image("f.nii", fixed, [0] * math.prod(fixed.size), "B")
            self.image("g.nii", moving, [0] * math.prod(moving.size), "B")
            images = ["--fixed", "f.nii", "--moving", "g.nii"]
            self.run_maps("convert", "flirt.mat", "m.tfm", "--input-format", "flirt", *images)
            self.expect_matrix(read_affine(self.text("m.tfm")), self.map, 1e-10)
            self.expect_direction("m.tfm")
            self.run_maps("convert", "m.tfm", "back.mat", "--output-format", "flirt", *images)
            self.expect_matrix([[float(word) for word in line.split()] for line in self.text("back.mat").splitlines()], matrix, 1e-10)

    def test_matrices_of_greedy_and_c3d(self):
        self.write("g.mat", ("\n".join(" ".join(map(repr, row)) for row in flipped(self.map)) + "\n").encode())
        self.run_maps("convert", "g.mat", "m.tfm", "--input-format", "ras-matrix")
        self.expect_direction("m.tfm")
        self.run_maps("convert", "m.tfm", "back.mat", "--output-format", "ras-matrix")
        self.expect_matrix([[float(word) for word in line.split()] for line in self.text("back.mat").splitlines()], flipped(self.map))


class Itk(MapsTest):
    """ITK's classes read what is written, and resample alike."""

    def setUp(self):
        super().setUp()
        # A ball of 8 voxels, smooth enough that single precision's places make no difference of 0.02.
        values = [200.0 / (1.0 + math.dist(index, (6.0, 5.0, 4.0)) ** 2) for index in GRID.indices()]
        self.write("ball.nii", nf.nifti(GRID.size, "f", values, 1, **GRID.fields()))
        self.affine("near.tfm", matrix_of(nf.rotation((0.2, 1.0, 0.4), 2.0), [0.5, -0.3, 1.0]))
        # ITK 5.2 does not read NIfTI-2.
        self.run_maps("convert", "field.nii", "f.mha", "--reference", "ball.nii")

    def expect_as_itk(self, transforms, *steps):
        """:param transforms: for ITK, the last one applied first"""
        self.apply("ball.nii", "o.nii", "--reference", "ball.nii", *steps)
        checker = programs.command("CheckTransformFile")
        # Voxels at the rim of what the image covers may be inside for one and outside for the other.
        checked = subprocess.run([*checker, "ball.nii", transforms, "o.nii", "0.02", "0.01"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, f"{transforms}: {checked.stdout}{checked.stderr}")

    def test_resamples_alike(self):
        self.expect_as_itk("near.tfm", "-x", "near.tfm")
        self.expect_as_itk("near.tfm,f.mha", "-x", "f.mha", "-x", "near.tfm")
        self.expect_as_itk("f.mha,near.tfm", "-x", "near.tfm", "-x", "f.mha")

    def test_reads_what_is_written(self):
        both = ["-x", "field.nii", "-x", "near.tfm"]
        for name in ("c.h5", "c.nii", "c.tfm"):
            self.run_maps("compose", name, *both, "--reference", "ball.nii")
            self.expect_as_itk(name, *both)
        for name in ("i.h5", "i.tfm", "i.mha"):
            self.run_maps("invert", "field.nii", name)
            self.expect_as_itk(name, "--inverse", "field.nii")
        self.run_maps("invert", "near.tfm", "i.tfm")
        self.expect_as_itk("i.tfm", "--inverse", "near.tfm")


class Planes(MapsTest):
    """Maps of two axes."""

    def setUp(self):
        super().setUp()
        head = "ObjectType = Image\nNDims = 2\nBinaryData = True\nDimSize = 9 7\nElementSpacing = 1 2\n"
        self.write("plane.mha", f"{head}ElementType = MET_UCHAR\nElementDataFile = LOCAL\n".encode() + bytes(63))
        vectors = [component for y in range(7) for x in range(9) for component in (0.1 * x - 0.4, 0.1 * y - 0.3)]
        head += "ElementNumberOfChannels = 2\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n"
        self.write("f.mha", head.encode() + struct.pack("<126f", *vectors))
        self.write("t.tfm", transform_text("TranslationTransform_double_2_2", [1.0, -2.0], []).encode())

    def test_all_commands(self):
        figures = self.report("jacobian", "f.mha")["jacobian"]
        for name in ("minimum", "maximum"):
            self.assertAlmostEqual(figures[name], 1.1 * 1.05, 5)
        # The inverse of 1.1 x - 0.4 and 1.05 y - 0.3, to its tolerance of 1e-3 voxels of 2 mm.
        self.run_maps("invert", "f.mha", "i.mha")
        self.write("p.csv", b"x,y\n3,5\n4.5,7\n")
        self.apply("p.csv", "o.csv", "-x", "i.mha", "-x", "t.tfm")
        for row, (x, y) in zip((self.folder / "o.csv").read_text().split()[1:], ((3.0, 5.0), (4.5, 7.0))):
            got = [float(word) for word in row.split(",")[:2]]
            self.assertLess(math.dist(got, ((x + 0.4) / 1.1 + 1.0, (y + 0.3) / 1.05 - 2.0)), 2e-3)
        distance = lambda *maps: self.report("compare", *maps, "--reference", "plane.mha")["distance_mm"]
        self.run_maps("compose", "c.h5", "-x", "f.mha", "-x", "t.tfm", "--reference", "plane.mha")
        self.assertAlmostEqual(distance("c.h5", "f.mha")["median"], math.hypot(1.0, 2.0), 6)
        self.run_maps("convert", "f.mha", "f.h5")
        self.assertLess(distance("f.h5", "f.mha")["maximum"], 1e-6)
        self.assertAlmostEqual(distance("t.tfm", "[t.tfm,1]")["mean"], math.hypot(2.0, 4.0), 12)
        self.refuse("t.tfm has 2 axes, and a matrix of 4 x 4 has 3", "convert", "t.tfm", "o.mat", "--output-format", "ras-matrix")


class Converting(MapsTest):
    def test_between_the_formats_of_itk(self):
        for first in ("h5", "tfm", "txt", "mat"):
            self.run_maps("convert", "a.tfm", f"one.{first}")
            for second in ("h5", "tfm", "txt", "mat"):
                self.run_maps("convert", f"one.{first}", f"two.{second}")
                self.run_maps("convert", f"two.{second}", "three.txt")
                self.assertEqual(read_affine(self.text("three.txt")), FIRST, (first, second))

    def test_fields(self):
        vectors = read_field((self.folder / "field.nii").read_bytes())
        for name in ("f.h5", "f.tfm", "f.mha", "f.nrrd", "f.nii.gz"):
            self.run_maps("convert", "field.nii", name)
            self.run_maps("convert", name, "back.nii")
            # Places of voxels are found again to 1e-12, where the slope of the field is 0.1 a mm.
            self.expect_points(read_field((self.folder / "back.nii").read_bytes()), vectors, 1e-6)
        self.refuse("its ending is that of no format", "convert", "field.nii", "f.mat")

    def test_composites(self):
        self.write("two.tfm", composite_text(affine_text(SECOND), affine_text(FIRST)).encode())
        self.run_maps("convert", "two.tfm", "c.h5")
        self.assertEqual(self.moved([[1.0, 2.0, 3.0]], "-x", "c.h5"), self.moved([[1.0, 2.0, 3.0]], "-x", "two.tfm"))
        self.run_maps("convert", "two.tfm", "c.mat")
        self.run_maps("convert", "c.mat", "c.txt")
        self.expect_matrix(read_affine(self.text("c.txt")), product(SECOND, FIRST))

    def test_refusals(self):
        self.image("one.nii", GRID, [0] * 1320, "B")
        images = ["--fixed", "one.nii", "--moving", "grid.nii"]
        self.refuse("--fixed is missing: an .lta tells the grids of both images", "convert", "a.tfm", "o.lta")
        self.refuse("--moving is missing: FLIRT's coordinates belong", "convert", "a.tfm", "o.mat", "--output-format", "flirt", "--fixed", "one.nii")
        self.refuse("--fixed has no effect here", "convert", "a.tfm", "o.mat", *images)
        self.refuse("field.nii is not linear", "convert", "field.nii", "o.lta", *images)
        self.write("m.mat", b"1 0 0 0\n0 1 0 0\n0 0 1\n")
        arguments = ["convert", "m.mat", "o.tfm", "--input-format", "flirt", *images]
        self.refuse("cannot read m.mat: the count of its numbers is 11; a matrix has 16", *arguments)
        self.write("m.mat", b"1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 2\n")
        self.refuse("the last row of its matrix is not 0 0 0 1", *arguments)
        self.write("m.mat", b"1 0 0 0\n2 0 0 0\n0 0 1 0\n0 0 0 1\n")
        self.refuse("cannot read m.mat: the determinant of its matrix is 0; it must not be 0", *arguments)
        self.write("m.mat", b"1 0 0 0\n0 1 x 0\n0 0 1 0\n0 0 0 1\n")
        self.refuse("cannot read m.mat: ", *arguments)

    def test_damaged_lta(self):
        good = lta(flipped(inverse_of(FIRST)), 1, LEFT, RIGHT)
        for old, new, words in (
            ("nxforms   = 1", "nxforms   = 2", "nxforms is 2; files with one transform"),
            ("type      = 1", "type      = 14", "type is 14; matrices between voxels (0) and between points in RAS (1)"),
            ("type      = 1 # LINEAR\n", "", "it has no type"),
            ("1 4 4\n", "1 4 4\n5 ", "the count of its numbers is 17"),
            (" 1.0\nsrc", " 2.0\nsrc", "the last row of its matrix is not 0 0 0 1"),
        ):
            self.write("bad.lta", good.replace(old, new, 1).encode())
            self.refuse(f"cannot read bad.lta: {words}", "convert", "bad.lta", "o.tfm")
        voxels = lta(matrix_of(IDENTITY, [0, 0, 0]), 0, LEFT, RIGHT)
        for old, new, words in (
            ("valid = 1", "valid = 0", "its src volume info is not valid"),
            ("cras   = ", "bras   = ", "its src volume info has no cras of three numbers"),
        ):
            self.write("bad.lta", voxels.replace(old, new, 1).encode())
            self.refuse(f"cannot read bad.lta: {words}", "convert", "bad.lta", "o.tfm")
        self.write("bad.lta", lta(matrix_of([[1, 2, 3], [2, 4, 6], [0, 0, 1]], [0, 0, 0]), 1, LEFT, RIGHT).encode())
        self.refuse("cannot read bad.lta: the determinant of its matrix is 0", "convert", "bad.lta", "o.tfm")


if __name__ == "__main__":
    programs.run_tests()
