# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests NRRD and Slicer's segmentations as inputs.

    python3 test_files_nrrd.py DENOISE REGISTER TRANSFORM
"""

import bz2
import gzip
import itertools
import json
import math
import struct

import programs
from files_test import FilesTest
from image_files import BYTES, SIZE, VALUES, VOXELS, meta, nrrd, segments, vector

# The signs of a space's coordinates, of those that go to the left, posterior, superior.
SPACES = {
    "right-anterior-superior": (-1, -1, 1), "RAS": (-1, -1, 1), "left-anterior-superior": (1, -1, 1), "LAS": (1, -1, 1),
    "left-posterior-superior": (1, 1, 1), "LPS": (1, 1, 1), "Left-Anterior-Superior": (1, -1, 1),
}


class NrrdImages(FilesTest):
    def test_all_orientations(self):
        """All orders and signs of the directions of the axes, in all spaces."""
        origin, spacing = (10.5, -20.25, 30.125), (1.5, 2.0, 0.75)
        spaces = itertools.cycle(SPACES.items())
        for order in itertools.permutations(range(3)):
            for signs in itertools.product((1, -1), repeat=3):
                columns = [[sign if order[axis] == k else 0 for k in range(3)] for axis, sign in enumerate(signs)]
                name, flips = next(spaces)
                turned = [[flips[k] * column[k] * spacing[axis] for k in range(3)] for axis, column in enumerate(columns)]
                lines = [f"space: {name}", "space directions: " + " ".join(map(vector, turned))]
                lines += ["space origin: " + vector([flips[k] * origin[k] for k in range(3)])]
                self.write("a.nrrd", nrrd(lines))
                self.expect_image("a.nrrd", VALUES, SIZE, spacing, origin, columns)

    def test_oblique_direction_in_double(self):
        c, s = math.cos(0.1), math.sin(0.1)
        columns = ((c, s, 0), (-s, c, 0), (0, 0, 1))
        lines = ["space: LAS", "space directions: " + " ".join(vector((x, -y, z)) for x, y, z in columns)]
        self.write("a.nrrd", nrrd([*lines, "space origin: (-84.83398438,198.83398438,-318.3999939)"]))
        got = self.expect_image("a.nrrd", origin=(-84.83398438, -198.83398438, -318.3999939), columns=columns)
        self.assertEqual(got["origin"], (-84.83398438, -198.83398438, -318.3999939))

    def test_other_spaces(self):
        directions = "space directions: (1,0,0) (0,1,0) (0,0,1)"
        for lines, words in (
            ([], ""), (["spacings: 1 1 1"], ""), (["space dimension: 3", directions], ""),
            (["space: scanner-xyz", directions], "scanner-xyz"), (["space: 3D-right-handed", directions], "right-handed"),
        ):
            self.write("a.nrrd", nrrd(lines))
            self.expect_image("a.nrrd", words=words)
        for name in ("left-posterior-inferior", "posterior-left-superior", "LPI", "left-right-superior", "nowhere"):
            self.expect_refused("a.nrrd", nrrd(["space: " + name, directions]), f'"space" is "{name}"')

    def test_types_and_orders(self):
        values = [value % 100 for value in VALUES]
        for name, code in (
            ("signed char", "b"), ("int8_t", "b"), ("unsigned char", "B"), ("short", "h"), ("signed short int", "h"), ("uint16", "H"),
            ("unsigned short int", "H"), ("int", "i"), ("signed int", "i"), ("uint32_t", "I"), ("unsigned int", "I"),
            ("longlong", "q"), ("long long int", "q"), ("uint64_t", "Q"), ("unsigned long long int", "Q"), ("float", "f"),
            ("double", "d"),
        ):
            for order, endian in (("<", "little"), (">", "big")):
                data = struct.pack(f"{order}{VOXELS}{code}", *values)
                self.write("a.nrrd", nrrd(["endian: " + endian], data, type_=name))
                self.expect_image("a.nrrd", values)
        self.expect_refused("a.nrrd", nrrd(["block size: 1"], type_="block"), "lock")

    def test_encodings(self):
        for encoding, data in (
            ("raw", BYTES), ("gzip", gzip.compress(BYTES)), ("gz", gzip.compress(BYTES)), ("hex", BYTES.hex().encode()),
            ("ascii", " ".join(map(str, VALUES)).encode()), ("text", "\n".join(map(str, VALUES)).encode()),
        ):
            self.write("a.nrrd", nrrd(data=data, encoding=encoding))
            self.expect_image("a.nrrd")
        self.expect_refused("a.nrrd", nrrd(data=bz2.compress(BYTES), encoding="bzip2"), "gzip")

    def test_skips(self):
        for encoding, lines, data in (
            ("raw", ["byte skip: 4"], b"head" + BYTES), ("raw", ["byte skip: -1"], b"head" + BYTES),
            ("raw", ["line skip: 2"], b"one\ntwo\n" + BYTES),
            ("ascii", ["line skip: 2"], b"one 1\ntwo\n" + " ".join(map(str, VALUES)).encode()), ("gzip", ["byte skip: 4"], gzip.compress(b"head" + BYTES)),
        ):
            self.write("a.nrrd", nrrd(lines, data, encoding=encoding))
            self.expect_image("a.nrrd")

    def test_other_files(self):
        for i in range(3):
            self.write(f"s{i + 1}.raw", BYTES[20 * i : 20 * i + 20])
            self.write(f"t{2 * i:03d}.raw", BYTES[20 * i : 20 * i + 20])
        self.write("all.raw", BYTES)
        self.write("all.raw.gz", gzip.compress(BYTES))
        names = "LIST\ns1.raw\ns2.raw\ns3.raw"
        for file, encoding in (
            ("all.raw", "raw"), ("all.raw.gz", "gzip"), ("s%d.raw 1 3 1", "raw"), ("t%03d.raw 0 4 2", "raw"), (names, "raw"),
        ):
            content = nrrd(["data file: " + file], b"", encoding=encoding)
            self.write("a.nhdr", content[:-1])
            self.expect_image("a.nhdr")
        for lines in (1, 100):
            self.expect_refused("a.nhdr", nrrd(["data file: " + names], b"")[:-1] + b"\n" * lines, "the list must end with the last name")
        for file, words in (
            ("no.raw", "no.raw"), ("s%s.raw 1 3 1", "pattern"), ("s%d%n.raw 1 3 1", "pattern"), ("s%d.raw 1 1000000000 1", "more files"),
            ("s%d.raw 1 3 0", "pattern"), ("s%d.raw 3 1 1", "pattern"), ("LIST", "lists no files"), ("s%d.raw 1 4 1", "expected 3"),
        ):
            self.expect_refused("a.nhdr", nrrd(["data file: " + file], b"")[:-1], words)

    def test_voxels_of_the_input_are_not_overwritten(self):
        self.write("o.raw", BYTES)
        headers = [("a.nhdr", nrrd([field + ": o.raw"], b"")[:-1]) for field in ("data file", "datafile", "Data File")]
        for name, header in (*headers, ("a.nrrd", headers[0][1]), ("a.mha", meta(data=b"", file="o.raw"))):
            self.write(name, header)
            self.convert(name, 1, f"its file o.raw would overwrite the input o.raw, a file of {name}", "o.nhdr")
        for i in range(3):
            self.write(f"s{i}.raw", BYTES[20 * i : 20 * i + 20])
        for file in ("LIST\ns0.raw\ns1.raw\ns2.raw", "s%d.raw 0 2 1"):
            self.write("a.nhdr", nrrd(["data file: " + file], b"")[:-1])
            self.convert("a.nhdr", 1, "its file s1.raw would overwrite the input s1.raw, a file of a.nhdr", "s1.nhdr")

    def test_fields_of_axes(self):
        lines = ["thicknesses: nan 2 3.5", "kinds: domain space domain", "centers: cell node ???", 'labels: "x \\" y" "" "z"']
        lines += ["# a comment " + "x" * 3000, "content: some words", "old min: 0", "old max: 255", "space units: \"mm\" \"mm\" \"mm\""]
        directions = ["space: LPS", "space directions: (1, 0, 0) (0, 1, 0) (0, 0, 1)", "measurement frame: (1,0,0) (0,1,0) (0,0,1)"]
        self.write("a.nrrd", nrrd([*directions[:1], *lines, *directions[1:]]))
        self.expect_image("a.nrrd")
        self.write("a.nrrd", nrrd(["kinds: list domain domain domain"], sizes=(1, *SIZE)))
        self.expect_image("a.nrrd")
        self.expect_refused("a.nrrd", nrrd(["kinds: vector domain domain domain"], BYTES * 3, (3, *SIZE)), "3 values a voxel")

    def test_headers_of_other_systems(self):
        content = nrrd(["space dimension: 3", "Space Directions: (1,0,0) (0,1,0) (0,0,1)"], b"")
        self.write("a.nrrd", content.replace(b"\n", b"\r\n") + BYTES)
        self.expect_image("a.nrrd")
        self.write("a.nrrd", nrrd(magic="NRRD00.01"))
        self.expect_image("a.nrrd")

    def test_keys_of_any_length(self):
        """Pairs stay with an image that is written in the same format."""
        pairs = {"short": "value", "k" * 900: "v", "long": "x: y " * 20000, "escapes": r"a\nb\\c"}
        self.write("a.nrrd", nrrd([f"{key}:={value}" for key, value in pairs.items()]))
        self.expect_image("a.nrrd")
        self.convert("a.nrrd", output="b.nrrd")
        written = (self.folder / "b.nrrd").read_bytes().split(b"\n\n")[0].decode().splitlines()
        for key, value in pairs.items():
            self.assertIn(f"{key}:={value.strip()}", [line.strip() for line in written])

    def test_measurement_frame_is_turned_with_the_space(self):
        frame = [(1, 2, 3), (4, 5, 6), (7, 8, 10)]
        for name, signs in SPACES.items():
            lines = [f"space: {name}", "space directions: (1,0,0) (0,1,0) (0,0,1)"]
            lines += ["measurement frame: " + " ".join(map(vector, frame))]
            self.write("a.nrrd", nrrd(lines))
            self.convert("a.nrrd", output="b.nrrd")
            written = (self.folder / "b.nrrd").read_bytes().split(b"\n\n")[0].decode()
            turned = " ".join("(" + ",".join(f"{s * x:g}" for s, x in zip(signs, column)) + ")" for column in frame)
            self.assertIn("measurement frame: " + turned, written)

    def test_damaged(self):
        packed = bytearray(gzip.compress(BYTES))
        packed[-5] ^= 1  # the checksum
        ascii_ = {"encoding": "ascii"}
        for content, words in (
            (nrrd(data=BYTES[:-1]), "cut short"),
            (nrrd(data=bytes(packed), encoding="gzip"), "damaged"),
            (nrrd(data=gzip.compress(BYTES)[:-9], encoding="gzip"), "damaged"),
            (nrrd(["units: " + "x" * 2000]), "800"),
            (nrrd(["x" * 2000]), "800"),
            (nrrd(type_="x" * 2000), "800"),
            (nrrd(type_="xyz"), '"xyz"'),
            (nrrd(sizes=(5, 4, 1 << 40)), '"sizes"'),
            (nrrd().replace(b"dimension: 3", b"dimension: 17"), "dimension"),
            (nrrd().replace(b"sizes: 5 4 3", b"sizes: 5 4"), "sizes"),
            (nrrd(data=b"1 " * 59, **ascii_), "59 numbers of 60"),
            (nrrd(data=b"1" * 3000, **ascii_), "a voxel"),
            (nrrd(data=b"1e2 " * 60, **ascii_), "1e2"),
            (nrrd(data=b"1.5 " * 60, **ascii_), "1.5"),
            (nrrd(data=b"1 " * 59 + b"300", **ascii_), "300"),
            (nrrd(["space: LPS", "space directions: (1,0,0) (0,1,0) (0,0,0)"]), "spacing"),
            (nrrd(type_="short", data=BYTES * 2), "endian"),
            (nrrd(sizes=(*SIZE, *(1,) * 13)), '"sizes"'),
            (nrrd(["byte skip: -1"], encoding="hex", data=BYTES.hex().encode()), "not raw"),
        ):
            self.expect_refused("a.nrrd", content, words)


class Segmentations(FilesTest):
    """Two of the images are 12 x 12 x 12 voxels, one of which is the other one moved by a voxel."""

    size = (12, 12, 12)
    directions = ["space: left-posterior-superior", "space directions: (1,0,0) (0,1,0) (0,0,1)"]

    def setUp(self):
        super().setUp()
        self.labels = bytes(1 + value // 64 if value > 60 else 0 for value in programs.blob(12, 0))
        self.sphere = bytes(1 if value > 150 else 0 for value in programs.blob(12, 0))
        self.write("shift.tfm", b"#Insight Transform File V1.0\nTransform: TranslationTransform_double_3_3\nParameters: 1 0 0\n"
                   b"FixedParameters:\n")

    def layered(self, *layers, names=("one", "two", "three", "four", "sphere")):
        lines = [self.directions[0], "space directions: none (1,0,0) (0,1,0) (0,0,1)", "kinds: list domain domain domain"]
        lines += segments(*names, layers=(0, 0, 0, 0, 1), labels=(1, 2, 3, 4, 1))
        return nrrd(lines, bytes(itertools.chain(*zip(*layers))), (len(layers), *self.size))

    def warp(self, labels, output, *more, status=0, words=""):
        arguments = ["translation", "fixed.mha", "fixed.mha", "--initial-transform", "shift.tfm", "--moving-labels", labels]
        arguments += ["--output-labels", output, "--iterations", "0", "-q", *more]
        got, _, error = self.run_program("register", *arguments)
        # The images are the same, of which a warning tells.
        self.assertEqual(got, status, error)
        self.assertIn(words, error.splitlines()[-1] if error else "")

    def read_nrrd(self, name):
        header, _, data = (self.folder / name).read_bytes().partition(b"\n\n")
        lines = header.decode().splitlines()
        return {key: value.strip() for key, value in (line.replace(":=", ": ", 1).split(":", 1) for line in lines[1:] if line[0] != "#")}, data

    def shifted(self, labels):
        """What is at x + 1; 0 outside."""
        return bytes(labels[i + 1] if i % 12 < 11 else 0 for i in range(len(labels)))

    def test_one_layer_keeps_its_keys(self):
        pairs = segments("one", "two", "three", "four")
        self.write("a.seg.nrrd", nrrd([*self.directions, *pairs], self.labels, self.size))
        self.warp("a.seg.nrrd", "o.seg.nrrd")
        fields, data = self.read_nrrd("o.seg.nrrd")
        self.assertEqual(data, self.shifted(self.labels))
        for line in pairs:
            key, value = line.split(":=")
            moved = {"Extent": "0 11 0 11 0 11", "ReferenceImageExtentOffset": "0 0 0"}.get(key.split("_")[1], value)
            self.assertEqual(fields[key], moved)
        self.warp("a.seg.nrrd", "o.nii")

    def test_layers_that_overlap(self):
        self.write("a.seg.nrrd", self.layered(self.labels, self.sphere))
        self.warp("a.seg.nrrd", "o.seg.nrrd")
        fields, data = self.read_nrrd("o.seg.nrrd")
        self.assertEqual((fields["sizes"], " ".join(fields["kinds"].split()), fields["type"]), ("2 12 12 12", "list domain domain domain", "unsigned char"))
        self.assertEqual((data[::2], data[1::2]), (self.shifted(self.labels), self.shifted(self.sphere)))
        self.assertEqual((fields["Segment4_Layer"], fields["Segment4_Name"]), ("1", "sphere"))
        self.warp("o.seg.nrrd", "p.seg.nrrd")
        # Whole voxels, by weight as by nearest neighbor.
        arguments = ["--reference", "fixed.mha", "-x", "shift.tfm", "--interpolation", "label", "-q"]
        self.expect(0, "", "transform", "apply", "a.seg.nrrd", "t.seg.nrrd", *arguments)
        self.assertEqual(self.read_nrrd("t.seg.nrrd"), (fields, data))

    def test_layers_where_they_cannot_be(self):
        self.write("a.seg.nrrd", self.layered(self.labels, self.sphere))
        self.expect_refused("a.seg.nrrd", self.layered(self.labels, self.sphere), "overlap, in 2 layers")
        words = "as cudaneuro-transform apply does by --interpolation label"
        self.expect(1, words, "transform", "apply", "a.seg.nrrd", "t.seg.nrrd", "--reference", "fixed.mha")
        self.warp("a.seg.nrrd", "o.nii", status=1, words="o.nii")
        self.write("a.seg.nrrd", self.layered(self.labels, bytes(200 for _ in self.sphere)))
        self.warp("a.seg.nrrd", "o.seg.nrrd", status=1, words="a voxel of layer 1 is 200")

    def test_report_has_names(self):
        self.write("fixed.seg.nrrd", nrrd([*self.directions, *segments("four", "three", "two", "one")], bytes(
            5 - label if label else 0 for label in self.labels), self.size))
        self.write("one.seg.nrrd", nrrd([*self.directions, *segments("one", "two", "three", "four")], self.labels, self.size))
        self.write("two.seg.nrrd", self.layered(self.labels, self.sphere))
        for name in ("one.seg.nrrd", "two.seg.nrrd"):
            self.warp(name, "o.seg.nrrd", "--fixed-labels", "fixed.seg.nrrd", "--json", "r.json")
            overlap = json.loads((self.folder / "r.json").read_text("utf-8"))["overlap"]["after"]
            moved = self.shifted(self.labels)
            for label, segment in enumerate(("one", "two", "three", "four"), 1):
                both = sum(a == label == b for a, b in zip(self.labels, moved))
                dice = 2 * both / (self.labels.count(label) + moved.count(label))
                self.assertAlmostEqual(overlap["segments"][segment], dice)
            self.assertNotIn("sphere", overlap["segments"])


if __name__ == "__main__":
    programs.run_tests()
