# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks pages against sources: every block is tested, and the tests that pages name exist."""

import fnmatch
import hashlib
import re
import subprocess
import sys
import unittest

import pages

PAGE = pages.ROOT / "README.md"
LONGEST_PAGE = 300
# A section with one of these promises must name a test.
PROMISES = r"\b1e-\d+ of\b|\blast bit\b|\bsame bits\b|\bbit for bit\b|0\.05 voxel|\bnever throw|\bwithout a copy\b"


class Blocks(unittest.TestCase):
    def test_every_block_is_tested(self):
        for page in pages.pages():
            for block in pages.blocks_of(page):
                with self.subTest(block=block.place):
                    if "prelude" in block.mark:
                        self.assertTrue(block.prelude.exists(), block.prelude)

    def test_scripts_have_the_options_that_are_used(self):
        for block in pages.blocks("sh"):
            for words in pages.commands(block):
                if words[0] != "python":
                    continue
                folder = pages.ROOT if "/" in words[1] else pages.ROOT / "examples" / "python"
                with self.subTest(block=block.place, words=words):
                    known = pages.script_options(folder / words[1])
                    self.assertLessEqual({w for w in words[2:] if w.startswith("-")}, known)

    def test_what_escapes_is_refused(self):
        for text, message in (
            ("```\nx\n```\n", 'the language is ""'),
            ("```c++\nx\n```\n", 'the language is "c\\+\\+"'),
            ("```cpp\nx\n```\n", "prelude=NAME"),
            ("text\n\n    indented\n", "README.md:3: an indented block"),
            ("<!-- test: prelude=x -->\n\n```cpp\nx\n```\n", "a block must follow"),
            ("<!-- test: later -->\n```sh\nx\n```\n", '"test: later" is unknown'),
            ("<!-- test: exempt: -->\n```sh\nx\n```\n", "is unknown"),
            ("<!-- test: needs=time -->\n```python\nx\n```\n", 'not "time"'),
            ("<!-- test: prelude=x -->\n```sh\nx\n```\n", 'cannot be marked as "prelude"'),
            ("```sh\nx\n", "does not end"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(pages.PageError, message):
                pages.blocks_of(PAGE, text)

    def test_what_a_block_says(self):
        text = "- a list\n    continued\n\n<!-- test: options -->\n```sh\na --b \\\n  c.tfm # d\n```\n"
        (block,) = pages.blocks_of(PAGE, text)
        self.assertEqual((block.line, block.language, block.mark), (6, "sh", {"options": True}))
        self.assertEqual(pages.commands(block), [["a", "--b", "c.tfm"]])
        self.assertEqual(block.files(), ["c.tfm"])


class Reading(unittest.TestCase):
    """What a reader needs beside the code: pages of a length that can be read, and links that lead somewhere."""

    def test_pages_are_short(self):
        for page in pages.pages():
            with self.subTest(page=page.name):
                self.assertLess(len(page.read_text(encoding="utf-8").splitlines()), LONGEST_PAGE)

    def test_links_lead_somewhere(self):
        for page in pages.pages():
            for line, target in pages.links(page.read_text(encoding="utf-8")):
                with self.subTest(place=f"{page.name}:{line}", target=target):
                    self.assertEqual(pages.broken(page, target), "")

    def test_links_that_lead_nowhere_are_found(self):
        page = pages.ROOT / "Documentation" / "performance.md"
        for target, message in (
            ("registration.md", ""),
            ("registration.md#which-to-choose", ""),
            ("#landmarks", ""),
            ("../README.md", ""),
            ("https://itk.org", ""),
            ("nothing.md", "there is no nothing.md"),
            ("registration.md#nothing", "registration.md has no heading nothing"),
            ("#nothing", "performance.md has no heading nothing"),
            ("../../../../../etc", "it leads out of the repository"),
            ("http://itk.org", "this is no address of https"),
            ("https:itk", "this is no address of https"),
        ):
            with self.subTest(target=target):
                self.assertEqual(pages.broken(page, target), message)
        text = "[a](b.md) ![c](d.png)\n\n```text\n[no](link.md)\n```\n[e](#f)\n"
        self.assertEqual(pages.links(text), [(1, "b.md"), (1, "d.png"), (6, "#f")])
        self.assertEqual(pages.anchors("# A `b` c\n\n## A b, c\n\n## It's\n"), {"a-b-c", "a-b-c-1", "its"})

    def test_tables_are_those_of_the_measurements(self):
        """The tables of performance-*.md are what benchmark/tables.py prints."""
        folder = pages.ROOT / "Documentation"
        command = [sys.executable, str(pages.ROOT / "benchmark" / "tables.py"), str(folder / "performance.json")]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        written = set()
        for page in folder.glob("performance*.md"):
            written.update(page.read_text(encoding="utf-8").splitlines())
        rows = [line for line in printed.splitlines() if line.startswith("|")]
        self.assertGreater(len(rows), 100)
        self.assertEqual([row for row in rows if row not in written], [])

    def test_plots_are_those_of_the_measurements(self):
        """benchmark/plots.py notes in its pictures which file they are of."""
        folder = pages.ROOT / "Documentation"
        digest = hashlib.sha256((folder / "performance.json").read_bytes()).hexdigest()
        plots = sorted((folder / "images").glob("performance-*.png"))
        self.assertGreaterEqual(len(plots), 2)
        for plot in plots:
            with self.subTest(plot=plot.name):
                self.assertIn(digest.encode(), plot.read_bytes(), "draw it anew with benchmark/plots.py")


class Options(unittest.TestCase):
    """Tables of setters name an option as its setter; opposites of switches say so, and files have names of their own."""

    FILES = {"initial-field", "fixed-mask", "moving-mask", "fixed-labels", "moving-labels"}
    # One option for what the setter has a number of a channel for.
    LISTS = {"channel-weights"}

    def test_tables_name_options_as_setters(self):
        count = 0
        for name in ("registration.md", "linear-registration.md"):
            for line in (pages.ROOT / "Documentation" / name).read_text(encoding="utf-8").splitlines():
                cells = line.split("|")[1:3]
                setters = re.findall(r"`Set(\w+)`", cells[0]) if len(cells) == 2 else []
                options = [] if not setters or "opposite" in cells[1] else re.findall(r"`--([\w-]+)`", cells[1])
                words = {re.sub(r"(?<=[a-z])(?=[A-Z])", "-", setter).lower() for setter in setters}
                for option in set(options) - self.FILES - self.LISTS:
                    with self.subTest(page=name, option=option):
                        self.assertIn(option, words)
                    count += 1
        self.assertGreater(count, 30)


class Development(unittest.TestCase):
    def test_the_commit_stands_in_the_files(self):
        """The page shows how a parameter was added: files, and the lines that they got."""
        page = (pages.ROOT / "Documentation" / "development.md").read_text(encoding="utf-8")
        commit = re.search(r"This is the commit .*?```text\n(.*?)```", page, re.DOTALL)[1]
        lines = []
        for line in commit.splitlines():
            if line.startswith("+"):
                with self.subTest(line=line):
                    self.assertIn(line[1:], lines)
            elif not line.startswith("-"):
                lines = (pages.ROOT / line).read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(re.findall(r"^[^+-]", commit, re.MULTILINE)), 6)


class NamedTests(unittest.TestCase):
    def known(self):
        return pages.gtest_names() | pages.python_names() | pages.ctest_names()

    def named_tests(self, name, known):
        """A file, a test, or with a * all tests of that name."""
        return [name] if (pages.ROOT / name).is_file() else fnmatch.filter(known, name)

    def test_they_exist(self):
        known = self.known()
        for page in pages.pages():
            for place, name in pages.held_by(page):
                with self.subTest(place=place, name=name):
                    least = 2 if "*" in name else 1
                    self.assertGreaterEqual(len(self.named_tests(name, known)), least, "there is no such test")

    def test_promises_name_them(self):
        for page in pages.pages():
            for line, section in pages.sections(page.read_text(encoding="utf-8")):
                promise = re.search(PROMISES, section)
                with self.subTest(place=f"{page.name}:{line}", promise=promise and promise[0]):
                    self.assertTrue(promise is None or "Held by" in section, "no test is named")

    def test_names_are_found(self):
        known = self.known()
        for name in (
            "Bilateral.MatchesReference",
            "DeviceImageTest.SharesMemoryOnTheCpu",
            "CudaBilateralImageFilter.HonorsMask",
            "CudaBilateralImageFilterOnCuda.WorksInSlabs",
            "NamedTests.test_names_are_found",
            "CudaNeuroPackage.ExamplesRun",
        ):
            self.assertIn(name, known)
        self.assertEqual(self.named_tests("Bilateral.Flies", known), [])
        self.assertEqual(self.named_tests("*.Flies", known), [])
        self.assertEqual(self.named_tests("test/run.sh", known), ["test/run.sh"])
        self.assertGreaterEqual(len(self.named_tests("*.NoPartTaken", known)), 4)
        text = "It is so. Held by `A.B`, and on GPUs\nby `C.D`.\n\n`E.F` is not held.\n"
        self.assertEqual([name for _, name in pages.held_by(PAGE, text)], ["A.B", "C.D"])


if __name__ == "__main__":
    unittest.main()
