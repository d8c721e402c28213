# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests lists of pairs of cudaneuro-register: their results, and runs that are stopped and go on.

    python3 test_pairs.py REGISTER
"""

import csv
import json
import os
import random
import signal
import subprocess
import time

import programs

QUICK = ["--levels", "1", "--iterations", "3", "-q", "--threads", "2"]
# Far more iterations than any test waits for.
ENDLESS = ["unbiased", "--align", "none", "--levels", "1", "--iterations", "100000000", "-q"]
DEFORM = ["unbiased", "--align", "none", *QUICK]
OUTPUTS = ["-o", "out/{name}.mha", "--output-transform", "out/{name}.tfm", "--json", "out/{name}.json"]
LIST = ["--pairs", "pairs.csv", "--table", "out/table.csv"]
# What the reports of a pair in a list and of the same pair alone have in common.
SAME = ["method", "parameters", "energy", "jacobian", "overlap", "alignment", "iterations"]
SHIFT = "#Insight Transform File V1.0\nTransform: TranslationTransform_double_3_3\nParameters: 0.5 0 0\nFixedParameters:\n"


class PairsTest(programs.ProgramTest):
    """A folder with images that are shifted by halves of a voxel, their labels, a mask and a transform."""

    def setUp(self):
        super().setUp()
        self.size = (12, 12, 12)
        for number in range(1, 5):
            self.write_image(f"m{number}.mha", programs.blob(12, number / 2))
        self.write_image("labels.mha", bytes(value > 100 for value in programs.blob(12, 0)))
        self.write_image("moved.mha", bytes(value > 100 for value in programs.blob(12, 1)))
        self.write_image("mask.mha", bytes(value > 3 for value in programs.blob(12, 0)))
        self.write("shift.tfm", SHIFT.encode())

    def write_image(self, name, voxels, size=(12, 12, 12)):
        self.write(name, programs.meta_header(size, "MET_UCHAR") + voxels)

    def write_list(self, *rows, path="pairs.csv"):
        self.write(path, "".join(row + "\n" for row in rows).encode())

    def write_numbered(self, *numbers):
        self.write_list("name,fixed,moving", *(f"p{n},fixed.mha,m{n}.mha" for n in numbers))

    def run_list(self, *arguments, status=0, **options):
        """Runs a list, and returns what it said on standard error."""
        got, out, error = self.run_program("register", *arguments, *LIST, **options)
        self.assertEqual(got, status, f"{arguments}\n{out}\n{error}")
        return error

    def read(self, name):
        return (self.folder / name).read_bytes()

    def report(self, name):
        return json.loads(self.read(f"out/{name}.json"))

    def table(self):
        with open(self.folder / "out" / "table.csv", newline="", encoding="utf-8") as file:
            return {row["name"]: row for row in csv.DictReader(file)}

    def statuses(self):
        return {name: row["status"] for name, row in self.table().items()}

    def unfinished(self):
        return {name for name in self.names() if ".unfinished-" in name}


class Results(PairsTest):
    def expect_as_alone(self, name, command, *files):
        """Compares the results of a pair with those of a run with no list, by bits."""
        alone = ["-o", "alone.mha", "--output-transform", "alone.tfm", "--json", "alone.json"]
        alone += ["--output-labels", "alone_labels.mha"] if "--moving-labels" in files else []
        self.expect(0, "", "register", *command, *files, *alone)
        for ending in [".mha", ".tfm"] + (["_labels.mha"] if "--moving-labels" in files else []):
            self.assertEqual(self.read(f"out/{name}{ending}"), self.read(f"alone{ending}"), name + ending)
        expected = json.loads(self.read("alone.json"))
        got = self.report(name)
        for part in SAME:
            self.assertEqual(got.get(part), expected.get(part), f"{name}: {part}")

    def test_each_pair_is_as_if_alone(self):
        self.write_list(
            "name,fixed,moving,fixed_mask,fixed_labels,moving_labels,initial_transform",
            "plain,fixed.mha,m1.mha,,,,",
            '"with all",fixed.mha,m2.mha,mask.mha,labels.mha,moved.mha,shift.tfm; shift.tfm',
            "labels,fixed.mha,m3.mha,,,moved.mha,",
        )
        labels = ["--moving-labels", "moved.mha"]
        everything = ["--fixed-mask", "mask.mha", "--fixed-labels", "labels.mha", *labels]
        everything += ["-i", "shift.tfm", "-i", "shift.tfm"]
        for command in [DEFORM, ["greedy", *QUICK], ["symmetric", *QUICK], ["rigid", *QUICK]]:
            self.run_list(*command, *OUTPUTS, "--output-labels", "out/{name}_labels.mha")
            self.assertEqual(self.statuses(), {"plain": "done", "with all": "done", "labels": "done"})
            self.assertFalse((self.folder / "out" / "plain_labels.mha").exists())
            self.expect_as_alone("plain", command, "fixed.mha", "m1.mha")
            self.expect_as_alone("with all", command, "fixed.mha", "m2.mha", *everything)
            self.expect_as_alone("labels", command, "fixed.mha", "m3.mha", *labels)
            self.assertEqual(self.unfinished(), set())

    def test_the_table_has_what_reports_have(self):
        self.write_list(
            "fixed,moving,fixed_labels,moving_labels",
            "fixed.mha,m1.mha,labels.mha,moved.mha",
            "fixed.mha,m2.mha,,",
        )
        self.run_list(*DEFORM, *OUTPUTS, "--output-inverse-field", "out/{name}-inverse.mha")
        for name, row in self.table().items():
            report = self.report(name)
            self.assertEqual((row["status"], row["fixed"], row["error"]), ("done", "fixed.mha", ""))
            self.assertEqual(float(row["energy_final"]), report["energy"]["final"])
            self.assertEqual(float(row["seconds"]), report["seconds"]["total"])
            for figure in ["minimum", "maximum", "mean_logarithm", "standard_deviation_logarithm", "percentile_0_1",
                           "percentile_99_9", "folded_voxels"]:
                self.assertEqual(float(row[f"jacobian_{figure}"]), report["jacobian"][figure])
            for figure in ["mean", "maximum"]:
                self.assertEqual(float(row[f"inverse_{figure}_mm"]), report["inverse_consistency"][f"{figure}_mm"])
        overlap = self.report("m1")["overlap"]
        self.assertEqual(float(self.table()["m1"]["union_after"]), overlap["after"]["union"])
        self.assertEqual(float(self.table()["m1"]["mean_before"]), overlap["before"]["mean"])
        self.assertEqual(self.table()["m2"]["union_after"], "")
        self.run_list("affine", *QUICK, *OUTPUTS)
        alignment = self.report("m2")["alignment"]
        self.assertEqual(float(self.table()["m2"]["alignment_metric"]), alignment["metric"])
        self.assertEqual(float(self.table()["m2"]["alignment_quality"]), alignment["quality"])

    def test_names_and_folders(self):
        """Without names they are those of the moving images; files are relative to the list, folders are made."""
        (self.folder / "lists").mkdir()
        self.write_list("fixed,moving", "../fixed.mha,../m1.mha", "../m2.mha,../m1.mha", path="lists/pairs.csv")
        outputs = ["-o", "a/b/{name}/{name}.mha", "--json", "a/{name}.json", "--table", "t/table.csv"]
        self.expect(0, "", "register", *DEFORM, "--pairs", "lists/pairs.csv", *outputs)
        made = {name for name in self.names() if name.startswith(("a", "t/")) and "." in name}
        self.assertEqual(made, {"a/b/m1_1/m1_1.mha", "a/b/m1_2/m1_2.mha", "a/m1_1.json", "a/m1_2.json", "t/table.csv"})

    def test_images_of_two_dimensions_and_of_three(self):
        for name, shift in [("flat.mha", 0), ("flat_moved.mha", 1)]:
            self.write_image(name, programs.blob(32, shift)[16 * 1024 : 17 * 1024], (32, 32))
        self.write_list("name,fixed,moving", "two,flat.mha,flat_moved.mha", "three,fixed.mha,m1.mha")
        self.run_list(*DEFORM, *OUTPUTS)
        self.assertEqual(self.statuses(), {"two": "done", "three": "done"})

    def test_a_progress_bar_is_no_warning_of_a_writer(self):
        """On a terminal the bar is drawn while a thread writes, which captures what libraries print."""
        reading, terminal = os.openpty()
        self.write_numbered(*[1, 2, 3, 4])
        command = [word for word in DEFORM if word != "-q"]
        process = self.start("register", *command, *OUTPUTS, *LIST, stderr=terminal)
        os.close(terminal)
        process.communicate(timeout=60)
        said = b""
        try:
            while block := os.read(reading, 4096):
                said += block
        except OSError:
            pass  # how Linux tells that nobody has the terminal any more
        os.close(reading)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn(b"Registering [", said)
        self.assertNotIn(b"warning", said)

    def test_memory_does_not_grow_with_the_list(self):
        # 64^3 voxels: the images, maps and results of a pair are more than 20 MB.
        self.write_image("big.mha", programs.blob(64, 0), (64, 64, 64))

        def peak(count):
            self.write_list("name,fixed,moving", *(f"p{n},big.mha,big.mha" for n in range(count)))
            command = [*programs.command("register"), *DEFORM, *OUTPUTS, *LIST]
            process = subprocess.Popen(command, cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return usage.ru_maxrss

        # Three pairs are in memory at once in both; nine more would be more than 180 MB.
        self.assertLess(peak(12), peak(3) + 60 * 1024)


class Resuming(PairsTest):
    def run_again(self, *arguments):
        """Resumes, and returns the names of the pairs that were registered again."""
        before = {name: self.read(name) for name in self.names() if name.endswith((".mha", ".tfm"))}
        self.run_list(*DEFORM, *OUTPUTS, "--resume", *arguments)
        self.assertLessEqual(set(self.statuses().values()), {"done", "skipped"})
        for name, status in self.statuses().items():
            if status == "skipped" and f"out/{name}.mha" in before:
                self.assertEqual(self.read(f"out/{name}.mha"), before[f"out/{name}.mha"])
        return [name for name, status in self.statuses().items() if status == "done"]

    def test_what_is_complete_is_left_out(self):
        self.write_numbered(1, 2)
        self.assertEqual(self.run_again(), ["p1", "p2"])
        table = self.table()
        self.assertEqual(self.run_again(), [])
        for name, row in self.table().items():
            self.assertEqual(row, {**table[name], "status": "skipped"})
        self.write_numbered(1, 2, 3)
        self.assertEqual(self.run_again(), ["p3"])
        # Where it computes, and with how many threads, changes no result beyond rounding.
        self.assertEqual(self.run_again("--device", "cpu"), [])

    def test_reports_with_older_names_of_options_are_complete(self):
        self.write_numbered(1, 2)
        self.run_again("--lambda", "0.3")
        older = {"--unbiased-weight": "--lambda", "--number-of-levels": "--levels", "--number-of-iterations": "--iterations"}
        report = json.loads(self.read("out/p1.json"))
        options = report["made_with"]["options"]
        self.assertLessEqual(set(older), set(options))
        report["made_with"]["options"] = {older.get(name, name): values for name, values in options.items()}
        self.write("out/p1.json", json.dumps(report).encode())
        self.assertEqual(self.run_again("--lambda", "0.3"), [])
        self.assertEqual(self.run_again("--unbiased-weight", "0.3"), [])
        self.assertEqual(self.run_again("--unbiased-weight", "0.4"), ["p1", "p2"])

    def test_what_has_changed_is_done_again(self):
        self.write_numbered(1, 2)
        self.run_again()
        self.assertEqual(self.run_again("--lambda", "0.3"), ["p1", "p2"])
        self.assertEqual(self.run_again("--lambda", "0.3"), [])
        self.assertEqual(self.run_again(), ["p1", "p2"])
        self.write_image("m2.mha", programs.blob(12, 3))
        self.assertEqual(self.run_again(), ["p2"])
        (self.folder / "out" / "p1.tfm").unlink()
        self.assertEqual(self.run_again(), ["p1"])
        self.write("out/p2.mha", b"something else")
        self.assertEqual(self.run_again(), ["p2"])
        self.write("out/p1.json", self.read("out/p1.json")[:100])
        self.assertEqual(self.run_again(), ["p1"])
        self.write_list("name,fixed,moving", "p1,fixed.mha,m1.mha", "p2,fixed.mha,m3.mha")
        self.assertEqual(self.run_again(), ["p2"])
        self.write_list("name,fixed,moving,fixed_mask", "p1,fixed.mha,m1.mha,mask.mha", "p2,fixed.mha,m3.mha,")
        self.assertEqual(self.run_again(), ["p1"])
        self.run_list("greedy", *DEFORM[1:], *OUTPUTS, "--resume")
        self.assertEqual(self.statuses(), {"p1": "done", "p2": "done"})


class Stopping(PairsTest):
    """A run that is stopped leaves whole files, and can be resumed to the results of one that was not."""

    def start_list(self, *arguments):
        process = self.start("register", *arguments, *OUTPUTS, *LIST)
        return process

    def finished(self):
        return {name: self.read(name) for name in self.names() if name.startswith("out/p") and ".unfinished" not in name}

    def test_signals(self):
        self.write_numbered(1, 2)
        process = self.start_list(*ENDLESS)
        while not (self.folder / "out" / "table.csv").exists() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        error = self.expect_end(process, 130)
        self.assertEqual(error, "cudaneuro-register: stopped; 0 of 2 pairs are complete, and --resume goes on from there\n")
        self.assertEqual(self.finished(), {})
        self.assertEqual(self.unfinished(), set())

    def test_moments_at_random(self):
        numbers = list(range(1, 13))
        self.write_list("name,fixed,moving", *(f"p{n},fixed.mha,m{n % 4 + 1}.mha" for n in numbers))
        self.run_list(*DEFORM, *OUTPUTS)
        expected = {name: content for name, content in self.finished().items() if not name.endswith(".json")}
        self.assertEqual(len(expected), 2 * len(numbers))
        moments = random.Random(20261122)
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGKILL] * 4:
            for name in self.finished():
                (self.folder / name).unlink()
            process = self.start_list(*DEFORM, "--resume")
            time.sleep(moments.uniform(0.0, 0.2))
            process.send_signal(number)
            process.communicate(timeout=60)
            if number != signal.SIGKILL:
                self.assertEqual(self.unfinished(), set())
            for name, content in self.finished().items():
                if name.endswith(".json"):
                    stem = name[: -len(".json")]
                    self.assertEqual(json.loads(content)["pair"], stem[len("out/") :])
                    # The report comes after all that it stands for.
                    self.assertLess({stem + ".mha", stem + ".tfm"}, set(self.finished()))
                else:
                    self.assertEqual(content, expected[name])
            self.expect(0, "", "register", *DEFORM, *OUTPUTS, *LIST, "--resume")
            self.assertEqual({n: c for n, c in self.finished().items() if not n.endswith(".json")}, expected)
            self.assertEqual(self.unfinished(), set())


if __name__ == "__main__":
    programs.run_tests()
