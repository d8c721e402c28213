# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks that there is one version: CMakeLists.txt has it, and what must repeat it says the same."""

import re
import unittest

import pages


def first(name, pattern):
    """The first group of a pattern in a file of the repository."""
    found = re.search(pattern, (pages.ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return found and found[1]


class Version(unittest.TestCase):
    def setUp(self):
        self.version = first("CMakeLists.txt", r"^  VERSION (\d+\.\d+\.\d+)$")
        self.assertIsNotNone(self.version)

    def test_the_citation_has_it(self):
        self.assertEqual(first("CITATION.cff", r"^version: (\S+)$"), self.version)

    def test_the_newest_changes_have_it(self):
        self.assertEqual(first("CHANGELOG.md", r"^## \[(\S+)\]"), self.version)

    def test_the_wheel_reads_it_from_cmake(self):
        text = (pages.ROOT / "pyproject.toml").read_text(encoding="utf-8")
        project = text.split("[project]")[1].split("\n[")[0]
        self.assertIn('dynamic = ["version"]', project)
        self.assertIsNone(re.search(r"^version *=", project, re.MULTILINE))
        # The expression that the wheel's builder finds it with.
        pattern = first("pyproject.toml", r"^metadata\.version\.regex = '(.*)'$")
        self.assertEqual(first("CMakeLists.txt", pattern.replace("(?P<value>", "(")), self.version)


if __name__ == "__main__":
    unittest.main()
