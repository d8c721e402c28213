# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments in Python on small data.

The sweep and the known warp also run on BrainWeb's volumes where the environment variable CUDANEURO_BRAINWEB names their folder.
"""

import csv
import os
import pathlib
import re
import unittest

import itk
import matplotlib.image
import numpy as np
import script_test  # where the scripts are found

import atlas_population
import simulated_mr

BRAINWEB = ("brainweb165a10f17.mha", "brainweb1e5a10f17.mha", "brainweb1e1a10f20.mha")


class HowisonSweepTest(script_test.ScriptTest):
    CONFIGURATIONS = {"bilateral": 8, "diffusion": 6, "non-local means": 4}

    def check_sweep(self, images):
        """Checks that the table has each configuration once an image. Returns each image's best MSSIM change."""
        with open(self.folder / "howison.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len({(row["image"], row["filter"], row["parameters"]) for row in rows}), len(rows))
        self.assertEqual(len({row["image"] for row in rows}), images)
        self.assertTrue(all(float(row["d_mse"]) > -1 for row in rows))
        best = {}
        for name, count in self.CONFIGURATIONS.items():
            changes = [float(row["d_mssim"]) for row in rows if row["filter"] == name]
            self.assertEqual(len(changes), count * images)
            best[name] = np.reshape(changes, (images, count)).max(axis=1)
        for figure in ("figure2-bilateral.png", "figure3-diffusion.png", "figure4-non-local-means.png"):
            self.assert_figure(self.folder / figure)
        return best

    def write_phantoms(self):
        phantom = simulated_mr.head_phantom((27, 54, 45))
        noise = np.random.default_rng(3)
        volumes = {"t1.mha": phantom, "t2.mha": (180 - phantom) * (phantom > 0), "pd.mha": np.sqrt(180 * phantom)}
        for name, volume in volumes.items():
            noisy = simulated_mr.add_rician_noise(volume, 3, noise)
            self.write_volume(name, np.clip(np.rint(noisy), 0, 255).astype(np.uint8))
        return list(volumes)

    def test_coarse_grid_on_phantoms(self):
        text = self.run_script("howison_sweep.py", *self.write_phantoms(), "--coarse", "--images", 6, "--threads", 2)
        best = self.check_sweep(6)
        self.assertGreater(best["bilateral"].min(), 0)
        self.assertGreater(best["bilateral"].max(), 0.02)
        self.assertIn("6 images on cpu in 2 threads", text)
        self.assertRegex(text, r"Bilateral filter: MSSIM changes by \+0\.\d\d")

    def test_figures_from_table(self):
        table = self.folder / "some.csv"
        table.write_text(
            "image,filter,parameters,d_mse,d_mssim\n"
            "x,bilateral,R=1 sd=2 sr=4,-0.5,0.25\nx,bilateral,R=2 sd=2 sr=4,-0.6,0.125\n"
            "x,diffusion,N=1 dt=1/4 k=1,nan,nan\nx,diffusion,N=5 dt=1/4 k=1,0.5,-0.25\n"
            "x,non-local means,W-P=1-1 h=0.1,0,0\n"
        )
        text = self.run_script("howison_figures.py", table, self.folder)
        self.assertIn("best R: 1 in 1", text)
        self.assertIn("best N: 5 in 1", text)

    def test_bad_arguments(self):
        flat = self.write_volume("flat.mha", np.zeros((3, 20, 20), np.uint8))
        thick = self.write_volume("thick.mha", simulated_mr.head_phantom((9, 20, 20)))
        wide = self.write_volume("wide.mha", simulated_mr.head_phantom((9, 20, 21)))
        for arguments, message in (
            ([flat, flat, flat], "needed are 3 axes and 9 slices"),
            ([flat, "nothing.mha", flat, "--images", "0"], "at least 1"),
            (["nothing.mha", flat, flat], "There is no file nothing.mha"),
            ([thick, wide, thick], "The volumes differ in shape: [(9, 20, 20), (9, 20, 21), (9, 20, 20)]"),
            ([flat, flat], "PD"),
        ):
            self.assertIn(message, self.run_script("howison_sweep.py", *arguments, fails=True))

    @unittest.skipUnless(os.environ.get("CUDANEURO_BRAINWEB"), "CUDANEURO_BRAINWEB names no folder")
    def test_coarse_grid_on_brainweb(self):
        paths = [pathlib.Path(os.environ["CUDANEURO_BRAINWEB"]) / name for name in BRAINWEB]
        self.run_script("howison_sweep.py", *paths, "--coarse", "--images", 12)
        for name, gains in self.check_sweep(12).items():
            self.assertGreater(np.median(gains), 0.01, name)


class KnownWarpTest(script_test.ScriptTest):
    def errors(self, text):
        """Mean, median and folds by the name of the method."""
        row = r"^(unbiased(?:, correlation)?|greedy|symmetric) +\d+\.\d+ +(\S+) +(\S+) +\S+ +\S+ +\S+ +(\d+)$"
        rows = re.findall(row, text, flags=re.MULTILINE)
        self.assertEqual([row[0] for row in rows], ["unbiased", "unbiased, correlation", "greedy", "symmetric"], text)
        return {name: (float(mean), float(median), int(folds)) for name, mean, median, folds in rows}

    def test_phantom(self):
        text = self.run_script("known_warp.py", "--iterations", 30)
        for name, (mean, _, folds) in self.errors(text).items():
            # The true displacement is 2.4 mm; the greedy method has not converged after 30 iterations a level.
            self.assertLess(mean, 1.0 if name == "greedy" else 0.5, text)
            self.assertEqual(folds, 0)
        self.assert_figure(self.folder / "known_warp.png")

    def test_bad_arguments(self):
        flat = self.write_volume("flat.mha", np.zeros((9, 20, 20), np.float32))
        for arguments, message in (
            (["a.mha"], "needed are three files or none, given are 1"),
            ([flat, flat, "nothing.mha"], "there is no file nothing.mha"),
            ([flat, flat, flat], "The grids differ: (9, 20, 20), (9, 20, 20), field (9, 20, 20)"),
            (["--iterations", "0"], "--iterations must be at least 1, it is 0"),
            (["--device", "gpu"], "use auto, cpu or cuda:N"),
        ):
            self.assertIn(message, self.run_script("known_warp.py", *arguments, fails=True))

    @unittest.skipUnless(os.environ.get("CUDANEURO_BRAINWEB"), "CUDANEURO_BRAINWEB names no folder")
    def test_brainweb(self):
        names = ("brainweb165a10f17ThinPlateSplined.mha", BRAINWEB[0], "brainweb165a10f17ThinPlateSplinedField.mha")
        paths = [pathlib.Path(os.environ["CUDANEURO_BRAINWEB"]) / name for name in names]
        text = self.run_script("known_warp.py", *paths, "--iterations", 8)
        for name, (mean, median, folds) in self.errors(text).items():
            # The true displacement is 10 mm; 8 iterations a level leave 0.55 mm, 100 much less.
            self.assertLess(mean, 1.0, text)
            self.assertLess(median, mean)
            self.assertEqual(folds, 0)


class AtlasStabilityTest(script_test.ScriptTest):
    def check(self, cohorts, draws):
        """Checks table and figures, and returns the table's columns by name."""
        with open(self.folder / "stability.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["images"]) for row in rows], list(np.repeat(cohorts, draws)))
        for figure in ("figure6-slices.png", "figure7-entropy.png"):
            pixels = matplotlib.image.imread(self.folder / figure)[..., :3]
            self.assertGreater(pixels.std(), 0.05, f"{figure} is blank")
        return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}

    def test_synthetic_population(self):
        options = ["--population", 6, "--size", 36, "--cohorts", 2, 5, "--draws", 2, "--iterations", 12, 8]
        text = self.run_script("atlas_stability.py", *options)
        table = self.check((2, 5), 2)
        self.assertRegex(text, r"(?m)^ +5 +\d\.\d+ \+- ")
        # Ha et al., figure 7: the entropy of the plain mean rises with the number of images, more than that of the atlas,
        # which is nearer to the head.
        few, many = table["images"] == 2, table["images"] == 5
        self.assertGreater(table["mean_entropy"][many].min(), table["mean_entropy"][few].max())
        rise = {kind: table[kind][many].mean() - table[kind][few].mean() for kind in ("atlas_entropy", "mean_entropy")}
        self.assertLess(rise["atlas_entropy"], 0.7 * rise["mean_entropy"])
        self.assertTrue((table["atlas_error"] < table["mean_error"]).all())

    def test_files(self):
        _, images = atlas_population.make_population(3, (16, 24, 20), noise=1.0)
        names = [self.write_volume(f"{i}.mha", itk.array_from_image(image)) for i, image in enumerate(images)]
        self.run_script("atlas_stability.py", *names, "--cohorts", 2, 3, "--draws", 1, "--iterations", 3)
        self.assertTrue(np.isnan(self.check((2, 3), 1)["atlas_error"]).all())

    def test_population_has_the_head_as_its_center(self):
        velocities = atlas_population.random_velocities(5, (32, 36, 34), 1.5, 6.0, np.random.default_rng(1))
        np.testing.assert_allclose(velocities.mean(axis=0), 0, atol=1e-6)
        # What goes forward along a velocity and back again arrives where it was, to a tenth of its way: the fields are
        # interpolated between voxels over which they vary.
        there, back = (atlas_population.exponential(sign * velocities[0]) for sign in (1, -1))
        both = itk.array_from_image(itk.cuda_compose_displacement_fields_image_filter(there, back))
        self.assertGreater(np.abs(itk.array_from_image(there)).max(), 2.0)
        self.assertLess(np.abs(both).max(), 0.25)
        jacobian = itk.cuda_displacement_field_jacobian_determinant_filter(there)
        self.assertGreater(itk.array_from_image(jacobian).min(), 0.0)

    def test_bad_arguments(self):
        for arguments, message in (
            (["nothing.nii"], "there is no file nothing.nii"),
            (["--cohorts", "1"], "--cohorts must be from 2 to the 36 images that there are"),
            (["--population", "4", "--cohorts", "5"], "--cohorts must be from 2 to the 4 images"),
            (["--draws", "0"], "a whole number of at least 1 is needed, not 0"),
        ):
            self.assertIn(message, self.run_script("atlas_stability.py", *arguments, fails=True))


if __name__ == "__main__":
    unittest.main()
