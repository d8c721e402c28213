#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints a checksum of each output of a run of each method of each program, on made data. A change that is to leave results as they
are is checked with two builds on one machine; other machines may round otherwise, and need checksums of their own:

    python3 program_checksums.py build-before/bin > before.txt
    python3 program_checksums.py build/bin --against before.txt

exits with 1 if a checksum differs, and says which."""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

SURFACES = ("Folds", "Blocks")

MADE = [
    "atlas synthesize -o brains --images 3 --size 48,56,40 --displacement 3 --smoothness 8 --seed 3",
    "atlas synthesize -o slices --images 2 --size 64,48 --displacement 3 --smoothness 8",
    "landmarks synthesize -o points --points 300 --targets 2 --surfaces",
    *[f"surface synthesize -o noisy_{shape}.ply --output-true true_{shape}.ply --shape {shape} --size 15" for shape in SURFACES],
]

BRAIN = "brains/image_0001.nii.gz"
PAIR = f"{BRAIN} brains/image_0002.nii.gz"
DEFORMED = "--levels 2 --iterations 8 -o {0}.nii --output-field {0}_field.nii --output-inverse-field {0}_inverse.nii"

RUNS = [
    f"denoise bilateral {BRAIN} bilateral.nii --range-sigma 0.1",
    f"denoise bilateral {BRAIN} wide.nii --range-sigma 0.1 --radius 4",
    f"denoise diffusion {BRAIN} diffusion.nii",
    f"denoise non-local-means {BRAIN} nonlocal.nii",
    f"denoise non-local-means {BRAIN} rician.nii --rician",
    f"denoise adaptive-non-local-means {BRAIN} adaptive.nii --rician",
    "denoise non-local-means slices/image_0001.nii.gz slice.nii",
    *[f"register {method} {PAIR} {DEFORMED.format(method)}" for method in ("unbiased", "greedy", "symmetric")],
    f"register greedy {PAIR} {DEFORMED.format('correlation')} --metric local-correlation",
    f"register symmetric slices/image_0001.nii.gz slices/image_0002.nii.gz {DEFORMED.format('flat')}",
    *[f"register {method} {PAIR} -o {method}.nii" for method in ("translation", "rigid", "similarity", "affine")],
    "atlas build --list brains/population.csv -o atlas --align none --levels 2 --iterations 6",
    "atlas build --list brains/population.csv -o median --align none --levels 2 --iterations 6 --mean median",
    "landmarks match points/template.csv points/target_0001.csv --sigma 5 --output-points moved.csv --output-momenta momenta.csv",
    *[f"surface denoise noisy_{shape}.ply -o {shape}.ply --method level-set" for shape in SURFACES],
    *[f"surface denoise noisy_{shape}.ply -o {shape}_edges.ply --keep-edges --method level-set" for shape in SURFACES],
]


def run(programs, command, folder, device):
    program, subcommand, *arguments = command.split()
    path = programs / f"cudaneuro-{program}"
    if not path.exists():
        return f"{path.name} is not there"
    if device and subcommand not in ("synthesize", "compare"):
        arguments += ["--device", device]
    # A program that has no other method than level sets knows no option for it.
    if "--method" in arguments and "--method" not in subprocess.run([path, subcommand, "--help"], capture_output=True, text=True, check=True).stdout:
        at = arguments.index("--method")
        del arguments[at : at + 2]
    done = subprocess.run([path, subcommand, *arguments, "-q"], cwd=folder, capture_output=True, text=True, check=False)
    return f"{command}: {done.stderr.strip()}" if done.returncode else ""


def checksums(programs, device):
    """The checksums of all files that the programs write, but for reports, which have times."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for command in MADE + RUNS:
            complaint = run(programs, command, folder, device)
            if complaint:
                sys.exit(complaint)
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".json", ".png"))
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("programs", help="folder of the programs", type=pathlib.Path)
    parser.add_argument("--device", help="as the programs have it", default=os.environ.get("CUDANEURO_DEVICE", ""))
    parser.add_argument("--against", help="checksums that another build has printed", type=pathlib.Path)
    options = parser.parse_args()
    own = checksums(options.programs.resolve(), options.device)
    if not options.against:
        print("\n".join(f"{checksum}  {name}" for name, checksum in own.items()))
        return
    pairs = [line.split("  ", maxsplit=1) for line in options.against.read_text(encoding="utf-8").splitlines()]
    other = {name: checksum for checksum, name in pairs}
    different = sorted(name for name in own.keys() | other.keys() if own.get(name) != other.get(name))
    print("\n".join(different) if different else f"All {len(own)} files have the same bits.")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
