# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the command lines of all programs: consistent names, complete help, and refusal of wrong options.

    python3 test_command_line.py DENOISE REGISTER ATLAS LANDMARKS TRANSFORM [SURFACE] [BENCHMARK]
"""

import json
import os
import re

import programs
from command_lines import COMMANDS, FILES, CommandLineTest, options_of

UNITS = r"voxels|units of the metric|\bmm\b|mm\^2|degrees|intensity units|without unit|in bytes|number of|fraction|mean lengths of edges|\bseconds\b"
# What a letter stands for, where that has other names: the result, which is a file or a folder; iterations, of a level, in all or at
# most; the half-width of boxes, of a filter or of the correlation.
SAME = {name: "--output" for name in ("--output-warped", "--output-folder", "--output-transform", "--output-points")}
SAME["--maximum-number-of-iterations"] = "--number-of-iterations"
SAME["--correlation-radius"] = "--radius"


class CommandLines(CommandLineTest):
    def test_versions(self):
        for program in programs.PROGRAMS:
            said = self.expect(0, "", program, "--version")
            self.assertRegex(said, rf"^cudaneuro-{program} \d+\.\d+\.\d+ \(ITK \d+\.\d+\.\d+, with(out)? CUDA\)\n$")

    def test_a_letter_means_one_thing(self):
        meanings = {}
        for program, command, option in self.all_options():
            if len(option["names"]) == 2:
                letter, name = option["names"]
                meaning = SAME.get(name, name)
                self.assertEqual(meanings.setdefault(letter, meaning), meaning, f"{program} {command}")
        self.assertLess({"-d", "-h", "-m", "-n", "-o", "-q", "-r", "-t"}, set(meanings))

    def test_a_meaning_has_one_name(self):
        for program, command in self.all_commands():
            if command == ["devices"] or (program != "benchmark" and not command):
                continue
            names = {name for option in options_of(self.help_of(program, command)) for name in option["names"]}
            # Synthetic images are made on the CPU, so that they are the same everywhere.
            device = set() if command == ["synthesize"] else {"-d", "--device"}
            self.assertLess({"--json", "--help"} | device, names, f"{program} {command}")
            self.assertNotIn("--report", names)

    def test_help_tells_exit_statuses_and_when_to_choose(self):
        for program, command in self.all_commands():
            text = self.help_of(program, command)
            for status in ["0 ", "1 ", "2 ", "128 and the signal's number", "130", "143", "129"]:
                self.assertIn(status, text[text.index("Exit status:") :])
            if command not in (["devices"], []):
                self.assertIn("hoose it ", text, f"{program} {command}")
            elif program != "benchmark" and not command:
                self.assertIn("Which one:", text)

    def test_numbers_have_units(self):
        count = 0
        for program, command, option in self.all_options():
            if option["value"] in ("X", "N", "N[,N...]", "X|auto") or (option["value"] or "").startswith("SIZE"):
                self.assertRegex(option["text"].lower(), UNITS, f"{program} {command} {option['names']}")
                count += 1
        self.assertGreater(count, 30)

    def test_flags_offer_no_value(self):
        count = 0
        for program, command in self.all_commands():
            for line in self.help_of(program, command).splitlines():
                option = re.match(r"  (?:-\w,)?(--[\w-]+)( \S+)?", line)
                if option and not line.startswith("   "):
                    name, value = option[1], (option[2] or "").strip()
                    # What takes a value says which kind, in capitals; lower case is offered as a word to type.
                    self.assertFalse(re.fullmatch(r"[a-z]+", value), f"{program} {command} {name} {value}")
                    count += 1
        self.assertGreater(count, 200)

    def test_empty_values(self):
        for program, command, option in self.options_with_values():
            files = FILES.get(command[0] if command else "", FILES.get(program, []))
            arguments = files if command not in ([], ["devices"]) else []
            for name in option["names"]:
                status, _, error = self.run_program(program, *command, *arguments, name, "")
                self.assertIn(status, (1, 2), f"{program} {command} {name}: {error}")
                self.assertIn(option["names"][-1], error)
        self.assertEqual(self.names(), {"fixed.mha", "moving.mha", "pair.mhd", "voxels.raw"})
        self.expect(1, "must not be empty", "denoise", "bilateral", "", "o.nii")

    def test_nonsense(self):
        for size in ["-1", "0", "abc", "4XB", "1e30GB", "nan", "99999999TB", "4 G B", "--"]:
            status, _, error = self.run_program("denoise", "bilateral", *FILES["denoise"], f"--max-memory={size}")
            self.assertIn(status, (1, 2), error)
            self.assertIn("--max-memory", error)
        for count in ["0", "-1", "1.5", "x", "99999999999999999999"]:
            for name in ["--threads", "--number-of-iterations", "--number-of-levels"]:
                if (name, count) != ("--number-of-iterations", "0"):
                    for command in ["unbiased", "affine"]:
                        status, _, error = self.run_program("register", command, *FILES["register"], f"{name}={count}")
                        self.assertIn(status, (1, 2), f"{name}={count}: {error}")
                        self.assertIn(name, error)
        for number in ["inf", "nan", "-inf", "-1"]:
            deformable = ["--unbiased-weight", "--convergence-threshold", "--update-field-standard-deviations", "--standard-deviations", "--maximum-step", "--jacobian-bound"]
            linear = ["--convergence-threshold", "--minimum-overlap", "--intensity-quantiles", "--search-angle", "--search-distance"]
            for command, names in [("unbiased", deformable), ("similarity", linear)]:
                for name in names:
                    status, _, error = self.run_program("register", command, *FILES["register"], f"{name}={number}")
                    self.assertIn(status, (1, 2), f"{name}={number}: {error}")
                    self.assertIn(name, error)

    def test_whole_numbers_are_decimal(self):
        arguments = ["register", "greedy", "fixed.mha", "moving.mha", "--align", "none", "--number-of-levels", "1", "--output-field", "o.nii", "--json", "-", "-q"]
        for text, count in [("010", 10), ("08", 8), ("+3", 3)]:
            report = json.loads(self.expect(0, "", *arguments, "--number-of-iterations", text))
            self.assertEqual(report["parameters"]["iterations"], [count])
            self.assertEqual(len(report["iterations"]["energy"]), count)

    def test_memory_sizes(self):
        for size in ["1000000000", "500MB", "4GB", "1.5gb", "2 TB", "9k"]:
            self.denoise(0, "--max-memory has no effect", "o.nii", "--max-memory", size)

    def test_missing_values(self):
        for program, command, option in self.options_with_values():
            words = f"error: {option['names'][-1]} needs a value: {option['value']}. Run with --help for help."
            for name in option["names"]:
                self.expect(2, words, program, *command, name)

    def test_an_option_is_no_value(self):
        for program, command, option in self.options_with_values():
            words = f"error: {option['names'][-1]} needs a value: {option['value']}"
            for following in ["-h", "--unknown"]:
                self.expect(2, words, program, *command, option["names"][0], following)
        self.denoise(2, "--json needs a value: FILE; it is followed by --quiet", "o.nii", "--json", "--quiet")
        self.expect(2, "--channel needs a value: FILE", "register", "unbiased", *FILES["register"], "--channel", "a", "--device", "cpu")
        self.assertEqual(self.names(), {"fixed.mha", "moving.mha", "pair.mhd", "voxels.raw"})

    def test_a_list_is_given_once(self):
        count = 0
        for program, command, option in self.all_options():
            if option["value"] == "N[,N...]":
                words = f"error: {option['names'][-1]} is given more than once; its values need commas between them."
                self.expect(2, words, program, *command, option["names"][0], "8", option["names"][-1], "9,9")
                count += 1
        self.assertGreater(count, 10)

    def test_what_is_not_expected(self):
        for program, commands in COMMANDS.items():
            if program in programs.PROGRAMS and commands:
                words = f"error: there is no subcommand wrong; the subcommands are {', '.join(commands)}."
                self.expect(2, words, program, "wrong", "a", "b", "--device", "cpu")
                self.expect(2, "error: a subcommand is missing; the subcommands are", program, "--device", "cpu", "a")
        self.expect(2, "not expected: more --devic cpu.", "register", "rigid", *FILES["register"], "more", "--devic", "cpu")

    def test_options_without_effect(self):
        denoise = {
            "bilateral": [
                ("--range-factor", "2", ["--range-sigma", "9"]),
                ("--noise-standard-deviation", "2", ["--range-sigma", "9"]),
            ],
            "diffusion": [("--kappa-factor", "2", ["--kappa", "9"]), ("--noise-standard-deviation", "2", ["--kappa", "9"])],
            "non-local-means": [
                ("--smoothing-factor", "2", ["--smoothing-parameter", "9"]),
                ("--noise-standard-deviation", "2", ["--smoothing-parameter", "9"]),
                ("--center-weight", "one", ["--weighting", "patch-sum"]),
            ],
        }
        register = {
            "unbiased": [
                ("--correlation-radius", "2", []),
                ("--match-intensities", None, ["--metric", "local-correlation"]),
                ("--number-of-histogram-bins", "16", []),
                ("--moving-labels", "moving.mha", []),
                ("--start", "grid-centers", ["--align", "none"]),
                ("--search-angle", "10", ["--initial-field", "field.nii"]),
                ("--search-distance", "10", ["--initial-transform", "map.tfm"]),
                ("--require-success", None, ["--align", "none"]),
                ("--output-alignment", "o.tfm", ["--align", "none"]),
                ("--table", "table.csv", []),
            ],
            "rigid": [
                ("--correlation-radius", "2", []),
                ("--number-of-histogram-bins", "16", ["--metric", "mean-squares"]),
            ],
            "greedy": [
                ("--beta", "1", []),
                ("--sweeps", "3", ["--velocity-method", "fourier"]),
                ("--first-sweeps", "3", ["--velocity-method", "fourier"]),
            ],
            "symmetric": [
                ("--alpha", "2", []),
                ("--gamma", "2", []),
                ("--beta", "1", ["--velocity-method", "sor"]),
                ("--sweeps", "3", ["--velocity-method", "fourier"]),
                ("--update-field-standard-deviations", "3", ["--velocity-method", "sor"]),
                ("--update-field-standard-deviations-per-level", "4,3,2,1", ["--velocity-method", "sor"]),
                ("--match-intensities", None, ["--metric", "local-correlation"]),
            ],
        }
        atlas = {
            "build": [
                ("--correlation-radius", "2", []),
                ("--trimmed-fraction", "0.2", []),
                ("--update-field-standard-deviations", "2", []),
                ("--alpha", "2", ["--velocity-method", "gaussian"]),
                ("--beta", "1", []),
                ("--sweeps", "3", ["--velocity-method", "fourier"]),
                ("--keep-pose", None, ["--shape-update-interval", "0"]),
                ("--checkpoint-interval", "3", ["--no-checkpoint"]),
                ("--align-rounds", "3", ["--align", "none"]),
                ("--align-rounds", "3", ["--initial-template", "fixed.mha"]),
                ("--require-success", None, ["--align", "none"]),
            ]
        }
        landmarks = {"match": [("--reference", "fixed.mha", []), ("--mesh", "a.csv", [])]}
        for program, commands in [("denoise", denoise), ("register", register), ("atlas", atlas), ("landmarks", landmarks)]:
            for command, cases in commands.items():
                for name, value, others in cases:
                    given = [name] if value is None else [name, value]
                    files = FILES.get(command, FILES.get(program))
                    self.expect(1, f"{name} has no effect here", program, command, *files, *given, *others)
        arguments = ["unbiased", "fixed.mha", "moving.mha", "--json", "-", "--output-type", "float"]
        self.expect(1, "--output-type has no effect here: only with --output-warped", "register", *arguments)
        if "benchmark" in programs.PROGRAMS:
            self.expect(1, "--repeat has no effect here", "benchmark", "--tune", "--repeat", "2")

    def test_errors_name_option_and_files(self):
        self.register(1, "error: --maximum-step is 1.5; it must be", "-o", "o.nii", "--maximum-step", "1.5")
        arguments = ["-o", "o.nii", "--metric", "local-correlation", "--correlation-radius", "9"]
        self.register(1, "--correlation-radius is 9; it must be", *arguments)
        self.write("flat.mha", programs.meta_header((12, 12, 12), "MET_UCHAR") + bytes(12**3))
        words = "cannot compare moving.mha with flat.mha"
        self.expect(1, words, "denoise", "compare", "flat.mha", "moving.mha")
        self.expect(1, "set --data-range", "denoise", "compare", "flat.mha", "moving.mha")
        for command in ["unbiased", "rigid"]:
            words = "cannot register flat.mha to fixed.mha: "
            self.expect(1, words, "register", command, "fixed.mha", "flat.mha", "-o", "o.nii", "-q")
        self.write("rangeSigma.mha", b"no image")
        self.expect(1, "cannot read rangeSigma.mha", "denoise", "bilateral", "rangeSigma.mha", "o.nii")

    def libraries_of(self, device):
        """What the loader notes of the libraries that a run opens."""
        environment = {**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(self.folder / device)}
        self.denoise(0, "", "o.nii", "--device", device, env=environment)
        return "".join(notes.read_text() for notes in self.folder.glob(f"{device}.*"))

    def test_where_the_cpu_is_named_no_driver_is_asked(self):
        """The driver takes a quarter of a second to answer where there is a GPU."""
        if "libcuda.so" not in self.libraries_of("auto"):
            self.skipTest("a build without CUDA, or a system whose loader notes nothing")
        self.assertNotIn("libcuda.so", self.libraries_of("cpu"))


if __name__ == "__main__":
    programs.run_tests()
