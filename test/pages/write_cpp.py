# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages' blocks of C++ as GoogleTests into one file, as ITK's headers take long to compile:

    python3 write_cpp.py FILE [PRELUDE...]

The prelude of a block stands around it: its line "// The block." is where the block goes. Lines of #include move to the
top of the file. Compilers name the page's line. Blocks of the given preludes are left out: what they need is not built.
"""

import pathlib
import re
import sys

import pages


def quoted(path):
    return str(path).replace("\\", "/")


def test_of(block, number):
    """The #include lines of a block with its prelude, and the test."""
    prelude = block.prelude
    before, _, after = prelude.read_text(encoding="utf-8").partition("// The block.\n")
    includes, code = [], []
    for text, path, first in ((before, prelude, 1), (block.code, block.page, block.line)):
        code.append(f'#line {first} "{quoted(path)}"')
        for line in text.splitlines():
            is_include = re.match(r"\s*#\s*include\b", line)
            (includes if is_include else code).append(line)
            if is_include:
                code.append("")
    code.append(f'#line {before.count(chr(10)) + 2} "{quoted(prelude)}"')
    code += after.splitlines()
    code += [f'ExpectFile("{name}");' for name in block.files()]
    name = f"{block.page.stem.replace('-', '_')}_{number}"
    return includes, "\n".join([f"TEST_F(PageBlock, {name})", "{", *code, "}"])


def main(target, *left_out):
    includes, tests, counts = [], [], {}
    for block in pages.blocks("cpp"):
        counts[block.page] = counts.get(block.page, 0) + 1
        if block.prelude.stem in left_out:
            continue
        lines, test = test_of(block, counts[block.page])
        includes += [line for line in lines if line not in includes]
        tests.append(test)
    pathlib.Path(target).write_text("\n".join([*includes, '#include "PageBlock.h"', *tests, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
