# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs a block in a folder of its own, with the files of inputs.py."""

import os
import pathlib
import subprocess
import tempfile

import inputs


def add_tests(case, blocks, run):
    """Gives a class of tests a method for each block, named by its page and line, that calls run(test, block)."""
    for block in blocks:
        name = "test_" + block.place.replace("/", "_").replace(".", "_").replace("-", "_").replace(":", "_line_")
        setattr(case, name, lambda test, block=block: run(test, block))


def run_block(test, block, command, files=None, **environment):
    """Runs a command in a folder with the inputs and some more files, and expects every file that the block names."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs.make_inputs(folder)
        for file, text in (files or {}).items():
            (folder / file).write_text(text, encoding="utf-8")
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        test.assertEqual(done.returncode, 0, f"{block.place}\n{done.stdout}")
        for file in block.files():
            test.assertTrue((folder / file).exists(), f"{block.place}: {file} was not written\n{done.stdout}")
