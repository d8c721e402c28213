# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests linear registration by cudaneuro-register: what is said where it fails, and of bad input.

    python3 test_alignment_errors.py REGISTER CHECK_TRANSFORM_FILE
"""

import json
import math
import struct

import programs
import test_alignment
from moved_heads import FIXED, MOVING, header, image, points_of


class Failures(test_alignment.AlignmentTest):
    def setUp(self):
        super().setUp()
        # A head, and a slope, which fits to it nowhere.
        values = [round(10 * (x + y)) for x, y, _ in points_of(MOVING)]
        self.write("moving.mha", header(MOVING, "MET_SHORT") + struct.pack(f"<{len(values)}h", *values))

    def test_a_failure_is_a_warning(self):
        report = self.align("rigid", "--output-transform", "map.tfm", words="the quality of its result is")
        self.assertFalse(report["alignment"]["is_success"])
        self.assertLess(report["alignment"]["quality"], report["alignment"]["quality_of_success"])
        self.assertIn("map.tfm", self.names())

    def test_the_last_line_says_that_a_failure_was_gone_on_with(self):
        for command, arguments in [("rigid", []), ("unbiased", test_alignment.BeforeDeformation.QUICK), ("greedy", test_alignment.BeforeDeformation.QUICK)]:
            outputs = ["-q", "--json", "report.json", *arguments]
            status, _, error = self.run_program("register", command, "fixed.mha", "moving.mha", *outputs)
            self.assertEqual(status, 0, error)
            words = r"warning: 1 of 1 alignment cannot be trusted \(moving.mha: quality 0.*, success from 0.*\): see report.json"
            self.assertRegex(error.splitlines()[-1], words)
            alignment = json.loads((self.folder / "report.json").read_text())["alignment"]
            self.assertIn("success from", alignment["reason"])

    def test_success_may_be_required(self):
        for command, arguments in [("rigid", []), ("unbiased", test_alignment.BeforeDeformation.QUICK)]:
            outputs = ["-q", "--require-success", "--json", "report.json", "-o", "w.mha", *arguments]
            status, _, error = self.run_program("register", command, "fixed.mha", "moving.mha", *outputs)
            self.assertEqual(status, 1, error)
            self.assertRegex(error, r"moving.mha was not aligned with fixed.mha: the quality of the best map is 0?\.?\d")
            self.assertIn("--require-success asks for 0.2", error)
            # The outputs are there, with the best that was found.
            self.assertFalse(json.loads((self.folder / "report.json").read_text())["alignment"]["is_success"])
            self.assertIn("w.mha", self.names())
            for name in ["report.json", "w.mha"]:
                (self.folder / name).unlink()


class BadInput(test_alignment.AlignmentTest):
    def setUp(self):
        super().setUp()
        self.write("moving.mha", image(True, "rigid"))
        size = math.prod(MOVING[0])
        self.write("flat.mha", header(MOVING, "MET_UCHAR") + bytes(size))
        self.write("zeros.mha", header(FIXED, "MET_UCHAR") + bytes(math.prod(FIXED[0])))
        far = (MOVING[0], MOVING[1], (1000.0, 0.0, 0.0))
        self.write("far.mha", image(True, "rigid").replace(header(MOVING, "MET_SHORT"), header(far, "MET_SHORT")))
        nan = struct.pack("<f", math.nan) * size
        self.write("nan.mha", header(MOVING, "MET_FLOAT") + nan)
        for name, matrix in [("shear.tfm", "1 0.2 0 0 1 0 0 0 1"), ("singular.tfm", "1 0 0 0 1 0 1 1 0")]:
            self.write(
                name,
                b"#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n"
                + f"Parameters: {matrix} 0 0 0\nFixedParameters: 0 0 0\n".encode(),
            )

    def refuse(self, words, *arguments, command="rigid", moving="moving.mha", status=1):
        before = self.names()
        self.expect(status, words, "register", command, "fixed.mha", moving, "-q", *arguments)
        self.assertEqual(self.names(), before)

    def test_images(self):
        o = ["-o", "o.nii"]
        for command in ["rigid", "greedy"]:
            self.refuse("constant", *o, command=command, moving="flat.mha")
            self.refuse("cannot register nan.mha to fixed.mha", *o, command=command, moving="nan.mha")
            self.refuse("overlap", *o, "--start", "initial-transform", command=command, moving="far.mha")
            self.refuse("mask", *o, "--fixed-mask", "zeros.mha", command=command)
            self.refuse("mask", *o, "--moving-mask", "flat.mha", command=command)
        # The centers of mass bring it back.
        self.expect(0, "", "register", "rigid", "fixed.mha", "far.mha", *o, "-q", "--require-success")

    def test_singular_directions(self):
        content = image(True, "rigid").replace(b"Offset", b"TransformMatrix = 1 0 0 0 1 0 1 1 0\nOffset")
        self.write("singular.mha", content)
        self.refuse("singular.mha", "-o", "o.nii", moving="singular.mha")

    def test_initial_transforms(self):
        o = ["-o", "o.nii"]
        self.refuse("no inverse", *o, "-i", "singular.tfm", command="affine")
        self.refuse("Rigid", *o, "-i", "shear.tfm")
        self.refuse("--start principal-axes does not use", *o, "-i", "shear.tfm", "--start", "principal-axes", command="affine")
        field = header(FIXED, "MET_FLOAT").replace(b"ElementType", b"ElementNumberOfChannels = 3\nElementType")
        self.write("field.mha", field + bytes(12 * math.prod(FIXED[0])))
        self.refuse("linear", *o, "-i", "field.mha")
        self.refuse("linear", *o, "-i", "field.mha", "--align", "rigid", command="unbiased")
        self.refuse("--align none", *o, "--initial-field", "field.mha", "--align", "rigid", command="unbiased")

    def test_parameters(self):
        o = ["-o", "o.nii"]
        self.refuse("--number-of-histogram-bins: must be at least 8 and finite; it is 4", *o, "--number-of-histogram-bins", "4")
        self.refuse("--correlation-radius is 9; it must be", *o, "--metric", "local-correlation", "--correlation-radius", "9")
        self.refuse("--search-angle is 181; it must be", *o, "--search-angle", "181")
        self.refuse("--minimum-overlap is 2; it must be", *o, "--minimum-overlap", "2")
        self.refuse("--convergence-threshold is 2; it must be", *o, "--convergence-threshold", "2")
        self.refuse("--intensity-quantiles", *o, "--intensity-quantiles", "0.9,0.1")
        self.refuse("--intensity-quantiles has 1 values; it needs 2", *o, "--intensity-quantiles", "0.1")
        self.refuse("4 levels need 1 or 4", *o, "--number-of-iterations", "1,2")
        self.refuse("it is none", *o, "--metric", "none")
        self.refuse("it is similarity", *o, "--align", "similarity", command="greedy")
        self.refuse("Translation it must be another", *o, "--start", "principal-axes", command="translation")
        self.refuse("--output-inverse-transform", status=2)
        self.refuse("--output-alignment", command="greedy", status=2)
        self.refuse("--search-angle", *o, "--search-angle", "5", command="translation", status=2)
        self.refuse("o.xyz", "--output-transform", "o.xyz")
        self.refuse("the output o.mat", "--output-transform", "o.mat", "--output-inverse-transform", "./o.mat")

    def test_parameters_of_the_deformation_are_checked_before_the_alignment(self):
        """Voxels that are no numbers would fail the alignment."""
        for name, value in [
            ("--maximum-step", "2"),
            ("--convergence-threshold", "2"),
            ("--standard-deviations", "1e7"),
            ("--jacobian-bound", "0.6"),
            ("--shrink-factors-per-level", "1000"),
            ("--unbiased-weight", "1e7"),
            ("--update-field-standard-deviations", "1e7"),
            ("--update-field-standard-deviations-per-level", "1,1,1e7,1"),
            ("--alpha", "1e7"),
            ("--beta", "1e7"),
            ("--gamma", "1e7"),
        ]:
            command = "greedy" if name in ["--alpha", "--beta", "--gamma"] else "unbiased"
            solver = ["--velocity-method", "fourier"] if name == "--beta" else []
            words = f"error: {name}"
            self.refuse(words, "-o", "o.nii", *solver, name, value, command=command, moving="nan.mha")


if __name__ == "__main__":
    programs.run_tests()
