# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the topics of the quickstart on small data, and checks its report and pictures.

    python test_quickstart.py FOLDER_OF_PROGRAMS
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import matplotlib.image

QUICKSTART = pathlib.Path(__file__).resolve().parents[2] / "examples" / "quickstart" / "quickstart.py"
sys.path.insert(0, str(QUICKSTART.parent))

import report  # noqa: E402
import topic  # noqa: E402

PROGRAMS = pathlib.Path(sys.argv.pop(1)).resolve()
TOPICS = ["denoise", "align", "register", "atlas", "landmarks", "surface"]
os.environ["CUDANEURO_DEVICE"] = "cpu"


class Quickstart(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_quickstart(self, programs, *options):
        command = [sys.executable, str(QUICKSTART), str(programs), str(self.folder / "output"), "--small", *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        self.assertNotIn("Traceback", done.stderr)
        entries = json.loads((self.folder / "output" / "report.json").read_text())
        return done, entries, (self.folder / "output" / "report.md").read_text()

    def test_topics(self):
        done, entries, page = self.run_quickstart(PROGRAMS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([entry["topic"] for entry in entries], TOPICS)
        for entry in entries:
            with self.subTest(topic=entry["topic"]):
                self.assertTrue(entry["checks"])
                self.assertTrue(all(check["passes"] for check in entry["checks"]))
                self.assertTrue(all(command.startswith("cudaneuro-") for command in entry["commands"]))
                picture = f"{entry['topic']}/figure.png"
                self.assertIn(f"]({picture})", page)
                pixels = matplotlib.image.imread(self.folder / "output" / picture)[..., :3]
                self.assertGreater(min(pixels.shape[:2]), 400)
                self.assertGreater(pixels.std(), 0.05, "the picture is blank")

    def test_a_topic_that_fails_is_named_and_the_others_run(self):
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "cudaneuro-landmarks").symlink_to(PROGRAMS / "cudaneuro-landmarks")
        done, entries, page = self.run_quickstart(programs, "--topics", "align", "landmarks")
        self.assertEqual(done.returncode, 1)
        self.assertIn("These topics failed: align\n", done.stderr)
        self.assertEqual([entry["passes"] for entry in entries], [False, True])
        self.assertIn("cudaneuro-register cannot be run", entries[0]["error"])
        self.assertIn("**Failed: cudaneuro-register cannot be run", page)

    def test_a_result_that_is_broken_fails(self):
        programs = self.folder / "programs"
        programs.mkdir()
        for name, text in (("landmarks", "echo '{'"), ("surface", "echo '{}'")):
            (programs / f"cudaneuro-{name}").write_text(f"#!/bin/sh\n{text}\n")
            (programs / f"cudaneuro-{name}").chmod(0o755)
        done, entries, _ = self.run_quickstart(programs, "--topics", "landmarks", "surface")
        self.assertEqual(done.returncode, 1)
        self.assertIn("These topics failed: landmarks, surface\n", done.stderr)
        self.assertRegex(entries[0]["error"], "^JSONDecodeError: ")
        self.assertRegex(entries[1]["error"], "^KeyError: ")

    def test_a_number_beyond_its_bound_fails(self):
        for value, bounds, passes in (
            (1.0, {"below": 2}, True),
            (2.0, {"below": 2}, False),
            (1.0, {"above": 2}, False),
            (3.0, {"above": 2}, True),
            (math.nan, {"below": 2}, False),
            (math.nan, {"above": 2}, False),
        ):
            with self.subTest(value=value, **bounds):
                a_topic = topic.Topic("x", PROGRAMS, self.folder, limit=1)
                a_topic.table = [("a number",)]
                a_topic.check("holds", 0, below=1)
                a_topic.check("number", value, **bounds)
                self.assertEqual(a_topic.passes(), passes)
                self.assertEqual("**FAILS**" in "\n".join(report.section(a_topic)), not passes)

    def test_a_topic_without_checks_fails(self):
        self.assertFalse(topic.Topic("x", PROGRAMS, self.folder, limit=1).passes())

    def test_a_program_that_takes_too_long_is_stopped(self):
        (self.folder / "cudaneuro-slow").write_text("#!/bin/sh\nexec sleep 100\n")
        (self.folder / "cudaneuro-slow").chmod(0o755)
        with self.assertRaisesRegex(topic.TopicError, "cudaneuro-slow x was stopped: the topic may take 0 s"):
            topic.Topic("x", self.folder, self.folder, limit=0.2).run("cudaneuro-slow", "x")


if __name__ == "__main__":
    unittest.main()
