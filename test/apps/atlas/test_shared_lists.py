# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests lists that are shared by devices and processes: the cohorts of cudaneuro-atlas, and pairs of cudaneuro-register.

    python3 test_shared_lists.py ATLAS REGISTER DENOISE
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import time

import atlas_test
import programs

DEFORM = ["unbiased", "--align", "none", "--levels", "1", "--iterations", "3", "-q", "--threads", "1"]
COHORTS = {"a": ["s0.mha", "s1.mha"], "b": ["s1.mha", "s2.mha", "s3.mha"], "with blank": ["s3.mha", "s0.mha"]}
# Far more iterations than any test waits for.
ENDLESS = ["--align", "none", "--levels", "1", "--iterations", "100000000", "-q", "--threads", "1"]


def is_built_with_mpi(program):
    libraries = subprocess.run(["ldd", programs.PROGRAMS[program]], capture_output=True, text=True).stdout
    return shutil.which("mpirun") is not None and "libmpi" in libraries


class SharedTest(atlas_test.AtlasTest):
    def write_cohorts(self, cohorts=None, path="cohorts.csv"):
        rows = [f"{name},{image}" for name, images in (cohorts or COHORTS).items() for image in images]
        self.write(path, ("cohort,image\n" + "".join(row + "\n" for row in rows)).encode())

    def run_cohorts(self, *arguments, status=0, words="", folder="out"):
        return self.build(status, words, "--cohorts", "cohorts.csv", "-o", folder, *arguments)

    def table(self, path="out/cohorts.csv", key="name"):
        with open(self.folder / path, newline="", encoding="utf-8") as file:
            return {row[key]: row for row in csv.DictReader(file)}

    def statuses(self, path="out/cohorts.csv"):
        return {name: row["status"] for name, row in self.table(path).items()}

    def expect_as_alone(self, folder="out"):
        """Compares the atlases with those of runs without a list, by bits."""
        for name, images in COHORTS.items():
            if not (self.folder / "alone" / name).exists():
                (self.folder / "alone").mkdir(exist_ok=True)
                self.build(0, "", *images, "-o", f"alone/{name}")
            self.assertEqual(atlas_test.bits(self.folder / folder / name), atlas_test.bits(self.folder / "alone" / name), name)

    def mpirun(self, processes, program, *arguments):
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), programs.PROGRAMS[program]]
        run = subprocess.run([*command, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)
        return run.returncode, run.stderr


class Results(SharedTest):
    def test_each_atlas_is_as_if_alone(self):
        self.write_cohorts()
        self.run_cohorts()
        self.expect_as_alone()
        # Workers that take turns.
        self.run_cohorts("--device", "cpu,cpu", folder="two")
        self.expect_as_alone("two")
        for name, row in self.table().items():
            report = self.report(f"out/{name}")
            self.assertEqual((row["status"], row["folder"], row["error"]), ("done", f"out/{name}", ""))
            self.assertEqual(int(row["images"]), len(COHORTS[name]))
            self.assertEqual(float(row["energy_last"]), report["energy"]["last"])
            self.assertEqual(float(row["entropy_template"]), report["entropy"]["template"])
            self.assertEqual(report["cohort"], name)

    def test_all_columns_of_a_list_count(self):
        self.write("mask.mha", self.mask_of_everything())
        rows = ["cohort,image,weight,mask,image_2", "a,s0.mha,2,mask.mha,s1.mha", "a,s1.mha,1,,s2.mha", "b,s2.mha,,,s0.mha"]
        self.write("cohorts.csv", "\n".join([*rows, "b,s3.mha,,,s1.mha"]).encode() + b"\n")
        self.write("a.csv", "\n".join(row.split(",", 1)[1] for row in rows[:3]).encode() + b"\n")
        self.run_cohorts("--table", "t.csv")
        self.build(0, "", "--list", "a.csv", "-o", "alone")
        self.assertEqual(atlas_test.bits(self.folder / "out" / "a"), atlas_test.bits(self.folder / "alone"))
        self.assertIn("template_2.nii.gz", self.files("alone"))
        self.assertEqual(self.statuses("t.csv"), {"a": "done", "b": "done"})

    def mask_of_everything(self):
        header = programs.meta_header((atlas_test.SIZE,) * 3, "MET_UCHAR")
        header = header.replace(b"ElementType", b"Offset = 5 -3 2\nElementSpacing = 1.5 1 2\nElementType")
        return header + bytes([1]) * atlas_test.SIZE**3

    def test_a_failed_cohort_does_not_stop_the_rest(self):
        content = (self.folder / "s2.mha").read_bytes()
        self.write("s2.mha", content[:40])
        self.write_cohorts()
        before = self.names()
        self.run_cohorts(status=1, words="cohort b: cannot read s2.mha")
        self.assertEqual(self.names(), before)
        self.write("s2.mha", content)
        # What is only found out when voxels are read.
        self.expect(0, "", "denoise", "bilateral", "s2.mha", "whole.nii.gz", "-q", "--radius", "1")
        whole = (self.folder / "whole.nii.gz").read_bytes()
        self.write("cut.nii.gz", whole[: len(whole) // 2])
        self.write_cohorts({**COHORTS, "b": ["s1.mha", "cut.nii.gz"]})
        arguments = ["build", "--cohorts", "cohorts.csv", "-o", "out", "--device", "cpu,cpu", *atlas_test.QUICK]
        status, _, error = self.run_program("atlas", *arguments)
        self.assertEqual(status, 1, error)
        self.assertIn("error: 1 of 3 cohorts failed: b", error)
        self.assertIn("cohort b failed: cannot read cut.nii.gz", error)
        self.assertEqual(self.statuses(), {"a": "done", "b": "failed", "with blank": "done"})
        self.assertIn("cut.nii.gz", self.table()["b"]["error"])
        self.assertEqual({name for name in self.names() if ".unfinished-" in name}, set())
        self.assertFalse((self.folder / "out" / "b" / "report.json").exists())


class Resuming(SharedTest):
    def run_again(self, *arguments):
        self.run_cohorts("--resume", *arguments)
        self.assertLessEqual(set(self.statuses().values()), {"done", "skipped"})
        return [name for name, status in self.statuses().items() if status == "done"]

    def test_what_is_complete_is_left_out(self):
        self.write_cohorts()
        self.assertEqual(self.run_again(), list(COHORTS))
        table = self.table()
        self.assertEqual(self.run_again("--device", "cpu,cpu"), [])
        for name, row in self.table().items():
            self.assertEqual(row, {**table[name], "status": "skipped"})
        self.write_cohorts({**COHORTS, "new": ["s2.mha", "s3.mha"]})
        self.assertEqual(self.run_again(), ["new"])
        self.write_cohorts()
        self.assertEqual(self.run_again("--sharpening", "0.1"), list(COHORTS))

    def test_what_has_changed_is_done_again(self):
        self.write_cohorts()
        self.run_again()
        os.utime(self.folder / "s2.mha", ns=(0, 0))
        self.assertEqual(self.run_again(), ["b"])
        (self.folder / "out" / "a" / "maps" / "s1_map.nii.gz").unlink()
        self.assertEqual(self.run_again(), ["a"])
        self.write_cohorts({**COHORTS, "a": ["s1.mha", "s0.mha"]})
        self.assertEqual(self.run_again(), ["a"])
        self.expect_table_order()

    def expect_table_order(self):
        self.assertEqual(list(self.table()), list(COHORTS))

    def test_a_signal_leaves_what_is_complete(self):
        """The second cohort never ends; the run goes on with its checkpoint when it may end."""
        self.write_cohorts({"a": ["s0.mha", "s1.mha"], "b": ["s2.mha", "s3.mha"]})
        process = self.start("atlas", "build", "--cohorts", "cohorts.csv", "-o", "out", *ENDLESS, "--checkpoint-interval", "0")
        checkpoint = self.folder / "out" / "a" / "checkpoint" / "checkpoint.list"
        while not checkpoint.exists() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        self.expect_end(process, 130, "stopped; 0 of 2 cohorts are complete, and --resume goes on from there")
        self.assertEqual(self.statuses(), {"a": "waiting", "b": "waiting"})
        self.build(1, "--resume goes on from it", "--cohorts", "cohorts.csv", "-o", "out")
        self.assertTrue(checkpoint.exists())


class BadInput(SharedTest):
    def refuse(self, words, cohorts, *arguments, status=1):
        self.write("cohorts.csv", cohorts.encode())
        before = self.names()
        self.build(status, words, "--cohorts", "cohorts.csv", "-o", "out", *arguments)
        self.assertEqual(self.names(), before)

    def test_lists(self):
        pair = "a,s0.mha\na,s1.mha\n"
        self.refuse("cohorts.csv, cohort b: an atlas needs at least 2 images", f"cohort,image\n{pair}b,s2.mha\n")
        self.refuse("the cohort in line 2 is missing", "cohort,image\n,s0.mha\n")
        self.refuse("the cohort in line 2 is ../b; it must be the name of a folder", "cohort,image\n../b,s0.mha\n")
        self.refuse("there are cohorts a and A", f"cohort,image\n{pair}A,s2.mha\nA,s3.mha\n")
        self.refuse("the cohort in line 2 is missing", "image\ns0.mha\n")
        self.refuse("cohort a: all weights are 0", "cohort,image,weight\na,s0.mha,0\na,s1.mha,0\n")
        self.refuse("cohort c: cannot read missing.mha", f"cohort,image\n{pair}c,s2.mha\nc,missing.mha\n")
        self.refuse("it has no images", "cohort,image\n")

    def test_options_that_do_not_go_together(self):
        pair = "cohort,image\na,s0.mha\na,s1.mha\n"
        self.refuse("--json excludes --cohorts", pair, "--json", "report.json", status=2)
        self.refuse("IMAGE excludes --cohorts", pair, "s0.mha", "s1.mha", status=2)
        self.refuse("would overwrite the input", pair, "--table", "s1.mha")
        self.refuse("Unknown device \"gpu\"", pair, "--device", "cpu,gpu")
        self.expect_refused("--table has no effect here: only with --cohorts", *self.images, "-o", "out", "--table", "t.csv")


class Pairs(SharedTest):
    """Pairs are shared likewise."""

    def setUp(self):
        super().setUp()
        self.numbers = [1, 2, 3]
        self.write("pairs.csv", ("name,fixed,moving\n" + "".join(f"p{n},s0.mha,s{n}.mha\n" for n in self.numbers)).encode())

    def arguments(self, folder):
        outputs = ["-o", f"{folder}/{{name}}.mha", "--output-transform", f"{folder}/{{name}}.h5", "--json", f"{folder}/{{name}}.json"]
        return [*DEFORM, "--pairs", "pairs.csv", *outputs, "--table", f"{folder}/table.csv"]

    def results(self, folder):
        return [(self.folder / folder / f"p{n}.mha").read_bytes() for n in self.numbers]

    def test_several_workers_and_processes(self):
        self.expect(0, "", "register", *self.arguments("one"))
        self.expect(0, "", "register", *self.arguments("two"), "--device", "cpu,cpu")
        self.assertEqual(self.results("two"), self.results("one"))
        self.assertEqual(set(self.statuses("two/table.csv").values()), {"done"})
        if not is_built_with_mpi("register"):
            self.skipTest("this build is without MPI")
        for processes in (2, 5):
            folder = f"with{processes}"
            status, error = self.mpirun(processes, "register", *self.arguments(folder), "--device", "cpu")
            self.assertEqual((status, error), (0, ""))
            self.assertEqual(self.results(folder), self.results("one"))
            self.assertEqual(self.statuses(f"{folder}/table.csv"), dict.fromkeys(("p1", "p2", "p3"), "done"))
        status, error = self.mpirun(2, "register", *self.arguments("with2"), "--resume")
        self.assertEqual((status, error), (0, ""))
        self.assertEqual(set(self.statuses("with2/table.csv").values()), {"skipped"})

    def test_one_pair_has_one_device_and_process(self):
        alone = [*DEFORM, "s0.mha", "s1.mha", "-o", "warped.mha"]
        self.expect(1, "--device is cpu,cpu, 2 devices; one pair is registered by one", "register", *alone, "--device", "cpu,cpu")
        if not is_built_with_mpi("register"):
            self.skipTest("this build is without MPI")
        status, error = self.mpirun(2, "register", *alone)
        self.assertEqual(status, 1)
        self.assertIn("one pair is registered by one process, and mpirun started 2", error)

    def test_errors_under_mpi_are_said_once(self):
        if not is_built_with_mpi("register"):
            self.skipTest("this build is without MPI")
        self.write("pairs.csv", b"fixed,moving\ns0.mha,missing.mha\n")
        status, error = self.mpirun(2, "register", *self.arguments("out"))
        self.assertEqual(status, 1)
        self.assertEqual(error.count("cudaneuro-register: "), 1, error)
        self.assertIn("rank 0: error: cannot read missing.mha", error)


class Processes(SharedTest):
    def setUp(self):
        super().setUp()
        if not is_built_with_mpi("atlas"):
            self.skipTest("this build is without MPI")
        self.write_cohorts()

    def test_cohorts_under_mpi(self):
        arguments = ["build", "--cohorts", "cohorts.csv", *atlas_test.QUICK]
        for processes in (2, 4):
            status, error = self.mpirun(processes, "atlas", *arguments, "-o", f"with{processes}")
            self.assertEqual((status, error), (0, ""))
            self.expect_as_alone(f"with{processes}")
            self.assertEqual(self.statuses(f"with{processes}/cohorts.csv"), dict.fromkeys(COHORTS, "done"))

    def test_a_cohort_that_fails_in_another_process(self):
        self.expect(0, "", "denoise", "bilateral", "s2.mha", "whole.nii.gz", "-q", "--radius", "1")
        whole = (self.folder / "whole.nii.gz").read_bytes()
        self.write("cut.nii.gz", whole[: len(whole) // 2])
        self.write_cohorts({name: ["s1.mha", "cut.nii.gz"] for name in "abcd"})
        status, error = self.mpirun(3, "atlas", "build", "--cohorts", "cohorts.csv", *atlas_test.QUICK, "-o", "out")
        self.assertEqual(status, 1)
        self.assertEqual(error.count("cannot read cut.nii.gz"), 4, error)
        self.assertIn("rank 0: error: 4 of 4 cohorts failed: a, b, c, d", error)
        self.assertEqual(set(self.statuses().values()), {"failed"})


if __name__ == "__main__":
    programs.run_tests()
