# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks pages against sources: every block is tested, and the tests that pages name exist."""

import fnmatch
import re
import unittest

import pages

PAGE = pages.ROOT / "README.md"
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
