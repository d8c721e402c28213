# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the programs' tests in Python: small images, and runs of the programs. Modules that scripts of several folders share are in
test/apps and test/files; from the root of the repository, a script runs by hand as

    PYTHONPATH=test/apps:test/files python3 test/apps/register/test_pairs.py PROGRAM...
"""

import fnmatch
import math
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

os.environ["CUDANEURO_DEVICE"] = "cpu"
# The programs under test, by name. Without the benchmark, which some builds leave out, its tests are left out.
PROGRAMS = {}
# What runs programs that are compiled for another system than this one: Wine those for Windows.
EMULATOR = os.environ.get("CUDANEURO_EMULATOR", "").split()
LEFT_OUT_ON_WINDOWS = pathlib.Path(__file__).resolve().parents[1] / "platforms" / "left-out-windows.txt"


def run_tests():
    """Runs the tests of the script that calls it."""
    for path in sys.argv[1:]:
        PROGRAMS[pathlib.Path(path).stem.replace("cudaneuro-", "")] = str(pathlib.Path(path).resolve())
    unittest.main(argv=sys.argv[:1], verbosity=1)


def are_for_windows():
    return any(path.endswith(".exe") for path in PROGRAMS.values())


def command(program):
    """The words that start a program."""
    return [*EMULATOR, PROGRAMS[program]]


def kind_of_process():
    return WineProcess if are_for_windows() else subprocess.Popen


def reason_to_leave_out(test):
    """Why a test is not run on Windows, or nothing: its script, class and method are compared with a list of patterns."""
    if are_for_windows():
        for line in LEFT_OUT_ON_WINDOWS.read_text().splitlines():
            pattern, _, reason = line.partition(" ")
            if fnmatch.fnmatchcase(test, pattern):
                return reason
    return ""


class WineProcess(subprocess.Popen):
    """A program for Windows. Of the signals that ask a program to end, Wine knows Ctrl-C alone: all are sent as that one, and
    answered as if by the one that was meant. Names in messages have slashes, and no drive."""

    def __init__(self, words, preexec_fn=None, **options):
        self.meant = signal.SIGINT
        super().__init__(words, preexec_fn=lambda: self.prepare(preexec_fn), **options)

    @staticmethod
    def prepare(preexec_fn):
        if preexec_fn:
            # What grows beyond a limit of the test's is to fail in the program, not to end Wine.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            preexec_fn()

    def send_signal(self, number):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT):
            self.meant = number
            number = signal.SIGINT
        super().send_signal(number)

    @property
    def returncode(self):
        return 128 + self.meant if self.status == 128 + signal.SIGINT else self.status

    @returncode.setter
    def returncode(self, status):
        self.status = status

    def communicate(self, *arguments, **options):
        out, error = super().communicate(*arguments, **options)
        return out, error and error.replace("\\", "/").replace("Z:/", "/")


def meta_header(size, element, data="LOCAL"):
    return (
        f"ObjectType = Image\nNDims = {len(size)}\nDimSize = {' '.join(map(str, size))}\nBinaryData = True\n"
        f"ElementType = {element}\nElementDataFile = {data}\n"
    ).encode()


def blob(size, shift):
    """A smooth blob, as bytes."""
    voxels = bytearray()
    for z in range(size):
        for y in range(size):
            for x in range(size):
                r = ((x - size / 2 - shift) ** 2 + (y - size / 2) ** 2 + (z - size / 2) ** 2) / (size / 4) ** 2
                voxels.append(round(200 * math.exp(-r)) + (x * 7 + y * 3 + z) % 5)
    return bytes(voxels)


def is_limited(value, low=0, high=255):
    """Whether a type of whole numbers does not hold what a value is rounded to, or the value is NaN or infinite."""
    return not math.isfinite(value) or not low <= round(value) <= high


class ProgramTest(unittest.TestCase):
    """Each test works in a folder of its own, which has two images and one that keeps its voxels in a second file."""

    def setUp(self):
        name = self.id().replace("__main__", pathlib.Path(sys.argv[0]).stem)
        reason = reason_to_leave_out(name)
        if reason:
            print(f"left out: {name}: {reason}", flush=True)
            self.skipTest(reason)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        size = (12, 12, 12)
        self.write("fixed.mha", meta_header(size, "MET_UCHAR") + blob(12, 0))
        self.write("moving.mha", meta_header(size, "MET_UCHAR") + blob(12, 1))
        self.write("pair.mhd", meta_header(size, "MET_UCHAR", "voxels.raw"))
        self.write("voxels.raw", blob(12, 0))

    def write(self, name, content):
        (self.folder / name).write_bytes(content)

    def start(self, program, *arguments, **options):
        return self.start_words([*command(program), *arguments], **options)

    def start_words(self, words, **options):
        """Starts a program, which ends with the test."""
        settings = {"cwd": self.folder, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = kind_of_process()(words, text=True, **{**settings, **options})
        for end in [*(stream.close for stream in (process.stdout, process.stderr) if stream), process.wait, process.kill]:
            self.addCleanup(end)
        return process

    def expect_end(self, process, status, words="", timeout=60):
        """Waits for a program that was started, checks its exit status and that it says some words, and returns all that it said."""
        _, error = process.communicate(timeout=timeout)
        self.assertEqual(process.returncode, status, error)
        self.assertIn(words, error)
        return error

    def run_program(self, program, *arguments, **options):
        """Runs a program and returns its exit status, standard output and standard error."""
        process = self.start(program, *arguments, **options)
        out, error = process.communicate(timeout=60)
        return process.returncode, out, error

    def expect(self, status, words, program, *arguments, **options):
        """Runs a program, and checks its exit status and that it says some words, in one line when it fails."""
        got, out, error = self.run_program(program, *arguments, **options)
        said = f"{program} {' '.join(arguments)}\n{out}\n{error}"
        self.assertEqual(got, status, said)
        self.assertIn(words, error, said)
        if status != 0:
            self.assertEqual(error.count("\n"), 1, said)
        return out

    def denoise(self, status, words, output, *arguments, **options):
        return self.expect(status, words, "denoise", "bilateral", "fixed.mha", output, "-q", "--radius", "1", *arguments, **options)

    def register(self, status, words, *arguments, **options):
        quick = ["--align", "none", "--iterations", "2", "--levels", "1", "-q"]
        return self.expect(status, words, "register", "unbiased", "fixed.mha", "moving.mha", *quick, *arguments, **options)

    def contents(self):
        """The files of the folder: their names and bytes."""
        files = {}
        for path in sorted(self.folder.rglob("*")):
            files[str(path.relative_to(self.folder))] = path.read_bytes() if path.is_file() else None
        return files

    def names(self):
        return set(self.contents())


def nifti_voxels(path):
    """The size of a NIfTI file's image, and the number of bytes after the header."""
    content = path.read_bytes()
    return struct.unpack("<3h", content[42:48]), len(content) - 352
