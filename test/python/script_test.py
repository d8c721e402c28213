# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts of examples/python and of experiments, each in its own process and folder, on the CPU."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import itk
import matplotlib.image

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"
EXPERIMENTS = ROOT / "experiments"
sys.path += [str(EXAMPLES), str(EXPERIMENTS)]


def script_named(name):
    return next(folder / name for folder in (EXAMPLES, EXPERIMENTS) if (folder / name).exists())


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, name, *arguments, fails=False):
        """Runs a script and returns what it prints, on standard error if it is to fail."""
        environment = {"CUDANEURO_DEVICE": "cpu", **os.environ}
        done = subprocess.run(
            [sys.executable, str(script_named(name)), *map(str, arguments)],
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
