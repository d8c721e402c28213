# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Gives the programs damaged files, of a fixed seed, and looks for crashes, hangs, and data that a file does not hold.

Usage, as programs.py has it: python3 cudaneuro-fuzz.py DENOISE REGISTER LANDMARKS [FIRST LAST]

A file may be refused, with one line that names it and exit status 1, or read. What was read must be what the file
holds, as the readers of damaged_files.py and point_files.py have it. FIRST and LAST pick some of the cases."""

import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import damaged_files as files_of
import point_files
from programs import EMULATOR

CASES = 300
SECONDS = 10
SIZE = (5, 4, 3)
VOXELS = math.prod(SIZE)
# A sanitizer's report is a failure. Leaks are not looked for, because ITK's readers leak when they refuse a file.
ENVIRONMENT = {
    **os.environ,
    "CUDANEURO_DEVICE": "cpu",
    "ASAN_OPTIONS": "exitcode=99:detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99",
}
QUIET = ["--quiet", "--threads", "1"]


class Failure(Exception):
    """A failure of a program: a crash, a hang, wrong data."""


class Unnamed(Failure):
    """A refusal that names no file, which is right only for a map that can be read but folds."""


def run(program, arguments, damaged_names=()):
    """True when the program accepts its files, False when it refuses the damaged one as it should."""
    try:
        done = subprocess.run(
            [*EMULATOR, program, *arguments],
            capture_output=True,
            timeout=SECONDS,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"it runs for more than {SECONDS} s") from error
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode not in (0, 1):
        raise Failure(f"exit status {done.returncode}: {said}")
    others = [line for line in said.splitlines() if ": warning: " not in line]
    if len(others) != done.returncode:
        raise Failure(f"not one line beside warnings: {said}")
    if done.returncode == 1 and not any(name in said for name in damaged_names):
        raise Unnamed(f"the message does not name the file: {said}")
    return done.returncode == 0


def write(files):
    for name, content in files.items():
        with open(name, "wb") as file:
            file.write(content)


def floats_of(name):
    """The numbers of a NIfTI file of float that a program wrote."""
    with open(name, "rb") as file:
        content = file.read()
    content = content[352 if content[:1] == b"\x5c" else 544 :]
    return struct.unpack(f"<{len(content) // 4}f", content)


def held_by(reader, name, files):
    """The contents of a file, or None."""
    try:
        return reader(name, files)
    except Exception:  # whatever a file that is damaged makes of a reader  # pylint: disable=broad-except
        return None


def is_ordinary(values):
    """Whether all numbers are finite and small; large ones make a filter's rounding large."""
    return all(math.isfinite(value) and abs(value) < 1e6 for value in values)


class ImageInput:
    """Denoises an image with a range sigma with which only equal voxels are averaged."""

    program = "denoise"
    sigma = 1e-4

    def __init__(self, make):
        self.make = make

    def run(self, program, name):
        arguments = ["bilateral", name, "out.nii", "--radius", "1", "--range-sigma", str(self.sigma), "--output-type"]
        return run(program, [*arguments, "float", *QUIET], [name.rsplit(".", 2)[0]])

    def check(self, name, files):
        values = held_by(files_of.read_image, name, files)
        if values is None:
            raise Failure("it was read, and holds no image")
        got = floats_of("out.nii")
        if len(got) != len(values):
            raise Failure(f"{len(got)} voxels were read, and it holds {len(values)}")
        if is_ordinary(values):
            tolerance = self.sigma + 1e-6 * max(map(abs, values))
            if any(not abs(a - b) <= tolerance for a, b in zip(got, values)):
                raise Failure("other values were read than it holds")


class MaskInput(ImageInput):
    """Denoises with a mask an image whose voxels all differ from their neighbors: only those inside change."""

    def run(self, program, name):
        arguments = ["bilateral", "image.mha", "out.nii", "--radius", "1", "--range-sigma", "1e6", "--output-type"]
        return run(program, [*arguments, "float", "--mask", name, *QUIET], [name.rsplit(".", 2)[0]])

    def check(self, name, files):
        values = held_by(files_of.read_image, name, files)
        if values is None or len(values) != VOXELS:
            raise Failure("it was read, and holds no mask of the image")
        is_set = [value != 0 and not math.isnan(value) for value in values]
        if 1 < sum(is_set):
            alone = [got == image for got, image in zip(floats_of("out.nii"), IMAGE)]
            if any(set_ is False and not same for set_, same in zip(is_set, alone)):
                raise Failure("voxels that it leaves out were changed")
            if sum(alone) > len(values) - sum(is_set) + isolated(is_set):
                raise Failure("voxels that it has were left out")


