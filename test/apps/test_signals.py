# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what the programs print and leave behind when signals end them.

    python3 test_signals.py DENOISE REGISTER ATLAS LANDMARKS [BENCHMARK]
"""

import fcntl
import os
import random
import signal
import time

import programs

# Far more iterations than any test waits for.
ENDLESS = ["unbiased", "fixed.mha", "moving.mha", "--align", "none", "--levels", "1", "--threads", "1", "-q"]
ENDLESS += ["--iterations", "100000000"]
OUTPUTS = ["-o", "o.mhd", "--output-transform", "o.tfm", "--json", "o.json"]
RESULTS = {"o.mhd", "o.raw", "o.tfm", "o.json"}


class SignalsTest(programs.ProgramTest):
    def unfinished(self):
        return {name for name in os.listdir(self.folder) if ".unfinished-" in name}

    def start_and_wait(self, *arguments, **options):
        """Starts a program, and waits until it has made its folders: from then on it handles signals."""
        process = self.start("register", *arguments, **options)
        while not any(name.startswith(".o.json.unfinished") for name in self.unfinished()):
            if process.poll() is not None:
                break  # a short one, or one that failed, as its test will see
            time.sleep(0.001)
        return process

    def test_signals_that_stop(self):
        before = self.names()
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1]:
            process = self.start_and_wait(*ENDLESS, *OUTPUTS)
            process.send_signal(number)
            error = self.expect_end(process, 128 + number)
            self.assertEqual(error, "cudaneuro-register: stopped; no output was written\n")
            self.assertEqual(self.names(), before)

    def test_moments_at_random(self):
        before = self.names()
        moments = random.Random(20261121)
        endings = set()
        for _ in range(20):
            iterations = str(moments.choice([1, 30, 300]))
            arguments = [iterations if argument == "100000000" else argument for argument in ENDLESS]
            process = self.start_and_wait(*arguments, *OUTPUTS)
            time.sleep(moments.uniform(0.0, 0.1))
            number = moments.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
            process.send_signal(number)
            _, error = process.communicate(timeout=60)
            self.assertIn(process.returncode, [0, 128 + number], error)
            endings.add(process.returncode == 0)
            self.assertEqual(self.unfinished(), set())
            written = self.names() - before
            if process.returncode == 0:
                self.assertEqual(written, RESULTS)
            elif "no output" in error:
                self.assertEqual(written, set())
            # A file that exists is complete.
            if "o.mhd" in written:
                self.assertEqual((self.folder / "o.raw").stat().st_size, 12**3)
            for name in written:
                (self.folder / name).unlink()

    def test_a_thread_that_waits_for_ever(self):
        reading, writing = os.pipe()
        fcntl.fcntl(writing, 1031, 4096)  # F_SETPIPE_SZ
        os.write(writing, bytes(4096))
        command = ["unbiased", "fixed.mha", "moving.mha", "--align", "none", "--levels", "1", "--iterations", "1", "-q"]
        process = self.start("register", *command, "--json", "-", "-o", "o.mhd", stdout=writing)
        # The program prints after it has moved the image into its place, and printing blocks.
        while not (self.folder / "o.mhd").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertEqual(error, "cudaneuro-register: stopped after outputs were written\n")
        os.close(reading)
        os.close(writing)

    def test_ignored_signals_stay_ignored(self):
        ignored = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = self.start_and_wait(*ENDLESS, *OUTPUTS, preexec_fn=ignored)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_what_a_killed_run_leaves_is_removed_by_the_next(self):
        process = self.start_and_wait(*ENDLESS, *OUTPUTS)
        process.kill()
        process.wait()
        left = self.unfinished()
        # Wine gives processes other numbers.
        number = min(left).rsplit("-", 1)[1] if programs.are_for_windows() else process.pid
        self.assertEqual(left, {f".{name}.unfinished-{number}" for name in ["o.mhd", "o.tfm", "o.json"]})
        # A run that writes none of these results leaves the folders alone.
        self.denoise(0, "", "other.nii")
        self.assertEqual(self.unfinished(), left)
        status, _, error = self.run_program("denoise", "bilateral", "fixed.mha", "o.mhd", "--radius", "1", "-q")
        self.assertEqual(status, 0)
        self.assertIn(f"removed {self.folder.resolve()}/.o.mhd.unfinished-{number}, which a run that was killed", error)
        self.assertEqual(len(self.unfinished()), 2)

    def test_what_a_live_run_writes_is_left_alone(self):
        process = self.start_and_wait(*ENDLESS, *OUTPUTS)
        living = self.unfinished()
        self.denoise(0, "", "o.mhd")
        self.assertEqual(self.unfinished(), living)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(self.unfinished(), set())


if __name__ == "__main__":
    programs.run_tests()
