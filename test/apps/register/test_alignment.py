# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests linear registration by cudaneuro-register: its subcommands, and the alignment before a deformation.

    python3 test_alignment.py REGISTER CHECK_TRANSFORM_FILE
"""

import json
import math
import re
import struct

import programs
from moved_heads import FIXED, FLAT, IDENTITY, MAPS, MOVING, head_in_a_mask, header, image, inverse, labels, largest_error, points_of, with_outside

# A tenth of a voxel: these heads are small, and what the filter reaches on real ones is for its own tests.
TOLERANCE = 0.3


class AlignmentTest(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("fixed.mha", image(False))

    def align(self, command, *arguments, moving="moving.mha", status=0, words=""):
        """Runs a subcommand and returns its report."""
        options = ["-q", "--json", "report.json"]
        self.expect(status, words, "register", command, "fixed.mha", moving, *options, *arguments)
        return json.loads((self.folder / "report.json").read_text())

    def map_of(self, report):
        return report["alignment"]["matrix"], report["alignment"]["offset_mm"]

    def read_map(self, name, dimension=3):
        """The map that a file holds, exactly, as a linear registration without iterations reports it."""
        files = {2: ("fixed2.mha", "moving2.mha"), 3: ("fixed.mha", "moving.mha")}[dimension]
        arguments = ["-q", "--json", "map.json", "--levels", "1", "--iterations", "0", "--search-angle", "0", "--search-distance", "0", "-i", name, "--minimum-overlap", "0"]
        self.expect(0, "", "register", "affine", *files, *arguments)
        return self.map_of(json.loads((self.folder / "map.json").read_text()))

    def voxels(self, name):
        """The voxels of a MetaImage of float on the fixed image's grid."""
        count = math.prod(FIXED[0])
        return struct.unpack(f"<{count}f", (self.folder / name).read_bytes()[-4 * count :])

    def expect_reproduced(self, moving, transform, warped, share=0.0002):
        """Expects that ITK makes the warped image, of intensities up to some 2,000, from the transform."""
        self.expect(0, "", "CheckTransformFile", moving, transform, warped, "0.2", str(share))


