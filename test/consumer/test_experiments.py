# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments in C++ on small data, on the CPU: python3 test_experiments.py FOLDER_OF_THE_PROGRAMS"""

import json
import sys
import unittest

import test_examples


class ExperimentsTest(test_examples.ProgramTest):
    @unittest.skipUnless(
        (test_examples.FOLDER / "linear_robustness").exists(), "it is built where CLI11 and nlohmann_json are found"
    )
    def test_linear_robustness(self):
        self.write("fixed.mha", test_examples.ball(0.0))
        options = "--device cpu --starts 3 --angle 0 --shift 2 --levels 2,1 --transform-type Translation --title ball"
        row = self.run_example("linear_robustness", "fixed.mha", "fixed.mha", *options.split(), "--json", "runs.json")
        self.assertTrue(row.startswith("| ball | 3 of 3, 100.0 % |"), row)
        runs = json.loads((self.folder / "runs.json").read_text(encoding="utf-8"))["runs"]
        self.assertTrue(all(run["error"] < 0.1 < run["start_error"] for run in runs), runs)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
