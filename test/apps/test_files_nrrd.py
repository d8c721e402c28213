# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests MetaImage, NRRD, Slicer's segmentations, FreeSurfer's volumes and DICOM as inputs.

    python3 test_files_nrrd.py DENOISE REGISTER TRANSFORM
"""

import array
import bz2
import gzip
import itertools
import json
import math
import struct
import sys
import zlib

import programs

SIZE = (5, 4, 3)
VOXELS = math.prod(SIZE)
# All differ from their neighbors, and are far from them: the filter below changes none.
VALUES = [(17 * i * i + 5 * i) % 251 for i in range(VOXELS)]
BYTES = bytes(VALUES)
# The signs of a space's coordinates, of those that go to the left, posterior, superior.
SPACES = {
    "right-anterior-superior": (-1, -1, 1), "RAS": (-1, -1, 1), "left-anterior-superior": (1, -1, 1), "LAS": (1, -1, 1),
    "left-posterior-superior": (1, 1, 1), "LPS": (1, 1, 1), "Left-Anterior-Superior": (1, -1, 1),
}
IDENTITY = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def vector(numbers):
    return "(" + ",".join(repr(float(number)) for number in numbers) + ")"


def nrrd(lines=(), data=BYTES, sizes=SIZE, type_="uint8", encoding="raw", magic="NRRD0005"):
    header = [magic, f"type: {type_}", f"dimension: {len(sizes)}", "sizes: " + " ".join(map(str, sizes))]
    return "\n".join([*header, "encoding: " + encoding, *lines]).encode() + b"\n\n" + data


def meta(lines=(), data=BYTES, size=SIZE, type_="MET_UCHAR", file="LOCAL"):
    header = [f"NDims = {len(size)}", "DimSize = " + " ".join(map(str, size)), "ElementType = " + type_]
    return "\n".join([*header, *lines, "ElementDataFile = " + file]).encode() + b"\n" + data


def mgh(data=BYTES, type_=0, size=SIZE, frames=1, spacing=(1, 1, 1), columns=IDENTITY, center=(0, 0, 0), is_good=1):
    """Columns are the directions of the axes, in right, anterior, superior."""
    header = struct.pack(">7ih", 1, *size, frames, type_, 0, is_good) + struct.pack(">3f", *spacing)
    header += struct.pack(">9f", *itertools.chain(*columns)) + struct.pack(">3f", *center)
    return header.ljust(284, b"\0") + data


class FilesTest(programs.ProgramTest):
    def convert(self, name, status=0, words="", output="out.mha"):
        """Denoises with a range sigma with which no voxel changes, and reads what is written."""
        arguments = ["--radius", "1", "--range-sigma", "1e-4", "--output-type", "float", "-q", "--threads", "1"]
        self.expect(status, words, "denoise", "bilateral", name, output, *arguments)
        return self.read_meta(output) if status == 0 and output.endswith(".mha") else None

    def read_meta(self, name):
        content = (self.folder / name).read_bytes()
        header, _, data = content.partition(b"ElementDataFile = LOCAL\n")
        fields = dict(line.split(" = ", 1) for line in header.decode("utf-8").splitlines())
        self.assertEqual(fields["ElementType"], "MET_FLOAT")
        voxels = array.array("f", data)
        fields["size"] = tuple(map(int, fields["DimSize"].split()))
        for key, field in (("spacing", "ElementSpacing"), ("origin", "Offset"), ("matrix", "TransformMatrix")):
            fields[key] = tuple(map(float, fields[field].split()))
        return {**fields, "voxels": list(voxels)}

    def expect_image(self, name, values=VALUES, size=SIZE, spacing=(1, 1, 1), origin=(0, 0, 0), columns=IDENTITY, words=""):
        """Columns are the directions of the axes, in left, posterior, superior."""
        got = self.convert(name, words=words)
        self.assertEqual(got["size"], size, name)
        self.assertEqual(got["voxels"], [float(value) for value in values], name)
        for key, expected in (("spacing", spacing), ("origin", origin), ("matrix", itertools.chain(*columns))):
            for a, b in zip(got[key], expected, strict=True):
                self.assertAlmostEqual(a, b, delta=1e-6 * max(1, abs(b)), msg=f"{name}: {key} {got[key]}")
        return got

    def expect_refused(self, name, content, words):
        self.write(name, content)
        self.convert(name, 1, words)


class MetaImages(FilesTest):
    def test_shortest_header(self):
        self.write("a.mha", meta())
        self.expect_image("a.mha")

    def test_spellings(self):
        geometry = ["ElementSize = 2 3 4", "Position = 1 2 3"]
        for lines, expected in (
            (["BinaryData = true"], {}),
            (["BinaryData = 1", "", "  Comment : a comment with = and :", "Comment = another"], {}),
            (["ObjectType = Image", "BinaryDataByteOrderMSB = False", "Name = ", "Color = 1 1 1 1"], {}),
            (geometry, {"spacing": (2, 3, 4), "origin": (1, 2, 3)}),
            ([*geometry, "ElementSpacing = 1 1 2", "Offset = 4 5 6"], {"spacing": (1, 1, 2), "origin": (4, 5, 6)}),
            (["Origin = 7 8 9", "Offset = 4 5 6"], {"origin": (7, 8, 9)}),
            (["Offset = 1 2 3 0", "ElementSpacing = 1 1 2 1"], {"origin": (1, 2, 3), "spacing": (1, 1, 2)}),
            (["Rotation = 0 1 0 -1 0 0 0 0 1"], {"columns": ((0, 1, 0), (-1, 0, 0), (0, 0, 1))}),
            (["My own field = some words", "Modality = MET_MOD_MR", "X" * 254 + " = " + "y" * 30000], {}),
        ):
            self.write("a.mha", meta(lines))
            self.expect_image("a.mha", **expected)
            self.write("a.mha", meta(lines).replace(b"\n", b"\r\n", len(lines) + 4).replace(BYTES, b"") + BYTES)
            self.expect_image("a.mha", **expected)

    def test_scaling_is_named(self):
        for line in ("ElementToIntensityFunctionSlope = 2", "ElementToIntensityFunctionOffset = -1000"):
            self.write("a.mha", meta([line]))
            self.expect_image("a.mha", words=line.split()[0])

    def test_types_and_orders(self):
        for name, code in (
            ("MET_CHAR", "b"), ("MET_SHORT", "h"), ("MET_USHORT", "H"), ("MET_INT", "i"), ("MET_UINT", "I"), ("MET_LONG", "i"),
            ("MET_ULONG", "I"), ("MET_LONG_LONG", "q"), ("MET_ULONG_LONG", "Q"), ("MET_FLOAT", "f"), ("MET_DOUBLE", "d"),
        ):
            values = [value % 100 for value in VALUES]
            for order, msb in (("<", "False"), (">", "True")):
                data = struct.pack(f"{order}{VOXELS}{code}", *values)
                self.write("a.mha", meta([f"ElementByteOrderMSB = {msb}"], data, type_=name))
                self.expect_image("a.mha", values)

    def test_encodings(self):
        packed = zlib.compress(BYTES)
        for lines, data in (
            (["CompressedData = True", f"CompressedDataSize = {len(packed)}"], packed),
            (["CompressedData = True", f"CompressedDataSize = {len(gzip.compress(BYTES))}"], gzip.compress(BYTES)),
            (["BinaryData = False"], " ".join(map(str, VALUES)).encode()),
            (["HeaderSize = -1"], b"something before" + BYTES),
        ):
            self.write("a.mha", meta(lines, data))
            self.expect_image("a.mha")

    def test_other_files(self):
        slices = [BYTES[20 * i : 20 * i + 20] for i in range(3)]
        for i, data in enumerate(slices):
            self.write(f"s{i + 1}.raw", data)
            self.write(f"t{2 * i:03d}.raw", data)
        self.write("all.raw", b"head" + BYTES)
        self.write("packed.raw.gz", gzip.compress(BYTES))
        names = "".join(f"s{i}.raw\n" for i in (1, 2, 3))
        for file, lines, after in (
            ("all.raw", ["HeaderSize = 4"], ""), ("s%d.raw", [], ""), ("s%d.raw 1", [], ""), ("t%03d.raw 0 4 2", [], ""),
            ("LIST", [], names), ("LIST 2", [], names), (str(self.folder / "all.raw"), ["HeaderSize = -1"], ""),
            ("packed.raw", [], ""),
        ):
            self.write("a.mhd", meta(lines, after.encode(), file=file))
            self.expect_image("a.mhd")
        for file, after, words in (
            ("s%s.raw", "", "pattern"), ("s%d%n.raw", "", "pattern"), ("s%999999d.raw", "", "pattern"), ("u%d.raw", "", "no such file"),
            ("s%d.raw 1 1000000000 1", "", "more files"), ("s%d.raw 1 3 0", "", "pattern"), ("LIST", "s1.raw\n", "count of files"),
            ("LIST", "s1.raw\n\ns3.raw", "count of files"), ("LIST", "s1.raw\ns2.raw\nno.raw\n", "no.raw"), ("LIST", names[:-1], "no end of line"),
            ("x" * 90 + "%d.raw", "", "79"),
        ):
            self.expect_refused("a.mhd", meta([], after.encode(), file=file), words)

    def test_axes(self):
        self.write("a.mha", meta(size=(5, 4, 3, 1)))
        self.expect_image("a.mha")
        self.write("a.mha", meta(data=BYTES[:20], size=(5, 4)))
        self.expect_image("a.mha", VALUES[:20], (5, 4), (1, 1), (0, 0), ((1, 0), (0, 1)))
        self.expect_refused("a.mha", meta(data=BYTES, size=(5, 4, 1, 3)), "4 axes")

    def test_damaged(self):
        """Files that ITK's reader overflows its buffers with, or takes other voxels from than they have."""
        text = ["BinaryData = False"]
        for content, words in (
            (meta(data=BYTES[:-1]), "cut short"),
            (meta(["X" * 480 + " = 1"]), "254"),
            (meta(["Comment = " + "x" * 300]), "254"),
            (meta(["Anything = " + "x" * 40000]), "32766"),
            (meta(["ElementSpacing = 1 1 1" + " 1" * 400]), "a.mha"),
            (meta().replace(b"NDims = 3", b"NDims = 2147483647"), "NDims"),
            (meta(["ElementSpacing = 1 1"]), "ElementSpacing"),
            (meta(["ElementSpacing = 1 0 1"]), "spacing"),
            (meta(["Offset = 0 nan 0"]), "Offset"),
            (meta(type_="MET_OTHER"), "type of its voxels"),
            (meta(text, b"1 2 3"), "cut short"),
            (meta(text, b"100 " * 59), "59 numbers of 60"),
            (meta(text, b"1 " * 59 + b"300"), "300"),
            (meta(["CompressedData = True", "CompressedDataSize = 20"], zlib.compress(BYTES)[:20]), "decompressed"),
            (meta(["\x01\x02\x03"]), "???"),
            (meta([*text, "ElementNumberOfChannels = 3"], b"1 " * 180), "ElementNumberOfChannels"),
            (meta().replace(b"DimSize = 5 4 3\n", b""), "DimSize"),
            (meta(["CompressedData = True"], zlib.compress(BYTES)), "CompressedDataSize"),
            (b"NDims = 3\n", "ElementDataFile"),
        ):
            self.expect_refused("a.mha", content, words)


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
        for file, words in (
            ("no.raw", "no.raw"), ("s%s.raw 1 3 1", "pattern"), ("s%d%n.raw 1 3 1", "pattern"), ("s%d.raw 1 1000000000 1", "more files"),
            ("s%d.raw 1 3 0", "pattern"), ("s%d.raw 3 1 1", "pattern"), ("LIST", "lists no files"), ("s%d.raw 1 4 1", "expected 3"),
        ):
            self.expect_refused("a.nhdr", nrrd(["data file: " + file], b"")[:-1], words)

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


