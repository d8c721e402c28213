# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Small files of all formats that the programs read, ways to damage them, and what a file then really holds.

A file is a dictionary of names and bytes, since some formats take two; the name to give to a program is the first.
The readers here know nothing of the programs or of ITK: they say what numbers a file holds, or raise an exception for
what holds none."""

import gzip
import math
import struct
import zlib

import nifti_files

# Codes of NIfTI, names of MetaImage and NRRD, and of Python's struct.
TYPES = {
    2: ("MET_UCHAR", "uint8", "B"),
    4: ("MET_SHORT", "int16", "h"),
    16: ("MET_FLOAT", "float", "f"),
}
NIFTI_TYPES = {2: "B", 4: "h", 8: "i", 16: "f", 64: "d", 256: "b", 512: "H", 768: "I", 1024: "q", 1280: "Q"}
META_TYPES = {
    "MET_CHAR": "b", "MET_UCHAR": "B", "MET_SHORT": "h", "MET_USHORT": "H", "MET_INT": "i", "MET_UINT": "I",
    "MET_LONG": "i", "MET_ULONG": "I", "MET_LONG_LONG": "q", "MET_ULONG_LONG": "Q", "MET_FLOAT": "f", "MET_DOUBLE": "d",
}
NRRD_TYPES = {
    "signed char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H",
    "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "double": "d", "int64": "q",
    "uint64": "Q",
}


class NoImage(Exception):
    """A file holds no image."""


def pack(code, values, order="<"):
    return struct.pack(f"{order}{len(values)}{code}", *values)


def nifti_header(size, datatype, order="<", offset=352.0, magic=b"n+1\0", components=1):
    code = TYPES[datatype][2]
    dim = [len(size), *size, *([1] * (7 - len(size)))]
    if components > 1:
        dim = [5, *size, *([1] * (4 - len(size))), components, 1, 1]
    header = bytearray(348)
    struct.pack_into(order + "i", header, 0, 348)
    struct.pack_into(order + "8h", header, 40, *dim)
    struct.pack_into(order + "h", header, 68, 1007 if components > 1 else 0)
    struct.pack_into(order + "hh", header, 70, datatype, 8 * struct.calcsize(code))
    struct.pack_into(order + "8f", header, 76, 1, 1, 1, 1, 1, 1, 1, 1)
    struct.pack_into(order + "f", header, 108, offset)
    struct.pack_into(order + "2f", header, 112, 1, 0)
    header[123] = 2  # mm
    struct.pack_into(order + "2h", header, 252, 1, 1)
    # ITK turns the first two axes around.
    struct.pack_into(order + "6f", header, 256, 0, 0, 1, 0, 0, 0)
    struct.pack_into(order + "12f", header, 280, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0)
    header[344:348] = magic
    return bytes(header)


def by_component(values, components):
    return [value for c in range(components) for value in values[c::components]]


def nifti(name, size, datatype, values, order="<", components=1):
    data = pack(TYPES[datatype][2], by_component(values, components), order)
    if name.endswith(".hdr") or name.endswith(".img"):
        analyze = b"\0\0\0\0" if "analyze" in name else b"ni1\0"
        header = nifti_header(size, datatype, order, 0.0, analyze, components)
        other = name[:-4] + (".img" if name.endswith(".hdr") else ".hdr")
        pair = (header, data) if name.endswith(".hdr") else (data, header)
        return {name: pair[0], other: pair[1]}
    content = nifti_header(size, datatype, order, components=components) + b"\0\0\0\0" + data
    return {name: gzip.compress(content, mtime=0) if name.endswith(".gz") else content}


def nifti2(name, size, datatype, values, order="<", components=1):
    fields = {"qform_code": 1, "quatern": [0, 0, 1], "sform_code": 1, "sform": [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0]}
    axes = (*size, 1, components) if components > 1 else size
    intent = 1007 if components > 1 else 0
    data = by_component(values, components)
    content = nifti_files.nifti(axes, TYPES[datatype][2], data, 2, order, intent_code=intent, **fields)
    return {name: gzip.compress(content, mtime=0) if name.endswith(".gz") else content}


def meta(name, size, datatype, values, kind="binary", components=1):
    lines = ["ObjectType = Image", f"NDims = {len(size)}", "BinaryData = " + str(kind != "text")]
    data = pack(TYPES[datatype][2], values)
    if kind == "compressed":
        data = zlib.compress(data)
        lines += ["CompressedData = True", f"CompressedDataSize = {len(data)}"]
    elif kind == "text":
        data = " ".join(str(value) for value in values).encode() + b"\n"
    lines += ["BinaryDataByteOrderMSB = False"]
    lines += ["Offset = " + " ".join("0" for _ in size), "ElementSpacing = " + " ".join("1" for _ in size)]
    lines += ["DimSize = " + " ".join(map(str, size))]
    if components > 1:
        lines += [f"ElementNumberOfChannels = {components}"]
    other = name[:-4] + ".raw"
    lines += ["ElementType = " + TYPES[datatype][0]]
    lines += ["ElementDataFile = " + (other if name.endswith(".mhd") else "LOCAL")]
    header = "\n".join(lines).encode() + b"\n"
    return {name: header, other: data} if name.endswith(".mhd") else {name: header + data}


def nrrd(name, size, datatype, values, encoding="raw", components=1):
    axes = ([components] if components > 1 else []) + list(size)
    lines = ["NRRD0004", "# a comment", "type: " + TYPES[datatype][1], f"dimension: {len(axes)}"]
    lines += [f"space dimension: {len(size)}", "sizes: " + " ".join(map(str, axes))]
    units = ["(" + ",".join("1" if i == j else "0" for j in range(len(size))) + ")" for i in range(len(size))]
    lines += ["space directions: " + " ".join((["none"] if components > 1 else []) + units)]
    lines += ["kinds: " + " ".join((["vector"] if components > 1 else []) + ["domain"] * len(size))]
    lines += ["endian: little", "encoding: " + encoding, "space origin: (" + ",".join("0" for _ in size) + ")"]
    data = pack(TYPES[datatype][2], values)
    if encoding == "gzip":
        data = gzip.compress(data, mtime=0)
    if name.endswith(".nhdr"):
        other = name[:-5] + ".raw"
        return {name: "\n".join([*lines, "data file: " + other]).encode() + b"\n", other: data}
    return {name: "\n".join(lines).encode() + b"\n\n" + data}


def translation_text(offset):
    numbers = " ".join(map(str, offset))
    fixed = "FixedParameters:" + "".join(" 0" for _ in ())
    name = f"TranslationTransform_double_{len(offset)}_{len(offset)}"
    return f"#Insight Transform File V1.0\n#Transform 0\nTransform: {name}\nParameters: {numbers}\n{fixed}\n".encode()


def affine_text(values, axes):
    name = f"AffineTransform_double_{axes}_{axes}"
    center = " ".join("0" for _ in range(axes))
    numbers = " ".join(map(repr, values))
    return (
        f"#Insight Transform File V1.0\n#Transform 0\nTransform: {name}\nParameters: {numbers}\nFixedParameters: {center}\n"
    ).encode()


def affine_matlab(values, axes):
    def column(name, numbers):
        label = name.encode() + b"\0"
        return struct.pack("<5i", 0, len(numbers), 1, 0, len(label)) + label + pack("d", numbers)

    return column(f"AffineTransform_double_{axes}_{axes}", values) + column("fixed", [0.0] * axes)


# What files hold.


def numbers_of(code, order, data, offset, count):
    size = struct.calcsize(code)
    if count > 10**6 or offset < 0 or len(data) < offset + count * size:
        raise NoImage
    return list(struct.unpack_from(f"{order}{count}{code}", data, offset))


def gunzip(data):
    """What the members of a gzip file hold, whatever follows the last one."""
    content = b""
    while True:
        stream = zlib.decompressobj(31)
        content += stream.decompress(data)
        if not stream.eof:
            raise NoImage
        data = stream.unused_data.lstrip(b"\0")
        if data[:2] != b"\x1f\x8b":
            return content


def inflate(data):
    """What data of the formats of gzip or zlib hold, whatever follows them."""
    stream = zlib.decompressobj(47)
    inflated = stream.decompress(data)
    if not stream.eof:
        raise NoImage
    return inflated


def read_nifti(name, files):
    stem = name[:-3] if name.endswith(".gz") else name
    pair = not stem.endswith(".nii")
    unpacked = {key: gunzip(value) if key.endswith(".gz") else value for key, value in files.items()}
    header = next(v for k, v in unpacked.items() if ".hdr" in k) if pair else unpacked[name]
    data = next(v for k, v in unpacked.items() if ".img" in k) if pair else unpacked[name]
    version, order = next((v, o) for v, n in ((1, 348), (2, 540)) for o in "<>" if struct.unpack_from(o + "i", header, 0)[0] == n)
    magic = header[344:348] if version == 1 else header[4:8]
    digit = str(version).encode() + b"\0"
    is_analyze = pair and magic not in (b"ni" + digit, b"n+" + digit)

    def field(key):
        values_, *places = nifti_files.FIELDS[key]
        kind, at = places[:2] if version == 1 else places[2:]
        found = struct.unpack_from(order + kind * values_, header, at)
        return found[0] if values_ == 1 else found

    dim = field("dim")
    code = NIFTI_TYPES[field("datatype")]
    if not 1 <= dim[0] <= 7 or min(dim[1 : dim[0] + 1]) < 1:
        raise NoImage
    offset = field("vox_offset")
    slope, intercept = (0.0, 0.0) if is_analyze else (field("scl_slope"), field("scl_inter"))
    count = math.prod(dim[1 : dim[0] + 1])
    if (not is_analyze and not pair and magic != b"n+" + digit) or offset != int(offset):
        raise NoImage
    values = numbers_of(code, order, data, int(offset), count)
    if slope != 0 and math.isfinite(slope):
        values = [value * slope + intercept for value in values]
    intent = field("intent_code")
    components = dim[5] if dim[0] == 5 and dim[4] == 1 else 1
    if components > 1:
        scale = {1: 1000, 3: 0.001}.get(field("xyzt_units") & 7, 1)
        signs = [-scale, -scale, scale] if intent == 1006 else [scale] * components
        if intent not in (0, 1006, 1007) or components != len(signs):
            raise NoImage
        values = [value * signs[i // (count // components)] for i, value in enumerate(values)]
        values = [values[c * (count // components) + i] for i in range(count // components) for c in range(components)]
    return values


def read_meta(name, files):
    fields, at = {}, 0
    while "ElementDataFile" not in fields:
        end = files[name].find(b"\n", at)
        end = len(files[name]) if end < 0 else end
        if at < len(files[name]) and not files[name][at:end].strip():
            at = end + 1
            continue
        key, value = files[name][at:end].decode("latin-1").replace(":", "=", 1).split("=", 1)
        # MetaIO ends a name at a byte of 0, and takes any number of separators.
        fields[key.split("\0")[0].strip()] = value.strip(" \t\r=:")
        at = end + 1
    code = META_TYPES[fields["ElementType"]]
    count = math.prod(int(n) for n in fields["DimSize"].split()) * int(fields.get("ElementNumberOfChannels", "1"))
    local = fields["ElementDataFile"].lower() == "local"
    data = files[name][at:] if local else files[fields["ElementDataFile"]]
    is_set = lambda key, absent="False": (fields.get(key, "") or absent)[0] in "Tt1"
    if not is_set("BinaryData", "True"):
        values = [float(word) for word in data.split()[:count]]
        if len(values) < count:
            raise NoImage
        return values
    skip = int(fields.get("HeaderSize", "0"))
    if is_set("CompressedData"):
        size = int(fields.get("CompressedDataSize", "0"))
        data = inflate(data[:size] if size > 0 else data)
    elif skip > 0:
        data = (files[name] if local else data)[skip:]
    elif skip == -1:
        data = data[len(data) - count * struct.calcsize(code) :]
    order = ">" if is_set("BinaryDataByteOrderMSB") or is_set("ElementByteOrderMSB") else "<"
    return numbers_of(code, order, data, 0, count)


def read_nrrd(name, files):
    fields = {}
    header, _, data = files[name].partition(b"\n\n")
    for line in header.decode("latin-1").split("\n")[1:]:
        if line and line[0] != "#" and ":=" not in line:
            key, value = line.split(":", 1)
            fields[key.strip().lower()] = value.strip()
    if "data file" in fields:
        data = files[fields["data file"]]
    code = NRRD_TYPES[fields["type"].lower()]
    count = math.prod(int(n) for n in fields["sizes"].split())
    skip = int(fields.get("byte skip", "0"))
    if fields["encoding"].lower() in ("ascii", "text", "txt"):
        values = [float(word) for word in data.replace(b",", b" ").split()[:count]]
        if len(values) < count:
            raise NoImage
        return values
    if fields["encoding"].lower() in ("gzip", "gz"):
        data = inflate(data)
    elif skip == -1:
        data = data[len(data) - count * struct.calcsize(code) :]
    order = ">" if fields.get("endian", "little").lower() == "big" else "<"
    return numbers_of(code, order, data, max(skip, 0), count)


def read_image(name, files):
    """All numbers of an image. Raises an exception for what is none."""
    if name.endswith((".mha", ".mhd")):
        return read_meta(name, files)
    return read_nrrd(name, files) if name.endswith((".nrrd", ".nhdr")) else read_nifti(name, files)


def read_transform(name, files):
    """The parameters of the one transform of a file. Raises an exception for what has none."""
    data = files[name]
    if name.endswith(".mat"):
        found = []
        while data:
            code, rows, columns, _, label = struct.unpack_from("<5i", data, 0)
            size = 4 if code in (10, 110) else 8
            found.append(numbers_of("f" if size == 4 else "d", "<", data, 20 + label, rows * columns))
            data = data[20 + label + rows * columns * size :]
        return found
    lines = dict(line.split(":", 1) for line in data.decode("latin-1").split("\n") if ":" in line and line[0] != "#")
    return [[float(word) for word in lines[key].split()] for key in ("Parameters", "FixedParameters")]


# How files are damaged.

EXTREMES = [0, 1, -1, 2, 7, 8, 255, 256, 2**15 - 1, -(2**15), 2**31 - 1, -(2**31), 2**31, 2**32, 10**10, 2**63, 2**64]
REALS = [0.0, -1.0, 1e-45, 1e-30, 1e30, 3.4e38, -3.4e38, float("nan"), float("inf"), float("-inf"), 351.0, 353.5, 1e10]


def cut(random, content, _):
    return content[: random.randrange(len(content))]


def flip_bits(random, content, header):
    damaged = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 8))):
        damaged[random.randrange(min(header, len(damaged)))] ^= 1 << random.randrange(8)
    return bytes(damaged)


def flip_anywhere(random, content, _):
    return flip_bits(random, content, len(content))


def set_number(random, content, header):
    """A field of a binary header, or a number of a text."""
    words = content[:header].split(b" ")
    if content[:1].isalpha() or content[:1] == b"#":
        at = random.randrange(len(words))
        tail = b"\n" + words[at].split(b"\n", 1)[1] if b"\n" in words[at] else b""
        words[at] = str(random.choice(EXTREMES + REALS)).encode() + tail
        return b" ".join(words) + content[header:]
    damaged = bytearray(content)
    offsets = [0, 40, 42, 44, 46, 48, 50, 68, 70, 72, *range(76, 124, 4), 252, 254, *range(256, 344, 4)]
    at = random.choice([o for o in offsets if o + 4 <= len(content)] or [0])
    if at in range(40, 76) or at in (252, 254):
        struct.pack_into("<h", damaged, at, random.choice([e for e in EXTREMES if -(2**15) <= e < 2**15]))
    else:
        struct.pack_into("<f", damaged, at, random.choice(REALS))
    return bytes(damaged)


def swap_bytes(random, content, header):
    begin = random.randrange(0, max(1, min(header, len(content)) - 4))
    return content[:begin] + content[begin : begin + 4][::-1] + content[begin + 4 :]


def insert_long(random, content, header):
    at = random.randrange(min(header, len(content)))
    return content[:at] + bytes([random.choice(b"A1 =:\n")]) * random.choice((300, 1000, 5000)) + content[at:]


def remove_line(random, content, header):
    lines = content[:header].split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines) + content[header:]


def repeat_line(random, content, header):
    lines = content[:header].split(b"\n")
    lines.insert(random.randrange(len(lines)), random.choice(lines))
    return b"\n".join(lines) + content[header:]


DAMAGES = [cut, cut, flip_bits, flip_bits, flip_anywhere, set_number, set_number, set_number, swap_bytes, insert_long,
           remove_line, repeat_line]


def damage(random, files):
    """A damaged file, and how it was damaged. What a gzip file holds is damaged as often as the gzip file."""
    damaged = dict(files)
    name = random.choice(list(files)) if random.random() < 0.3 else next(iter(files))
    how = random.choice(DAMAGES)
    inside = name.endswith(".gz") and random.random() < 0.5
    content = gzip.decompress(files[name]) if inside else files[name]
    content = how(random, content, 348 if content[:1] not in b"ON#" else min(len(content), 300))
    damaged[name] = gzip.compress(content, mtime=0) if inside else content
    return damaged, f"{how.__name__} of {name}"
