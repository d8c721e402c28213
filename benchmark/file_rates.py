#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Measures what files cost: an atlas of which only the template is written, against its own alignment, iterations and reading; and
how fast results are written, against dd and against libdeflate; and how long a run takes to start, against inflating its images.

    python3 benchmark/file_rates.py FOLDER_OF_PROGRAMS [--folder FOLDER] [--size N,N,N] [--images N]

Prints a table. Needs cudaneuro-atlas and cudaneuro-register, dd, and three minutes on 16 cores with a GPU.
"""

import argparse
import array
import concurrent.futures
import ctypes
import ctypes.util
import datetime
import glob
import gzip
import json
import os
import pathlib
import platform
import shlex
import struct
import subprocess
import sys
import tempfile
import time
import zlib

RUNS = 3
# What a thread compresses at a time.
PART = 1 << 20


def seconds_of(call):
    """The least time of some runs."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


class Programs:
    def __init__(self, programs, folder):
        self.programs = pathlib.Path(programs).resolve()
        self.folder = folder

    def run(self, name, *arguments):
        """Runs a program, and returns its report and how long it took."""
        report = self.folder / "report.json"
        command = [str(self.programs / f"cudaneuro-{name}"), *arguments, "--quiet", "--json", str(report)]
        begin = time.perf_counter()
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        wall = time.perf_counter() - begin
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)}\n{done.stdout}")
        return json.loads(report.read_text()), wall


class Libdeflate:
    """Compresses at level 1, and inflates. Where the library is not found, zlib does."""

    def __init__(self, path):
        names = [path, ctypes.util.find_library("deflate"), *glob.glob("/usr/lib/*/libdeflate.so*")]
        self.library = next(filter(None, map(self.load, filter(None, names))), None)
        self.name = "libdeflate" if self.library else "zlib, in place of libdeflate, which is not found"

    @staticmethod
    def load(name):
        try:
            library = ctypes.CDLL(name)
        except OSError:
            return None
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        for function, result, arguments in (
            ("alloc_compressor", pointer, [ctypes.c_int]),
            ("alloc_decompressor", pointer, []),
            ("gzip_compress", size, [pointer, ctypes.c_char_p, size, pointer, size]),
            ("gzip_decompress", ctypes.c_int, [pointer, ctypes.c_char_p, size, pointer, size, pointer]),
            ("free_compressor", None, [pointer]),
            ("free_decompressor", None, [pointer]),
        ):
            getattr(library, f"libdeflate_{function}").restype = result
            getattr(library, f"libdeflate_{function}").argtypes = arguments
        return library

    def compress(self, parts):
        if not self.library:
            return [zlib.compress(part, 1) for part in parts]
        compressor = self.library.libdeflate_alloc_compressor(1)
        room = ctypes.create_string_buffer(2 * PART)
        for part in parts:
            self.library.libdeflate_gzip_compress(compressor, part, len(part), room, len(room))
        return self.library.libdeflate_free_compressor(compressor)

    def inflate(self, data, room):
        """Inflates one gzip member into memory that is there already."""
        if not self.library:
            return zlib.decompress(data, 31)
        decompressor = self.library.libdeflate_alloc_decompressor()
        if self.library.libdeflate_gzip_decompress(decompressor, data, len(data), room, len(room), None) != 0:
            sys.exit("libdeflate cannot inflate an image")
        return self.library.libdeflate_free_decompressor(decompressor)


def compress_by_all(compress, data, cores):
    """Compresses a file's bytes in memory by as many threads as there are cores."""
    parts = [data[i : i + PART] for i in range(0, len(data), PART)]
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        list(pool.map(compress, [parts[i::cores] for i in range(cores)]))


def measure_atlas(programs, images, rows):
    """The rows of the atlas; returns the names of the devices."""
    ratios = []
    left_out = ["--no-maps", "--no-inverse", "--no-deformed", "--no-checkpoint"]
    for _ in range(RUNS):
        report, wall = programs.run("atlas", "build", *images, "-o", "atlas", *left_out)
        seconds = report["seconds"]
        own = seconds["aligning"] + seconds["iterations"] + seconds["reading"]
        ratios.append((wall / own, wall, own, seconds))
    ratio, wall, own, seconds = min(ratios, key=lambda row: row[1])
    parts = ", ".join(f"{name} {seconds[name]:.2f}" for name in ("aligning", "reading", "iterations", "writing", "total"))
    rows.append((f"atlas of {len(images)} images, template only, in s", f"{wall:.2f}", f"{own:.2f} ({parts})", f"{ratio:.2f}"))
    return report["devices_description"]


def measure_writing(programs, images, ending, outputs):
    """How long writing some outputs took, from the device to the disk."""
    arguments = ["--align", "none", "--number-of-levels", "1", "--number-of-iterations", "1", *(["--output-type", "float"] if "-o" in outputs else [])]
    for option, name in outputs.items():
        arguments += [option, name + ending]
    times = [programs.run("register", "greedy", *images[:2], *arguments)[0]["seconds"]["writing"] for _ in range(RUNS)]
    return min(times)


