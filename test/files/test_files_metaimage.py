# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests MetaImage as input.

    python3 test_files_metaimage.py DENOISE REGISTER TRANSFORM
"""

import gzip
import struct
import zlib

import programs
from files_test import FilesTest
from image_files import BYTES, VALUES, VOXELS, meta


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


if __name__ == "__main__":
    programs.run_tests()
