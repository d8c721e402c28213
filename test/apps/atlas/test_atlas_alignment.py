# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-atlas on images that lie anywhere: the alignment before the atlas is built.

    python3 test_atlas_alignment.py ATLAS CHECK_TRANSFORM_FILE
"""

import functools
import json
import math
import shutil
import struct

import moved_heads
import programs
from moved_heads import IDENTITY, inverse, largest_error, mapped, product, rotation

# In mm: a sixth of a voxel.
TOLERANCE = 0.5

# Grids that differ in all: size, spacing and first voxel in mm.
GRIDS = [
    moved_heads.FIXED,
    moved_heads.MOVING,
    ((34, 32, 28), (2.9, 3.1, 3.2), (-52.0, -40.0, -47.0)),
    ((31, 33, 30), (3.1, 3.0, 3.0), (-40.0, -52.0, -38.0)),
]
# The point that a map of sizes leaves where it is: the center of the first grid.
CENTER = [o + 0.5 * s * (n - 1) for n, s, o in zip(*GRIDS[0])]


def scaled(factor, matrix=IDENTITY):
    return [[factor * value for value in row] for row in matrix]


# Maps from points of the head to points of the images, in mm. The first is that of the reference.
POSES = [
    (IDENTITY, (0.0, 0.0, 0.0)),
    (rotation(12), (4.0, -7.0, 6.0)),
    (rotation(-10, (2, -1, 1)), (-5.0, 3.0, -4.0)),
    (rotation(8, (0, 1, 1)), (2.0, 5.0, 7.0)),
]
# The reference is the largest.
SIZES = [1.0, 0.9, 0.85]
SIZED = [(scaled(size, matrix), offset) for size, (matrix, offset) in zip(SIZES, POSES)]
FLAT_GRIDS = [moved_heads.FIXED2, moved_heads.MOVING2, moved_heads.FIXED2]
FLAT = [
    ([[1.0, 0.0], [0.0, 1.0]], (0.0, 0.0)),
    moved_heads.FLAT,
    ([row[:2] for row in rotation(-9, (0, 0, 1))[:2]], (-3.0, 2.0)),
]


@functools.lru_cache(maxsize=None)
def head(kind, index):
    """An image of the head, moved by a map, as a MetaImage of short."""
    affine = {"poses": POSES, "sizes": SIZED, "flat": FLAT}[kind][index]
    grid = (FLAT_GRIDS if kind == "flat" else GRIDS)[index]
    back = inverse(affine)
    values = [round(10 * moved_heads.brightness(mapped(back, point))) for point in moved_heads.points_of(grid)]
    return moved_heads.header(grid, "MET_SHORT") + struct.pack(f"<{len(values)}h", *values)


def slope():
    """An image that fits to a head nowhere."""
    values = [round(10 * (x + y)) for x, y, _ in moved_heads.points_of(GRIDS[1])]
    return moved_heads.header(GRIDS[1], "MET_SHORT") + struct.pack(f"<{len(values)}h", *values)


def composed(outer, inner):
    matrix, offset = inner
    return product(outer[0], matrix), mapped(outer, offset)


def determinant(m):
    if len(m) == 2:
        return m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return sum(m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]) for i in range(3))


def bits(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.suffix in (".gz", ".tfm")}


class AlignmentTest(programs.ProgramTest):
    # The mean of the aligned images is all that is wanted.
    QUICK = ["--levels", "1", "--iterations", "0", "--no-inverse", "--no-checkpoint", "--threads", "2", "-q"]

    def write_heads(self, kind, count):
        names = [f"{kind}{i}.mha" for i in range(count)]
        for i, name in enumerate(names):
            self.write(name, head(kind, i))
        return names

    def build(self, *arguments, status=0, words="", folder="out"):
        """Builds an atlas, and returns its report."""
        self.expect(status, words, "atlas", "build", *arguments, "-o", folder, *self.QUICK)
        path = self.folder / folder / "report.json"
        return json.loads(path.read_text()) if path.exists() else None

    def expect_refused(self, words, *arguments):
        before = self.names()
        self.build(*arguments, status=1, words=words)
        self.assertEqual(self.names(), before)

    def maps_of(self, report):
        return [(image["alignment"]["matrix"], image["alignment"]["offset_mm"]) for image in report["images"]]

    def expect_aligned(self, report, truth, tolerance=TOLERANCE):
        """Whatever the template is: the same point of it is the same point of the head in all images."""
        maps = self.maps_of(report)
        for i, (found, true) in enumerate(zip(maps, truth)):
            between = composed(found, inverse(maps[0]))
            expected = composed(true, inverse(truth[0]))
            self.assertLess(largest_error(between, expected), tolerance, i)
            self.assertTrue(report["images"][i]["alignment"]["is_success"], report["images"][i])


class RawImages(AlignmentTest):
    def test_poses(self):
        images = self.write_heads("poses", 4)
        report = self.build(*images, "--align", "rigid", "--require-success")
        # The head is nearly round about its long axis, so that a turn by a degree, 0.8 mm, is hardly seen.
        self.expect_aligned(report, POSES, 2 * TOLERANCE)
        for matrix, _ in self.maps_of(report):
            for row, expected in zip(product(matrix, [list(column) for column in zip(*matrix)]), IDENTITY):
                for value, one in zip(row, expected):
                    self.assertAlmostEqual(value, one, places=6)
        # The template is in the pose of the reference.
        self.assertLess(largest_error(self.maps_of(report)[0], POSES[0]), 2 * TOLERANCE)
        self.assertEqual((report["parameters"]["align"], report["parameters"]["align_rounds"]), ("rigid", 2))
        self.assertEqual(report["alignment"]["reference"], "poses0.mha")
        for image in report["images"]:
            alignment = image["alignment"]
            self.assertGreaterEqual(alignment["quality"], report["alignment"]["quality_of_success"])
            self.assertGreaterEqual(alignment["quality"], report["alignment"]["least_quality"])
            self.assertLess(alignment["metric"], 0)
            self.assertTrue(0.25 <= alignment["overlap"] <= 1)
        self.assertGreater(report["seconds"]["aligning"], 0)

    def test_sizes(self):
        # By default maps are affine, and the template has the mean size, not the reference's, which is the largest.
        report = self.build(*self.write_heads("sizes", 3))
        self.assertEqual(report["parameters"]["align"], "affine")
        self.expect_aligned(report, SIZED, 2 * TOLERANCE)
        mean = math.prod(SIZES) ** (1 / 3)
        determinants = [determinant(matrix) for matrix, _ in self.maps_of(report)]
        self.assertAlmostEqual(math.prod(determinants), 1.0, places=9)
        for size, volume in zip(SIZES, determinants):
            # Half a voxel at the corners of the head, which are some 50 mm from the center, is three hundredths.
            self.assertAlmostEqual(volume ** (1 / 3), size / mean, delta=0.03)
        # What was done to its size has not moved its center.
        self.assertLess(math.dist(mapped(self.maps_of(report)[0], CENTER), CENTER), TOLERANCE)

    def test_the_first_round_is_enough_for_the_same_head(self):
        report = self.build(*self.write_heads("sizes", 3), "--align-rounds", "1")
        self.assertEqual(report["parameters"]["align_rounds"], 1)
        self.expect_aligned(report, SIZED, 2 * TOLERANCE)
        self.assertAlmostEqual(math.prod(determinant(matrix) for matrix, _ in self.maps_of(report)), 1.0, places=9)

    def test_files_of_transforms(self):
        images = self.write_heads("sizes", 3)
        report = self.build(*images)
        for image in report["images"]:
            transform = image["outputs"]["alignment"]
            self.assertEqual(transform, f"out/maps/{image['name']}_alignment.tfm")
            # Without iterations the deformed image is the aligned one. Intensities are up to some 2,000; one was rounded to short.
            check = [image["image"], transform, image["outputs"]["deformed"], "0.6", "0.002"]
            self.expect(0, "", "CheckTransformFile", *check)
        for arguments in [["--no-maps"], ["--align", "none", "--reference", images[0]]]:
            report = self.build(*images, *arguments, folder="less")
            self.assertFalse(list((self.folder / "less").rglob("*.tfm")))
            self.assertNotIn("alignment", report["images"][0]["outputs"])
            shutil.rmtree(self.folder / "less")

    def test_deformed_images_are_interpolated_once(self):
        images = self.write_heads("sizes", 2)
        self.expect(0, "", "atlas", "build", *images, "-o", "out", "--levels", "2", "--iterations", "10", "--output-type", "float", "-q")
        for i, image in enumerate(images):
            files = f"out/maps/sizes{i}_alignment.tfm,out/maps/sizes{i}_map.nii.gz"
            # Intensities are up to some 2,000, and maps are float. A second interpolation changes a tenth of the voxels by more.
            self.expect(0, "", "CheckTransformFile", image, files, f"out/deformed/sizes{i}.nii.gz", "1", "0.002")

    def test_2d(self):
        report = self.build(*self.write_heads("flat", 3), "--align", "rigid")
        # Pixels are 2 mm wide.
        self.expect_aligned(report, FLAT, 2 * TOLERANCE)
        self.assertEqual([len(row) for row in self.maps_of(report)[1][0]], [2, 2])

    def test_references(self):
        images = self.write_heads("poses", 3)
        for name in ["--reference", "--initial-template"]:
            # The template's grid is that of the image that is named, or of the first; both are the same here.
            report = self.build(images[0], images[1], images[2], name, images[0], "--align", "affine", folder=name[2:])
            self.expect_aligned(report, POSES, 2 * TOLERANCE)
            self.assertEqual(report["parameters"]["align_rounds"], 2 if name == "--reference" else 1)
        # A template that is given keeps its size.
        images = self.write_heads("sizes", 2)
        report = self.build(*images, "--initial-template", images[0])
        # As in test_sizes.
        self.assertAlmostEqual(determinant(self.maps_of(report)[0][0]) ** (1 / 3), 1.0, delta=0.03)
        # The reference need not be one of the images.
        report = self.build(images[1], images[1], "--reference", images[0], folder="other")
        self.assertEqual(report["alignment"]["reference"], images[0])
        self.assertEqual(report["images"][0]["alignment"], report["images"][1]["alignment"])

    def test_masks(self):
        images = self.write_heads("poses", 2)
        # One half of the second image has values that are none.
        content = bytearray(head("poses", 1))
        count = math.prod(GRIDS[1][0])
        half = len(content) - count
        content[half:] = struct.pack("<h", 30000) * (count // 2)
        self.write("spoiled.mha", bytes(content))
        mask = bytes([1] * (count - count // 2) + [0] * (count // 2))
        self.write("mask.mha", moved_heads.header(GRIDS[1], "MET_UCHAR") + mask)
        self.write("list.csv", f"image,mask\n{images[0]},\nspoiled.mha,mask.mha\n".encode())
        report = self.build("--list", "list.csv", "--align", "rigid")
        # Half of the voxels are left, and of them less than half in the head.
        self.expect_aligned(report, POSES[:2], 6 * TOLERANCE)

    def test_an_image_that_is_constant_inside_its_mask_is_refused(self):
        values, mask = moved_heads.head_in_a_mask(True)
        changed = [103.7 if inside else value for value, inside in zip(values, mask)]
        self.write("constant.mha", moved_heads.header(moved_heads.MOVING, "MET_FLOAT") + struct.pack(f"<{len(changed)}f", *changed))
        self.write("mask.mha", moved_heads.header(moved_heads.MOVING, "MET_UCHAR") + mask)
        images = self.write_heads("poses", 1)
        self.write("list.csv", f"image,mask\n{images[0]},\nconstant.mha,mask.mha\n".encode())
        for arguments in [["--align", "rigid"], ["--align", "none", "--reference", images[0]]]:
            self.expect_refused(" inside its mask is 103.69", "--list", "list.csv", *arguments)
        self.write("list.csv", f"image,mask\nconstant.mha,mask.mha\n{images[0]},\n".encode())
        self.expect_refused("images cannot be aligned with constant.mha: the intensity of the fixed image inside its mask is 103.69", "--list", "list.csv")

    def build_with_outside(self, folder, outside, *arguments):
        """The files of an atlas of two heads in masks, with a value outside of them."""
        for name, of_moving in (("fixed", False), ("moving", True)):
            grid = moved_heads.MOVING if of_moving else moved_heads.FIXED
            mask = moved_heads.head_in_a_mask(of_moving)[1]
            self.write(f"{name}.mha", moved_heads.with_outside(of_moving, outside))
            self.write(f"{name}_mask.mha", moved_heads.header(grid, "MET_UCHAR") + mask)
        self.write("list.csv", b"image,mask\nfixed.mha,fixed_mask.mha\nmoving.mha,moving_mask.mha\n")
        options = ["--levels", "2", "--iterations", "3", "--no-checkpoint", "--threads", "2", "-q"]
        self.expect(0, "", "atlas", "build", *arguments, "-o", folder, *options)
        return bits(self.folder / folder)

    def test_what_is_outside_masks_changes_nothing(self):
        aligned = ["--list", "list.csv", "--align", "rigid"]
        expected = self.build_with_outside("bright", 777.0, *aligned)
        self.assertGreater(len(expected), 2)
        self.assertEqual(self.build_with_outside("nan", math.nan, *aligned), expected)
        # An alignment extends the background of images without a mask.
        in_place = ["--align", "none", "--reference", "fixed.mha"]
        expected = self.build_with_outside("masked", math.inf, "--list", "list.csv", *in_place)
        self.assertEqual(self.build_with_outside("bare", math.inf, "fixed.mha", "moving.mha", *in_place), expected)


def upper_half(content, grid):
    """The half of an image of short that ends at the last plane, as an image of its own, and its grid."""
    size, spacing, origin = grid
    start = size[2] // 2
    half = ((size[0], size[1], size[2] - start), spacing, (origin[0], origin[1], origin[2] + spacing[2] * start))
    count = math.prod(half[0])
    return moved_heads.header(half, "MET_SHORT") + content[-2 * count :], half


class CutImages(AlignmentTest):
    """The template has the grid of the first image: what it does not hold is lost, of all images."""

    def setUp(self):
        super().setUp()
        self.images = self.write_heads("poses", 2)
        self.write("half.mha", upper_half(head("poses", 0), GRIDS[0])[0])

    def expect_cut(self, *arguments):
        status, _, error = self.run_program("atlas", "build", *arguments, "-o", "out", *self.QUICK)
        self.assertEqual(status, 0, error)
        report = json.loads((self.folder / "out/report.json").read_text())
        shutil.rmtree(self.folder / "out")
        return error, [image["cut_fraction"] for image in report["images"]]

    def test_a_first_image_that_is_cut_is_a_warning(self):
        error, cuts = self.expect_cut("half.mha", *self.images, "--align", "none", "--reference", "half.mha")
        words = "of 2 of 3 images a part lies beyond the template's grid, which is that of half.mha, and is lost: poses0.mha ("
        self.assertIn("warning: " + words, error)
        self.assertIn("a --reference whose grid holds all of them keeps it", error)
        self.assertEqual(cuts[0], 0.0)
        # The same head, of which the first image has one half.
        self.assertGreater(cuts[1], 0.3)
        self.assertLess(cuts[1], 0.7)

    def test_what_keeps_it_is_no_warning(self):
        error, cuts = self.expect_cut("half.mha", *self.images, "--align", "none", "--reference", self.images[0])
        self.assertNotIn("is lost", error)
        self.assertLess(max(cuts), 0.02)


class Failures(AlignmentTest):
    def test_a_failure_is_a_warning_or_an_error(self):
        images = self.write_heads("poses", 2)
        self.write("slope.mha", slope())
        # A quality below 1, as 0.012 or 9.9e-05.
        quality = r"quality (0|[0-9.]+e-)"
        words = "the alignment of 1 of 3 images has probably failed: slope.mha (quality "
        status, _, error = self.run_program("atlas", "build", *images, "slope.mha", "-o", "out", *self.QUICK)
        self.assertEqual(status, 0, error)
        self.assertIn("warning: " + words, error)
        self.assertRegex(error, rf"failed: slope.mha \({quality}")
        # Once more where nothing comes after it.
        last = rf"warning: 1 of 3 alignments cannot be trusted \(slope.mha: {quality}.*, success from 0.*\): see out/report.json$"
        self.assertRegex(error.splitlines()[-1], last)
        report = json.loads((self.folder / "out/report.json").read_text())
        self.assertEqual([image["alignment"]["is_success"] for image in report["images"]], [True, True, False])
        self.assertEqual(["reason" in image["alignment"] for image in report["images"]], [False, False, True])
        # The image that failed has no part in the size of the template.
        self.assertAlmostEqual(determinant(self.maps_of(report)[0][0]) * determinant(self.maps_of(report)[1][0]), 1.0, places=9)
        shutil.rmtree(self.folder / "out")
        self.expect_refused("error: " + words, *images, "slope.mha", "--require-success")

    def test_bad_images(self):
        images = self.write_heads("poses", 2)
        self.write("constant.mha", moved_heads.header(GRIDS[0], "MET_UCHAR") + bytes(math.prod(GRIDS[0][0])))
        self.expect_refused("constant.mha cannot be aligned with poses0.mha: ", *images, "constant.mha")
        self.expect_refused("images cannot be aligned with constant.mha: ", "constant.mha", *images)
        self.expect_refused("images cannot be aligned with constant.mha: ", *images, "--reference", "constant.mha")
        self.write("flat.mha", head("flat", 0))
        self.expect_refused("flat.mha has 2 axes, and poses0.mha 3", *images, "flat.mha")
        self.write("cut.mha", head("poses", 1)[:-100])
        self.expect_refused("cut.mha", images[0], "cut.mha", images[1])
        header = moved_heads.header(GRIDS[0], "MET_FLOAT")
        self.write("nan.mha", header + struct.pack("<f", math.nan) * math.prod(GRIDS[0][0]))
        self.expect_refused("nan.mha cannot be aligned with poses0.mha: ", *images, "nan.mha")

    def test_transforms_of_the_list(self):
        images = self.write_heads("poses", 2)
        self.write("identity.tfm", b"#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_3_3\nParameters: 0 0 0\nFixedParameters:\n")
        self.write("list.csv", f"image,transform\n{images[0]},identity.tfm\n{images[0]},\n".encode())
        report = self.build("--list", "list.csv")
        self.assertEqual(report["parameters"]["align"], "none")
        self.assertNotIn("alignment", report)
        shutil.rmtree(self.folder / "out")
        self.expect_refused("leave one of them out", "--list", "list.csv", "--align", "rigid")
        self.expect_refused("--require-success has no effect here", "--list", "list.csv", "--require-success")

    def test_other_grids_need_alignment(self):
        images = self.write_heads("poses", 2)
        self.expect_refused("which needs --align affine or rigid, a --reference, or a transform", *images, "--align", "none")


if __name__ == "__main__":
    programs.run_tests()
