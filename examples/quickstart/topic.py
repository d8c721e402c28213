# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""What the topics of the quickstart have in common: they run programs, keep figures and checks, and have limited time."""

import json
import shlex
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path


class TopicError(Exception):
    """A topic could not be completed."""


@dataclass
class Check:
    """A number, and the bound that it must keep."""

    what: str
    value: float
    bound: float
    unit: str = ""
    above: bool = False

    @property
    def passes(self):
        # A number that is not finite passes neither.
        return self.value > self.bound if self.above else self.value < self.bound


@dataclass
class Topic:
    """One topic: its folder, and what it has found out."""

    name: str
    programs: Path
    folder: Path
    limit: float  # seconds
    small: bool = False  # sizes of a test
    title: str = ""
    text: str = ""
    caption: str = ""
    table: list = field(default_factory=list)  # rows of equal length, the first is the head
    checks: list = field(default_factory=list)
    details: dict = field(default_factory=dict)  # for report.json
    commands: list = field(default_factory=list)
    device: str = ""
    error: str = ""
    taken: float = 0.0  # seconds, in the end
    start: float = field(default_factory=time.monotonic)

    def seconds(self):
        return time.monotonic() - self.start

    def path(self, name):
        return self.folder / name

    def run(self, program, *arguments):
        """Runs a program, and returns the JSON that it prints. The command goes into the report."""
        arguments = [str(argument) for argument in arguments]
        self.commands.append(shlex.join([program, *(a.removeprefix(f"{self.folder}/") for a in arguments)]))
        quiet = [] if arguments[0] == "compare" else ["--quiet"]
        command = [str(self.programs / program), *arguments, *quiet, "--json", "-"]
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, text=True, check=False, timeout=max(self.limit - self.seconds(), 0.1)
            )
        except subprocess.TimeoutExpired:
            raise TopicError(f"{program} {arguments[0]} was stopped: the topic may take {self.limit:.0f} s") from None
        except OSError as error:
            raise TopicError(f"{program} cannot be run: {error.strerror}") from None
        if done.returncode != 0:
            raise TopicError(f"{program} {arguments[0]} ended with exit status {done.returncode}")
        report = json.loads(done.stdout)
        self.device = report.get("device_description", report.get("devices_description", self.device))
        return report

    def check(self, what, value, below=None, above=None, unit=""):
        """Notes a number that must lie below or above a bound."""
        bound = below if above is None else above
        self.checks.append(Check(what, float(value), float(bound), unit, above is not None))

    def passes(self):
        return not self.error and bool(self.checks) and all(check.passes for check in self.checks)
