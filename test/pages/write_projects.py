# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes each block of CMake of the pages as a project of its own, in a folder of its own, and a project of all:

    python3 write_projects.py FOLDER
"""

import pathlib
import re
import shutil
import sys

import pages


def main(folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = ["cmake_minimum_required(VERSION 3.22.1...3.29.0)", "project(Pages LANGUAGES C CXX)"]
    for number, block in enumerate(pages.blocks("cmake"), 1):
        project = folder / str(number)
        project.mkdir()
        prelude = block.prelude.read_text(encoding="utf-8")
        # Programs of one project have different names.
        code = re.sub(r"\bDenoise\b(?!\.cxx)", f"Denoise{number}", block.code)
        (project / "CMakeLists.txt").write_text(f"{prelude}# {block.place}\n{code}", encoding="utf-8")
        shutil.copy(pages.HERE / "preludes" / "Denoise.cxx", project)
        lines.append(f"add_subdirectory({number})")
    (folder / "CMakeLists.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
