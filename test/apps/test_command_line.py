# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the command lines of all programs: consistent names, complete help, and refusal of wrong options.

    python3 test_command_line.py DENOISE REGISTER ATLAS LANDMARKS [SURFACE] [BENCHMARK]
"""

import json
import re

import programs

COMMANDS = {
    "denoise": ["bilateral", "diffusion", "non-local-means", "compare", "devices"],
    "register": ["unbiased", "greedy", "symmetric", "translation", "rigid", "similarity", "affine", "devices"],
    "atlas": ["build", "synthesize", "devices"],
    "landmarks": ["match", "warp", "synthesize", "devices"],
    "surface": ["denoise", "compare", "synthesize", "devices"],
    "benchmark": [],
}
# The arguments that complete a command.
FILES = {
    "denoise": ["fixed.mha", "o.nii"],
    "register": ["fixed.mha", "moving.mha", "-o", "o.nii", "-q"],
    "atlas": ["fixed.mha", "moving.mha", "-o", "folder", "-q"],
    "synthesize": ["-o", "folder", "-q"],
    "match": ["a.csv", "b.csv", "--sigma", "5", "-o", "o.tfm", "-q"],
    "warp": ["o.tfm", "--points", "a.csv", "-o", "o.csv", "-q"],
    "surface": ["fixed.vtk", "-o", "o.vtk", "-q"],
}
UNITS = r"voxels|units of the metric|\bmm\b|mm\^2|degrees|intensity units|without unit|in bytes|number of|fraction|mean lengths of edges|\bseconds\b"
# What a letter stands for, where that has other names: the result, which is a file or a folder; iterations, of a level, in all or at
# most.
SAME = {name: "--output" for name in ("--output-warped", "--output-folder", "--output-transform", "--output-points")}
SAME.update({name: "--number-of-iterations" for name in ("--iterations", "--maximum-number-of-iterations")})


def options_of(help_text):
    """The options of a help page: their names, the placeholder of their value, and their description."""
    options = []
    for line in help_text.splitlines():
        start = re.match(r"  ((-\w,)?(--[\w-]+))( (\S+))?( .*)?$", line)
        if start and not line.startswith("   "):
            options.append({"names": start[1].split(","), "value": start[5], "text": start[6] or ""})
            if start[4] and start[4].startswith("  "):
                options[-1]["value"] = None
        elif options and line.startswith("   "):
            options[-1]["text"] += " " + line.strip()
    for option in options:
        # A flag has no value: what follows its name is its description.
        if option["value"] and not re.fullmatch(r"FILE|FOLDER|NAME|SIZE.*|TEXT|X|N|N\[,N...\]|X\|auto", option["value"]):
            option["text"] = f"{option['value']} {option['text']}"
            option["value"] = None
    return options


class CommandLines(programs.ProgramTest):
    def all_commands(self):
        for program, commands in COMMANDS.items():
            if program in programs.PROGRAMS:
                yield from ((program, [command]) for command in commands)
                yield program, []

    def help_of(self, program, command):
        return self.expect(0, "", program, *command, "--help")

    def all_options(self):
        for program, command in self.all_commands():
            for option in options_of(self.help_of(program, command)):
                yield program, command, option

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
        count = 0
        for program, command, option in self.all_options():
            if option["value"]:
                for name in option["names"]:
                    files = FILES.get(command[0] if command else "", FILES.get(program, []))
                    arguments = files if command not in ([], ["devices"]) else []
                    status, _, error = self.run_program(program, *command, *arguments, name, "")
                    self.assertIn(status, (1, 2), f"{program} {command} {name}: {error}")
                    self.assertIn(option["names"][-1], error)
                    count += 1
        self.assertGreater(count, 60)
        self.assertEqual(self.names(), {"fixed.mha", "moving.mha", "pair.mhd", "voxels.raw"})
        self.expect(1, "must not be empty", "denoise", "bilateral", "", "o.nii")

    def test_nonsense(self):
        for size in ["-1", "0", "abc", "4XB", "1e30GB", "nan", "99999999TB", "4 G B", "--"]:
            status, _, error = self.run_program("denoise", "bilateral", *FILES["denoise"], f"--max-memory={size}")
            self.assertIn(status, (1, 2), error)
            self.assertIn("--max-memory", error)
        for count in ["0", "-1", "1.5", "x", "99999999999999999999"]:
            for name in ["--threads", "--iterations", "--levels"]:
                if (name, count) != ("--iterations", "0"):
                    for command in ["unbiased", "affine"]:
                        status, _, error = self.run_program("register", command, *FILES["register"], f"{name}={count}")
                        self.assertIn(status, (1, 2), f"{name}={count}: {error}")
                        self.assertIn(name, error)
        for number in ["inf", "nan", "-inf", "-1"]:
            deformable = ["--lambda", "--convergence", "--sigma", "--field-sigma", "--step", "--minimum-jacobian"]
            linear = ["--convergence", "--minimum-overlap", "--quantiles", "--search-angle", "--search-distance"]
            for command, names in [("unbiased", deformable), ("similarity", linear)]:
                for name in names:
                    status, _, error = self.run_program("register", command, *FILES["register"], f"{name}={number}")
                    self.assertIn(status, (1, 2), f"{name}={number}: {error}")
                    self.assertIn(name, error)

    def test_whole_numbers_are_decimal(self):
        arguments = ["register", "greedy", "fixed.mha", "moving.mha", "--align", "none", "--levels", "1", "--output-field", "o.nii", "--json", "-", "-q"]
        for text, count in [("010", 10), ("08", 8), ("+3", 3)]:
            report = json.loads(self.expect(0, "", *arguments, "--iterations", text))
            self.assertEqual(report["parameters"]["iterations"], [count])
            self.assertEqual(len(report["iterations"]["energy"]), count)

    def test_memory_sizes(self):
        for size in ["1000000000", "500MB", "4GB", "1.5gb", "2 TB", "9k"]:
            self.denoise(0, "--max-memory has no effect", "o.nii", "--max-memory", size)

    def test_missing_values(self):
        for program, command, option in self.all_options():
            if option["value"]:
                for name in option["names"]:
                    words = f"error: {option['names'][-1]} needs a value: {option['value']}. Run with --help for help."
                    self.expect(2, words, program, *command, name)

    def test_options_without_effect(self):
        denoise = {
            "bilateral": [
                ("--range-factor", "2", ["--range-sigma", "9"]),
                ("--noise", "2", ["--range-sigma", "9"]),
            ],
            "diffusion": [("--kappa-factor", "2", ["--kappa", "9"]), ("--noise", "2", ["--kappa", "9"])],
            "non-local-means": [
                ("--smoothing-factor", "2", ["--smoothing", "9"]),
                ("--noise", "2", ["--smoothing", "9"]),
                ("--center-weight", "one", ["--weighting", "patch-sum"]),
            ],
        }
        register = {
            "unbiased": [
                ("--radius", "2", []),
                ("--match-intensities", None, ["--metric", "local-correlation"]),
                ("--bins", "16", []),
                ("--moving-labels", "moving.mha", []),
                ("--start", "grid-centers", ["--align", "none"]),
                ("--search-angle", "10", ["--initial-field", "field.nii"]),
                ("--search-distance", "10", ["--initial-transform", "map.tfm"]),
                ("--require-success", None, ["--align", "none"]),
                ("--output-alignment", "o.tfm", ["--align", "none"]),
                ("--table", "table.csv", []),
            ],
            "rigid": [
                ("--radius", "2", []),
                ("--bins", "16", ["--metric", "mean-squares"]),
            ],
            "greedy": [
                ("--beta", "1", []),
                ("--sweeps", "3", ["--solver", "fourier"]),
                ("--first-sweeps", "3", ["--solver", "fourier"]),
            ],
            "symmetric": [
                ("--alpha", "2", []),
                ("--gamma", "2", []),
                ("--beta", "1", ["--solver", "sor"]),
                ("--sweeps", "3", ["--solver", "fourier"]),
                ("--sigma", "3", ["--solver", "sor"]),
                ("--sigma-per-level", "4,3,2,1", ["--solver", "sor"]),
                ("--match-intensities", None, ["--metric", "local-correlation"]),
            ],
        }
        atlas = {
            "build": [
                ("--radius", "2", []),
                ("--trim", "0.2", []),
                ("--sigma", "2", []),
                ("--alpha", "2", ["--solver", "gaussian"]),
                ("--beta", "1", []),
                ("--sweeps", "3", ["--solver", "fourier"]),
                ("--keep-pose", None, ["--shape-update", "0"]),
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
        self.register(1, "error: --step is 1.5; it must be", "-o", "o.nii", "--step", "1.5")
        arguments = ["-o", "o.nii", "--metric", "local-correlation", "--radius", "9"]
        self.register(1, "--radius is 9; it must be", *arguments)
        self.write("flat.mha", programs.meta_header((12, 12, 12), "MET_UCHAR") + bytes(12**3))
        words = "cannot compare moving.mha with flat.mha"
        self.expect(1, words, "denoise", "compare", "flat.mha", "moving.mha")
        self.expect(1, "set --data-range", "denoise", "compare", "flat.mha", "moving.mha")
        for command in ["unbiased", "rigid"]:
            words = "cannot register flat.mha to fixed.mha: "
            self.expect(1, words, "register", command, "fixed.mha", "flat.mha", "-o", "o.nii", "-q")
        self.write("rangeSigma.mha", b"no image")
        self.expect(1, "cannot read rangeSigma.mha", "denoise", "bilateral", "rangeSigma.mha", "o.nii")


if __name__ == "__main__":
    programs.run_tests()
