# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes a small image as MetaImage, NRRD, a segmentation of Slicer, a volume of FreeSurfer and DICOM. It knows nothing of the
programs."""

import itertools
import math
import struct

SIZE = (5, 4, 3)
VOXELS = math.prod(SIZE)
# All differ from their neighbors, and are far from them: the filter of files_test.py changes none.
VALUES = [(17 * i * i + 5 * i) % 251 for i in range(VOXELS)]
BYTES = bytes(VALUES)
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


def segments(*names, layers=None, labels=None):
    """The pairs of Slicer for segments of the labels 1, 2, ... of one layer."""
    lines = []
    for i, name in enumerate(names):
        values = {"Color": f"0.{i} 0.5 1", "Extent": "0 2 0 2 0 2", "ID": f"Segment_{i}", "Name": name, "Tags": "x^y~" * 600}
        values["LabelValue"] = str(labels[i] if labels else i + 1)
        values["Layer"] = str(layers[i] if layers else 0)
        lines += [f"Segment{i}_{key}:={value}" for key, value in sorted(values.items())]
    return [*lines, "Segmentation_MasterRepresentation:=Binary labelmap", "Segmentation_ReferenceImageExtentOffset:=1 2 3"]


def element(group, item, kind, value):
    """An element of DICOM, explicit and little endian."""
    value = value.encode() if isinstance(value, str) else value
    value += b" " * (len(value) % 2) if kind != "UI" else b"\0" * (len(value) % 2)
    length = struct.pack("<2xI" if kind in ("OB", "OW", "SQ") else "<H", len(value))
    return struct.pack("<HH", group, item) + kind.encode() + length + value


def sequence(group, item, *contents):
    """A sequence of DICOM, whose items have these contents."""
    return element(group, item, "SQ", b"".join(struct.pack("<HHI", 0xFFFE, 0xE000, len(content)) + content for content in contents))


def decimals(*numbers):
    return "\\".join(f"{number:g}" for number in numbers)


def dicom(path, position, voxels, uid="1.2.3", size=(5, 4), spacing=(0.5, 2.0), orientation=(1, 0, 0, 0, 1, 0), number=1,
          scale=None, image_type="ORIGINAL\\PRIMARY", frames=()):
    """A slice of unsigned numbers of 16 bits. The spacing is of columns and rows. With frames, which have a position and a scale
    each, it is a file of several slices. Without a position the slice has none."""
    def us(value):
        return struct.pack("<H", value)

    storage = "1.2.840.10008.5.1.4.1.1.4" + (".1" if frames else "")
    meta_ = element(2, 1, "OB", b"\0\1") + element(2, 2, "UI", storage) + element(2, 3, "UI", f"{uid}.{number}")
    meta_ += element(2, 0x10, "UI", "1.2.840.10008.1.2.1")
    body = element(8, 8, "CS", image_type) + element(8, 0x16, "UI", storage) + element(8, 0x18, "UI", f"{uid}.{number}")
    body += element(8, 0x60, "CS", "MR") + element(0x20, 0xD, "UI", "1.2") + element(0x20, 0xE, "UI", uid)
    body += element(0x20, 0x13, "IS", str(number))
    if position and not frames:
        body += element(0x20, 0x32, "DS", decimals(*position)) + element(0x20, 0x37, "DS", decimals(*orientation))
    body += element(0x28, 2, "US", us(1)) + element(0x28, 4, "CS", "MONOCHROME2")
    body += element(0x28, 8, "IS", str(len(frames))) if frames else b""
    body += element(0x28, 0x10, "US", us(size[1])) + element(0x28, 0x11, "US", us(size[0]))
    body += element(0x28, 0x30, "DS", decimals(*spacing[::-1])) if not frames else b""
    body += element(0x28, 0x100, "US", us(16)) + element(0x28, 0x101, "US", us(16)) + element(0x28, 0x102, "US", us(15))
    body += element(0x28, 0x103, "US", us(0))
    if scale:
        body += element(0x28, 0x1052, "DS", decimals(scale[1])) + element(0x28, 0x1053, "DS", decimals(scale[0]))
    if frames:
        measures = element(0x18, 0x50, "DS", "3") + element(0x28, 0x30, "DS", decimals(*spacing[::-1]))
        plane = element(0x20, 0x37, "DS", decimals(*orientation))
        body += sequence(0x5200, 0x9229, sequence(0x20, 0x9116, plane) + sequence(0x28, 0x9110, measures))
        body += sequence(0x5200, 0x9230, *(
            sequence(0x20, 0x9113, element(0x20, 0x32, "DS", decimals(*place))) + sequence(
                0x28, 0x9145, element(0x28, 0x1052, "DS", "0") + element(0x28, 0x1053, "DS", decimals(slope)))
            for place, slope in frames))
    body += element(0x7FE0, 0x10, "OW", struct.pack(f"<{len(voxels)}H", *voxels))
    path.write_bytes(b"\0" * 128 + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(meta_))) + meta_ + body)