def isolated(is_set):
    """The number of voxels without a neighbor in a mask, which keep their value."""
    x, y, z = SIZE
    at = {(i, j, k): is_set[(k * y + j) * x + i] for i in range(x) for j in range(y) for k in range(z)}
    around = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if (a, b, c) != (0, 0, 0)]
    return sum(
        set_ and not any(at.get((i + a, j + b, k + c)) for a, b, c in around) for (i, j, k), set_ in at.items()
    )


class RegistrationInput:
    """Registers with a field or a transform: a clean file with the same contents gives the same result."""

    program = "register"

    def __init__(self, make, option):
        self.make = make
        self.option = option

    def run(self, program, name):
        try:
            return self.run_named(program, name)
        except Unnamed:
            files = {other: read_back(other) for other in os.listdir() if other.startswith("damaged")}
            if held_by(files_of.read_image if "field" in name else files_of.read_transform, name, files) is None:
                raise
            return False

    def run_named(self, program, name):
        arguments = ["unbiased", "fixed.mha", "moving.mha", "--iterations", "1", "--levels", "1", self.option, name]
        return run(program, [*arguments, "--output-warped", "out.nii", "--output-type", "float", *QUIET], [name.rsplit(".", 2)[0]])

    def check(self, name, files):
        is_image = "field" in name
        values = held_by(files_of.read_image if is_image else files_of.read_transform, name, files)
        if values is None and not name.endswith(".h5"):
            raise Failure("it was read, and holds no field or transform")
        # The grid may be damaged, too: then a transform is accepted and not comparable, and an initial field is refused.
        if values is None or (is_image and (self.option == "--initial-transform" or not is_ordinary(values))):
            return
        got = floats_of("out.nii")
        if is_image:
            clean = files_of.meta("clean.mha", SIZE, 16, [struct.unpack("f", struct.pack("f", v))[0] for v in values], components=3)
        elif len(values[0]) == 12:
            clean = {"clean.tfm": files_of.affine_text(values[0], 3).replace(b"Parameters: 0 0 0", b"Parameters: " + " ".join(map(repr, values[1])).encode())}
        else:
            clean = {"clean.tfm": files_of.translation_text(values[0])}
        write(clean)
        if not self.run(self.clean_program, next(iter(clean))):
            raise Failure("the same is refused from a clean file")
        if got != floats_of("out.nii"):
            raise Failure("other values were read than it holds")

    clean_program = ""


class PointInput:
    """Moves points by the identity, which changes no number."""

    program = "landmarks"

    def __init__(self, name, make):
        self.make = lambda: {name: make()}

    def run(self, program, name):
        arguments = ["warp", "identity.tfm", "--points", name, "--output-points", "out.csv"]
        return run(program, [*arguments, *QUIET], [name])

    def check(self, name, files):
        held = held_by(point_files.read, name, files[name])
        if held is None:
            raise Failure("it was read, and holds no points")
        if point_files.read("out.csv", read_back("out.csv"))[0] != held[0]:
            raise Failure("other points were read than it holds")


class ShootingInput:
    """Moves points by a transform of geodesic shooting: what is accepted moves them to numbers."""

    program = "landmarks"

    def __init__(self, name, content):
        self.make = lambda: {name: content}

    def run(self, program, name):
        return run(program, ["warp", name, "--points", "points.csv", "--output-points", "out.csv", *QUIET], [name])

    def check(self, name, files):
        moved, _ = point_files.read("out.csv", read_back("out.csv"))
        if len(moved) != len(POINTS):
            raise Failure("other points came out than went in")


def blob(size, center):
    """A smooth image of bytes."""
    x, y, z = size
    return [
        int(200 / (1 + (i - center) ** 2 + (j - 2) ** 2 + (k - 1) ** 2)) for k in range(z) for j in range(y) for i in range(x)
    ]


IMAGE = random.Random(1).sample(range(256), VOXELS)
MASK = [random.Random(2 + i).randrange(3) for i in range(VOXELS)]
FIELD = [0.05 * (i % 7) - 0.1 for i in range(3 * VOXELS)]
AFFINE = [1.0, 0.01, 0.0, -0.02, 1.0, 0.0, 0.0, 0.03, 1.0, 0.2, -0.1, 0.3]


POINTS = [[round(random.Random(3 + i).uniform(-9, 9), 3) for i in range(j, 27, 9)] for j in range(9)]
TRIANGLES = [[0, 1, 2], [2, 3, 4], [4, 5, 6], [6, 7, 8]]


