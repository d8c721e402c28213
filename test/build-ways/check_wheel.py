# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks what an installed wheel says of itself, where it stands beside an ITK that fits, one that does not, and none; and its
programs: check_wheel.py WHEEL, run by the Python that it is installed in."""

import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import itk_cudaneuro
import itk_cudaneuro_programs

WHEEL = pathlib.Path(sys.argv.pop(1))
PROGRAMS = ("atlas", "denoise", "landmarks", "register")


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


class Package(unittest.TestCase):
    def test_metadata(self):
        metadata = importlib.metadata.metadata("itk-cudaneuro")
        self.assertEqual(metadata["Version"], itk_cudaneuro.__version__)
        self.assertEqual(metadata["License"], "Apache-2.0")
        self.assertTrue(metadata["Summary"])
        self.assertTrue(metadata["Requires-Python"])
        self.assertTrue(any(r.split(" ")[0].rstrip("=.*0123456789") == "itk" for r in metadata.get_all("Requires-Dist")))
        self.assertIn("# ITKCudaNeuro", metadata.get_payload())

    def test_an_itk_that_is_missing_is_named(self):
        # The module alone, without the folder of packages.
        done = run(sys.executable, "-S", "-c", self.program(itk_cudaneuro.__file__))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"needs the package itk {itk_cudaneuro.ITK_VERSION}, which is not installed", done.stderr)
        self.assertIn("pip install", done.stderr)

    def test_an_itk_of_another_version_is_named(self):
        for place in ("import itk; itk.CudaBilateralImageFilter", "import itk_cudaneuro"):
            done = run(sys.executable, "-c", f"import itkConfig; itkConfig.ITK_GLOBAL_VERSION_STRING = '4.13.1'; {place}")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"was built against itk {itk_cudaneuro.ITK_VERSION} and does not fit itk 4.13.1", done.stderr)

    @staticmethod
    def program(path):
        return f"exec(compile(open({path!r}).read(), 'itk_cudaneuro', 'exec'))"


class Programs(unittest.TestCase):
    def setUp(self):
        self.inside = {pathlib.PurePath(n).name for n in zipfile.ZipFile(WHEEL).namelist() if "itk_cudaneuro_programs/" in n}

    def test_commands(self):
        for name in PROGRAMS:
            with self.subTest(program=name):
                command = pathlib.Path(sys.executable).with_name(f"cudaneuro-{name}")
                self.assertIn(command.name, self.inside, "the ITK it was built against lacks modules of apps/ItkModules.cmake")
                done = run(str(command), "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(command.name, done.stdout)
                self.assertIn(itk_cudaneuro.__version__, run(str(command), "--version").stdout)
                self.assertNotEqual(run(str(command), "--nonsense").returncode, 0)

    def test_a_wheel_without_programs_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(itk_cudaneuro_programs.__file__, folder)
            done = run(sys.executable, "-c", "import sys, __init__ as programs; sys.exit(programs.denoise())", PYTHONPATH=folder)
        self.assertEqual(done.returncode, 127)
        self.assertIn("was built without the programs", done.stderr)


if __name__ == "__main__":
    unittest.main()
