# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests that the descriptions of all programs are as 3D Slicer wants them, and tell what the help tells.

    python3 test_slicer.py DENOISE REGISTER ATLAS LANDMARKS TRANSFORM [SURFACE] [BENCHMARK]
"""

import re
import unittest

import programs
from command_lines import COMMANDS, options_of
from slicer_module import Module, problems_of

# Options that are repeated, once a channel.
CHANNELS = {"--channel"} | {
    f"--channel-{name}"
    for name in (
        "metric", "weights", "correlation-radius", "number-of-histogram-bins", "fixed-mask", "moving-mask",
        "fixed-transform", "moving-transform",
    )
}  # fmt: skip
# What has no place in Slicer: lists of pairs and of cohorts, what only images have where Slicer gives a mesh, and what the shell has.
NOT_IN_SLICER = {
    "register": {"--pairs", "--table", "--resume"} | CHANNELS,
    "atlas build": {"--channel", "--channel-metric", "--channel-weights", "--labels", "--points", "--cohorts", "--table"},
    "transform apply": {"--volume-transforms"},
    "surface denoise": {"--distance", "--label", "--mask", "--output-distance"},
}
OF_THE_SHELL = {"--help", "--version", "--volume", "--xml"}
KINDS = {
    "N": {"integer"},
    "X": {"double"},
    "N[,N...]": {"integer-vector", "double-vector"},
    "X|auto": {"string"},
    "SIZE": {"string"},
    "NAME": {"string-enumeration", "string"},
    "FILE": {"image", "geometry", "transform", "pointfile", "file"},
    "FOLDER": {"directory"},
}


class Descriptions(programs.ProgramTest):
    def commands(self):
        for program, commands in COMMANDS.items():
            if program in programs.PROGRAMS:
                yield from ((program, [command]) for command in commands)
                yield program, []

    def module_of(self, program, *command):
        return Module(self.expect(0, "", program, *command, "--xml"))

    def test_descriptions_are_valid(self):
        titles = []
        for program, command in self.commands():
            module = self.module_of(program, *command)
            self.assertEqual(problems_of(module), [], f"{program} {command}")
            titles.append(module.root.findtext("title"))
            hidden = [parameter for parameter in module.parameters if parameter.attributes.get("hidden") == "true"]
            self.assertEqual([(one.longflag, one.default) for one in hidden], [("slicer", "true")])
        self.assertEqual(len(titles), len(set(titles)))

    def test_nothing_but_the_description_is_printed(self):
        for program, command in self.commands():
            status, out, error = self.run_program(program, *command, "--xml")
            self.assertEqual((status, error), (0, ""))
            self.assertTrue(out.startswith('<?xml version="1.0" encoding="utf-8"?>\n'))

    def test_they_tell_what_the_help_tells(self):
        for program, command in self.commands():
            if command or program == "benchmark":
                text = self.expect(0, "", program, *command, "--help")
                module = self.module_of(program, *command)
                left_out = NOT_IN_SLICER.get(program, set()) | NOT_IN_SLICER.get(f"{program} {''.join(command)}", set())
                self.compare(module, text, left_out | OF_THE_SHELL)

    def compare(self, module, text, left_out):
        flags = {f"--{one.longflag}".replace("_", "-"): one for one in module.parameters if one.longflag}
        seen = {"--slicer"}
        for option in options_of(text.split("\n\nExample")[0]):
            name = option["names"][-1]
            if name in left_out:
                self.assertNotIn(name, flags)
                continue
            parameter = flags[name]
            seen.add(name)
            self.assertEqual([f"-{parameter.flag}"] if parameter.flag else [], option["names"][:-1], name)
            if option["value"] is None:
                self.assertEqual((parameter.tag, parameter.default), ("boolean", "false"), name)
            else:
                self.assertIn(parameter.tag, KINDS.get(option["value"], {"string", "string-vector"}), name)
            self.compare_default(parameter, option)
            # The same words, in another layout.
            words = lambda said: re.sub(r"\W+", " ", said).strip()
            self.assertEqual(words(parameter.description), words(option["text"]), name)
        self.assertEqual(seen, set(flags))
        self.compare_groups(module, text, flags)

    def compare_default(self, parameter, option):
        told = re.search(r"Default: ([^\s;]+?)[.,]?(\s|$)", option["text"])
        if parameter.tag in ("integer", "double", "integer-vector", "double-vector") and parameter.default:
            if told and re.match(r"[\d-]", told[1]):
                values = [[float(one) for one in said.split(",")] for said in (told[1], parameter.default)]
                self.assertEqual(*values, parameter.name)
            else:
                # 0 stands for what the help puts in words.
                self.assertEqual((parameter.default, bool(told)), ("0", True), parameter.name)
        elif parameter.tag == "string-enumeration" or parameter.default == "auto":
            self.assertEqual(told[1], parameter.default, parameter.name)

    def compare_groups(self, module, text, flags):
        headings = [line[:-1] for line in text.splitlines() if re.fullmatch(r"\S[^:]*( \(.*\))?:", line)]
        for group in module.groups:
            label = group.findtext("label")
            members = [flags[name] for name in flags if flags[name].group == label and name != "--slicer"]
            if members:
                heading = next(one for one in headings if one.split(" (")[0] == label)
                part = text[text.index(f"\n{heading}:\n") :]
                for member in members:
                    self.assertIn(f"--{member.longflag.replace('_', '-')}", part, label)
        # Files first, and the options of computing folded.
        folded = [group.findtext("label") for group in module.groups if group.get("advanced") == "true"]
        first = module.groups[0].findtext("label")
        self.assertNotIn(first, folded if any(one.index for one in module.parameters) else [])

    def test_advanced_groups(self):
        for program, command in [("denoise", "bilateral"), ("register", "unbiased"), ("atlas", "build"), ("landmarks", "match")]:
            groups = {group.findtext("label"): group.get("advanced") for group in self.module_of(program, command).groups}
            self.assertEqual(groups["Computing"], "true")
            self.assertIsNone(next(iter(groups.values())))

    def test_a_program_offers_its_commands(self):
        offered = {
            "denoise": ["bilateral", "diffusion", "non-local-means", "adaptive-non-local-means"],
            "register": ["unbiased", "greedy", "symmetric", "translation", "rigid", "similarity", "affine"],
            "atlas": ["build"],
            "landmarks": ["match"],
            "transform": ["apply"],
            "surface": ["denoise"],
        }
        for program, commands in offered.items():
            if program in programs.PROGRAMS:
                module = self.module_of(program)
                self.assertEqual((module["command"].elements, module["command"].index), (commands, "0"))
                # All options are those of each command.
                for command in commands:
                    own = {(one.name, one.tag, one.default) for one in self.module_of(program, command).parameters}
                    shared = {(one.name, one.tag, one.default) for one in module.parameters} - {("command", "string-enumeration", commands[0])}
                    self.assertLessEqual(shared, own)

    def test_data_are_of_the_right_kind(self):
        kinds = {
            ("denoise", "bilateral"): {"input": "image", "output": "image", "mask": "image", "range_factor": "double"},
            ("register", "rigid"): {"fixed": "image", "output_transform": "transform", "search_angle": "double", "json": "file"},
            ("landmarks", "match"): {"template": "pointfile", "mesh": "geometry", "output_mesh": "geometry", "number_of_time_steps": "integer"},
            ("atlas", "build"): {"output_folder": "directory", "list": "file", "mean_method": "string-enumeration", "shrink_factors_per_level": "integer-vector"},
        }
        for (program, command), expected in kinds.items():
            module = self.module_of(program, command)
            self.assertEqual({name: module[name].tag for name in expected}, expected)
        rigid = self.module_of("register", "rigid")
        # Slicer puts the moving image under the transform that was found.
        self.assertEqual(rigid["output_transform"].attributes, {"type": "linear", "reference": "moving"})
        self.assertEqual(rigid["output_warped"].attributes, {"reference": "fixed"})
        self.assertEqual(rigid["number_of_histogram_bins"].limits, [8.0, 64.0, 1.0])


class Checks(unittest.TestCase):
    """The checks find mistakes."""

    def test_mistakes_are_found(self):
        good = (
            '<?xml version="1.0"?><executable><category>c</category><title>t</title><description>d</description>'
            "<version>1</version><documentation-url/><license>l</license><contributor>c</contributor><parameters>"
            "<label>g</label><double><name>a</name><longflag>a</longflag><label>A</label><description>d</description>"
            "<default>0.5</default></double></parameters></executable>"
        )
        self.assertEqual(problems_of(Module(good)), [])
        for right, wrong in [
            ("<longflag>a</longflag>", "<longflag>a-b</longflag>"),
            ("<name>a</name>", "<name>1a</name>"),
            ("0.5", "1e-6"),
            ("0.5", "half"),
            ("<label>A</label>", ""),
            ("double>", "number>"),
            ("<double>", '<double type="x">'),
            ("<longflag>a</longflag>", "<longflag>a</longflag><index>0</index>"),
            ("<version>1</version>", ""),
        ]:
            self.assertNotEqual(problems_of(Module(good.replace(right, wrong))), [], wrong)


if __name__ == "__main__":
    programs.run_tests()