class FreeSurferVolumes(FilesTest):
    def test_geometry(self):
        c, s = math.cos(0.3), math.sin(0.3)
        columns, spacing, center = ((-c, -s, 0), (0, 0, -1), (-s, c, 0)), (1.5, 2.0, 0.75), (3.0, -4.0, 5.0)
        # Of place = center + columns spacing (index - size / 2), in right, anterior, superior.
        origin = [center[k] - sum(columns[a][k] * spacing[a] * SIZE[a] / 2 for a in range(3)) for k in range(3)]
        turned = [(-x, -y, z) for x, y, z in columns]
        content = mgh(spacing=spacing, columns=columns, center=center)
        for name, data in (("a.mgh", content), ("a.mgz", gzip.compress(content)), ("b.mgz", gzip.compress(content + b"tags"))):
            self.write(name, data)
            self.expect_image(name, VALUES, SIZE, spacing, (-origin[0], -origin[1], origin[2]), turned)

    def test_without_geometry(self):
        self.write("a.mgh", mgh(is_good=0))
        self.expect_image("a.mgh", origin=(-2.5, 1.5, 2.0), columns=((1, 0, 0), (0, 0, -1), (0, -1, 0)))

    def test_types(self):
        values = [value % 100 for value in VALUES]
        for number, code in ((0, "B"), (1, "i"), (3, "f"), (4, "h"), (10, "H")):
            self.write("a.mgz", gzip.compress(mgh(struct.pack(f">{VOXELS}{code}", *values), number)))
            self.assertEqual(self.convert("a.mgz")["voxels"], values)

    def test_damaged(self):
        content = mgh()
        for name, data, words in (
            ("a.mgh", content[:-1], "cut short"), ("a.mgh", content[:100], "284"), ("a.mgh", b"\0" * 400, "284"),
            ("a.mgz", gzip.compress(content)[:-9], "damaged"), ("a.mgh", mgh(type_=7), "type is 7"),
            ("a.mgh", mgh(size=(5, -4, 3)), "-4"), ("a.mgh", mgh(spacing=(1, math.nan, 1)), "nan"),
            ("a.mgh", mgh(BYTES * 2, frames=2), "4 axes"), ("a.mgh", mgh(size=(2000000000,) * 3), "cut short"),
        ):
            self.expect_refused(name, data, words)


