# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts of examples/python on small data."""

import importlib.util
import re
import unittest

import itk
import numpy as np
import script_test  # where the scripts are found

import simulated_mr


class LengthTest(unittest.TestCase):
    def test_topics_are_short(self):
        for topic in ("denoise", "align", "register", "atlas", "landmarks", "surface"):
            lines = (script_test.EXAMPLES / f"{topic}.py").read_text().count("\n")
            self.assertLessEqual(lines, 100, topic)


class DenoiseTest(script_test.ScriptTest):
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


class LandmarksTest(script_test.ScriptTest):
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


class AlignTest(script_test.ScriptTest):
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


class RegisterTest(script_test.ScriptTest):
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


class AtlasTest(script_test.ScriptTest):
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


class SurfaceTest(script_test.ScriptTest):
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