class KnownMaps(AlignmentTest):
    def test_each_kind_is_found(self):
        for command, truth in MAPS.items():
            with self.subTest(command):
                self.write("moving.mha", image(True, command))
                report = self.align(command, "--metric", "mean-squares", "--start", "grid-centers")
                self.assertLess(largest_error(self.map_of(report), truth), TOLERANCE)
                self.assertTrue(report["alignment"]["is_success"])
                self.assertGreaterEqual(report["alignment"]["quality"], report["alignment"]["quality_of_success"])
                report = self.align(command)
                self.assertTrue(report["alignment"]["is_success"])
                # Of one contrast, mutual information is largest where the moving head is 3 % larger than it should be: at its soft edge,
                # of two voxels, there are more intensities to be alike then. That is 1.5 mm at the corners.
                has_scale = command in ("similarity", "affine")
                self.assertLess(largest_error(self.map_of(report), truth), 6 * TOLERANCE if has_scale else TOLERANCE)

    def test_air_beyond_the_grid(self):
        # Of the air in the moving image, less than all is in the field of view.
        self.write("moving.mha", image(True, "rigid"))
        report = self.align("rigid")
        self.assertLess(report["alignment"]["overlap"], 0.95)
        self.assertLess(largest_error(self.map_of(report), MAPS["rigid"]), TOLERANCE)
        self.assertFalse(report["parameters"]["overlap_only"])
        report = self.align("rigid", "--overlap-only", "--one-way", "--voxel-weights", "uniform")
        self.assertGreater(largest_error(self.map_of(report), MAPS["rigid"]), 2 * TOLERANCE)
        self.assertTrue(report["parameters"]["overlap_only"])

    def test_other_contrast(self):
        self.write("moving.mha", image(True, "rigid", "other"))
        report = self.align("rigid", "--require-success")
        # Where one intensity stands for two, the optimum is less sharp.
        self.assertLess(largest_error(self.map_of(report), MAPS["rigid"]), 2 * TOLERANCE)

    def test_metrics_and_options(self):
        self.write("moving.mha", image(True, "rigid"))
        for arguments in [
            ["--metric", "mean-squares", "--start", "grid-centers"],
            ["--metric", "local-correlation", "--radius", "2", "--start", "principal-axes", "--search-angle", "0", "--search-distance", "0"],
            ["--one-way", "--bins", "40", "--quantiles", "0.01,0.99"],
            ["--search-angle", "30", "--search-distance", "10"],
            ["--shrink-factors", "4,2,1", "--iterations", "50,40,30", "--convergence", "0.005"],
        ]:
            with self.subTest(arguments):
                report = self.align("rigid", *arguments)
                self.assertLess(largest_error(self.map_of(report), MAPS["rigid"]), 2 * TOLERANCE)

    def test_2d(self):
        self.write("fixed2.mha", image(False, "flat"))
        self.write("moving2.mha", image(True, "flat"))
        arguments = ["-q", "--json", "r.json", "--output-transform", "map.tfm", "-o", "w.mha", "--output-type", "float"]
        self.expect(0, "", "register", "rigid", "fixed2.mha", "moving2.mha", *arguments)
        self.assertLess(largest_error(self.map_of(json.loads((self.folder / "r.json").read_text())), FLAT), TOLERANCE)
        self.expect_reproduced("moving2.mha", "map.tfm", "w.mha")

    def test_report(self):
        self.write("moving.mha", image(True, "rigid"))
        # With one candidate, as the iterations are those of whichever is the best.
        report = self.align("rigid", "--levels", "2", "--iterations", "7", "--search-angle", "0", "--search-distance", "0")
        self.assertEqual(report["method"], "rigid")
        parameters = report["parameters"]
        self.assertEqual((parameters["metric"], parameters["number_of_histogram_bins"], parameters["number_of_levels"]), ("mutual-information", 32, 2))
        self.assertEqual(parameters["start"], "centers-of-mass")
        self.assertEqual(report["alignment"]["transform"], "VersorRigid3DTransform")
        course = report["alignment"]["iterations"]
        self.assertEqual(set(course), {"level", "metric", "step_mm"})
        self.assertEqual(len(set(map(len, course.values()))), 1)
        self.assertEqual(course["level"], sorted(course["level"]))
        self.assertLessEqual(max(course["level"].count(level) for level in (0, 1)), 7)
        self.assertLessEqual({"reading", "waiting_for_device", "uploading", "aligning", "writing", "total"}, set(report["seconds"]))
        said = self.expect(0, "", "register", "rigid", "fixed.mha", "moving.mha", "--json", "report.json")
        for word in ["aligned", "quality", "map", "seconds"]:
            self.assertIn(word, said)

    def test_the_same_in_each_run(self):
        self.write("moving.mha", image(True, "affine"))
        first, second = (self.align("affine")["alignment"] for _ in range(2))
        self.assertEqual(first, second)