def makers(stem, values, components=1):
    """One of each format, of several types."""
    datatypes = (16,) if components > 1 else (2, 4, 16)
    result = []
    for datatype in datatypes:
        for name in (".nii", ".nii.gz", ".hdr", ".img"):
            for order in "<>":
                result.append(lambda n=stem + name, t=datatype, o=order: files_of.nifti(n, SIZE, t, values, o, components))
        for name in (".nii", ".nii.gz"):
            for order in "<>":
                result.append(lambda n=stem + name, t=datatype, o=order: files_of.nifti2(n, SIZE, t, values, o, components))
        for name, kind in ((".mha", "binary"), (".mha", "compressed"), (".mhd", "binary"), (".mha", "text")):
            if kind != "text" or components == 1:
                result.append(lambda n=stem + name, t=datatype, k=kind: files_of.meta(n, SIZE, t, values, k, components))
        for name, encoding in ((".nrrd", "raw"), (".nrrd", "gzip"), (".nhdr", "raw"), (".nhdr", "gzip")):
            result.append(lambda n=stem + name, t=datatype, e=encoding: files_of.nrrd(n, SIZE, t, values, e, components))
    if components == 1:
        result.append(lambda: files_of.nifti(stem + "-analyze.hdr", SIZE, 4, values))
    return result


def read_back(name):
    with open(name, "rb") as file:
        return file.read()


def all_inputs(programs):
    """Ways to make a clean file of each kind, by program."""
    RegistrationInput.clean_program = programs["register"]
    write(files_of.meta("image.mha", SIZE, 2, IMAGE))
    write(files_of.meta("fixed.mha", SIZE, 2, blob(SIZE, 2)))
    write(files_of.meta("moving.mha", SIZE, 2, blob(SIZE, 2.5)))
    arguments = ["unbiased", "fixed.mha", "moving.mha", "--align", "none", "--iterations", "1", "--levels", "1"]
    arguments += ["--output-transform", "map.h5"]
    if not run(programs["register"], [*arguments, *QUIET]):
        raise Failure("no transform was written")
    hdf5 = read_back("map.h5")
    denoise = [ImageInput(make) for make in makers("damaged-image", IMAGE)]
    denoise += [MaskInput(make) for make in makers("damaged-mask", MASK)]
    register = [RegistrationInput(make, "--initial-field") for make in makers("damaged-field", FIELD, 3)]
    register += [RegistrationInput(make, "--initial-transform") for make in makers("damaged-field", FIELD, 3)]
    for content in (
        {"damaged.tfm": files_of.translation_text([0.3, -0.2, 0.1])},
        {"damaged.tfm": files_of.affine_text(AFFINE, 3)},
        {"damaged.txt": files_of.affine_text(AFFINE, 3)},
        {"damaged.mat": files_of.affine_matlab(AFFINE, 3)},
        {"damaged.h5": hdf5},
    ):
        register += [RegistrationInput(lambda c=content: dict(c), "--initial-transform")] * 5
    return {"denoise": denoise, "register": register, "landmarks": point_inputs(programs["landmarks"])}


def point_inputs(program):
    write({"identity.tfm": files_of.affine_text([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 3)})
    write({"points.csv": point_files.csv(POINTS), "target.csv": point_files.csv([[x + 0.5 for x in p] for p in POINTS])})
    inputs = [PointInput(name, make) for name, make in point_files.makers("damaged", POINTS, TRIANGLES)]
    for ending in (".tfm", ".mat", ".h5"):
        arguments = ["match", "points.csv", "target.csv", "--sigma", "5", "--time-steps", "4", "--iterations", "5"]
        if not run(program, [*arguments, "--output-transform", "map" + ending, *QUIET]):
            raise Failure("no transform was written")
        inputs += [ShootingInput("damaged" + ending, read_back("map" + ending))] * 3
    return inputs


def try_case(kind, program, files):
    """The failure, or an empty text, and whether the file was accepted."""
    name = next(iter(files))
    write(files)
    try:
        if not kind.run(program, name):
            return "", False
        kind.check(name, files)
        return "", True
    except Failure as failure:
        return str(failure), False
    finally:
        for written in [*files, "out.nii", "out.csv"]:
            if os.path.exists(written):
                os.remove(written)


def main():
    programs = dict(zip(("denoise", "register", "landmarks"), map(os.path.realpath, sys.argv[1:4])))
    first, last = (int(sys.argv[4]), int(sys.argv[5])) if len(sys.argv) > 5 else (0, CASES)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    failures = 0
    try:
        for program, inputs in all_inputs(programs).items():
            accepted = 0
            for kind in inputs:
                wrong, is_accepted = try_case(kind, programs[program], kind.make())
                if wrong or not is_accepted:
                    failures += 1
                    print(f"FAILED: {program}, a clean {next(iter(kind.make()))}: {wrong or 'it is refused'}")
            for case in range(first, last):
                dice = random.Random(f"{program} {case}")
                kind = dice.choice(inputs)
                files, how = files_of.damage(dice, kind.make())
                wrong, is_accepted = try_case(kind, programs[program], files)
                accepted += is_accepted
                if wrong:
                    failures += 1
                    print(f"FAILED: {program}, case {case}, {type(kind).__name__}, {how}: {wrong.strip()}")
            print(f"{program}: {last - first} damaged files, {accepted} of them accepted")
    finally:
        shutil.rmtree(folder)
    print(f"{failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
