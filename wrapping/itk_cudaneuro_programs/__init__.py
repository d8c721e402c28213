# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The command-line programs that a wheel brings. They stand in this folder; pip makes commands of the functions below."""

import os
import pathlib
import subprocess
import sys


def _run(name: str) -> int:
    """Becomes the program, with the arguments of this process; where processes cannot change, waits for its end."""
    program = pathlib.Path(__file__).with_name(name + (".exe" if os.name == "nt" else ""))
    if not program.exists():
        print(f"{name}: this wheel of itk-cudaneuro was built without the programs; build them from source", file=sys.stderr)
        return 127
    if os.name == "nt":
        return subprocess.call([str(program), *sys.argv[1:]])
    os.execv(program, [name, *sys.argv[1:]])
    return 127


def atlas() -> int:
    return _run("cudaneuro-atlas")


def denoise() -> int:
    return _run("cudaneuro-denoise")


def landmarks() -> int:
    return _run("cudaneuro-landmarks")


def register() -> int:
    return _run("cudaneuro-register")


def transform() -> int:
    return _run("cudaneuro-transform")