class Masks(AlignmentTest):
    MASKS = ["--fixed-mask", "fixed_mask.mha", "--moving-mask", "moving_mask.mha"]
    DEFORM = ["--align", "rigid", "--levels", "2", "--iterations", "5", "--output-field", "field.mha", "--output-alignment", "a.tfm"]

    def setUp(self):
        super().setUp()
        for of_moving, name in ((False, "fixed_mask.mha"), (True, "moving_mask.mha")):
            self.write(name, header(MOVING if of_moving else FIXED, "MET_UCHAR") + head_in_a_mask(of_moving)[1])

    def outcome(self, command, outside, *arguments):
        """The linear map, if there is one, the warped image and the field with a value outside the masks of both images."""
        self.write("fixed.mha", with_outside(False, outside))
        self.write("moving.mha", with_outside(True, outside))
        report = self.align(command, "-o", "w.mha", "--output-type", "float", *arguments)
        self.assertTrue(all(map(math.isfinite, self.voxels("w.mha"))), (command, outside))
        written = [self.folder / name for name in ("w.mha", "field.mha") if name == "w.mha" or "field.mha" in arguments]
        return self.map_of(report) if "alignment" in report else None, [path.read_bytes() for path in written]

    def test_what_is_outside_changes_nothing(self):
        for command, arguments in [("rigid", []), ("affine", ["--metric", "mean-squares"])]:
            with self.subTest(command):
                expected = self.outcome(command, 777.0, *self.MASKS, *arguments)
                # Masks take away most of the air, which holds the head in place.
                self.assertLess(largest_error(expected[0], MAPS["rigid"]), 2 * TOLERANCE)
                self.assertEqual(self.outcome(command, math.nan, *self.MASKS, *arguments), expected)
                self.assertEqual(self.outcome(command, math.inf, *self.MASKS, *arguments), expected)
        for command in ("unbiased", "symmetric", "greedy"):
            with self.subTest(command):
                expected = self.outcome(command, 777.0, *self.MASKS, *self.DEFORM)
                self.assertEqual(self.outcome(command, math.nan, *self.MASKS, *self.DEFORM), expected)

    def test_an_image_that_is_constant_inside_its_mask_is_refused(self):
        for of_moving, name in ((False, "fixed"), (True, "moving")):
            values, mask = head_in_a_mask(of_moving)
            changed = [103.7 if inside else value for value, inside in zip(values, mask)]
            grid = MOVING if of_moving else FIXED
            self.write(f"{name}.mha", header(grid, "MET_FLOAT") + struct.pack(f"<{len(changed)}f", *changed))
            self.write("other.mha", image(not of_moving, "rigid"))
            pair = ["other.mha", "moving.mha"] if of_moving else ["fixed.mha", "other.mha"]
            words = f"the intensity of the {name} image inside its mask is 103.69"
            for command, arguments in [("rigid", []), ("affine", []), *((c, ["--align", "none"]) for c in ("greedy", "unbiased", "symmetric"))]:
                mask_of = [f"--{name}-mask", f"{name}_mask.mha"]
                self.expect(1, words, "register", command, *pair, *mask_of, *arguments, "-o", "w.mha", "-q")
                self.assertNotIn("w.mha", self.names())

    def test_what_is_not_finite_needs_no_mask(self):
        # A mask ends the background, too.
        for command, arguments in [("rigid", ["--overlap-only"]), ("unbiased", ["--align", "none", *self.DEFORM[2:8]])]:
            with self.subTest(command):
                expected = self.outcome(command, math.nan, *self.MASKS, *arguments)
                self.assertEqual(self.outcome(command, math.nan, *arguments), expected)


