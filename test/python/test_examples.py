# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts of examples/python, each in its own process and folder, on small data.

The sweep also runs on BrainWeb's volumes where the environment variable CUDANEURO_BRAINWEB names their folder.
"""

import csv
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import itk
import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))

import atlas_population  # noqa: E402
import matplotlib.image  # noqa: E402
import simulated_mr  # noqa: E402

BRAINWEB = ("brainweb165a10f17.mha", "brainweb1e5a10f17.mha", "brainweb1e1a10f20.mha")


class ExampleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, name, *arguments, fails=False):
        """Runs a script and returns what it prints, on standard error if it is to fail."""
        environment = {"CUDANEURO_DEVICE": "cpu", **os.environ}
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / name), *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if fails:
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertNotIn("Traceback", done.stderr)
            return done.stderr
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def assert_figure(self, path):
        pixels = matplotlib.image.imread(path)[..., :3]
        self.assertGreater(min(pixels.shape[:2]), 300)
        self.assertGreater(pixels.std(), 0.05, f"{path} is blank")

    def write_volume(self, name, pixels):
        itk.imwrite(itk.image_from_array(pixels), str(self.folder / name))
        return name


class LengthTest(unittest.TestCase):
    def test_topics_are_short(self):
        for topic in ("denoise", "align", "register", "atlas", "landmarks", "surface"):
            lines = (EXAMPLES / f"{topic}.py").read_text().count("\n")
            self.assertLessEqual(lines, 100, topic)


class DenoiseTest(ExampleTest):
    def quality(self, text):
        """MSE and MSSIM by the name in the first column."""
        rows = re.findall(r"^(\S.*?) +(\d+\.\d+) +(\d\.\d+)", text, flags=re.MULTILINE)
        return {name: (float(mse), float(mssim)) for name, mse, mssim in rows}

    def test_phantom(self):
        quality = self.quality(self.run_script("denoise.py", "--figure", "denoise.png"))
        self.assertEqual(list(quality), ["input", "bilateral", "diffusion", "non-local means"])
        for name in list(quality)[1:]:
            self.assertLess(quality[name][0], quality["input"][0], f"MSE of {name}")
            self.assertGreater(quality[name][1], quality["input"][1] + 0.05, f"MSSIM of {name}")
        self.assertGreater(quality["non-local means"][1], 0.95)
        self.assert_figure(self.folder / "denoise.png")

    def test_file_without_added_noise(self):
        name = self.write_volume("head.nii", simulated_mr.head_phantom((20, 36, 30)).astype(np.int16))
        quality = self.quality(self.run_script("denoise.py", name, "--figure", "as-it-is.png"))
        self.assertEqual(quality["input"], (0.0, 1.0))
        self.assert_figure(self.folder / "as-it-is.png")

    def test_bad_arguments(self):
        for arguments, message in (
            (["nothing.nii"], "there is no file nothing.nii"),
            (["--noise", "-1"], "--noise must be from 0 to 100"),
            (["--device", "gpu"], "use auto, cpu or cuda:N"),
        ):
            self.assertIn(message, self.run_script("denoise.py", *arguments, fails=True))


class LandmarksTest(ExampleTest):
    def maximum(self, text):
        """Largest distance before and after."""
        return tuple(map(float, re.search(r"maximum ([0-9.]+) to ([0-9.]+) mm", text).groups()))

    def test_ring(self):
        before, after = self.maximum(self.run_script("landmarks.py", "--figure", "landmarks.png"))
        self.assertGreater(before, 20)
        self.assertLess(after, 0.3)
        self.assert_figure(self.folder / "landmarks.png")

    def test_files(self):
        points = np.random.default_rng(2).uniform(0, 50, (20, 3))
        np.savetxt(self.folder / "template.csv", points, delimiter=",")
        np.savetxt(self.folder / "target.csv", points + np.sin(points[:, ::-1] / 10), delimiter=",")
        text = self.run_script("landmarks.py", "template.csv", "target.csv", "--sigma", 6, "--figure", "path.png")
        before, after = self.maximum(text)
        self.assertGreater(before, 1)
        self.assertLess(after, 0.01)
        self.assert_figure(self.folder / "path.png")

    def test_bad_arguments(self):
        np.savetxt(self.folder / "few.csv", np.zeros((2, 3)), delimiter=",")
        np.savetxt(self.folder / "many.csv", np.zeros((4, 3)), delimiter=",")
        for arguments, message in (
            (["few.csv"], "needed are two files or none, given are 1"),
            (["few.csv", "nothing.csv"], "there is no file nothing.csv"),
            (["few.csv", "many.csv"], "Target 0 has 4 points and the template 2"),
            (["few.csv", "few.csv", "--sigma", "0"], "Sigma was not set"),
        ):
            self.assertIn(message, self.run_script("landmarks.py", *arguments, fails=True))


class AlignTest(ExampleTest):
    def parameters(self, text):
        name, numbers = re.search(r"^(\w+) \[(.*)\]$", text, flags=re.MULTILINE).groups()
        return name, [float(number) for number in numbers.split(", ")]

    def test_phantom(self):
        text = self.run_script("align.py", "--figure", "align.png")
        name, parameters = self.parameters(text)
        self.assertEqual(name, "VersorRigid3DTransform")
        axis = np.array([0.2, 0.3, 1.0])
        # The moving image is the fixed one seen through a rotation and a shift, whose inverse is found.
        versor = -np.sin(np.deg2rad(4)) * axis / np.linalg.norm(axis)
        np.testing.assert_allclose(parameters[:3], versor, atol=0.005)
        self.assertAlmostEqual(np.linalg.norm(parameters[3:]), np.linalg.norm([3.0, 2.0, 1.0]), delta=0.3)
        self.assertIn("success", text)
        self.assert_figure(self.folder / "align.png")

    def test_files(self):
        pixels = simulated_mr.head_phantom((20, 36, 30)).astype(np.int16)
        fixed, moving = (self.write_volume(f"{i}.nii", np.roll(pixels, i, axis=2)) for i in (0, 2))
        options = ("--type", "Translation", "--aligned", "a.nii", "--figure", "a.png")
        text = self.run_script("align.py", fixed, moving, *options)
        name, parameters = self.parameters(text)
        self.assertEqual(name, "TranslationTransform")
        np.testing.assert_allclose(parameters, [2, 0, 0], atol=0.2)
        self.assertEqual(np.asarray(itk.imread(str(self.folder / "a.nii"))).shape, pixels.shape)
        self.assert_figure(self.folder / "a.png")

    def test_bad_arguments(self):
        name = self.write_volume("head.nii", np.ones((20, 21, 22), np.float32))
        for arguments, message in (
            ([name], "needed are two images or none, given are 1"),
            ([name, "nothing.nii"], "there is no file nothing.nii"),
            ([name, name], "constant"),
            (["--search", "200"], "SearchAngle is 200"),
            (["--type", "Scale"], "invalid choice"),
        ):
            self.assertIn(message, self.run_script("align.py", *arguments, fails=True))


class RegisterTest(ExampleTest):
    def differences(self, text):
        """RMS difference of intensity before and after, and the least Jacobian determinant."""
        return map(float, re.search(r"difference (\S+) to (\S+), least Jacobian determinant (\S+)", text).groups())

    def test_phantom(self):
        options = ("--iterations", 30, "--figure", "register.png", "--field", "field.mha")
        before, after, jacobian = self.differences(self.run_script("register.py", *options))
        self.assertLess(after, 0.5 * before)
        self.assertGreater(jacobian, 0)
        self.assertEqual(np.asarray(itk.imread(str(self.folder / "field.mha"))).shape, (40, 60, 50, 3))
        self.assert_figure(self.folder / "register.png")

    def test_files(self):
        pixels = simulated_mr.head_phantom((20, 36, 30))
        fixed, moving = (self.write_volume(f"{i}.nii", np.roll(pixels, i, axis=2)) for i in (0, 1))
        text = self.run_script("register.py", fixed, moving, "--iterations", 20, "--warped", "warped.nii")
        before, after, _ = self.differences(text)
        warped = np.asarray(itk.imread(str(self.folder / "warped.nii")))
        self.assertAlmostEqual(np.sqrt(np.mean((warped - pixels) ** 2)), after, delta=0.01)
        self.assertLess(after, 0.7 * before)

    def test_bad_arguments(self):
        name = self.write_volume("head.nii", simulated_mr.head_phantom((20, 36, 30)))
        for arguments, message in (
            ([name], "needed are two images or none, given are 1"),
            ([name, "nothing.nii"], "there is no file nothing.nii"),
            (["--iterations", "0"], "--iterations must be at least 1, it is 0"),
            (["--device", "gpu"], "use auto, cpu or cuda:N"),
        ):
            self.assertIn(message, self.run_script("register.py", *arguments, fails=True))


class HowisonSweepTest(ExampleTest):
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


class KnownWarpTest(ExampleTest):
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


class AtlasTest(ExampleTest):
    def write_heads(self, count):
        """Heads that are shifted along x, around the middle."""
        head = simulated_mr.head_phantom((20, 36, 30))
        shifts = range(-(count // 2), count // 2 + 1)
        return [self.write_volume(f"head{shift}.nii.gz", np.roll(head, shift, axis=2)) for shift in shifts]

    def test_heads(self):
        text = self.run_script("atlas.py", *self.write_heads(3), "--output-dir", "atlas", "--figure", "atlas.png")
        self.assertRegex(text, r"3 images, least Jacobian determinant 0\.\d+")
        template = itk.array_from_image(itk.imread(str(self.folder / "atlas" / "template.nii.gz")))
        head = simulated_mr.head_phantom((20, 36, 30))
        mean = np.mean([np.roll(head, shift, axis=2) for shift in (-1, 0, 1)], axis=0)
        self.assertLess(np.abs(template - head).mean(), 0.7 * np.abs(mean - head).mean())
        self.assertTrue((self.folder / "atlas" / "field_2.nii.gz").exists())
        self.assert_figure(self.folder / "atlas.png")

    def test_bad_arguments(self):
        (head,) = self.write_heads(1)
        wide = self.write_volume("wide.mha", simulated_mr.head_phantom((20, 36, 31)))
        for arguments, message in (
            (["nothing.nii", head], "there is no file nothing.nii"),
            ([head], "The number of images is 1; it must be 2 or greater"),
            ([head, wide], "Inputs differ in their grid: the size of image 1"),
            ([head, head, "--device", "gpu"], "use auto, cpu or cuda:N"),
        ):
            self.assertIn(message, self.run_script("atlas.py", *arguments, fails=True))


class AtlasStabilityTest(ExampleTest):
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


class SurfaceTest(ExampleTest):
    def distances(self, text):
        match = re.search(r"mean distance from the true surface (\d\.\d+) to (\d\.\d+) mm", text)
        return float(match[1]), float(match[2])

    def test_synthetic_shape(self):
        before, after = self.distances(self.run_script("surface.py", "--size", 40, "--figure", "surface.png"))
        self.assertGreater(before, 0.1)
        self.assertLess(after, 0.8 * before)
        self.assert_figure(self.folder / "surface.png")

    def test_label(self):
        z, y, x = np.indices((24, 26, 28))
        labels = np.where((x - 13) ** 2 + (y - 12) ** 2 + (z - 11) ** 2 < 60, 7, 0)
        labels[0, 0, 0] = 2
        name = self.write_volume("labels.nii.gz", labels.astype(np.uint8))
        text = self.run_script("surface.py", name, "--label", 7, "--figure", "label.png")
        self.assertIn("label 7", text)
        before, after = (float(x) for x in re.search(r"volume (\d+\.\d) to (\d+\.\d) mm", text).groups())
        self.assertAlmostEqual(before, np.count_nonzero(labels == 7), delta=0.05 * before)
        self.assertAlmostEqual(after, before, delta=0.05 * before)
        self.assert_figure(self.folder / "label.png")
        self.assertIn("label 2", self.run_script("surface.py", name, "--iterations", 1))

    @unittest.skipUnless(importlib.util.find_spec("vtk"), "there is no module vtk")
    def test_mesh(self):
        import vtk

        sphere = vtk.vtkSphereSource()
        sphere.SetRadius(10)
        sphere.SetThetaResolution(40)
        sphere.SetPhiResolution(40)
        writer = vtk.vtkSTLWriter()
        writer.SetInputConnection(sphere.GetOutputPort())
        writer.SetFileName(str(self.folder / "sphere.stl"))
        writer.Write()
        text = self.run_script("surface.py", "sphere.stl", "--spacing", 1, "--figure", "surface.png")
        before = float(re.search(r"volume (\d+\.\d)", text)[1])
        # Facets of 9 degrees are up to a percent inside the ball.
        self.assertAlmostEqual(before, 4 / 3 * np.pi * 1000, delta=0.03 * before)
        self.assert_figure(self.folder / "surface.png")

    def test_bad_arguments(self):
        name = self.write_volume("labels.mha", np.ones((5, 5, 5), np.uint8))
        for arguments, message in (
            (["nothing.vtk"], "there is no file nothing.vtk"),
            ([name, "--label", 3], "Label 3 is not in the image"),
            (["--size", 5], "--size must be at least 24, it is 5"),
            (["--size", 24, "--device", "gpu"], "use auto, cpu or cuda:N"),
        ):
            self.assertIn(message, self.run_script("surface.py", *arguments, fails=True))


if __name__ == "__main__":
    unittest.main()
