# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the alignment of cudaneuro-atlas in runs that are stopped and go on, and on several devices and in several processes.

    python3 test_atlas_alignment_runs.py ATLAS CHECK_TRANSFORM_FILE
"""

import json
import math
import shutil
import signal
import subprocess
import time

import moved_heads
import programs
from test_atlas_alignment import GRIDS, AlignmentTest, bits, head, slope


class SameBits(AlignmentTest):
    def test_devices_and_threads_do_not_matter(self):
        images = self.write_heads("poses", 3)
        expected = None
        for number, arguments in enumerate([["--threads", "1"], ["--threads", "3"], ["--device", "cpu,cpu"]]):
            folder = f"out{number}"
            quick = [word for word in self.QUICK if word not in ("--threads", "2")]
            self.expect(0, "", "atlas", "build", *images, "-o", folder, *quick, *arguments)
            expected = expected or bits(self.folder / folder)
            self.assertEqual(bits(self.folder / folder), expected, arguments)

    def test_processes_do_not_matter(self):
        if shutil.which("mpirun") is None or "libmpi" not in subprocess.run(["ldd", programs.PROGRAMS["atlas"]], capture_output=True, text=True).stdout:
            self.skipTest("this build is without MPI")
        images = self.write_heads("poses", 3)
        self.build(*images)
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", programs.PROGRAMS["atlas"], "build", *images]
        done = subprocess.run([*command, "-o", "two", *self.QUICK], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(bits(self.folder / "two"), bits(self.folder / "out"))
        reports = [json.loads((self.folder / folder / "report.json").read_text()) for folder in ("out", "two")]
        self.assertEqual([image["alignment"] for image in reports[1]["images"]], [image["alignment"] for image in reports[0]["images"]])
        # All of them end when one image fails.
        self.write("slope.mha", slope())
        command += ["slope.mha", "--require-success", "-o", "three", *self.QUICK]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("rank 0: error: the alignment of 1 of 4 images has probably failed: slope.mha", done.stderr)
        self.assertNotIn("rank 1: error", done.stderr)


class Resuming(AlignmentTest):
    LONG = ["--levels", "1", "--iterations", "200", "--no-inverse", "--no-deformed", "--threads", "1", "-q"]
    ROUND = ["--align-rounds", "1"]

    def run_build(self, *arguments, status=0, words=""):
        self.expect(status, words, "atlas", "build", *arguments, *self.LONG)

    def stop(self, *arguments):
        """Starts a run, and stops it after its first checkpoint."""
        process = self.start("atlas", "build", *arguments, *self.LONG, "-o", "out", "--checkpoint-interval", "0")
        while not (self.folder / "out/checkpoint/checkpoint.list").exists() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        self.expect_end(process, 128 + signal.SIGTERM)

    def write_changed(self, name, other):
        """Writes an image of which one voxel is another than that of an image that is there."""
        content = bytearray((self.folder / other).read_bytes())
        content[-2] ^= 1
        self.write(name, content)

    def expect_not_resumed(self, words, *arguments):
        kept = self.contents()
        self.run_build("-o", "out", "--resume", *arguments, status=1, words=words)
        self.assertEqual(self.contents(), kept)

    def test_the_same_bits(self):
        images = [*self.write_heads("sizes", 2), *self.ROUND]
        self.run_build("-o", "whole", *images)
        self.stop(*images)
        # The reference has another name, and the same voxels.
        self.write("copy.mha", head("sizes", 0))
        self.run_build("-o", "out", "--resume", *images, "--reference", "copy.mha")
        self.assertEqual(bits(self.folder / "out"), bits(self.folder / "whole"))
        reports = [json.loads((self.folder / folder / "report.json").read_text()) for folder in ("out", "whole")]
        self.assertEqual([report["is_resumed"] for report in reports], [True, False])
        self.assertEqual([image["alignment"] for image in reports[0]["images"]], [image["alignment"] for image in reports[1]["images"]])
        self.assertFalse((self.folder / "out/checkpoint").exists())

    def test_other_alignments_are_refused(self):
        images = self.write_heads("sizes", 2)
        self.stop(*images, *self.ROUND)
        self.write_changed("changed.mha", images[0])
        changed = "of checksum [0-9a-f]{8}"
        run = "out/checkpoint is of a run with"
        for arguments, words in [
            (["--align", "rigid", *self.ROUND], "--align affine, and this one has --align rigid"),
            (["--align", "none", "--reference", images[0]], "--align affine, and this one has --align none"),
            ([], "--align-rounds 1, and this one has --align-rounds 2"),
            (["--initial-template", images[0]], f"--initial-template none, and this one has --initial-template {changed}"),
            (["--reference", "changed.mha", *self.ROUND], f"--reference {changed}, and this one has --reference {changed}"),
            (["--reference", images[1], *self.ROUND], f"--reference {changed}, and this one has --reference {changed}"),
        ]:
            kept = self.contents()
            status, _, error = self.run_program("atlas", "build", *images, *self.LONG, "-o", "out", "--resume", *arguments)
            self.assertRegex(error, f"error: {run} {words}\n")
            self.assertEqual(status, 1)
            self.assertEqual(self.contents(), kept)

    def test_other_images_are_refused(self):
        images = self.write_heads("sizes", 2)
        self.stop(*images, *self.ROUND)
        self.expect_not_resumed("out/checkpoint is of 2 images, and this run has 3", *images, images[0], *self.ROUND)
        # A voxel at the edge of an image, where the template need not be.
        self.write_changed("changed.mha", images[1])
        words = "out/checkpoint is of a run in which changed.mha was another image, or had another mask"
        self.expect_not_resumed(words, images[0], "changed.mha", *self.ROUND)
        self.write("mask.mha", moved_heads.header(GRIDS[1], "MET_UCHAR") + bytes([1]) * math.prod(GRIDS[1][0]))
        self.write("list.csv", f"image,mask\n{images[0]},\n{images[1]},mask.mha\n".encode())
        self.expect_not_resumed(f"in which {images[1]} was another image, or had another mask", "--list", "list.csv", *self.ROUND)

    def test_another_initial_template_is_refused(self):
        images = self.write_heads("sizes", 2)
        self.stop(*images, "--initial-template", images[0])
        self.write_changed("changed.mha", images[0])
        words = "is of a run with --initial-template of checksum "
        self.expect_not_resumed(words, *images, "--initial-template", "changed.mha")
        self.expect_not_resumed(words, *images)
        shutil.rmtree(self.folder / "out")
        # Without alignment.
        aligned = [images[0], images[0], "--align", "none"]
        self.stop(*aligned, "--initial-template", images[0])
        words = 'it has "initial template, checksum '
        self.expect_not_resumed(words, *aligned, "--initial-template", "changed.mha")
        self.expect_not_resumed(words, *aligned)
        self.expect_not_resumed("with --align none, and this one has --align affine", *images)

    def test_other_versions_and_damage(self):
        images = [*self.write_heads("sizes", 2), *self.ROUND]
        self.stop(*images)
        path = self.folder / "out/checkpoint/checkpoint.list"
        whole = path.read_bytes()
        self.assertIn(b"version 5", whole)
        path.write_bytes(whole.replace(b"version 5", b"version 4"))
        self.expect_not_resumed('out/checkpoint/checkpoint.list failed: its format has "version 4"; this program reads version 5', *images)
        path.write_bytes(whole[:200])
        self.expect_not_resumed("out/checkpoint/checkpoint.list failed: the file is damaged or cut off", *images)


if __name__ == "__main__":
    programs.run_tests()
