# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests lists of pairs of cudaneuro-register: pairs that fail, and bad input.

    python3 test_pairs_errors.py REGISTER
"""

import random
import resource
import shutil

import programs
from test_pairs import DEFORM, LIST, OUTPUTS, QUICK, PairsTest


class Failures(PairsTest):
    def test_a_failed_pair_does_not_stop_the_rest(self):
        self.write_numbered(1, 2)
        self.run_list(*DEFORM, *OUTPUTS)
        expected = {name: self.read(name) for name in ["out/p1.mha", "out/p2.mha", "out/p1.tfm"]}
        for name in expected:
            (self.folder / name).unlink()
        # Fails while it is read, computed, and written.
        self.write_image("small.mha", bytes(8 * 9 * 10), (8, 9, 10))
        self.write_image("constant.mha", bytes(12**3))
        self.write_image("large.mha", programs.blob(40, 0), (40, 40, 40))
        self.write_list(
            "name,fixed,moving,fixed_mask",
            "p1,fixed.mha,m1.mha,",
            "reading,fixed.mha,m1.mha,small.mha",
            "computing,fixed.mha,m1.mha,constant.mha",
            "writing,large.mha,large.mha,",
            "p2,fixed.mha,m2.mha,",
        )
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))
        outputs = [*OUTPUTS[:2], *OUTPUTS[4:]]  # a transform of 12^3 voxels as text is larger than 60 kB
        error = self.run_list(*DEFORM, *outputs, status=1, preexec_fn=limit)
        lines = error.splitlines()
        self.assertEqual(len(lines), 4, error)
        for line, name in zip(lines, ["reading", "computing", "writing"]):
            self.assertIn(f"pair {name} failed: ", line)
        self.assertIn("small.mha", lines[0])
        self.assertIn("out/writing.mha", lines[2])
        self.assertEqual(lines[3], "cudaneuro-register: error: 3 of 5 pairs failed: reading, computing, writing")
        failed = dict.fromkeys(["reading", "computing", "writing"], "failed")
        self.assertEqual(self.statuses(), {"p1": "done", "p2": "done", **failed})
        self.assertIn("small.mha", self.table()["reading"]["error"])
        for name in ["out/p1.mha", "out/p2.mha"]:
            self.assertEqual(self.read(name), expected[name])
        for name in failed:
            self.assertFalse(any(file.startswith(f"out/{name}.") for file in self.names()))
        self.assertEqual(self.unfinished(), set())

    def test_a_failed_pair_does_not_look_complete(self):
        """Its files of an earlier run stay, without the report that stood for them."""
        self.write_numbered(1, 2, 3)
        self.run_list(*DEFORM, *OUTPUTS)
        (self.folder / "reports").mkdir()
        (self.folder / "out" / "p2.json").rename(self.folder / "reports" / "p2.json")
        (self.folder / "out" / "p2.json").symlink_to("../reports/p2.json")
        old = {name: self.read(name) for name in ["out/p1.mha", "out/p2.tfm", "out/p3.json"]}
        self.write_image("small.mha", bytes(8 * 9 * 10), (8, 9, 10))
        self.write_image("constant.mha", bytes(12**3))
        rows = ["p1,fixed.mha,m1.mha,small.mha", "p2,fixed.mha,m2.mha,constant.mha", "p3,fixed.mha,m3.mha,"]
        self.write_list("name,fixed,moving,fixed_mask", *rows)
        self.run_list(*DEFORM, *OUTPUTS, "--resume", status=1)
        self.assertEqual(self.statuses(), {"p1": "failed", "p2": "failed", "p3": "skipped"})
        self.assertEqual({name: self.read(name) for name in old}, old)
        self.assertFalse((self.folder / "out" / "p1.json").exists())
        self.assertTrue((self.folder / "out" / "p2.json").is_symlink())
        self.assertFalse((self.folder / "reports" / "p2.json").exists())

    def test_warnings_name_the_pair(self):
        noise = random.Random(5)
        self.write_image("noise.mha", bytes(noise.randrange(256) for _ in range(12**3)))
        self.write_list("name,fixed,moving", "good,fixed.mha,m1.mha", "bad,fixed.mha,noise.mha")
        error = self.run_list("rigid", *QUICK, *OUTPUTS)
        words = r"cudaneuro-register: warning: pair bad: The registration may have failed: the quality of its result is .*"
        last = r"cudaneuro-register: warning: 1 of 2 alignments cannot be trusted \(bad: quality 0.*\): see .*table.csv"
        self.assertRegex(error, rf"\A{words}\n{last}\n\Z")

    def test_a_run_that_goes_on_after_a_failure_says_so_last(self):
        noise = random.Random(5)
        self.write_image("noise.mha", bytes(noise.randrange(256) for _ in range(12**3)))
        self.write_list("name,fixed,moving", "good,fixed.mha,m1.mha", "bad,fixed.mha,noise.mha")
        deform = ["greedy", "--align", "rigid", *QUICK, *OUTPUTS]
        # Pairs that an earlier run has done count, too.
        for command in [["rigid", *QUICK, *OUTPUTS], deform, [*deform, "--resume"]]:
            last = self.run_list(*command).splitlines()[-1]
            self.assertIn("1 of 2 alignments cannot be trusted (bad: quality 0", last)
            table = self.table()
            self.assertEqual([table[name]["alignment_success"] for name in ("good", "bad")], ["true", "false"])
            self.assertIn("success from 0", self.report("bad")["alignment"]["reason"])
            self.assertNotIn("reason", self.report("good")["alignment"])

    def test_success_may_be_required(self):
        noise = random.Random(5)
        self.write_image("noise.mha", bytes(noise.randrange(256) for _ in range(12**3)))
        self.write_list("name,fixed,moving", "good,fixed.mha,m1.mha", "bad,fixed.mha,noise.mha")
        command = ["rigid", *QUICK, *OUTPUTS, "--require-success"]
        for arguments in [command, [*command, "--resume"]]:
            self.assertIn("1 of 2 pairs failed: bad", self.run_list(*arguments, status=1))
            self.assertIn("was not aligned", self.table()["bad"]["error"])
            self.assertTrue((self.folder / "out" / "bad.mha").exists())
        self.assertEqual(self.statuses(), {"good": "skipped", "bad": "failed"})


class BadInput(PairsTest):
    def refuse(self, words, *arguments, status=1, command=DEFORM):
        """Expects an error before any work: nothing is written, and no folder is left."""
        before = self.names()
        got, out, error = self.run_program("register", *command, *arguments)
        self.assertEqual(got, status, f"{out}\n{error}")
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, error)
        self.assertEqual(error.count("\n"), 1, error)
        self.assertEqual(self.names(), before)

    def refuse_list(self, words, *rows, command=DEFORM):
        self.write_list(*rows)
        self.refuse(words, *OUTPUTS, *LIST, command=command)

    def test_lists(self):
        good = "fixed.mha,m1.mha"
        self.refuse_list(["pairs.csv", 'named "movng"', "fixed, moving, name"], "fixed,movng", good)
        self.refuse_list('"fixed", as one before it', "fixed,fixed", good)
        self.refuse_list("there is no column moving", "fixed,name", good)
        self.refuse_list("it has no pairs", "fixed,moving")
        self.refuse_list("it is empty", "")
        self.refuse_list("line 3: it has 1 values", "fixed,moving", good, "fixed.mha")
        self.refuse_list('named "initial_field"', "fixed,moving,initial_field", f"{good},", command=["rigid", *QUICK])
        rows = ["fixed,moving,name,fixed_labels,moving_labels"]
        rows += [",m1.mha,A,,", "fixed.mha,,a,,", f"{good},,,", f"{good},b/c,,", f"{good},d,labels.mha,"]
        rows += [f"{good},e,,moved.mha"]
        words = ["7 files", "the fixed in line 2 is missing", "the moving in line 3 is missing"]
        words += ["the name in line 3 is a, as the name in line 2", "the name in line 4 is missing", "is b/c"]
        words += ["the fixed_labels in line 6 need moving_labels", "the moving_labels in line 7 have no effect"]
        self.refuse_list(words, *rows)

    def test_missing_files_are_all_named(self):
        self.write("text.mha", b"no image")
        rows = ["fixed,moving,fixed_mask,moving_labels,fixed_labels,initial_transform"]
        rows += ["none1.mha,text.mha,none2.mha,none3.mha,none4.mha,none5.tfm", "none1.mha,m1.mha,,,,"]
        words = ["6 files cannot be used", "text.mha", *(f"none{n}." for n in range(1, 6))]
        self.refuse_list(words, *rows)

    def test_pairs_that_do_not_fit(self):
        self.write_image("flat.mha", bytes(144), (12, 12))
        self.refuse_list("has 2 axes", "fixed,moving", "fixed.mha,m1.mha", "fixed.mha,flat.mha")

    def test_parameters_are_named_once(self):
        self.write_numbered(1, 2, 3)
        self.refuse("error: --update-field-standard-deviations has 2 values", *OUTPUTS, *LIST, "--update-field-standard-deviations", "1,2")
        for command, name, value in [
            ("unbiased", "--maximum-step", "2"),
            ("unbiased", "--shrink-factors-per-level", "12"),
            ("greedy", "--alpha", "10000000"),
            ("symmetric", "--search-angle", "181"),
            ("rigid", "--minimum-overlap", "2"),
        ]:
            levels = [] if name == "--shrink-factors-per-level" else ["--number-of-levels", "1"]
            words = f"error: {name} is {value}; it must be"
            self.refuse(words, *OUTPUTS, *LIST, *levels, name, value, command=[command, "-q"])

    def test_places_of_outputs(self):
        self.write_numbered(1, 2)
        rest = [*LIST, "--json", "{name}.json"]
        self.refuse("the output w.mha would be that of each pair", *rest, "-o", "w.mha")
        self.refuse("the output - would be that of each pair", *LIST, "--json", "-")
        self.refuse("m1.mha is a file, not a folder", *rest, "-o", "m1.mha/{name}.mha")
        self.refuse("m1.mha is a file, not a folder", *rest, "-o", "m1.mha/folder/{name}.mha")
        self.refuse("would overwrite the output", *rest, "-o", "{name}.mha", "--output-field", "{name}.mha")
        self.refuse("would overwrite the output", "--pairs", "pairs.csv", "--json", "{name}", "--table", "p2")
        self.refuse("would overwrite the input", "--pairs", "pairs.csv", "--json", "{name}.json", "--table", "m2.mha")
        self.write_list("name,fixed,moving", "m2,fixed.mha,m1.mha", "x,fixed.mha,m2.mha")
        self.refuse("would overwrite the input m2.mha", *rest, "-o", "{name}.mha")
        self.write_list("fixed,moving,initial_transform", "fixed.mha,m1.mha,shift.tfm")
        self.refuse(
            "is not aligned where an initial map is given",
            *["--pairs", "pairs.csv", "--table", "t.csv", "--json", "{name}.json", "--output-alignment", "{name}.tfm"],
            command=["unbiased", *QUICK],
        )

    def test_options_that_do_not_go_together(self):
        self.write_numbered(1)
        all_of_it = [*OUTPUTS, *LIST]
        self.refuse("--pairs", *all_of_it, "fixed.mha", "m1.mha", status=2)
        self.refuse("--pairs", *all_of_it, "--fixed-mask", "mask.mha", status=2)
        self.refuse("--pairs", *all_of_it, "--initial-field", "field.nii", status=2)
        self.refuse("With --pairs, --table is required", *OUTPUTS, "--pairs", "pairs.csv", status=2)
        self.refuse("With --pairs, --json is required", *LIST, "-o", "{name}.mha", status=2)
        self.refuse("--label-weight, or --pairs, is required", "-o", "o.mha", status=2)
        self.refuse("MOVING is required", "fixed.mha", "-o", "o.mha", status=2)
        self.refuse("--table is -; it must be the name of a file", *OUTPUTS, "--pairs", "pairs.csv", "--table", "-")
        self.refuse("--resume has no effect here", "fixed.mha", "m1.mha", "-o", "o.mha", "--resume")

    def test_options_without_effect(self):
        self.write_numbered(1)
        labels = ["--output-labels", "out/{name}_seg.mha"]
        self.refuse("--output-labels has no effect here: pairs.csv has no moving_labels", *OUTPUTS, *LIST, *labels)
        options = [["--start", "grid-centers"], ["--search-angle", "5"], ["--search-distance", "5"], ["--require-success"]]
        unaligned = ["fixed,moving,initial_transform", "fixed.mha,m1.mha,shift.tfm"]
        for option in options:
            self.write_list(*unaligned)
            self.refuse(f"{option[0]} has no effect here", *OUTPUTS, *LIST, *option, command=["unbiased", *QUICK])
            # Other pairs, subcommands and --align have use for it.
            self.run_list("unbiased", *QUICK, "--align", "rigid", *OUTPUTS, *option)
            self.write_list(*unaligned, "fixed.mha,m2.mha,")
            self.run_list("unbiased", *QUICK, *OUTPUTS, *option)
            shutil.rmtree(self.folder / "out")


if __name__ == "__main__":
    programs.run_tests()
