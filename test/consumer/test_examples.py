# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples in C++ on small volumes that it makes, on the CPU, and checks the files that they write.

    python3 test_examples.py FOLDER_OF_THE_PROGRAMS
"""

import array
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv[1]).resolve()
SIZE = 20


def volume(value):
    """The values of a function of the three indices, x fastest."""
    return [value(x, y, z) for z, y, x in itertools.product(range(SIZE), repeat=3)]


def ball(shift):
    """A smooth ball whose center is shifted along x, in voxels."""
    center = (SIZE - 1) / 2
    return volume(lambda x, y, z: 100 / (1 + (math.dist((x - shift, y, z), (center,) * 3) / 5) ** 4))


def textured_ball(shift):
    """The ball with a texture that is shifted with it."""

    def wave_at(x, y, z):
        return 0.5 * math.sin(0.9 * (x - shift)) * math.sin(0.8 * y + z) + 0.3 * math.cos(z + x - shift)

    return [value * (1 + wave) for value, wave in zip(ball(shift), volume(wave_at), strict=True)]


def difference(first, second):
    """The root of the mean square of the difference of two volumes."""
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / SIZE**3)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, values):
        header = f"ObjectType = Image\nNDims = 3\nDimSize = {SIZE} {SIZE} {SIZE}\nBinaryData = True\n"
        header += "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"
        (self.folder / name).write_bytes(header.encode() + array.array("f", values).tobytes())

    def read(self, name):
        return array.array("f", (self.folder / name).read_bytes()[-4 * SIZE**3 :])

    def run_example(self, name, *arguments):
        """What the example says."""
        environment = os.environ | {"CUDANEURO_DEVICE": "cpu"}
        done = subprocess.run(
            [FOLDER / name, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout


class ExamplesTest(ProgramTest):
    def check_denoising(self, example):
        """Runs an example that denoises a noisy ball, and returns what it says."""
        clean = [100 + value for value in ball(0)]
        noise = random.Random(1)
        noisy = [value + noise.gauss(0, 5) for value in clean]
        self.write("noisy.mha", noisy)
        said = self.run_example(example, "noisy.mha", "denoised.mha")
        self.assertLess(difference(self.read("denoised.mha"), clean), 0.6 * difference(noisy, clean))
        return said

    def test_denoise(self):
        said = self.check_denoising("denoise").split()
        self.assertAlmostEqual(float(said[1].strip(",")), 5, delta=1)
        self.assertEqual(said[-1], "cpu")

    def test_pipeline(self):
        mean = float(self.check_denoising("pipeline").split()[1])
        self.assertAlmostEqual(mean, sum(ball(0)) / SIZE**3 + 100, delta=1)

    @unittest.skipUnless((FOLDER / "register").exists(), "it was not built")
    def test_register(self):
        fixed, moving = ball(0), ball(2)
        self.write("fixed.mha", fixed)
        self.write("moving.mha", moving)
        self.run_example("register", "fixed.mha", "moving.mha", "warped.mha", "map.tfm")
        self.assertLess(difference(self.read("warped.mha"), fixed), 0.2 * difference(moving, fixed))
        # The displacements where the ball is steep: 2 voxels along x.
        lines = (self.folder / "map.tfm").read_text().splitlines()
        numbers = next(line.split()[1:] for line in lines if line.count(" ") >= 3 * SIZE**3)
        along_x = [float(number) for number, value in zip(numbers[::3], fixed, strict=True) if 20 < value < 80]
        self.assertAlmostEqual(sum(along_x) / len(along_x), 2, delta=0.3)

    @unittest.skipUnless((FOLDER / "align").exists(), "it was not built")
    def test_align(self):
        # Dark where the other is bright.
        fixed, moving = textured_ball(0), [200 - value for value in textured_ball(2)]
        self.write("fixed.mha", fixed)
        self.write("moving.mha", moving)
        said = self.run_example("align", "fixed.mha", "moving.mha", "aligned.mha", "map.tfm", "Translation").split()
        self.assertGreater(float(said[3].strip(",")), 0.8)
        text = (self.folder / "map.tfm").read_text()
        self.assertIn("Transform: TranslationTransform_double_3_3", text)
        parameters = next(line for line in text.splitlines() if line.startswith("Parameters: "))
        for found, known in zip(map(float, parameters.split()[1:]), (2, 0, 0), strict=True):
            self.assertAlmostEqual(found, known, delta=0.1)
        pairs = zip(self.read("aligned.mha"), fixed, strict=True)
        # The moving image ends there.
        errors = [abs(200 - a - f) for i, (a, f) in enumerate(pairs) if i % SIZE < SIZE - 3]
        self.assertLess(sum(errors) / len(errors), 1)

    @unittest.skipUnless((FOLDER / "atlas").exists(), "it was not built")
    def test_atlas(self):
        shifts = (-2, 0, 2)
        balls = [ball(shift) for shift in shifts]
        names = [f"ball{i}.mha" for i in range(len(balls))]
        for name, values in zip(names, balls, strict=True):
            self.write(name, values)
        said = self.run_example("atlas", ".", *names).split()
        self.assertLess(float(said[4]), 0.3 * float(said[2]))
        # The ball in the middle is the mean shape; the mean of the images is blurred.
        mean = [sum(values) / len(values) for values in zip(*balls, strict=True)]
        self.assertLess(difference(self.read("template.mha"), ball(0)), 0.5 * difference(mean, ball(0)))
        for i, shift in enumerate(shifts):
            field = array.array("f", (self.folder / f"field_{i}.mha").read_bytes()[-12 * SIZE**3 :])
            along_x = [d for d, value in zip(field[::3], ball(0), strict=True) if 20 < value < 80]
            # The friction of the fluid leaves part of a shift, which is small against the ball's soft edge.
            self.assertAlmostEqual(sum(along_x) / len(along_x), shift, delta=0.8)

    @unittest.skipUnless((FOLDER / "landmarks").exists(), "it was not built")
    def test_landmarks(self):
        points = list(itertools.product((0, 3, 6), repeat=3))
        moved = [(x + 0.5 * math.sin(y), y, z + 0.5 * math.cos(x)) for x, y, z in points]
        for name, coordinates in (("template.txt", points), ("target.txt", moved)):
            lines = (" ".join(map(str, point)) for point in coordinates)
            (self.folder / name).write_text("\n".join(lines) + "\n")
        said = self.run_example("landmarks", "template.txt", "target.txt", "2", "map.tfm").split()
        distances = [math.dist(a, b) for a, b in zip(points, moved, strict=True)]
        self.assertAlmostEqual(float(said[3]), sum(distances) / len(distances), delta=1e-5)
        self.assertLess(float(said[5]), 0.001)
        text = (self.folder / "map.tfm").read_text()
        self.assertIn("Transform: GeodesicShootingTransform_double_3_3", text)
        fixed = next(line for line in text.splitlines() if line.startswith("FixedParameters: "))
        self.assertEqual([float(number) for number in fixed.split()[8:]], [x for point in points for x in point])

    @unittest.skipUnless((FOLDER / "surface").exists(), "it was not built")
    def test_surface(self):
        center, radius = (SIZE / 2 - 0.7,) * 3, 6.3
        # Another label, and bumps and dents of a voxel.
        noise = random.Random(2)
        bumpy = volume(lambda *voxel: math.dist(voxel, center) < radius + noise.gauss(0, 0.4))
        labels = [3 if label else 0 for label in bumpy]
        labels[0] = 2
        self.write("labels.mha", labels)
        said = self.run_example("surface", "labels.mha", "3", "distance.mha").split()
        before, after = float(said[3]), float(said[5])
        # Boundaries between voxels are planes of half voxels, which linear interpolation rounds.
        self.assertAlmostEqual(before, sum(bumpy), delta=0.05 * before)
        self.assertAlmostEqual(after, before, delta=0.001 * before)
        self.assertEqual(said[-1], "cpu")
        contents = (self.folder / "distance.mha").read_bytes()
        header = contents[: contents.index(b"LOCAL")].decode()
        size = [int(n) for n in next(line for line in header.splitlines() if line.startswith("DimSize")).split()[2:]]
        offset = [float(x) for x in next(line for line in header.splitlines() if line.startswith("Offset")).split()[2:]]
        distances = array.array("f", contents[-4 * math.prod(size) :])
        voxels = itertools.product(*(range(n) for n in reversed(size)))
        points = [tuple(o + i for o, i in zip(offset, reversed(voxel), strict=True)) for voxel in voxels]
        errors = [abs(d - math.dist(p, center) + radius) for d, p in zip(distances, points, strict=True) if abs(d) < 1]
        # Bumps are gone: the distance to the ball is within a third of a voxel on average.
        self.assertLess(sum(errors) / len(errors), 0.35)

    def test_missing_files_are_named(self):
        arguments = {
            "align": ["a.mha", "b.mha", "c.mha", "d.tfm"],
            "atlas": [".", "a.mha", "b.mha"],
            "denoise": ["a.mha", "b.mha"],
            "landmarks": ["a.mha", "b.mha", "1", "c.tfm"],
            "pipeline": ["a.mha", "b.mha"],
            "register": ["a.mha", "b.mha", "c.mha", "d.tfm"],
            "surface": ["a.mha", "1", "b.mha"],
        }
        for name, names in arguments.items():
            if (FOLDER / name).exists():
                done = subprocess.run([FOLDER / name, *names], cwd=self.folder, capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("a.mha", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