class TransformFiles(AlignmentTest):
    CLASSES = {
        "translation": "TranslationTransform",
        "rigid": "VersorRigid3DTransform",
        "similarity": "Similarity3DTransform",
        "affine": "AffineTransform",
    }

    def test_itk_resamples_with_them(self):
        for command, name in self.CLASSES.items():
            self.write("moving.mha", image(True, command))
            for ending in [".tfm", ".txt", ".h5", ".mat"]:
                with self.subTest(command, ending=ending):
                    arguments = ["--output-transform", "map" + ending, "-o", "w.mha", "--output-type", "float"]
                    report = self.align(command, *arguments, "--levels", "1", "--iterations", "5")
                    self.expect_reproduced("moving.mha", "map" + ending, "w.mha")
                    content = (self.folder / ("map" + ending)).read_bytes()
                    written = "AffineTransform" if ending == ".mat" else name
                    self.assertIn(f"{written}_double_3_3".encode(), content)
                    self.assertEqual(report["alignment"]["transform"], name)

    def test_no_digit_is_lost(self):
        self.write("moving.mha", image(True, "affine"))
        files = ["map.tfm", "map.txt", "map.h5", "map.mat"]
        for name in files:
            report = self.align("affine", "--output-transform", name, "--levels", "1", "--iterations", "5")
        # ITK's text has the shortest numbers that read back the same; Matlab's files have the numbers themselves.
        parameters = re.search(rb"\nParameters: (.*)\n", (self.folder / "map.tfm").read_bytes())[1].split()
        content = (self.folder / "map.mat").read_bytes()
        start = 20 + len(b"AffineTransform_double_3_3\0")
        self.assertEqual(tuple(map(float, parameters)), struct.unpack("<12d", content[start : start + 96]))
        maps = [self.read_map(name) for name in files]
        for read in maps[1:]:
            self.assertEqual(read, maps[0])
        # Between parameters around a center, and a matrix and an offset, numbers of up to 100 are rounded.
        self.assertLess(largest_error(maps[0], self.map_of(report)), 1e-12)

    def test_inverse_transforms(self):
        for command in MAPS:
            self.write("moving.mha", image(True, command))
            for ending in [".tfm", ".mat"]:
                names = ["map" + ending, "back" + ending]
                self.align(command, "--output-transform", names[0], "--output-inverse-transform", names[1], "--levels", "1")
                there, back = (self.read_map(name) for name in names)
                # Rounding of coordinates of some 50 mm in double precision.
                self.assertLess(largest_error(back, inverse(there)), 1e-11)

    def test_matlab_files_are_those_of_ants(self):
        """A matrix by rows and the translation under the name of the class, then the center under "fixed"; of level 4."""
        self.write("moving.mha", image(True, "rigid"))
        report = self.align("rigid", "--output-transform", "map.mat")
        content = (self.folder / "map.mat").read_bytes()
        name = b"AffineTransform_double_3_3\0"
        self.assertEqual(struct.unpack("<5i", content[:20]), (0, 12, 1, 0, len(name)))
        self.assertEqual(content[20 : 20 + len(name)], name)
        numbers = struct.unpack("<12d", content[20 + len(name) : 116 + len(name)])
        rest = content[116 + len(name) :]
        self.assertEqual(struct.unpack("<5i", rest[:20]), (0, 3, 1, 0, 6))
        self.assertEqual(rest[20:26], b"fixed\0")
        center = struct.unpack("<3d", rest[26:])
        matrix = [list(numbers[3 * row : 3 * row + 3]) for row in range(3)]
        # T(p) = matrix (p - center) + center + translation
        offset = [t + c - sum(m * x for m, x in zip(row, center)) for t, c, row in zip(numbers[9:], center, matrix)]
        self.assertLess(largest_error((matrix, offset), self.map_of(report)), 1e-11)

    def test_labels(self):
        self.write("moving.mha", image(True, "affine"))
        self.write("fixed_seg.mha", labels(False, "affine"))
        self.write("moving_seg.mha", labels(True, "affine"))
        arguments = ["--fixed-labels", "fixed_seg.mha", "--moving-labels", "moving_seg.mha", "--output-labels", "l.mha"]
        overlap = self.align("affine", "--metric", "mean-squares", "--start", "grid-centers", *arguments)["overlap"]
        self.assertLess(overlap["before"]["mean"], 0.75)
        # Parts have radii of some two voxels, and voxels at their edges go either way.
        self.assertGreater(overlap["after"]["mean"], 0.8)
        self.assertIn(b"MET_UCHAR", (self.folder / "l.mha").read_bytes())


