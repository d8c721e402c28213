# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of command lines: the commands of all programs, and the options that their help tells."""

import re

import programs

COMMANDS = {
    "denoise": ["bilateral", "diffusion", "non-local-means", "adaptive-non-local-means", "noise-map", "compare", "devices"],
    "register": ["unbiased", "greedy", "symmetric", "translation", "rigid", "similarity", "affine", "devices"],
    "atlas": ["build", "synthesize", "devices"],
    "landmarks": ["match", "warp", "synthesize", "devices"],
    "surface": ["denoise", "compare", "synthesize", "devices"],
    "transform": ["apply", "compose", "invert", "jacobian", "compare", "convert", "devices"],
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
    "apply": ["moving.mha", "o.mha", "--reference", "fixed.mha", "-x", "a.tfm", "-q"],
    "compose": ["o.tfm", "-x", "a.tfm", "-q"],
    "jacobian": ["a.tfm", "-q"],
    "transform": ["a.tfm", "o.tfm", "-q"],
}


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
        if option["value"] and not re.fullmatch(r"FILE|FOLDER|NAME|SIZE.*|TEXT|X|N|N\[,N...\]|X\|auto(\|map\|FILE)?", option["value"]):
            option["text"] = f"{option['value']} {option['text']}"
            option["value"] = None
    return options


class CommandLineTest(programs.ProgramTest):
    """Tests that go through the help of all programs and commands."""

    helps = {}  # what programs print, by their names and commands

    def all_commands(self):
        for program, commands in COMMANDS.items():
            if program in programs.PROGRAMS:
                yield from ((program, [command]) for command in commands)
                yield program, []

    def help_of(self, program, command):
        key = (program, *command)
        if key not in self.helps:
            self.helps[key] = self.expect(0, "", *key, "--help")
        return self.helps[key]

    def all_options(self):
        for program, command in self.all_commands():
            for option in options_of(self.help_of(program, command)):
                yield program, command, option

    def options_with_values(self):
        """Options that take a value. What is the same in the help of several commands of a program is declared once for them."""
        seen = set()
        for program, command, option in self.all_options():
            declared = (program, *option["names"], option["value"], option["text"])
            if option["value"] and declared not in seen:
                seen.add(declared)
                yield program, command, option
        self.assertGreater(len(seen), 150)