def segments(*names, layers=None, labels=None):
    """The pairs of Slicer for segments of the labels 1, 2, ... of one layer."""
    lines = []
    for i, name in enumerate(names):
        values = {"Color": f"0.{i} 0.5 1", "Extent": "0 2 0 2 0 2", "ID": f"Segment_{i}", "Name": name, "Tags": "x^y~" * 600}
        values["LabelValue"] = str(labels[i] if labels else i + 1)
        values["Layer"] = str(layers[i] if layers else 0)
        lines += [f"Segment{i}_{key}:={value}" for key, value in sorted(values.items())]
    return [*lines, "Segmentation_MasterRepresentation:=Binary labelmap", "Segmentation_ReferenceImageExtentOffset:=1 2 3"]


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


def dicom(path, position, voxels, uid="1.2.3", size=(5, 4), spacing=(0.5, 2.0), orientation=(1, 0, 0, 0, 1, 0), number=1):
    """A slice of unsigned numbers of 16 bits, explicit and little endian. The spacing is of columns and rows."""
    def element(group, item, kind, value):
        value = value.encode() if isinstance(value, str) else value
        value += b" " * (len(value) % 2) if kind != "UI" else b"\0" * (len(value) % 2)
        length = struct.pack("<2xI" if kind in ("OB", "OW") else "<H", len(value))
        return struct.pack("<HH", group, item) + kind.encode() + length + value

    def us(value):
        return struct.pack("<H", value)

    storage = "1.2.840.10008.5.1.4.1.1.4"
    join = lambda numbers: "\\".join(f"{number:g}" for number in numbers)
    meta_ = element(2, 1, "OB", b"\0\1") + element(2, 2, "UI", storage) + element(2, 3, "UI", f"{uid}.{number}")
    meta_ += element(2, 0x10, "UI", "1.2.840.10008.1.2.1")
    body = element(8, 0x16, "UI", storage) + element(8, 0x18, "UI", f"{uid}.{number}") + element(8, 0x60, "CS", "MR")
    body += element(0x20, 0xD, "UI", "1.2") + element(0x20, 0xE, "UI", uid) + element(0x20, 0x13, "IS", str(number))
    body += element(0x20, 0x32, "DS", join(position)) + element(0x20, 0x37, "DS", join(orientation))
    body += element(0x28, 2, "US", us(1)) + element(0x28, 4, "CS", "MONOCHROME2") + element(0x28, 0x10, "US", us(size[1]))
    body += element(0x28, 0x11, "US", us(size[0])) + element(0x28, 0x30, "DS", join(spacing[::-1]))
    body += element(0x28, 0x100, "US", us(16)) + element(0x28, 0x101, "US", us(16)) + element(0x28, 0x102, "US", us(15))
    body += element(0x28, 0x103, "US", us(0)) + element(0x7FE0, 0x10, "OW", struct.pack(f"<{len(voxels)}H", *voxels))
    path.write_bytes(b"\0" * 128 + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(meta_))) + meta_ + body)


