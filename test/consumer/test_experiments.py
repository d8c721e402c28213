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

    def rows(self, table):
        """The cells of a printed table, without those of its heading."""
        lines = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in cells] for cells in lines[2:]]

    @unittest.skipUnless((test_examples.FOLDER / "mesh_comparison").exists(), "it is built where VTK is found")
    def test_mesh_comparison(self):
        options = "--device cpu --shapes Nut --sizes 6".split()
        rows = self.rows(self.run_example("mesh_comparison", *options))
        self.assertEqual([row[0] for row in rows], ["Nut 0.1", "Nut 0.2", "Nut 0.3"])
        for row in rows:
            # A fifth of the noisy surface's angle is left, and a third of that of windowed sinc.
            before, sinc, after = (float(row[column].split(",")[0]) for column in (2, 3, 4))
            self.assertLess(after, 0.4 * before, row)
            self.assertLess(after, 0.6 * sinc, row)

    @unittest.skipUnless((test_examples.FOLDER / "label_comparison").exists(), "it is built where VTK is found")
    def test_label_comparison(self):
        options = "--device cpu --shapes Sphere --sizes 6".split()
        rows = self.rows(self.run_example("label_comparison", *options))
        self.assertEqual([row[0] for row in rows], [f"Sphere {probability}" for probability in ("0.0", "0.1", "0.2", "0.3")])
        for row in rows:
            # Half of the angle of windowed sinc is left, and less with noise.
            sinc, after = (float(row[column].split(",")[0]) for column in (1, 2))
            self.assertLess(after, 0.8 * sinc, row)

    @unittest.skipUnless((test_examples.FOLDER / "surface_comparison").exists(), "it is built where VTK is found")
    def test_surface_comparison(self):
        options = "--device cpu --shapes Box --sizes 5".split()
        rows = self.rows(self.run_example("surface_comparison", *options))
        noises = ("Gaussian 0.1", "Gaussian 0.2", "Gaussian 0.3", "Impulsive 0.5")
        self.assertEqual([row[0] for row in rows], [f"Box, {noise}" for noise in noises])
        for row in rows:
            # A fourth to two fifths of the noisy surface's angle is left, by a contour that keeps edges.
            before, after = (float(row[column].split(" / ")[0]) for column in (1, 6))
            self.assertLess(after, 0.6 * before, row)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
