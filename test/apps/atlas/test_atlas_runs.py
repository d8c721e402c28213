# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests runs of cudaneuro-atlas that are stopped and go on, and what they leave alone in folders of others.

    python3 test_atlas_runs.py ATLAS DENOISE
"""

import random
import resource
import shutil
import signal
import subprocess
import time

import atlas_test
import nifti_files
import programs


class StoppedRuns(atlas_test.AtlasTest):
    """Runs that are long enough to be stopped."""

    # Long enough that a signal comes before the end.
    LONG = ["--align", "none", "--levels", "1", "--iterations", "200", "--shape-update", "5", "--threads", "1", "-q"]

    def start(self, *arguments, **options):
        if arguments[:1] != ("build",):
            return super().start(*arguments, **options)
        return super().start("atlas", *arguments, *self.images, *self.LONG, **options)

    def checkpoint_list(self):
        path = self.folder / "out/checkpoint/checkpoint.list"
        return path.read_bytes() if path.exists() else None

    def start_and_wait(self, *arguments):
        """Starts a run, and waits for its first checkpoint."""
        before = self.checkpoint_list()
        process = self.start("build", *arguments, "--checkpoint-interval", "0")
        while self.checkpoint_list() == before and process.poll() is None:
            time.sleep(0.001)
        return process

    def leave_a_checkpoint(self, *arguments):
        process = self.start_and_wait("-o", "out", *arguments)
        process.send_signal(signal.SIGTERM)
        self.expect_end(process, 128 + signal.SIGTERM)

    def expect_not_resumed(self, words, *arguments):
        kept = self.contents()
        process = self.start("build", "-o", "out", "--resume", *arguments)
        self.expect_end(process, 1, words)
        self.assertEqual(self.contents(), kept)

    def run_to_the_end(self, *arguments):
        process = self.start("build", *arguments)
        self.expect_end(process, 0, timeout=300)

    def uninterrupted(self):
        """The bits of a run that nothing stopped, and its seconds."""
        begin = time.monotonic()
        self.run_to_the_end("-o", "whole")
        return atlas_test.bits(self.folder / "whole"), time.monotonic() - begin


class Stopping(StoppedRuns):
    """Runs that are stopped, and go on."""

    def test_signals(self):
        expected, _ = self.uninterrupted()
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1]:
            process = self.start_and_wait("-o", "out")
            process.send_signal(number)
            error = self.expect_end(process, 128 + number)
            self.assertEqual(error, "cudaneuro-atlas: stopped; no output was written, and --resume goes on from out/checkpoint\n")
            self.assertEqual({name.split("/")[1] for name in self.names() if name.startswith("out/")}, {"checkpoint"})
            self.run_to_the_end("-o", "out", "--resume")
            self.assertEqual(atlas_test.bits(self.folder / "out"), expected)
            self.assertTrue(self.report()["is_resumed"])
            self.assertFalse((self.folder / "out/checkpoint").exists())
            shutil.rmtree(self.folder / "out")

    def test_a_checkpoint_is_not_overwritten_unasked(self):
        process = self.start_and_wait("-o", "out")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        kept = self.contents()
        self.build(1, "--resume goes on from it, and --overwrite removes it", *self.images, "-o", "out")
        self.assertEqual(self.contents(), kept)
        self.build(0, "", *self.images, "-o", "out", "--overwrite")
        self.assertFalse(self.report()["is_resumed"])

    def test_overwriting_takes_nothing_away_before_its_time(self):
        expected, seconds = self.uninterrupted()
        self.leave_a_checkpoint()
        kept = self.contents()
        self.build(1, "--maximum-step is 1.5", *self.images, "-o", "out", "--overwrite", "--maximum-step", "1.5")
        self.build(1, "cannot read missing.mha", *self.images, "missing.mha", "-o", "out", "--overwrite")
        self.assertEqual(self.contents(), kept)
        # Killed before the first checkpoint, and stopped where none is written.
        for option, number in [("-q", signal.SIGKILL), ("--no-checkpoint", signal.SIGTERM)]:
            process = self.start("build", "-o", "out", "--overwrite", option)
            time.sleep(0.3 * seconds)
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertIn(process.returncode, [-number, 128 + number])
            checkpoint = {name: content for name, content in self.contents().items() if name.startswith("out/checkpoint/")}
            self.assertEqual(checkpoint, {name: kept[name] for name in checkpoint})
            self.assertGreater(len(checkpoint), atlas_test.COUNT)
        # Another run's first checkpoint takes the place.
        self.leave_a_checkpoint("--overwrite", "--sharpening", "0.5")
        self.expect_not_resumed("Sharpening")
        self.leave_a_checkpoint("--overwrite")
        self.run_to_the_end("-o", "out", "--resume")
        self.assertEqual(atlas_test.bits(self.folder / "out"), expected)
        self.assertFalse((self.folder / "out/checkpoint").exists())

    def test_resume_without_a_checkpoint_begins_anew(self):
        arguments = [*self.images, "-o", "out", "--resume", *atlas_test.QUICK]
        arguments.remove("-q")
        self.expect(0, "there is no checkpoint out/checkpoint; beginning anew", "atlas", "build", *arguments)

    def test_resume_with_other_parameters_is_refused(self):
        process = self.start_and_wait("-o", "out")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        kept = self.contents()
        self.build(1, "checkpoint", *self.images, "-o", "out", "--resume")
        self.assertEqual(self.contents(), kept)

    def test_resume_with_other_inputs_is_refused(self):
        ones = bytes([1]) * atlas_test.SIZE**3
        header = (self.folder / "s0.mha").read_bytes()[: -len(ones)]
        shift = "#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_3_3\nParameters: %s 0 0\nFixedParameters:\n"

        def write(mask=ones, shifted=1, weight=1):
            self.write("mask.mha", header + mask)
            self.write("shift.tfm", (shift % shifted).encode())
            self.write("list.csv", f"image,mask,transform,weight\ns0.mha,mask.mha,,1\ns1.mha,,shift.tfm,{weight}\n".encode())

        write()
        self.images = ["--list", "list.csv"]
        self.leave_a_checkpoint()
        words = "the checkpoint in out/checkpoint is of another atlas"
        middle = len(ones) // 2
        for change in [{"mask": ones[:middle] + bytes(1) + ones[middle + 1 :]}, {"shifted": 1.5}, {"weight": 2}]:
            write(**change)
            self.expect_not_resumed(words)
        write()
        self.expect_not_resumed(words, "--initial-template", "s0.mha")
        self.run_to_the_end("-o", "out", "--resume")

    def test_resume_with_another_place_or_volume_is_refused(self):
        """Series of two volumes. The qform of some is half a voxel from the sform."""
        self.images = [f"s{i}.nii" for i in range(3)]
        words = "the checkpoint in out/checkpoint is of another atlas"
        for align, shifted in (("none", self.images), ("rigid", ["s1.nii"])):
            for i, name in enumerate(self.images):
                volumes = programs.blob(atlas_test.SIZE, i - 1) + programs.blob(atlas_test.SIZE, 1 - i / 2)
                places = {"qform_code": 1, "qoffset": [0.5 if name in shifted else 0, 0, 0], "sform_code": 1}
                places["sform"] = nifti_files.sform(nifti_files.rotation((0, 0, 1), 0), (1, 1, 1), (0, 0, 0))
                self.write(name, nifti_files.nifti((*[atlas_test.SIZE] * 3, 2), "B", volumes, **places))
            with self.subTest(align=align):
                self.LONG = ["--align", align, *StoppedRuns.LONG[2:], "--volume", "0"]
                self.leave_a_checkpoint()
                self.expect_not_resumed(words, "--nifti-place", "qform")
                self.LONG[-1] = "1"
                self.expect_not_resumed(words)
                self.LONG[-1] = "0"
                self.run_to_the_end("-o", "out", "--resume")
                shutil.rmtree(self.folder / "out")

    def test_kills_at_random_moments(self):
        expected, seconds = self.uninterrupted()
        moments = random.Random(20261122)
        kills = 0
        while kills < 20:
            process = self.start("build", "-o", "out", "--resume", "--checkpoint-interval", "0", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=moments.uniform(0.0, 0.3 * seconds))
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            if process.wait() == 0:
                self.assertEqual(atlas_test.bits(self.folder / "out"), expected)
                shutil.rmtree(self.folder / "out")
        self.run_to_the_end("-o", "out", "--resume")
        self.assertEqual(atlas_test.bits(self.folder / "out"), expected)
        self.assertFalse([name for name in self.names() if "unfinished" in name])

    def test_a_full_disk_keeps_the_checkpoint(self):
        expected, _ = self.uninterrupted()
        process = self.start_and_wait("-o", "out")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        process = self.start("build", "-o", "out", "--resume", preexec_fn=limits)
        self.expect_end(process, 1, "cannot write out/", timeout=300)
        self.assertFalse([name for name in self.names() if "unfinished" in name or name.endswith(".nii.gz") and name.startswith("out/")])
        self.run_to_the_end("-o", "out", "--resume")
        self.assertEqual(atlas_test.bits(self.folder / "out"), expected)

    def test_a_report_is_of_what_is_beside_it(self):
        arguments = [*self.images, "-o", "out", "--no-maps", "--no-inverse"]
        self.build(0, "", *arguments)
        report = self.folder / "out/report.json"
        before = atlas_test.bits(self.folder / "out")
        # There is room for the images, and none for the template.
        images = max(path.stat().st_size for path in (self.folder / "out/deformed").iterdir())
        limit = (images + (self.folder / "out/mean.nii.gz").stat().st_size) // 2
        self.assertGreater(limit, images)
        limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        self.build(1, "cannot write out/mean.nii.gz", *arguments, "--mean", "median", preexec_fn=limits)
        after = atlas_test.bits(self.folder / "out")
        self.assertNotEqual(after["deformed/s0.nii.gz"], before["deformed/s0.nii.gz"])
        self.assertEqual(after["template.nii.gz"], before["template.nii.gz"])
        self.assertFalse(report.exists())
        # One that is replaced keeps its permissions.
        self.build(0, "", *arguments)
        report.chmod(0o640)
        self.build(0, "", *arguments)
        if not programs.are_for_windows():
            self.assertEqual(report.stat().st_mode & 0o777, 0o640)
        self.assertEqual(atlas_test.bits(self.folder / "out"), before)

    def test_one_run_in_a_folder(self):
        expected, _ = self.uninterrupted()
        process = self.start_and_wait("-o", "out")
        (self.folder / "link").symlink_to("out")
        # It holds still, so that whatever changes is the other run's doing.
        process.send_signal(signal.SIGSTOP)
        kept = self.contents()
        for name in ["out", "out/", "link"]:
            for option in [[], ["--resume"], ["--overwrite"], ["--no-checkpoint"]]:
                self.build(1, f"error: another program is building an atlas in {name}\n", *self.images, "-o", name, *option)
        self.assertEqual(self.contents(), kept)
        self.build(0, "", *self.images, "-o", "other")
        # The lock ends with the program that is killed.
        process.kill()
        process.communicate(timeout=60)
        self.run_to_the_end("-o", "out", "--resume")
        self.assertEqual(atlas_test.bits(self.folder / "out"), expected)

    def test_a_checkpoint_that_cannot_be_written(self):
        limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        process = self.start("build", "-o", "out", "--checkpoint-interval", "0", preexec_fn=limits)
        error = self.expect_end(process, 1)
        self.assertRegex(error, "error: .*out/checkpoint")


class FoldersOfOthers(StoppedRuns):
    """What is no part of a checkpoint is never removed."""

    def setUp(self):
        super().setUp()
        self.checkpoint = self.folder / "out/checkpoint"

    def test_a_folder_of_something_else(self):
        self.checkpoint.mkdir(parents=True)
        (self.checkpoint / "epoch").mkdir()
        (self.checkpoint / "epoch/weights.bin").write_bytes(b"precious")
        for option in [[], ["--resume"], ["--overwrite"]]:
            self.expect_refused("out/checkpoint/epoch is no part of a checkpoint", *self.images, "-o", "out", *option)
        self.build(0, "", *self.images, "-o", "out", "--no-checkpoint")
        self.assertEqual((self.checkpoint / "epoch/weights.bin").read_bytes(), b"precious")

    def test_a_checkpoint_with_something_else(self):
        self.leave_a_checkpoint()
        (self.checkpoint / "notes.txt").write_bytes(b"precious")
        for option in ["--resume", "--overwrite"]:
            self.expect_refused("out/checkpoint/notes.txt is no part of a checkpoint", *self.images, "-o", "out", option)
        self.run_to_the_end("-o", "out", "--resume", "--no-checkpoint")
        self.assertEqual([path.name for path in self.checkpoint.iterdir()], ["notes.txt"])

    def test_a_file_of_that_name(self):
        (self.folder / "out").mkdir()
        self.checkpoint.write_bytes(b"precious")
        self.expect_refused("cannot read the folder out/checkpoint", *self.images, "-o", "out")
        self.build(0, "", *self.images, "-o", "out", "--no-checkpoint")
        self.assertEqual(self.checkpoint.read_bytes(), b"precious")

    def test_a_link_to_a_folder(self):
        (self.folder / "out").mkdir()
        (self.folder / "scratch").mkdir()
        self.checkpoint.symlink_to("../scratch")
        self.leave_a_checkpoint()
        self.run_to_the_end("-o", "out", "--resume")
        self.assertTrue(self.checkpoint.is_symlink())
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])

    def test_files_of_the_run(self):
        self.checkpoint.mkdir(parents=True)
        (self.folder / "link").symlink_to("out/checkpoint")
        inside = "out/checkpoint/s0.mha"
        shutil.copy(self.folder / "s0.mha", self.folder / inside)
        self.write("list.csv", b"image,mask\ns0.mha,out/checkpoint/s0.mha\ns1.mha,\n")
        (self.checkpoint / "list.csv").write_bytes(b"image\n../../s0.mha\n../../s1.mha\n")
        for arguments in [
            [inside, "s1.mha"],
            # Wine shows a link as the folder that it leads to.
            *([] if programs.are_for_windows() else [["link/s0.mha", "s1.mha"]]),
            [*self.images, "--reference", inside],
            [*self.images, "--initial-template", inside],
            [*self.images, "--json", "out/checkpoint/report.json"],
            ["--list", "list.csv"],
            ["--list", "out/checkpoint/list.csv"],
        ]:
            for option in [[], ["--no-checkpoint"]]:
                self.expect_refused(" lies in the folder out/checkpoint, which is for checkpoints alone", *arguments, "-o", "out", *option)
        # Even where a checkpoint is there.
        shutil.rmtree(self.checkpoint)
        self.leave_a_checkpoint()
        words = "out/checkpoint/report.json lies in the folder out/checkpoint"
        self.expect_refused(words, *self.images, "-o", "out", "--overwrite", "--json", "out/checkpoint/report.json")


if __name__ == "__main__":
    programs.run_tests()