def measure_rates(programs, images, library, rows):
    cores = len(os.sched_getaffinity(0))
    for what, outputs in (
        ("image", {"-o": "image"}),
        ("field", {"--output-field": "field"}),
        ("image, field and Jacobian", {"-o": "image", "--output-field": "field", "--output-jacobian": "jacobian"}),
    ):
        plain = measure_writing(programs, images, ".nii", outputs)
        packed = measure_writing(programs, images, ".nii.gz", outputs)
        files = [programs.folder / f"{output}.nii" for output in outputs.values()]
        data = b"".join(file.read_bytes() for file in files)
        together = programs.folder / "all"
        together.write_bytes(data)
        dd = ["dd", f"if={together}", f"of={programs.folder / 'copy'}", "bs=1M", "conv=fsync", "status=none"]
        limit = seconds_of(lambda: subprocess.run(dd, check=True))
        rows.append(rate_row(f"{what}, .nii", len(data), plain, limit, "dd conv=fsync"))
        limit = seconds_of(lambda: compress_by_all(library.compress, data, cores))
        rows.append(rate_row(f"{what}, .nii.gz", len(data), packed, limit, f"{library.name}, level 1, {cores} threads, in memory"))


def write_as_short(image, copy):
    """Writes a NIfTI image of float again, as numbers of 16 bits that go up to 1000."""
    data = gzip.decompress(image.read_bytes())
    offset = int(struct.unpack_from("<f", data, 108)[0])
    values = array.array("f", data[offset:])
    scale = 1000 / max(values)
    header = bytearray(data[:offset])
    struct.pack_into("<hh", header, 70, 4, 16)  # int16, which has 16 bits
    copy.write_bytes(gzip.compress(bytes(header) + array.array("h", (int(scale * value) for value in values)).tobytes(), 6))


def measure_start(programs, library, rows):
    """How long a pair takes from its files to the start of its computation, against inflating both files at a time, in memory. The
    start of the device, for which the program waits beside that, does not count."""
    programs.run("atlas", "synthesize", "-o", "pair", "--number-of-images", "2", "--size", "256,256,256")
    floats = sorted((programs.folder / "pair").glob("image_*.nii.gz"))
    shorts = [programs.folder / f"short_{i}.nii.gz" for i in range(2)]
    for image, copy in zip(floats, shorts):
        write_as_short(image, copy)
    for what, images in (("int16", shorts), ("float", floats)):
        arguments = ["--align", "none", "--number-of-levels", "1", "--number-of-iterations", "1", "-o", "start.nii"]
        starts = []
        for _ in range(RUNS):
            seconds = programs.run("register", "greedy", *map(str, images), *arguments)[0]["seconds"]
            later = ("registering", "writing", "waiting_for_device")
            starts.append((seconds["total"] - sum(seconds[name] for name in later), seconds))
        own, seconds = min(starts, key=lambda start: start[0])
        data = [image.read_bytes() for image in images]
        rooms = [ctypes.create_string_buffer(int.from_bytes(one[-4:], "little")) for one in data]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            limit = seconds_of(lambda: list(pool.map(library.inflate, data, rooms)))
        parts = ", ".join(f"{name} {seconds[name]:.3f}" for name in ("reading", "uploading"))
        what = f"start of a pair of 256^3, {what}, .nii.gz, in s"
        rows.append((what, f"{own:.3f} ({parts})", f"{limit:.3f} ({library.name})", f"{own / limit:.2f}"))


def rate_row(what, count, own, limit, name):
    return (f"{what}, {count / 1e6:.0f} MB, in MB/s", f"{count / own / 1e6:.0f}", f"{count / limit / 1e6:.0f} ({name})", f"{limit / own:.2f}")


def print_table(rows, devices):
    print(f"{platform.node()}: {devices}, {len(os.sched_getaffinity(0))} cores, {datetime.date.today()}")
    print(f"python3 {shlex.join(sys.argv)}\n")
    print("| what | measured | compared with | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("programs", help="folder of cudaneuro-atlas and cudaneuro-register")
    parser.add_argument("--folder", default=".", help="where files are written: the disk that is measured")
    parser.add_argument("--size", default="256,300,256")
    parser.add_argument("--images", default="8")
    parser.add_argument("--libdeflate", help="the library, where the system does not find it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="file-rates-") as name:
        programs = Programs(options.programs, pathlib.Path(name).resolve())
        programs.run("atlas", "synthesize", "-o", "images", "--number-of-images", options.images, "--size", options.size)
        images = sorted(str(path) for path in (programs.folder / "images").glob("image_*.nii.gz"))
        rows = []
        devices = measure_atlas(programs, images, rows)
        library = Libdeflate(options.libdeflate)
        measure_rates(programs, images, library, rows)
        measure_start(programs, library, rows)
        print_table(rows, devices)


if __name__ == "__main__":
    main()
