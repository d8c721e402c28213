# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what cudaneuro-register refuses of channels, points and labels.

    python3 test_terms_errors.py REGISTER
"""

import programs
from test_terms import BY_LABELS, BY_POINTS, CHANNEL, PAIR, POINTS, QUICK, SIZE, TRANSLATION, TermsTest, image, labels, point_table


class BadInput(TermsTest):
    def refuse(self, words, *arguments, status=1, command="unbiased"):
        before = self.names()
        self.expect(status, words, "register", command, *arguments, *QUICK, "--output-field", "o.mha")
        self.assertEqual(self.names(), before)

    def test_channels(self):
        far = TRANSLATION.replace("Translation", "Nonsense").format(1)
        self.write("nonsense.tfm", far.encode())
        two = [*CHANNEL, *CHANNEL, *CHANNEL]
        cases = [
            ("two.mha has 2 axes, and fixed.mha 3", ["--channel", "fixed2.mha", "two.mha"]),
            ("nothing.mha", ["--channel", "nothing.mha", "moving2.mha"]),
            ("--channel is given 8 times; it may be up to 7 times", CHANNEL * 8),
            ("--channel-fixed-mask has 2 values; 3 further channels need 1 or 3", [*two, *["--channel-fixed-mask", "none"] * 2]),
            ("--channel-metric has 2 values; 1 further channel needs 1", [*CHANNEL, "--channel-metric", "mean-squares,mean-squares"]),
            ("--channel-weights has 1 values; 2 channels need 2", [*CHANNEL, "--channel-weights", "1"]),
            ("--channel-weights are all 0", [*CHANNEL, "--channel-weights", "0,0"]),
            ("--channel-weights has 10000000", [*CHANNEL, "--channel-weights", "1,1e7"]),
            ("--channel-metric has no effect here: only with --channel", ["--channel-metric", "mean-squares"]),
            ("nonsense.tfm", [*CHANNEL, "--channel-fixed-transform", "nonsense.tfm"]),
            ("channel's transform must be linear", [*CHANNEL, "--channel-fixed-transform", "field.mha"]),
            ("half2.mha and fixed2.mha differ in their", [*CHANNEL, "--channel-fixed-mask", "half2.mha"]),
        ]
        self.report(*PAIR, "--output-field", "field.mha", iterations=2)
        self.write("half2.mha", image([1] * SIZE**3, (5, 0, 0)))
        for words, arguments in cases:
            self.refuse(words, *PAIR, *arguments)
        for value in "-1,1", "1,nan", "inf,1", "x,1":
            status, _, error = self.run_program("register", "unbiased", *PAIR, *CHANNEL, "--channel-weights", value, *QUICK)
            self.assertIn(status, (1, 2), error)
            self.assertIn("--channel-weights", error)
        self.refuse("--channel-metric: must be of", *PAIR, *CHANNEL, "--channel-metric", "ssd")

    def test_points(self):
        self.write("outside.csv", point_table(1, POINTS[:2] + [("c", (5, 80, 7), None)]))
        self.write("doubled.csv", point_table(1, POINTS[:2] + [("c", POINTS[0][1], None)]))
        self.write("nan.csv", b"label,x,y,z\na,1,2,nan\n")
        self.write("flat.csv", b"x,y\n1,2\n1,3\n1,4\n")
        self.write("none.csv", b"x,y,z\n")
        self.write("fewer.csv", b"x,y,z\n1,2,3\n")
        cases = [
            ("outside.csv: point 3 (c) is at (5, 80, 7) mm, outside of fixed.mha", "outside.csv"),
            ("doubled.csv: point 3 (c) is at (4, 5, 6) mm, as is point 1", "doubled.csv"),
            ("nan.csv", "nan.csv"),
            ("flat.csv: its points have 2 coordinates, and fixed.mha has 3 axes", "flat.csv"),
            ("none.csv", "none.csv"),
            ("it has 3 points, and fewer.csv 1 points", "fewer.csv"),
            ("nothing.csv", "nothing.csv"),
        ]
        for words, name in cases:
            self.refuse(words, *PAIR, "--fixed-points", name, "--moving-points", "moving.csv")
        self.refuse("--point-standard-deviations has 2 values; the 3 points of fixed.csv need 1 or 3", *PAIR, *BY_POINTS,
                    "--point-standard-deviations", "1,2")  # fmt: skip
        for value in "0", "-1", "nan", "1,inf,1":
            status, _, error = self.run_program("register", "unbiased", *PAIR, *BY_POINTS, "--point-standard-deviations", value)
            self.assertIn(status, (1, 2), error)
            self.assertIn("--point-standard-deviations", error)
        self.refuse("--fixed-points requires --moving-points", *PAIR, "--fixed-points", "fixed.csv", status=2)
        self.refuse("only with --fixed-points", *PAIR, "--point-weight", "2")

    def test_labels(self):
        pulled = [*PAIR, *BY_LABELS, "--label-weight", "1"]
        cases = [
            ("it must be a label and its weight, as 17=0.5, or others=W", "17"),
            ("the weight must be a number from 0 to 1e6", "7=-1"),
            ("the weight must be a number from 0 to 1e6", "7=nan"),
            ("the weight must be a number from 0 to 1e6", "7="),
            ("the label must be a whole number of 64 bits, or others", "x=1"),
            ("the label has a weight already", "7=1,7=2"),
            ("others has a weight already", "others=1,others=2"),
            ("one label at least must have a weight above 0", "others=0"),
            ("--weight-of-label names 9, which neither fixed_labels.mha nor moving_labels.mha has", "9=1"),
        ]
        for words, text in cases:
            self.refuse(words, *pulled, "--weight-of-label", text)
        self.refuse("--weight-of-label has no effect here: only with --label-weight above 0", *PAIR, *BY_LABELS, "--weight-of-label", "7=1")
        self.refuse("--label-weight has no effect here: only with --fixed-labels", *PAIR, "--label-weight", "1")
        self.write("halves.mha", labels([0.5] * SIZE**3, "MET_FLOAT", "f"))
        self.refuse("halves.mha", *PAIR, "--fixed-labels", "halves.mha", *BY_LABELS[2:], "--label-weight", "1")
        self.write("empty.mha", labels([0] * SIZE**3))
        self.refuse("empty.mha and empty.mha have no label", *PAIR, "--fixed-labels", "empty.mha", "--moving-labels", "empty.mha",
                    "--label-weight", "1")  # fmt: skip
        self.write("small.mha", programs.meta_header((SIZE, SIZE, 2), "MET_UCHAR") + bytes(2 * SIZE**2))
        self.refuse("small.mha and fixed.mha differ in their", *PAIR, "--fixed-labels", "small.mha", *BY_LABELS[2:], "--label-weight", "1")

    def test_neither_images_nor_points_nor_labels(self):
        self.refuse("FIXED and MOVING, or --fixed-points with --moving-points and --grid", status=2)
        self.refuse("--grid, whose voxels the displacements have", *BY_POINTS, status=2)
        self.refuse("FIXED and MOVING, or", "--grid", "fixed.mha", *BY_LABELS, status=2)
        self.refuse("MOVING is required", "fixed.mha", *BY_POINTS, status=2)
        self.refuse("--grid has no effect here", *PAIR, *BY_POINTS, "--grid", "fixed.mha")
        alone = ["--grid", "fixed.mha", *BY_POINTS]
        self.refuse("--channel has no effect here: only with FIXED and MOVING", *alone, *CHANNEL)
        self.refuse("--fixed-mask has no effect here", *alone, "--fixed-mask", "half.mha")
        self.refuse("--output-warped has no effect here", *alone, "-o", "w.mha")
        words = ["--align", "affine", "--levels", "1", "-q", "--output-field", "o.mha"]
        self.expect(1, "--align affine compares images, and there are none", "register", "unbiased", *alone, *words)

    def test_lists(self):
        head = b"name,fixed,moving"
        cases = [
            ("there is no column moving_2, and there are 2 channels", head + b",fixed_2\na,fixed.mha,moving.mha,fixed2.mha\n"),
            ("there is no column fixed_2, and there are 3 channels", head + b",fixed_3,moving_3\na,fixed.mha,moving.mha,a,b\n"),
            ("the moving_2 in line 2 is missing: all pairs have the channels of the list", head + b",fixed_2,moving_2\na,fixed.mha,moving.mha,fixed2.mha,\n"),
            ("the moving_points in line 2 is missing beside fixed_points", head + b",fixed_points,moving_points\na,fixed.mha,moving.mha,fixed.csv,\n"),
            ("cannot read nothing.csv", head + b",fixed_points,moving_points\na,fixed.mha,moving.mha,nothing.csv,moving.csv\n"),
            ("--point-weight has no effect here: the list has no fixed_points", head + b"\na,fixed.mha,moving.mha\n"),
        ]
        for words, text in cases:
            self.write("pairs.csv", text)
            more = ["--point-weight", "2"] if "--point-weight" in words else []
            self.expect(1, words, "register", "unbiased", "--pairs", "pairs.csv", "--table", "table.csv", *QUICK, "--output-field", "{name}.mha", "--json", "{name}.json", *more)
        self.assertNotIn("table.csv", self.names())


if __name__ == "__main__":
    programs.run_tests()