class BeforeDeformation(AlignmentTest):
    QUICK = ["--levels", "2", "--iterations", "15"]

    def setUp(self):
        super().setUp()
        self.write("moving.mha", image(True, "affine"))

    def test_the_default(self):
        self.align("affine", "--output-transform", "map.tfm")
        self.align("unbiased", "--align", "none", "--output-field", "field.nii", *self.QUICK)
        for arguments, expected in [
            ([], "affine"),
            (["--align", "rigid"], "rigid"),
            (["--align", "none"], "none"),
            (["--initial-transform", "map.tfm"], "none"),
            (["--initial-field", "field.nii"], "none"),
            (["--initial-transform", "map.tfm", "--align", "affine"], "affine"),
        ]:
            with self.subTest(arguments):
                report = self.align("unbiased", *arguments, *self.QUICK)
                self.assertEqual(report["parameters"]["align"], expected)
                self.assertEqual("alignment" in report, expected != "none")
                if expected != "none":
                    start = "initial-transform" if "map.tfm" in arguments else "centers-of-mass"
                    self.assertEqual(report["alignment"]["parameters"]["start"], start)
                    self.assertIn("aligning", report["seconds"])

    def test_it_is_that_of_the_subcommands(self):
        for command in ["rigid", "affine"]:
            alone = self.align(command)
            before = self.align("greedy", "--align", command, *self.QUICK)
            self.assertEqual(self.map_of(alone), self.map_of(before))

    def test_the_composite_is_the_whole_map(self):
        outputs = ["-o", "w.mha", "--output-type", "float", "--output-transform", "map.h5"]
        report = self.align("greedy", *outputs, "--output-alignment", "a.tfm", "--output-field", "field.mha", *self.QUICK)
        self.expect_reproduced("moving.mha", "map.h5", "w.mha")
        self.assertLess(largest_error(self.read_map("a.tfm"), self.map_of(report)), 1e-11)
        # Field and alignment, written by themselves, are the same map.
        parts = ["--initial-transform", "a.tfm", "--initial-field", "field.mha", "--iterations", "0", "--levels", "1"]
        self.align("greedy", *parts, "-o", "again.mha", "--output-type", "float")
        whole, again = (self.voxels(name) for name in ["w.mha", "again.mha"])
        # The alignment from its file is rounded to 1e-14 mm; a voxel at the very edge of the moving image may fall off it.
        self.assertLess(sum(abs(a - b) > 0.01 for a, b in zip(whole, again)), 3)

    def test_labels_are_warped_once(self):
        self.write("fixed_seg.mha", labels(False, "affine"))
        self.write("moving_seg.mha", labels(True, "affine"))
        segmentations = ["--fixed-labels", "fixed_seg.mha", "--moving-labels", "moving_seg.mha"]
        arguments = ["--output-labels", "l.mha", "--output-alignment", "a.tfm", "--output-field", "field.mha", *self.QUICK]
        overlap = self.align("greedy", *segmentations, *arguments)["overlap"]
        self.assertEqual(list(overlap), ["before", "aligned", "after"])
        self.assertLess(overlap["before"]["mean"], overlap["aligned"]["mean"])
        self.assertGreater(overlap["after"]["mean"], 0.8)
        parts = ["--initial-transform", "a.tfm", "--initial-field", "field.mha", "--iterations", "0", "--levels", "1"]
        self.align("greedy", *parts, "--moving-labels", "moving_seg.mha", "--output-labels", "again.mha")
        self.assertEqual((self.folder / "l.mha").read_bytes(), (self.folder / "again.mha").read_bytes())

    def test_a_field_without_the_alignment_is_a_warning(self):
        words = "the displacements do not have the alignment in them"
        self.align("unbiased", "--output-field", "field.mha", *self.QUICK, words=words)
        for output in [["--output-alignment", "a.mat"], ["--output-transform", "map.h5"], ["--align", "none"]]:
            arguments = ["unbiased", "fixed.mha", "moving.mha", "--output-field", "field.mha", *output, *self.QUICK, "-q"]
            self.assertNotIn(words, self.run_program("register", *arguments)[2])


class AlignedAlready(AlignmentTest):
    def test_labels_that_lie_on_each_other_stay(self):
        """Mutual information has kinks there, on both sides of which it is the same but for rounding."""
        for size in ((20, 22, 18), (32, 38, 31)):
            grid = (size, (3.0, 3.0, 3.0), tuple(1.5 * (1 - n) for n in size))
            radii = [0.38 * 3 * n for n in size]
            distances = [math.sqrt(sum((p / r) ** 2 for p, r in zip(point, radii))) for point in points_of(grid)]
            self.write("fixed.mha", header(grid, "MET_UCHAR") + bytes((r < 1) + (r < 0.6) for r in distances))
            report = self.align("translation", "--output-transform", "o.tfm", moving="fixed.mha")
            self.assertLess(largest_error(self.map_of(report), (IDENTITY, (0, 0, 0))), 0.1)


if __name__ == "__main__":
    programs.run_tests()
