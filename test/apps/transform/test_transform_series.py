# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-transform apply of series: each volume gets what it gets alone, whatever the number of threads.

    python3 test_transform_series.py TRANSFORM
"""

import gzip
import json
import math
import random
import resource
import signal
import struct
import time

import nifti_files as nf
import programs
from slow_resampling import resampled
from space_maps import Grid, matrix_of, transform_text
from test_transform import INTERPOLATIONS, TURN, TransformTest


class Series(TransformTest):
    GRID = Grid((4, 3, 2), None, (2.0, 2.0, 3.0), (10.0, 20.0, 30.0))

    def setUp(self):
        super().setUp()
        self.values = [[100 * volume + i for i in range(24)] for volume in range(3)]
        fields = {"pixdim": [1.0, 2.0, 2.0, 3.0, 1.75, 1.0, 1.0, 1.0], "xyzt_units": 10}
        self.write("s.nii", nf.nifti((4, 3, 2, 3), "h", sum(self.values, []), 2, **{**self.GRID.fields(), **fields}))
        for volume in range(3):
            # LPS: each volume one voxel further along x.
            self.affine(f"{volume}.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-2.0 * volume, 0, 0]))

    def shifted(self, volume, by):
        return [self.values[volume][i + by] if i % 4 + by < 4 else 0 for i in range(24)]

    def test_all_volumes_move(self):
        for interpolation in INTERPOLATIONS[:4]:
            self.apply("s.nii", "o.nii", "--reference", "s.nii", "-x", "1.tfm", "--interpolation", interpolation)
            fields, values = self.read("o.nii")
            self.assertEqual((fields["dim"][:5], fields["pixdim"][4], fields["datatype"]), ([4, 4, 3, 2, 3], 1.75, nf.CODES["h"]))
            self.assertEqual(values, sum((self.shifted(volume, 1) for volume in range(3)), []), interpolation)
        self.apply("s.nii", "o.nii", "--reference", "s.nii", "-x", "1.tfm", "--volume", "2")
        self.assertEqual(self.read("o.nii")[1], self.shifted(2, 1))
        # Not as an octal number.
        self.refuse("has 3 volumes", "apply", "s.nii", "o2.nii", "--reference", "s.nii", "-x", "1.tfm", "--volume", "010")
        self.apply("s.nii", "o.nii", "--reference", "s.nii", "-x", "1.tfm", "--volume", "002")
        self.assertEqual(self.read("o.nii")[1], self.shifted(2, 1))

    def test_each_volume_has_a_transform(self):
        self.write("list.txt", b"# of three volumes\n0.tfm\n1.tfm\n\n[2.tfm,0]\n")
        self.apply("s.nii", "o.nii", "--reference", "s.nii", "--volume-transforms", "list.txt")
        self.assertEqual(self.read("o.nii")[1], sum((self.shifted(volume, volume) for volume in range(3)), []))
        self.apply("s.nii", "o.nii", "--reference", "s.nii", "-x", "1.tfm", "--volume-transforms", "list.txt")
        self.assertEqual(self.read("o.nii")[1], sum((self.shifted(volume, volume + 1) for volume in range(3)), []))

    def test_values_that_the_type_does_not_hold_are_counted(self):
        """By the engine, which has float, and beside it, in double."""
        values = [value - 20.5 for value in sum(self.values, [])[:-3]] + [math.nan, math.inf, 1e9]
        arguments = ["s.nii", "o.nii", "--reference", "s.nii", "-x", "0.tfm", "--json", "report.json"]
        for kind, numbers in (("f", values), ("d", values), ("h", [3 * value - 50 for value in sum(self.values, [])])):
            self.write("s.nii", nf.nifti((4, 3, 2, 3), kind, numbers, **self.GRID.fields()))
            count = sum(programs.is_limited(value) for value in numbers)
            words = f"o.nii: {count} voxels are NaN or beyond the range of unsigned char, and have 0 or its limits"
            self.apply(*arguments, "--output-type", "uchar", words=words)
            self.assertEqual(json.loads((self.folder / "report.json").read_text())["limited_voxels"], count, kind)
            status, _, error = self.run_program("transform", "apply", *arguments, "-q")
            self.assertEqual((status, error), (0, ""))
            self.assertEqual(json.loads((self.folder / "report.json").read_text())["limited_voxels"], 0, kind)

    def test_numbers_that_do_not_fit(self):
        self.write("list.txt", b"0.tfm\n1.tfm\n")
        arguments = ["apply", "s.nii", "o.nii", "--reference", "s.nii", "--volume-transforms", "list.txt"]
        self.refuse("list.txt names 2 transforms, and s.nii has 3 volumes", *arguments)
        self.refuse("--volume-transforms has no effect here", *arguments, "--volume", "1")
        self.refuse("o.mha: series, as s.nii is, are written as NIfTI only", "apply", "s.nii", "o.mha", "--reference", "s.nii", "-x", "0.tfm")


class SeriesTest(TransformTest):
    """Volumes of an oblique grid, each with a turn and a shift of its own, which the reference cuts at some sides."""

    COUNT = 7
    MOVING = Grid((13, 9, 7), TURN, (1.0, 1.5, 2.0), (30.0, -20.0, 50.0))
    FIXED = Grid((11, 12, 5), ((0.0, 1.0, 1.0), -40.0), (1.25, 1.0, 2.0), (34.0, -14.0, 52.0))
    VOXELS = 13 * 9 * 7

    def setUp(self):
        super().setUp()
        self.image("f.nii", self.FIXED, [0] * math.prod(self.FIXED.size), "B")
        self.matrices = []
        for i in range(self.COUNT):
            rotation = nf.rotation((0.3, 1.0, 0.2 * i), 2.0 + i)
            self.matrices.append(matrix_of(rotation, [0.3 * i - 1.0, 2.0 - 0.4 * i, 0.1 * i]))
            self.affine(f"{i}.tfm", self.matrices[i])
        self.list("list.txt", [f"{i}.tfm" for i in range(self.COUNT)])

    def list(self, name, lines):
        self.write(name, "\n".join(lines).encode())

    def series(self, name, values, kind, version=2, order="<", **fields):
        content = nf.nifti((*self.MOVING.size, len(values) // self.VOXELS), kind, values, version, order, **{**self.MOVING.fields(), **fields})
        self.write(name, gzip.compress(content) if name.endswith(".gz") else content)

    def numbers(self, kind, low, high):
        chance = random.Random(kind)
        one = (lambda: chance.uniform(low, high)) if kind in "fd" else (lambda: chance.randint(low, high))
        return [one() for _ in range(self.COUNT * self.VOXELS)]

    def volumes_of(self, name):
        """What stands in the file, bit by bit: of each volume."""
        fields, values = self.read(name)
        kind = nf.TYPES[fields["datatype"]]
        size = math.prod(fields["dim"][1:4])
        return kind, [struct.pack(f"<{size}{kind}", *values[at : at + size]) for at in range(0, len(values), size)]


class ManyVolumes(SeriesTest):
    def expect_as_alone(self, name, lines, *options, out="o.nii", volumes=(0, 3, 6)):
        self.list("own.txt", lines)
        common = [name, "--reference", "f.nii", *options]
        self.apply(common[0], out, *common[1:], "--volume-transforms", "own.txt")
        kind, got = self.volumes_of(out)
        self.assertEqual(len(got), self.COUNT)
        for volume in volumes:
            self.apply(common[0], "alone.nii", *common[1:], "-x", lines[volume], "--volume", str(volume))
            expected = self.volumes_of("alone.nii")
            self.assertEqual(expected, (kind, [got[volume]]), (name, options, volume))
        self.assertEqual(len(set(got)), self.COUNT)

    def test_each_volume_as_if_it_were_alone(self):
        """Types of the engine and others, as bits, swapped, scaled, compressed, and as another type."""
        lines = [f"{i}.tfm" for i in range(self.COUNT)]
        lines[3] = "[3.tfm,1]"
        for kind, low, high, interpolations in (
            ("B", 0, 255, INTERPOLATIONS), ("b", -128, 127, ("linear", "label")), ("h", -32768, 32767, INTERPOLATIONS),
            ("H", 0, 65535, ("cubic-spline", "label")), ("i", -(10**6), 10**6, ("linear", "label")), ("f", -9.0, 9.0, INTERPOLATIONS[:4]),
            ("d", -9.0, 9.0, INTERPOLATIONS[:4]), ("q", -5, 2**40, ("label",)),
        ):  # fmt: skip
            values = self.numbers(kind, low, high)
            self.series("s.nii", values, kind)
            for interpolation in interpolations:
                self.expect_as_alone("s.nii", lines, "--interpolation", interpolation, "--background", "3", volumes=(3, 5))
        values = self.numbers("h", -300, 300)
        self.series("swapped.nii", values, "h", 1, ">")
        self.expect_as_alone("swapped.nii", lines)
        self.series("scaled.nii.gz", values, "h", scl_slope=0.5, scl_inter=10.0)
        self.expect_as_alone("scaled.nii.gz", lines, out="o.nii.gz")
        self.expect_as_alone("swapped.nii", lines, "--output-type", "uchar")
        self.expect_as_alone("scaled.nii.gz", lines, "--output-type", "double")

    def test_maps_with_fields(self):
        """On the grid of the reference by the engine, on another one in double, and one for each volume."""
        values = self.numbers("h", 0, 999)
        self.series("s.nii", values, "h")
        for name, grid in (("near.nii", self.FIXED), ("far.nii", self.MOVING)):
            chance = random.Random(7)
            self.write(name, grid.field([[chance.uniform(-1.0, 1.0) for _ in range(3)] for _ in grid.indices()]))
        lines = [f"{i}.tfm" for i in range(self.COUNT)]
        for field in ("near.nii", "far.nii"):
            self.expect_as_alone("s.nii", lines, "-x", field)
        for i in range(self.COUNT):
            grid = self.FIXED if i % 2 == 0 else self.MOVING
            chance = random.Random(i)
            self.write(f"{i}.nii", grid.field([[chance.uniform(-1.0, 1.0) for _ in range(3)] for _ in grid.indices()]))
        self.expect_as_alone("s.nii", [f"{i}.nii" for i in range(self.COUNT)])
        # All volumes by one map.
        for field in ("near.nii", "far.nii"):
            self.apply("s.nii", "o.nii", "--reference", "f.nii", "-x", field, "-x", "2.tfm")
            got = self.volumes_of("o.nii")[1]
            for volume in (0, 6):
                self.apply("s.nii", "alone.nii", "--reference", "f.nii", "-x", field, "-x", "2.tfm", "--volume", str(volume))
                self.assertEqual(self.volumes_of("alone.nii")[1], [got[volume]], (field, volume))

    def test_any_number_of_threads(self):
        for kind, interpolation, options in (("h", "linear", []), ("f", "cubic-spline", []), ("B", "label", []), ("d", "linear", ["-x", "1.tfm"])):
            self.series("s.nii.gz", self.numbers(kind, 0, 200), kind)
            for out in ("o.nii", "o.nii.gz"):
                files = set()
                for threads in (1, 3, 16):
                    arguments = ["--reference", "f.nii", "--volume-transforms", "list.txt", "--interpolation", interpolation, *options]
                    self.apply("s.nii.gz", out, *arguments, "--threads", str(threads))
                    files.add((self.folder / out).read_bytes())
                self.assertEqual(len(files), 1, (kind, interpolation, out))

    def test_large_parts_and_pairs(self):
        """Volumes of more than a megabyte, which one file, a compressed one and a pair hold alike."""
        grid = Grid((90, 80, 40), TURN, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.image("large.nii", grid, [0] * math.prod(grid.size), "B")
        self.series("s.nii", self.numbers("f", 0.0, 9.0), "f")
        arguments = ["--reference", "large.nii", "--volume-transforms", "list.txt"]
        for out in ("o.nii", "o.nii.gz", "o.hdr"):
            self.apply("s.nii", out, *arguments)
        kind, volumes = self.volumes_of("o.nii")
        self.assertEqual(self.volumes_of("o.nii.gz"), (kind, volumes))
        self.assertEqual((self.folder / "o.img").read_bytes(), b"".join(volumes))

    def test_transforms_that_cannot_be_used_are_all_named(self):
        """Before voxels are read: those of the series are damaged."""
        self.series("s.nii.gz", self.numbers("h", 0, 999), "h")
        content = (self.folder / "s.nii.gz").read_bytes()
        self.write("s.nii.gz", content[: len(content) // 2] + bytes(len(content) // 2))
        self.write("cut.tfm", (self.folder / "3.tfm").read_bytes()[:90])
        self.affine("flat.tfm", matrix_of([[1, 2, 3], [2, 4, 6], [0, 0, 1]], [0, 0, 0]))
        self.write("two.tfm", transform_text("AffineTransform_double_2_2", [1, 0, 0, 1, 0, 0], [0, 0]).encode())
        arguments = ["apply", "s.nii.gz", "o.nii", "--reference", "f.nii", "--volume-transforms", "own.txt"]
        good = [f"{i}.tfm" for i in range(self.COUNT)]
        for names, words in (
            ({3: "cut.tfm"}, ["cannot read cut.tfm"]),
            ({3: "flat.tfm", 5: "none.tfm"}, ["2 files cannot be used: cannot use flat.tfm: the matrix", "; cannot read none.tfm: there is no such file"]),
            ({1: "none.nii", 4: "two.tfm", 6: "two.tfm"}, ["2 files cannot be used: cannot read none.nii", "; two.tfm has a transform of 2 axes, and the axes of f.nii have 3"]),
        ):  # fmt: skip
            self.list("own.txt", [names.get(i, line) for i, line in enumerate(good)])
            for word in words:
                self.refuse(word, *arguments)
        self.list("own.txt", good)
        self.refuse("cannot read s.nii.gz: it is cut short or damaged", *arguments)

    def test_an_output_is_no_transform_of_a_volume(self):
        self.series("s.nii", self.numbers("h", 0, 999), "h")
        self.write("6.nii", self.FIXED.field([[0.0] * 3 for _ in self.FIXED.indices()]))
        self.list("own.txt", [f"{i}.tfm" for i in range(6)] + ["6.nii"])
        self.refuse("it would overwrite the input 6.nii", "apply", "s.nii", "6.nii", "--reference", "f.nii", "--volume-transforms", "own.txt")

    def test_a_full_disk_leaves_nothing(self):
        self.series("s.nii", self.numbers("h", 0, 999), "h")
        arguments = ["apply", "s.nii", "o.nii", "--reference", "f.nii", "--volume-transforms", "list.txt", "-q"]
        before = self.contents()
        for limit in (100, 3000):
            limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            self.expect(1, "cannot write o.nii: the disk may be full", "transform", *arguments, preexec_fn=limits)
            self.assertEqual(self.contents(), before)

    def test_a_signal_leaves_nothing(self):
        """While volumes are written: each takes some tenths of a second."""
        grid = Grid((90, 80, 40), TURN, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        self.image("large.nii", grid, [0] * math.prod(grid.size), "B")
        self.series("s.nii", self.numbers("d", 0.0, 9.0), "d")
        before = self.contents()
        arguments = ["--reference", "large.nii", "--volume-transforms", "list.txt", "--interpolation", "windowed-sinc", "--threads", "1", "-q"]
        process = self.start("transform", "apply", "s.nii", "o.nii", *arguments)
        while not any(path.parent != self.folder for path in self.folder.rglob("o.nii")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, error), (130, "cudaneuro-transform: stopped; no output was written\n"))
        self.assertEqual(self.contents(), before)

    def test_the_wrong_way_is_noticed(self):
        self.series("s.nii", self.numbers("h", 0, 999), "h")
        self.affine("far.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1000, 0, 0]))
        lines = ["far.tfm"] * self.COUNT
        arguments = ["s.nii", "o.nii", "--reference", "f.nii", "--volume-transforms", "own.txt", "--background", "5"]
        self.list("own.txt", lines)
        self.apply(*arguments, words="o.nii is all background")
        self.list("own.txt", [*lines[:-1], "1.tfm"])
        self.assertNotIn("background", self.apply(*arguments))
        not_a_number = ["--output-type", "float", "--background", "nan"]
        self.apply(*arguments[:4], "-x", "far.tfm", *not_a_number, words="o.nii is all background")


class SeriesOfLabels(SeriesTest):
    def labels(self, kind, known):
        chance = random.Random(kind)
        return [chance.choice(known) for _ in range(self.COUNT * self.VOXELS)]

    def apply_labels(self, name, *options, **others):
        return self.apply(name, "o.nii", "--reference", "f.nii", "--volume-transforms", "list.txt", "--interpolation", "label", *options, **others)

    def test_each_volume_is_that_of_a_slow_version(self):
        for kind, known, background in (("B", (1, 2, 255), 0), ("h", (-5, 0, 1000), 7), ("q", (0, 2**53 + 1, -(2**62)), -1)):
            values = self.labels(kind, known)
            self.series("s.nii", values, kind)
            self.apply_labels("s.nii", "--background", str(background))
            fields, got = self.read("o.nii")
            self.assertEqual(fields["datatype"], nf.CODES[kind])
            size = math.prod(self.FIXED.size)
            for i in (0, 4):
                volume = values[i * self.VOXELS : (i + 1) * self.VOXELS]
                expected = resampled("label", self.MOVING, volume, self.FIXED, self.matrices[i], background)
                self.assertEqual(got[i * size : (i + 1) * size], expected, (kind, i))
                self.assertGreater(len(set(expected)), 2)

    def test_real_numbers_that_are_whole(self):
        values = self.labels("h", (0, 3, 4000))
        self.series("s.nii", values, "h")
        self.apply_labels("s.nii")
        expected = self.read("o.nii")[1]
        self.series("s.nii", [float(value) for value in values], "f")
        self.apply_labels("s.nii")
        fields, got = self.read("o.nii")
        self.assertEqual((fields["datatype"], got), (nf.CODES["f"], expected))

    def test_numbers_that_are_no_labels(self):
        values = [1.0] * self.COUNT * self.VOXELS
        values[4 * self.VOXELS] = 2.5
        self.series("s.nii", values, "f")
        arguments = ["apply", "s.nii", "o.nii", "--reference", "f.nii", "--volume-transforms", "list.txt", "--interpolation", "label"]
        self.refuse("cannot read volume 4 of s.nii: its voxel [0, 0, 0] is 2.5; labels are whole numbers", *arguments)

    def test_types_that_have_not_all_labels(self):
        values = [1] * self.COUNT * self.VOXELS
        values[2 * self.VOXELS : 3 * self.VOXELS] = [300] * self.VOXELS
        self.series("s.nii", values, "h")
        arguments = ["apply", "s.nii", "o.nii", "--reference", "f.nii", "--volume-transforms", "list.txt", "--interpolation", "label"]
        self.refuse("volume 2 of s.nii has the label 300, which unsigned char has not; another --output-type is needed", *arguments, "--output-type", "uchar")
        self.refuse("--background is 40000; a number of the type short is needed", *arguments, "--background", "40000")
        self.apply_labels("s.nii", "--output-type", "float")
        self.assertEqual(set(self.read("o.nii")[1]), {0.0, 1.0, 300.0})


class ByTheLibrary(SeriesTest):
    """MoveSeries, which a user's program calls, makes the file that the program makes."""

    def move(self, *words, interpolation="Linear", background="0", kind="-", status=0, said=""):
        files, transforms = words[:3], words[3:]
        self.expect(status, said, "MoveSeriesFile", *files, interpolation, background, kind, *(transforms or ("-",)))

    def refuse_to_move(self, said, *words, **settings):
        before = self.contents()
        self.move(*words, status=1, said=said, **settings)
        self.assertEqual(self.contents(), before)

    def test_whole_voxels(self):
        """By a map, and a shift of each volume after it."""
        grid = Series.GRID
        values = [[100 * volume + i for i in range(24)] for volume in range(3)]
        self.write("s.nii", nf.nifti((4, 3, 2, 3), "h", sum(values, []), 2, **grid.fields()))
        for by in range(3):
            self.affine(f"by{by}.tfm", matrix_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-2.0 * by, 0, 0]))
        for words, shifts in (
            ([], (0, 0, 0)), (["by1.tfm"], (1, 1, 1)), (["-", "by2.tfm", "by0.tfm", "by1.tfm"], (2, 0, 1)),
            (["by1.tfm", "by0.tfm", "by1.tfm", "by2.tfm"], (1, 2, 3)),
        ):  # fmt: skip
            self.move("s.nii", "o.nii", "s.nii", *words, background="-3")
            expected = [[one[i + by] if i % 4 + by < 4 else -3 for i in range(24)] for one, by in zip(values, shifts)]
            self.assertEqual(self.read("o.nii")[1], sum(expected, []), words)

    def test_the_file_of_the_program(self):
        lines = [f"{i}.tfm" for i in range(self.COUNT)]
        lines[3] = "[3.tfm,1]"
        own = [*lines[:3], "INVERSE:3.tfm", *lines[4:]]
        self.list("own.txt", lines)
        chance = random.Random(7)
        for name, grid in (("near.nii", self.FIXED), ("far.nii", self.MOVING)):
            self.write(name, grid.field([[chance.uniform(-1.0, 1.0) for _ in range(3)] for _ in grid.indices()]))
        for kind, option, interpolation, output_type, map_file in (
            ("h", "linear", "Linear", None, "near.nii"), ("f", "cubic-spline", "CubicBSpline", None, "2.tfm"), ("d", "windowed-sinc", "WindowedSinc", "float", "far.nii"),
            ("B", "label", "Label", None, "far.nii"), ("i", "nearest", "Nearest", "short", None),
        ):  # fmt: skip
            self.series("s.nii.gz", self.numbers(kind, 0, 200), kind)
            options = ["--interpolation", option, "--background", "7"]
            options += ["--output-type", output_type] if output_type else []
            options += ["-x", map_file] if map_file else []
            for volumes, transforms in ((["--volume-transforms", "own.txt"], own), ([], [])):
                self.apply("s.nii.gz", "program.nii", "--reference", "f.nii", *options, *volumes)
                words = ["s.nii.gz", "library.nii", "f.nii", map_file or "-", *transforms]
                self.move(*words, interpolation=interpolation, background="7", kind=output_type or "-")
                expected, got = ((self.folder / f"{name}.nii").read_bytes() for name in ("program", "library"))
                self.assertEqual(got, expected, (kind, option, volumes))

    def test_errors(self):
        self.series("s.nii", self.numbers("h", 0, 999), "h")
        lines = [f"{i}.tfm" for i in range(self.COUNT)]
        self.affine("flat.tfm", matrix_of([[1, 2, 3], [2, 4, 6], [0, 0, 1]], [0, 0, 0]))
        self.write("plane.mha", programs.meta_header((4, 3), "MET_UCHAR") + bytes(12))
        files = ["s.nii", "o.nii", "f.nii"]
        self.refuse_to_move("s.nii has 7 volumes, and the number of transforms for them is 2", *files, "-", "0.tfm", "1.tfm")
        self.refuse_to_move("the transform of volume 4 is missing", *files, "-", *lines[:4], "-", *lines[5:])
        self.refuse_to_move("cannot use the transform of volume 6: the matrix of its AffineTransform is singular", *files, "-", *lines[:6], "flat.tfm")
        self.refuse_to_move("cannot use the transform: the matrix", *files, "flat.tfm")
        self.refuse_to_move("f.nii is no series of volumes", "f.nii", "o.nii", "f.nii")
        self.refuse_to_move("reference is missing: the image whose grid o.nii is to have", "s.nii", "o.nii", "")
        self.refuse_to_move("cannot read none.nii: there is no such file", "s.nii", "o.nii", "none.nii")
        self.refuse_to_move("s.nii has 3 axes, and plane.mha 2", "s.nii", "o.nii", "plane.mha")
        self.refuse_to_move("o.mha: series, as s.nii is, are written as NIfTI only", "s.nii", "o.mha", "f.nii")
        self.refuse_to_move("it would overwrite the input s.nii", "s.nii", "s.nii", "f.nii")
        self.refuse_to_move("background is 0.5; a number of the type short is needed", *files, background="0.5")
        self.refuse_to_move("background is 0.5; labels are whole numbers", *files, background="0.5", kind="float", interpolation="Label")
        # While others are written.
        values = [1] * self.COUNT * self.VOXELS
        values[2 * self.VOXELS : 3 * self.VOXELS] = [300] * self.VOXELS
        self.series("s.nii", values, "h")
        self.refuse_to_move("volume 2 of s.nii has the label 300, which unsigned char has not", *files, kind="unsigned_char", interpolation="Label")


if __name__ == "__main__":
    programs.run_tests()
