# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the benchmark by benchmark/plots.py from files in which rows failed."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import matplotlib.image

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PlotsTest(unittest.TestCase):
    def expect_pictures(self, results):
        """Expects a picture of each kind, and that none is blank."""
        report = json.loads((ROOT / "Documentation" / "performance.json").read_text())
        report["results"] = results
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "rows.json").write_text(json.dumps(report))
            command = [sys.executable, str(ROOT / "benchmark" / "plots.py"), "rows.json", "."]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            for kind in ("filters", "calls", "scaling"):
                pixels = matplotlib.image.imread(folder / f"performance-{kind}.png")[..., :3]
                self.assertGreater(pixels.std(), 0.02, f"{kind} is blank")

    def test_all_rows_failed(self):
        rows = json.loads((ROOT / "Documentation" / "performance.json").read_text())["results"]
        self.expect_pictures([{"name": row["name"], "size": row["size"], "error": "no memory"} for row in rows])

    def test_all_rows_of_a_picture_failed(self):
        rows = json.loads((ROOT / "Documentation" / "performance.json").read_text())["results"]
        for left_out in ("call", "kernel"):
            with self.subTest(left_out=left_out):
                self.expect_pictures(
                    [{"name": r["name"], "size": r["size"], "error": "no memory"} if r["name"].endswith(left_out) else r for r in rows]
                )


if __name__ == "__main__":
    unittest.main()
