# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests runs of cudaneuro-atlas of several processes, under mpirun.

    python3 test_atlas_processes.py ATLAS DENOISE
"""

import os
import pathlib
import shutil
import signal
import subprocess
import time

import atlas_test
import programs
from test_atlas_runs import StoppedRuns


def is_built_with_mpi():
    if shutil.which("mpirun") is None:
        return False
    libraries = subprocess.run(["ldd", programs.PROGRAMS["atlas"]], capture_output=True, text=True).stdout
    return "libmpi" in libraries


class SeveralProcesses(atlas_test.AtlasTest):
    """Runs under mpirun, on the CPU."""

    def setUp(self):
        super().setUp()
        if not is_built_with_mpi():
            self.skipTest("this build is without MPI")

    def start(self, program, *arguments, processes=1, **options):
        if program == "atlas" and processes > 1:
            mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), programs.PROGRAMS["atlas"]]
            return self.start_words([*mpirun, *arguments], **options)
        return super().start(program, *arguments, **options)

    def run_with(self, processes, folder, *arguments):
        process = self.start("atlas", "build", *self.images, "-o", folder, *atlas_test.QUICK, *arguments, processes=processes)
        self.expect_end(process, 0, timeout=120)
        return atlas_test.bits(self.folder / folder)

    def test_the_same_bits_with_any_number_of_processes(self):
        one = self.run_with(1, "one")
        for count in (2, 3):
            self.assertEqual(self.run_with(count, f"with{count}"), one)
            report = self.report(f"with{count}")
            self.assertEqual(report["processes"], count)
            self.assertEqual(report["iterations"]["energy"], self.report("one")["iterations"]["energy"])
            for image, expected in zip(report["images"], self.report("one")["images"]):
                for part in ["jacobian", "inversion", "energy", "weight", "name"]:
                    self.assertEqual(image[part], expected[part], part)

    def test_channels_labels_and_points_with_any_number_of_processes(self):
        # Intensities serve as labels: there are many, and no two images have the same ones.
        arguments = ["--channel", *self.images, "--channel-metric", "local-correlation", "--labels", *self.images]
        # Each image lacks a point, and two have one outside.
        for i in range(atlas_test.COUNT):
            places = [f"{20 + 0.3 * i},{8 - 0.2 * i},24,a\n", f"{24 - 0.1 * i},{10 + 900 * (i % 2)},28,b\n", f"17,{12 + 0.4 * i},20,c\n"]
            del places[2 * (i // 2)]
            self.write(f"p{i}.csv", ("x,y,z,label\n" + "".join(places)).encode())
        arguments += ["--points", *(f"p{i}.csv" for i in range(atlas_test.COUNT))]
        one = self.run_with(1, "one", *arguments)
        self.assertLessEqual({"template_2.nii.gz", "labels.nii.gz", "label_probability.nii.gz"}, set(one))
        for count in (2, 3):
            self.assertEqual(self.run_with(count, f"with{count}", *arguments), one)
            self.assertEqual(self.report(f"with{count}")["labels"], self.report("one")["labels"])
            self.assertEqual((self.folder / f"with{count}/points.csv").read_bytes(), (self.folder / "one/points.csv").read_bytes())
            self.assertEqual(self.report(f"with{count}")["points"], self.report("one")["points"])
            self.assertEqual(self.report("one")["points"]["left_out"], 2)
            self.assertEqual(self.report(f"with{count}")["energy"], self.report("one")["energy"])

    def test_more_processes_than_images(self):
        self.assertEqual(self.run_with(atlas_test.COUNT + 1, "many"), self.run_with(1, "one"))

    def test_errors_are_said_once_and_name_the_rank(self):
        process = self.start("atlas", "build", "s0.mha", "missing.mha", "-o", "out", processes=2)
        error = self.expect_end(process, 1)
        self.assertEqual(error.count("cudaneuro-atlas: "), 1)
        self.assertIn("cudaneuro-atlas: rank 0: error: cannot read missing.mha", error)
        process = self.start("atlas", "build", "--nonsense", processes=2)
        _, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, error.count("cudaneuro-atlas: ")), (2, 1), error)
        self.assertEqual(self.names(), self.before)

    def test_synthesize_is_for_one_process(self):
        process = self.start("atlas", "synthesize", "-o", "out", processes=2)
        self.expect_end(process, 1, "cudaneuro-atlas: error: synthesize is for one process; mpirun started 2")
        self.assertEqual(self.names(), self.before)

    def test_an_error_of_the_second_rank_ends_all(self):
        # Images are dealt out; whichever process reads the second one, it says so.
        self.expect(0, "", "denoise", "bilateral", "s1.mha", "whole.nii.gz", "-q", "--radius", "1")
        content = (self.folder / "whole.nii.gz").read_bytes()
        self.write("cut.nii.gz", content[: len(content) // 2])
        process = self.start("atlas", "build", "s0.mha", "cut.nii.gz", "-o", "out", processes=2)
        error = self.expect_end(process, 1)
        self.assertRegex(error, r"cudaneuro-atlas: rank \d: error: .*cut.nii.gz")

    def children_of(self, process):
        path = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return [int(child) for child in path.read_text().split()]

    def start_and_wait(self, processes):
        arguments = ["build", *self.images, "-o", "out", *StoppedRuns.LONG, "--checkpoint-interval", "0"]
        process = self.start("atlas", *arguments, processes=processes)
        while not (self.folder / "out/checkpoint").exists() and process.poll() is None:
            time.sleep(0.001)
        return process

    def test_they_are_one_run_in_a_folder(self):
        process = self.start_and_wait(2)
        for processes in (1, 2):
            other = self.start("atlas", "build", *self.images, "-o", "out", "--resume", *StoppedRuns.LONG, processes=processes)
            self.expect_end(other, 1, "error: another program is building an atlas in out\n")
        process.send_signal(signal.SIGUSR1)
        self.expect_end(process, 128 + signal.SIGUSR1)

    def test_a_rank_that_is_killed_ends_all(self):
        for rank in (0, 1):
            process = self.start_and_wait(2)
            os.kill(self.children_of(process)[rank], signal.SIGKILL)
            _, error = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0, error)
            self.assertIn("signal 9", error)
            shutil.rmtree(self.folder / "out")

    def test_a_signal_and_another_number_of_processes(self):
        process = super().start("atlas", "build", *self.images, "-o", "whole", *StoppedRuns.LONG)
        process.communicate(timeout=300)
        process = self.start_and_wait(2)
        process.send_signal(signal.SIGUSR1)
        self.expect_end(process, 128 + signal.SIGUSR1, "rank 0: stopped; no output was written, and --resume goes on from out/checkpoint")
        process = self.start("atlas", "build", *self.images, "-o", "out", *StoppedRuns.LONG, "--resume", processes=3)
        self.expect_end(process, 0, timeout=300)
        self.assertEqual(atlas_test.bits(self.folder / "out"), atlas_test.bits(self.folder / "whole"))


if __name__ == "__main__":
    programs.run_tests()