class DicomFolders(FilesTest):
    def setUp(self):
        super().setUp()
        (self.folder / "series").mkdir()
        # The names are not in the order of the places.
        for i, name in enumerate("cab"):
            dicom(self.folder / "series" / f"{name}.dcm", (10, -20, 30 + 3 * i), VALUES[20 * i : 20 * i + 20], number=i + 1)

    def test_folder(self):
        status, _, error = self.run_program("denoise", "bilateral", "series", "o.mha", "-q")
        if status != 0:
            self.assertIn("dcm2niix", error)
            self.skipTest("built without ITKIOGDCM")
        for name in ("series", "series/", "series/b.dcm"):
            self.expect_image(name, VALUES, SIZE, (0.5, 2, 3), (10, -20, 30))

    def test_several_series(self):
        dicom(self.folder / "series" / "other.dcm", (0, 0, 0), VALUES[:20], uid="1.2.4")
        self.convert("series", 1, "series")
        if "dcm2niix" not in self.run_program("denoise", "bilateral", "series", "o.mha", "-q")[2]:
            self.convert("series", 1, "2 series of DICOM; choose one by naming one of its files")
            self.convert("series", 1, "c.dcm (of 3)")
            self.expect_image("series/c.dcm", VALUES, SIZE, (0.5, 2, 3), (10, -20, 30))

    def test_slices_that_are_missing(self):
        (self.folder / "series" / "a.dcm").unlink()
        dicom(self.folder / "series" / "d.dcm", (10, -20, 45), VALUES[40:], number=4)
        # These few voxels tell nothing of the noise.
        status, _, error = self.run_program("denoise", "bilateral", "series", "o.mha", "--range-sigma", "1", "-q")
        self.assertIn("evenly spaced" if status == 0 else "dcm2niix", error)

    def test_other_folders(self):
        (self.folder / "empty").mkdir()
        self.convert("empty", 1, "it is a folder")
        self.write("no.dcm", b"no file of DICOM")
        self.convert("no.dcm", 1, "no.dcm")


if __name__ == "__main__":
    programs.run_tests()
