# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes and reads NIfTI-1, NIfTI-2 and Analyze 7.5 with all fields, in either byte order. It knows nothing of the programs."""

import gzip
import math
import struct

# Codes of types, and Python's names of them.
CODES = {"B": 2, "h": 4, "i": 8, "f": 16, "d": 64, "b": 256, "H": 512, "I": 768, "q": 1024, "Q": 1280}
TYPES = {code: name for name, code in CODES.items()}

# name: number of values, type and offset in NIfTI-1, type and offset in NIfTI-2
FIELDS = {
    "sizeof_hdr": (1, "i", 0, "i", 0), "dim_info": (1, "B", 39, "B", 524), "dim": (8, "h", 40, "q", 16),
    "intent_p1": (1, "f", 56, "d", 80), "intent_code": (1, "h", 68, "i", 504), "datatype": (1, "h", 70, "h", 12),
    "bitpix": (1, "h", 72, "h", 14), "slice_start": (1, "h", 74, "q", 224), "pixdim": (8, "f", 76, "d", 104),
    "vox_offset": (1, "f", 108, "q", 168), "scl_slope": (1, "f", 112, "d", 176), "scl_inter": (1, "f", 116, "d", 184),
    "slice_end": (1, "h", 120, "q", 232), "slice_code": (1, "B", 122, "i", 496), "xyzt_units": (1, "B", 123, "i", 500),
    "cal_max": (1, "f", 124, "d", 192), "cal_min": (1, "f", 128, "d", 200), "slice_duration": (1, "f", 132, "d", 208),
    "toffset": (1, "f", 136, "d", 216), "descrip": (1, "80s", 148, "80s", 240), "aux_file": (1, "24s", 228, "24s", 320),
    "qform_code": (1, "h", 252, "i", 344), "sform_code": (1, "h", 254, "i", 348),
    "quatern": (3, "f", 256, "d", 352), "qoffset": (3, "f", 268, "d", 376), "sform": (12, "f", 280, "d", 400),
    "intent_name": (1, "16s", 328, "16s", 508),
}


def header(version, order, magic, values):
    data = bytearray(348 if version == 1 else 540)
    for name, value in values.items():
        count, *places = FIELDS[name]
        kind, offset = places[:2] if version == 1 else places[2:]
        many = value if isinstance(value, (list, tuple)) else [value]
        assert len(many) == count, name
        struct.pack_into(order + kind * count, data, offset, *many)
    data[344 if version == 1 else 4 : 348 if version == 1 else 8] = magic + str(version).encode() + b"\0"
    return bytes(data)


def nifti(size, kind, values, version=1, order="<", extension=b"", pair=False, **fields):
    """A file of numbers, x first. Fields that are not given are those of an image without a place.
    :return: the file, or header and voxels of a pair"""
    start = (352 if version == 1 else 544) + len(extension)
    defaults = {
        "sizeof_hdr": 348 if version == 1 else 540,
        "dim": [len(size), *size, *([1] * (7 - len(size)))],
        "datatype": CODES[kind],
        "bitpix": 8 * struct.calcsize(kind),
        "pixdim": [1.0] * 8,
        "vox_offset": 0 if pair else start,
        "xyzt_units": 2,
    }
    data = struct.pack(f"{order}{len(values)}{kind}", *values)
    head = header(version, order, b"ni" if pair else b"n+", {**defaults, **fields})
    head += bytes([1 if extension else 0, 0, 0, 0]) + extension
    return (head, data) if pair else head + data


def read(content):
    """The fields of a file of one piece, its voxels and what stands before them."""
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    version, order = next((v, o) for v, n in ((1, 348), (2, 540)) for o in "<>" if content[:4] == struct.pack(o + "i", n))
    fields = {}
    for name, (count, *places) in FIELDS.items():
        kind, offset = places[:2] if version == 1 else places[2:]
        values = struct.unpack_from(order + kind * count, content, offset)
        fields[name] = values[0].rstrip(b"\0") if "s" in kind else list(values) if count > 1 else values[0]
    kind = TYPES[fields["datatype"]]
    start = int(fields["vox_offset"])
    voxels = math.prod(fields["dim"][1 : fields["dim"][0] + 1])
    assert len(content) == start + voxels * struct.calcsize(kind)
    fields["version"] = version
    fields["extension"] = content[352 if version == 1 else 544 : start]
    return fields, list(struct.unpack_from(f"{order}{voxels}{kind}", content, start))


def rotation(axis, degrees):
    """A matrix that turns around an axis."""
    norm = math.sqrt(sum(a * a for a in axis))
    x, y, z = (a / norm for a in axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    t = 1 - c
    return [
        [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
    ]


def quaternion(axis, degrees):
    """The fields b, c and d of the same, for up to 180 degrees."""
    norm = math.sqrt(sum(a * a for a in axis))
    return [a / norm * math.sin(math.radians(degrees / 2)) for a in axis]


def sform(matrix, spacing, origin):
    """The fields of the rows of an sform."""
    return [value for row, offset in zip(matrix, origin) for value in [*(m * s for m, s in zip(row, spacing)), offset]]


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]
