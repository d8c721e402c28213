# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Command lines with subcommands. Words behind -- are for another program."""

import argparse
import multiprocessing
import pathlib
import sys


class Subcommands:
    def __init__(self, text):
        self._parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
        self._commands = self._parser.add_subparsers(required=True)

    def add(self, name, function, *paths):
        """Adds a command with paths, the last of which may end in ... for one or more, and --jobs. Returns its parser."""
        added = self._commands.add_parser(name)
        added.set_defaults(function=function)
        for path in paths:
            added.add_argument(path.removesuffix("..."), type=pathlib.Path, nargs="+" if path.endswith("...") else None)
        added.add_argument("--jobs", type=int, default=1 if name == "run" else multiprocessing.cpu_count())
        return added

    def run(self):
        """Calls the function of the command that was given, with its options; `rest` has the words behind --."""
        words = sys.argv[1:]
        end = words.index("--") if "--" in words else len(words)
        options = self._parser.parse_args(words[:end])
        options.rest = words[end + 1 :]
        options.function(options)
