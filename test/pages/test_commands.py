# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The pages' blocks of sh, with the programs of the folder that CUDANEURO_PROGRAMS names."""

import os
import re
import subprocess
import unittest

import pages
import run_block

PROGRAMS = os.environ["CUDANEURO_PROGRAMS"]


class CommandBlocks(unittest.TestCase):
    def has_options(self, words, place):
        """Checks that the program, or subcommand, of a line that is not run has the options."""
        program = os.path.join(PROGRAMS, words[0])
        subcommands = [w for w in words[1:2] if re.fullmatch(r"[a-z-]+", w) and not w.startswith("-")]
        done = subprocess.run([program, *subcommands, "--help"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, f"{place}: {done.stderr}")
        known = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", done.stdout))
        for option in (w.partition("=")[0] for w in words[1:] if w.startswith("-")):
            self.assertIn(option, known, f"{place}: {words[0]} {' '.join(subcommands)}")


def run(test, block):
    if "options" not in block.mark:
        path = PROGRAMS + os.pathsep + os.environ["PATH"]
        run_block.run_block(test, block, ["bash", "-euo", "pipefail", "-c", block.code], PATH=path)
    for words in pages.commands(block) if "options" in block.mark else ():
        if words[0] != "python":
            test.has_options(words, block.place)


run_block.add_tests(CommandBlocks, pages.blocks("sh"), run)

if __name__ == "__main__":
    unittest.main()
