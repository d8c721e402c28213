# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Small files of all formats of points that cudaneuro-landmarks reads, and what a file then really holds.

The writers take points in LPS, as lists of numbers, and triangles; the readers give points in LPS, and know nothing of the
programs or of ITK. They raise an exception for what holds no points."""

import base64
import json
import re
import struct
import zlib


class NoPoints(Exception):
    """A file holds no points."""


def turned(points):
    """LPS to RAS, or back."""
    return [[-p[0], -p[1], p[2]] for p in points]


def number(word):
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", word):
        raise NoPoints(word)
    return float(word)


def text_of(points, separator=" ", ending=""):
    return "".join(separator.join(repr(float(x)) for x in p) + ending + "\n" for p in points)


def single(points):
    """As numbers of single precision hold them."""
    return [[struct.unpack("f", struct.pack("f", x))[0] for x in p] for p in points]


# Writers.


def csv(points, header=True):
    names = "x,y,z\n" if len(points[0]) == 3 else "x,y\n"
    return ((names if header else "") + text_of(points, ",")).encode()


def txt(points):
    return ("# points\n" + text_of(points)).encode()


def fcsv(points, system="LPS", tail=""):
    own = points if system in ("LPS", "1") else turned(points)
    head = f"# Markups fiducial file version = 4.11\n# CoordinateSystem = {system}\n"
    head += "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"
    rows = (f"{i},{','.join(map(repr, map(float, p)))},0,0,0,1,1,1,0,F-{i},,{tail}\n" for i, p in enumerate(own))
    return (head + "".join(rows)).encode()


def pts(points):
    return (f"point\n{len(points)}\n" + text_of(points)).encode()


def markups(points, system="LPS", **more):
    own = points if system in ("LPS", "1") else turned(points)
    control = [{"id": str(i), "label": f"P-{i}", "position": p, "positionStatus": "defined"} for i, p in enumerate(own)]
    return json.dumps({"markups": [{"type": "Fiducial", "coordinateSystem": system, "controlPoints": control, **more}]}).encode()


def vtk(points, triangles=(), binary=False, version="3.0", title="points", kind="double"):
    letter = {"double": "d", "float": "f"}[kind]
    values = [x for p in (turned(points) if "SPACE=RAS" in title else points) for x in p]
    content = f"# vtk DataFile Version {version}\n{title}\n{'BINARY' if binary else 'ASCII'}\nDATASET POLYDATA\nPOINTS {len(points)} {kind}\n".encode()
    pack = lambda code, numbers: struct.pack(f">{len(numbers)}{code}", *numbers)
    words = lambda numbers: " ".join(map(repr, numbers)).encode()
    data = (lambda code, numbers: pack(code, numbers) + b"\n") if binary else (lambda code, numbers: words(numbers) + b"\n")
    content += data(letter, values)
    if triangles and version == "5.1":
        content += f"POLYGONS {len(triangles) + 1} {3 * len(triangles)}\nOFFSETS vtktypeint64\n".encode()
        content += data("q", [3 * i for i in range(len(triangles) + 1)]) + b"CONNECTIVITY vtktypeint64\n"
        content += data("q", [i for t in triangles for i in t])
    elif triangles:
        content += f"POLYGONS {len(triangles)} {4 * len(triangles)}\n".encode()
        content += data("i", [i for t in triangles for i in (3, *t)])
    return content + f"POINT_DATA {len(points)}\nSCALARS depth double 1\nLOOKUP_TABLE default\n".encode() + data("d", [0.5] * len(points))


def obj(points, triangles=()):
    return ("# a mesh\n" + "".join("v " + text_of([p]) for p in points) + "".join("f " + " ".join(f"{i + 1}/1/1" for i in cell) + "\n" for cell in triangles)).encode()


def off(points, triangles=()):
    return (f"OFF\n# a mesh\n{len(points)} {len(triangles)} 0\n" + text_of(points) + "".join(f"3 {a} {b} {c}\n" for a, b, c in triangles)).encode()


def fsa(points, triangles=()):
    return (f"#!ascii version of a mesh\n{len(points)} {len(triangles)}\n" + text_of(turned(points), ending=" 0") + "".join(f"{a} {b} {c} 0\n" for a, b, c in triangles)).encode()


def fsb(points, triangles=()):
    content = b"\xff\xff\xfecreated by a test\n\n" + struct.pack(">2I", len(points), len(triangles))
    content += struct.pack(f">{3 * len(points)}f", *[x for p in turned(points) for x in p])
    return content + struct.pack(f">{3 * len(triangles)}I", *[i for t in triangles for i in t])


def gii(points, triangles=(), encoding="Base64Binary"):
    def array(intent, kind, rows, data, words):
        text = {
            "ASCII": lambda: " ".join(map(repr, words)),
            "Base64Binary": lambda: base64.b64encode(data).decode(),
            "GZipBase64Binary": lambda: base64.b64encode(zlib.compress(data)).decode(),
        }[encoding]()
        return (
            f'<DataArray Intent="{intent}" DataType="{kind}" ArrayIndexingOrder="RowMajorOrder" Dimensionality="2" Dim0="{rows}" '
            f'Dim1="3" Encoding="{encoding}" Endian="LittleEndian" ExternalFileName="" ExternalFileOffset="">\n<Data>{text}</Data>\n</DataArray>\n'
        )

    values = [x for p in single(turned(points)) for x in p]
    indices = [i for t in triangles for i in t]
    arrays = array("NIFTI_INTENT_POINTSET", "NIFTI_TYPE_FLOAT32", len(points), struct.pack(f"<{len(values)}f", *values), values)
    if triangles:
        arrays += array("NIFTI_INTENT_TRIANGLE", "NIFTI_TYPE_INT32", len(triangles), struct.pack(f"<{len(indices)}i", *indices), indices)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE GIFTI SYSTEM "http://www.nitrc.org/frs/download.php/115/gifti.dtd">\n'
        f'<GIFTI Version="1.0" NumberOfDataArrays="{2 if triangles else 1}">\n{arrays}</GIFTI>\n'
    ).encode()


# Readers: points, and triangles where a file has them.


def is_number(value):
    try:
        number(value.replace(",", "."))
    except NoPoints:
        return value.lower() in ("nan", "inf", "-nan", "-inf")
    return True


def rows_of(content, separator=None):
    """The rows of a table as lists of values, and the comments before them."""
    text = content.decode("latin-1").replace("\xef\xbb\xbf", "").replace("\r\n", "\n").replace("\r", "\n")
    rows, comments = [], []
    for line in text.split("\n"):
        if line.strip().startswith("#"):
            comments.append(line.strip()[1:].strip())
        elif line.strip(" \t,;"):
            separator = separator or next((mark for mark in ";\t," if mark in line), " ")
            values = line.split("#")[0].split() if separator == " " else [value.strip().strip('"') for value in line.split(separator)]
            while values and not values[-1]:
                values.pop()
            rows += [values] if values else []
    return rows, comments


def read_table(content, names=None, separator=None):
    rows, comments = rows_of(content, separator)
    if names is None:
        numbers = sum(map(is_number, rows[0]))
        if numbers < len(rows[0]) and not (numbers == 3 and len(rows[0]) == 4):
            names = [name.lower() for name in rows.pop(0)]
        else:
            noted = [comment.lower().replace(",", " ").split() for comment in comments if "x" in comment.lower().replace(",", " ").split()]
            axes = iter("xyz")
            names = noted[-1] if noted and len(noted[-1]) == len(rows[0]) else [next(axes) if is_number(v) else "label" for v in rows[0]]
    columns = [names.index(axis) for axis in "xyz" if axis in names]
    points = []
    for row in rows:
        values = [row[column] for column in columns]
        is_defined = "status" not in names or row[names.index("status") :][:1] in ([], [""], ["2"])
        if is_defined and ("label" not in names or any(value.lower() not in ("", "nan", "n/a", "na") for value in values)):
            points.append([number(value.replace(",", ".")) for value in values])
    if len(columns) < 2:
        raise NoPoints
    return points, []


def read_fcsv(content):
    _, comments = rows_of(content, ",")
    names = "id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID"
    system = "RAS"
    for comment in comments[::-1]:
        key, _, value = comment.partition("=")
        names = value.strip() if key.strip() == "columns" else names
        system = value.strip() if key.strip() == "CoordinateSystem" else system
    names = [*names.split(","), "status", "created"]
    points, _ = read_table(content, names, ",")
    return (turned(points) if system in ("RAS", "0") else points), []


def read_pts(content):
    words = content.decode("latin-1").split()
    count = int(number(words[1]))
    numbers = [number(word) for word in words[2:]]
    if words[0] != "point" or len(numbers) not in (2 * count, 3 * count):
        raise NoPoints
    return grouped(numbers, len(numbers) // count), []


def read_markups(content):
    markup = json.loads(content)["markups"][0]
    points = [point["position"] for point in markup["controlPoints"]]
    return (turned(points) if markup.get("coordinateSystem", "LPS") in ("RAS", "0", 0) else points), []


class Words:
    """The words of a file, with binary data between them."""

    def __init__(self, content):
        self.content = content
        self.at = 0

    def take(self):
        match = re.compile(rb"\s*(\S+)").match(self.content, self.at)
        if not match:
            return ""
        self.at = match.end()
        return match[1].decode("latin-1")

    def line(self):
        end = self.content.find(b"\n", self.at)
        line = self.content[self.at : end if end >= 0 else len(self.content)]
        self.at = end + 1 if end >= 0 else len(self.content)
        return line.decode("latin-1")

    def numbers(self, count):
        return [number(self.take()) for _ in range(count)]

    def binary(self, code, count):
        self.line()
        values = list(struct.unpack_from(f">{count}{code}", self.content, self.at))
        self.at += count * struct.calcsize(code)
        return values


VTK_TYPES = {
    "float": "f", "double": "d", "int": "i", "unsigned_int": "I", "short": "h", "unsigned_short": "H", "char": "b",
    "unsigned_char": "B", "long": "q", "unsigned_long": "Q", "vtkidtype": "i", "vtktypeint64": "q", "vtktypeuint64": "Q",
}


def grouped(values, size=3):
    return [values[i : i + size] for i in range(0, len(values), size)]


def read_vtk(content):
    words = Words(content)
    words.line()
    is_ras = "SPACE=RAS" in words.line()
    is_binary = words.take() == "BINARY"
    words.take(), words.take()
    take = lambda count, kind: words.binary(VTK_TYPES[kind], count) if is_binary else words.numbers(count)
    points, triangles = None, []
    while True:
        section = words.take()
        if section in ("", "POINT_DATA", "CELL_DATA"):
            break
        if section == "POINTS":
            count = int(words.take())
            points = grouped(take(3 * count, words.take().lower()))
        elif section == "METADATA":
            words.line()
            while words.line().strip():
                pass
        elif section in ("VERTICES", "LINES", "POLYGONS"):
            first, second = int(words.take()), int(words.take())
            before = words.at
            if words.take() == "OFFSETS":
                offsets = [int(i) for i in take(first, words.take().lower())]
                words.take()
                indices = [int(i) for i in take(second, words.take().lower())]
                cells = [indices[a:b] for a, b in zip(offsets, offsets[1:])]
            else:
                words.at = before
                values, cells = [int(i) for i in take(second, "int")], []
                while values:
                    cells.append(values[1 : 1 + values[0]])
                    values = values[1 + values[0] :]
            triangles += cells if section == "POLYGONS" else []
        else:
            raise NoPoints(section)
    if points is None:
        raise NoPoints
    return (turned(points) if is_ras else points), triangles


def read_obj(content):
    points, triangles = [], []
    for line in content.decode("latin-1").split("\n"):
        words = line.split()
        if words and words[0] == "v":
            points.append([number(word) for word in words[1:4]])
        elif words and words[0] == "f":
            triangles.append([int(number(word.split("/")[0])) - 1 for word in words[1:]])
    return points, triangles


def read_off(content):
    words = Words(re.sub(rb"(?m)^\s*#.*\n", b"", content))
    words.take()
    points, faces = (int(number(words.take())) for _ in range(2))
    words.line()
    vertices, triangles = [], []
    for _ in range(points):
        vertices.append(words.numbers(3))
        words.line()
    for _ in range(faces):
        triangles.append([int(i) for i in words.numbers(int(number(words.take())))])
        words.line()
    return vertices, triangles


def read_fsa(content):
    words = Words(content)
    words.line()
    points, triangles = int(number(words.take())), int(number(words.take()))
    vertices = [row[:3] for row in grouped(words.numbers(4 * points), 4)]
    return turned(vertices), [[int(i) for i in row[:3]] for row in grouped(words.numbers(4 * triangles), 4)]


def read_fsb(content):
    at = content.index(b"\n") + 1
    at += content[at : at + 1] == b"\n"
    points, triangles = struct.unpack_from(">2I", content, at)
    vertices = grouped(list(struct.unpack_from(f">{3 * points}f", content, at + 8)))
    return turned(vertices), grouped(list(struct.unpack_from(f">{3 * triangles}I", content, at + 8 + 12 * points)))


def read_gii(content):
    text = content.decode("latin-1")
    arrays = {}
    for head, data in re.findall(r"<DataArray\b([^>]*)>.*?<Data>(.*?)</Data>", text, re.S):
        names = dict(re.findall(r"(\w+)\s*=\s*[\"']([^\"']*)[\"']", head))
        if names.get("Intent") not in ("NIFTI_INTENT_POINTSET", "NIFTI_INTENT_TRIANGLE"):
            continue
        code = {"NIFTI_TYPE_FLOAT32": "f", "NIFTI_TYPE_INT32": "i"}[names["DataType"]]
        if names["Encoding"] == "ASCII":
            values = [number(word) for word in data.split()]
        else:
            raw = base64.b64decode(data)
            raw = zlib.decompress(raw) if names["Encoding"].startswith("GZip") else raw
            order = "<" if names["Endian"] == "LittleEndian" else ">"
            values = list(struct.unpack(f"{order}{len(raw) // 4}{code}", raw))
        arrays[names["Intent"]] = grouped(values)
    triangles = [[int(i) for i in t] for t in arrays.get("NIFTI_INTENT_TRIANGLE", [])]
    return turned(single(arrays["NIFTI_INTENT_POINTSET"])), triangles


READERS = {
    ".csv": read_table, ".txt": read_table, ".fcsv": read_fcsv, ".pts": read_pts, ".json": read_markups, ".vtk": read_vtk, ".obj": read_obj, ".off": read_off,
    ".fsa": read_fsa, ".fsb": read_fsb, ".gii": read_gii,
}


def read(name, content):
    """The points of a file in LPS, and its triangles."""
    points, triangles = READERS[name[name.rindex(".") :]](content)
    if not points:
        raise NoPoints
    return points, triangles


def makers(stem, points, triangles):
    """One of each format and kind: names, and functions that give the contents."""
    return [
        (stem + ".csv", lambda: csv(points)),
        (stem + ".csv", lambda: csv(points, header=False)),
        (stem + ".csv", lambda: csv(points).replace(b",", b";").replace(b".", b",")),
        (stem + ".txt", lambda: txt(points)),
        (stem + ".pts", lambda: pts(points)),
        (stem + ".fcsv", lambda: fcsv(points)),
        (stem + ".fcsv", lambda: fcsv(points, "RAS", ",2,0")),
        (stem + ".mrk.json", lambda: markups(points)),
        (stem + ".mrk.json", lambda: markups(points, "RAS")),
        (stem + ".json", lambda: markups(points, "0", coordinateUnits="mm")),
        (stem + ".vtk", lambda: vtk(points, triangles)),
        (stem + ".vtk", lambda: vtk(points, triangles, title="3D Slicer output. SPACE=RAS")),
        (stem + ".vtk", lambda: vtk(points, triangles, binary=True)),
        (stem + ".vtk", lambda: vtk(single(points), triangles, binary=True, kind="float")),
        (stem + ".vtk", lambda: vtk(points, triangles, version="5.1")),
        (stem + ".vtk", lambda: vtk(points, triangles, binary=True, version="5.1")),
        (stem + ".vtk", lambda: vtk(points)),
        (stem + ".obj", lambda: obj(points, triangles)),
        (stem + ".off", lambda: off(points, triangles)),
        (stem + ".fsa", lambda: fsa(points, triangles)),
        (stem + ".fsb", lambda: fsb(points, triangles)),
        (stem + ".gii", lambda: gii(points, triangles, "ASCII")),
        (stem + ".gii", lambda: gii(points, triangles)),
        (stem + ".gii", lambda: gii(points, triangles, "GZipBase64Binary")),
        (stem + ".gii", lambda: gii(points)),
    ]
