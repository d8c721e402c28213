# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests where voxels of NIfTI files are: the qform, the sform and the spacing, their units, and places that are none.

    python3 test_files_nifti_places.py DENOISE REGISTER LANDMARKS
"""

import math
import random
import re
import struct

import nifti_files as nf
import programs
from test_files_nifti import NAN, SIZE, VALUES, NiftiTest

TURNED = ((1.0, 2.0, -0.5), 25.0)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class PlaceTest(NiftiTest):
    def place_of(self, name, words="", *options):
        """The spacing, the origin and the axes, LPS, that a program takes an image to have."""
        self.denoise(words, name, "place.mha", "--output-type", "double", *options)
        text = (self.folder / "place.mha").read_bytes().split(b"ElementDataFile")[0].decode()
        numbers = {key: [float(n) for n in value.split()] for key, value in re.findall(r"(\w+) = ([-+0-9.e ]+)\n", text)}
        return numbers["ElementSpacing"], numbers["Offset"], numbers["TransformMatrix"]

    def expect_place(self, name, matrix, spacing, origin, words="", *options, tolerance=1e-5):
        """Compares a place with a rotation, a spacing and an origin, RAS."""
        got_spacing, got_origin, got_axes = self.place_of(name, words, *options)
        signs = (-1, -1, 1)
        for i in range(3):
            self.assertAlmostEqual(got_spacing[i] / spacing[i], 1.0, delta=tolerance)
            self.assertAlmostEqual(got_origin[i], signs[i] * origin[i], delta=tolerance * (1 + abs(origin[i])))
            for j in range(3):
                self.assertAlmostEqual(got_axes[3 * j + i], signs[i] * matrix[i][j], delta=tolerance)

    def placed(self, matrix=None, spacing=(1, 1, 1), origin=(0, 0, 0), **fields):
        """An image with an sform alone."""
        matrix = matrix or nf.rotation((0, 0, 1), 0)
        values = {"pixdim": [1, *spacing, 1, 1, 1, 1], "sform_code": 1, "sform": nf.sform(matrix, spacing, origin)}
        return nf.nifti(SIZE, "f", VALUES, **{**values, **fields})

    def test_an_sform_alone_is_read_whatever_its_origin_is(self):
        spacing = (0.33203125, 0.33203125, 0.69999999)
        origin = (-84.83398438, -198.83398438, -318.3999939)
        straight = nf.rotation((0, 0, 1), 0)
        self.write("a.nii", self.placed(straight, spacing, origin, sform_code=2))
        self.expect_place("a.nii", straight, spacing, origin)
        chance = random.Random(1)
        for _ in range(12):
            origin = [chance.uniform(-400, 400) for _ in range(3)]
            spacing = [chance.uniform(0.2, 3) for _ in range(3)]
            matrix = nf.rotation([chance.uniform(-1, 1) for _ in range(3)], chance.uniform(0, 180))
            self.write("a.nii", self.placed(matrix, spacing, origin, sform_code=chance.randint(1, 5)))
            self.expect_place("a.nii", matrix, spacing, origin)

    def test_a_grid_may_be_mirrored(self):
        mirror = [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]
        self.write("a.nii", self.placed(mirror, (1, 2, 3), (4, 5, 6)))
        self.expect_place("a.nii", mirror, (1, 2, 3), (4, 5, 6))
        flipped = {"qform_code": 1, "quatern": [0, 0, 0], "qoffset": [4, 5, 6], "pixdim": [-1, 1, 2, 3, 1, 1, 1, 1]}
        self.write("a.nii", nf.nifti(SIZE, "f", VALUES, **flipped))
        self.expect_place("a.nii", [[1, 0, 0], [0, 1, 0], [0, 0, -1]], (1, 2, 3), (4, 5, 6))

    def test_a_qform_alone_is_read(self):
        for axis, degrees in (TURNED, ((0, 0, 1), 180), ((0.1, 1, 0.3), 180), ((0, 1, 0), 179.9), ((1, 0, 0), 0)):
            fields = {"qform_code": 1, "quatern": nf.quaternion(axis, degrees), "qoffset": [10, -20, 30]}
            self.write("a.nii", nf.nifti(SIZE, "f", VALUES, pixdim=[1, 0.5, 2, 3, 1, 1, 1, 1], **fields))
            self.expect_place("a.nii", nf.rotation(axis, degrees), (0.5, 2, 3), (10, -20, 30), tolerance=2e-3)

    def test_the_sform_counts_where_both_differ_and_both_are_kept(self):
        matrix = nf.rotation(*TURNED)
        both = {"qform_code": 1, "quatern": [0, 0, 0], "qoffset": [5, 6, 7], "descrip": b"made by hand", "cal_max": 99}
        content = self.placed(matrix, (1, 2, 3), (10, 20, 30), sform_code=4, **both)
        self.write("a.nii", content)
        # The largest distance of two places of a corner.
        farthest = 0.0
        for corner in range(8):
            index = [(n - 1) * (corner >> i & 1) for i, n in enumerate(SIZE)]
            along = [v * s for v, s in zip(index, (1, 2, 3))]
            sform = [dot(row, along) + o for row, o in zip(matrix, (10, 20, 30))]
            qform = [v + o for v, o in zip(along, (5, 6, 7))]
            farthest = max(farthest, math.dist(sform, qform))
        words = ["warning: a.nii: its qform (code 1) and its sform (code 4)", f"{farthest:.5g}", "--nifti-place qform"]
        self.expect_place("a.nii", matrix, (1, 2, 3), (10, 20, 30), words)
        straight = nf.rotation((0, 0, 1), 0)
        option = ["--nifti-place", "qform"]
        self.expect_place("a.nii", straight, (1, 2, 3), (5, 6, 7), "the qform counts", *option)
        for options in ([], option):
            for out in ("out.nii", "out.nii.gz"):
                self.denoise("mm apart", "a.nii", out, *options)
                fields, values = self.read(out)
                before, _ = nf.read(content)
                kept = set(nf.FIELDS) - {"vox_offset", "scl_slope", "xyzt_units"}
                self.assertEqual({k: fields[k] for k in kept}, {k: before[k] for k in kept})
                self.assertEqual(values, VALUES)

    def test_places_that_are_equal_but_for_rounding_are_not_remarked(self):
        for axis, degrees in (TURNED, ((0, 0, 1), 180), ((0.1, 1, 0.3), 179.95), ((0, 1, 1), 90)):
            matrix = nf.rotation(axis, degrees)
            fields = {"qform_code": 2, "quatern": nf.quaternion(axis, degrees), "qoffset": [-90, -126, 72]}
            self.write("a.nii", self.placed(matrix, (0.7, 0.7, 0.7), (-90, -126, 72), **fields))
            self.expect_place("a.nii", matrix, (0.7, 0.7, 0.7), (-90, -126, 72))

    def test_masks_with_a_rounded_qform_lie_on_the_grid(self):
        """Near half a turn, as nearly axial slices have it, a quaternion of single precision is wrong by 5e-4."""
        turn = (0.02, 1, 0.03), 179.97
        self.write("a.nii", self.placed(nf.rotation(*turn)))
        self.write("m.nii", nf.nifti(SIZE, "B", [1] * len(VALUES), qform_code=1, quatern=nf.quaternion(*turn)))
        self.denoise("", "a.nii", "out.nii", "--mask", "m.nii")
        self.write("m.nii", nf.nifti(SIZE, "B", [1] * len(VALUES), qform_code=1, quatern=nf.quaternion(turn[0], 179.8)))
        self.denoise("m.nii and a.nii differ in their axis directions", "a.nii", "out.nii", "--mask", "m.nii", status=1)

    def test_shear_is_refused_with_its_size_and_what_to_do(self):
        for degrees in (0.0573, 3, 20):
            sheared = [[1, math.sin(math.radians(degrees)), 0], [0, math.cos(math.radians(degrees)), 0], [0, 0, 1]]
            self.write("a.nii", self.placed(sheared))
            words = [f".nii: its sform has a shear of {degrees:.3g}", "degrees between the axes i and j", "resample"]
            self.denoise(words, "a.nii", status=1)
            self.write("b.nii", self.placed(sheared, qform_code=1))
            self.denoise([*words, "--nifti-place qform"], "b.nii", status=1)
            straight = nf.rotation((0, 0, 1), 0)
            self.expect_place("b.nii", straight, (1, 1, 1), (0, 0, 0), [], "--nifti-place", "qform")
        self.write("a.nii", self.placed([[1, 0, 0], [0, 1, 5e-5], [0, 0, 1]]))
        self.expect_place("a.nii", nf.rotation((0, 0, 1), 0), (1, 1, 1), (0, 0, 0), "which is left out", tolerance=1e-4)
        self.write("a.nii", self.placed([[1, 0, 0], [1, 0, 0], [0, 0, 1]]))
        self.denoise("the determinant of the sform is 0", "a.nii", status=1)

    def test_a_spacing_that_differs_from_the_sform_is_named(self):
        straight = nf.rotation((0, 0, 1), 0)
        self.write("a.nii", self.placed(straight, (1.5, 1, 1), pixdim=[1, 2, 1, 1, 1, 1, 1, 1]))
        words = ["pixdim[1] is 2, and column 1 of its sform has the length 1.5"]
        self.expect_place("a.nii", straight, (1.5, 1, 1), (0, 0, 0), words)
        # Where the sform counts, the others may be anything.
        for bad in (0, -1, NAN):
            self.write("a.nii", self.placed(straight, (1.5, 1, 1), pixdim=[1, bad, 1, 1, 1, 1, 1, 1]))
            self.expect_place("a.nii", straight, (1.5, 1, 1), (0, 0, 0), "pixdim[1] is")
        self.write("a.nii", self.placed(qform_code=1, quatern=[NAN, 0, 0]))
        self.expect_place("a.nii", straight, (1, 1, 1), (0, 0, 0))

    def test_numbers_that_are_no_places_are_refused_by_name(self):
        def refused(words, **fields):
            self.write("a.nii", nf.nifti(SIZE, "f", VALUES, **fields))
            self.denoise(["cannot read a.nii", words], "a.nii", status=1)

        refused("srow_y[2] is nan", sform_code=1, sform=[1, 0, 0, 0, 0, 1, NAN, 0, 0, 0, 1, 0])
        refused("quatern_c is inf", qform_code=1, quatern=[0, math.inf, 0])
        refused("quatern_b^2", qform_code=1, quatern=[1, 1, 0])
        refused("qoffset_z is nan", qform_code=1, qoffset=[0, 0, NAN])
        refused("pixdim[2] is nan", qform_code=1, pixdim=[1, 1, NAN, 1, 1, 1, 1, 1])
        refused("pixdim[2] is nan", pixdim=[1, 1, NAN, 1, 1, 1, 1, 1])
        self.write("a.nii", nf.nifti(SIZE, "f", VALUES, qform_code=1, pixdim=[1, 2, 3, 0, 1, 1, 1, 1]))
        self.expect_place("a.nii", nf.rotation((0, 0, 1), 0), (2, 3, 1), (0, 0, 0), "pixdim[3] is 0, and is taken as 1")

    def test_microns_and_meters_become_mm(self):
        matrix = nf.rotation(*TURNED)
        for unit, name, factor in ((3, "microns", 1e-3), (1, "meters", 1e3)):
            spacing = [s / factor for s in (0.5, 0.25, 2)]
            origin = [o / factor for o in (-27, 3, 4)]
            both = {"qform_code": 1, "quatern": nf.quaternion(*TURNED), "qoffset": origin, "xyzt_units": unit + 16}
            self.write("a.nii", self.placed(matrix, spacing, origin, **both))
            words = [f"a.nii: its lengths are in {name}, and converted to mm"]
            self.expect_place("a.nii", matrix, (0.5, 0.25, 2), (-27, 3, 4), words)
            said = self.run_program("denoise", "bilateral", "a.nii", "out.nii", "--radius", "1", "--noise", "1", "--quiet")[2]
            self.assertEqual(said.count(name), 1)
            fields, _ = self.read("out.nii")
            self.assertEqual(fields["xyzt_units"], 2 + 16)
            self.expect_place("out.nii", matrix, (0.5, 0.25, 2), (-27, 3, 4))
            self.assertEqual((fields["qform_code"], fields["sform_code"]), (1, 1))
            for got, wanted in zip(fields["sform"], nf.sform(matrix, (0.5, 0.25, 2), (-27, 3, 4))):
                self.assertAlmostEqual(got, wanted, delta=1e-5)

    def test_an_image_without_a_place_stays_without(self):
        self.write("a.nii", nf.nifti(SIZE, "f", VALUES, pixdim=[1, 2, 3, 4, 1, 1, 1, 1]))
        spacing, origin, axes = self.place_of("a.nii")
        self.assertEqual((spacing, origin, axes), ([2, 3, 4], [0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1]))
        self.denoise("", "a.nii")
        fields, _ = self.read("out.nii")
        self.assertEqual((fields["qform_code"], fields["sform_code"], fields["pixdim"][1:4]), (0, 0, [2, 3, 4]))

    def test_planes(self):
        values = list(range(20))
        self.write("a.nii", nf.nifti((5, 4), "f", values, qform_code=1, qoffset=[7, 8, 9], pixdim=[1, 2, 3, 1, 1, 1, 1, 1]))
        self.denoise("", "a.nii")
        fields, got = self.read("out.nii")
        self.assertEqual((got, fields["dim"][:3], fields["qoffset"]), (values, [2, 5, 4], [7, 8, 9]))
        self.write("a.nii", nf.nifti((5, 4), "f", values, qform_code=1, quatern=nf.quaternion((1, 0, 0), 40)))
        self.denoise("its plane is tilted", "a.nii")

    def test_warped_images_have_the_place_of_the_fixed_one(self):
        matrix = nf.rotation(*TURNED)
        fields = {"qform_code": 1, "qoffset": [1, 2, 3], "sform_code": 4, "descrip": b"fixed"}
        blob = struct.unpack("1728B", programs.blob(12, 0))
        sform = nf.sform(matrix, (1, 1, 1), (10, 20, 30))
        content = nf.nifti((12, 12, 12), "h", blob, sform=sform, **fields)
        self.write("a.nii", content)
        self.write("b.nii", nf.nifti((12, 12, 12), "h", blob, sform=sform, **{**fields, "sform_code": 2, "descrip": b"moving"}))
        outputs = ["--output-warped", "w.nii", "--output-field", "f.nii.gz"]
        self.expect(0, [], "register", "greedy", "a.nii", "b.nii", "--align", "none", "--iterations", "1", "-q", *outputs)
        for name, said in (("w.nii", b"moving"), ("f.nii.gz", b"")):
            got, _ = self.read(name)
            for field in ("qform_code", "qoffset", "sform_code", "sform", "quatern"):
                self.assertEqual(got[field], nf.read(content)[0][field])
            self.assertEqual(got["descrip"], said)
        self.assertEqual((got["intent_code"], got["dim"]), (1007, [5, 12, 12, 12, 1, 3, 1, 1]))


if __name__ == "__main__":
    programs.run_tests()
