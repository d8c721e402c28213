# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Closed surfaces with known volume, small files of the formats that cudaneuro-surface reads, and what a file then really holds.

Points are lists of numbers, and triangles lists of three indices. The readers know nothing of the programs or of VTK."""

import base64
import itertools
import math
import random
import re
import struct
import zlib

import point_files

# Shapes.


def sphere(cuts, radius, noise=0.0, center=(0.0, 0.0, 0.0), seed=1):
    """A cube's surface of cuts^2 squares a side, blown up to a sphere, with Gaussian noise along the radius."""
    generator = random.Random(seed)
    indices, points, triangles = {}, [], []

    def index_of(*point):
        key = tuple(round(cuts * x) for x in point)
        if key not in indices:
            indices[key] = len(points)
            scale = (radius + generator.gauss(0, noise)) / math.hypot(*point)
            points.append([scale * x + c for x, c in zip(point, center)])
        return indices[key]

    for axis, sign, i, j in itertools.product(range(3), (-1, 1), range(cuts), range(cuts)):
        corners = []
        for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)):
            point = [0.0, 0.0, 0.0]
            point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3] = sign, 2 * a / cuts - 1, 2 * b / cuts - 1
            corners.append(index_of(*point))
        corners = corners[::sign]
        triangles += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    return points, triangles


def torus(around, across, large, small):
    points, triangles = [], []
    for i, j in itertools.product(range(around), range(across)):
        a, b = 2 * math.pi * i / around, 2 * math.pi * j / across
        r = large + small * math.cos(b)
        points.append([r * math.cos(a), r * math.sin(a), small * math.sin(b)])
        at = lambda u, v: (u % around) * across + v % across
        corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
        triangles += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    return points, triangles


def cube(half):
    """Twelve triangles."""
    points = [list(p) for p in itertools.product((-half, half), repeat=3)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return points, [t for a, b, c, d in sides for t in ([a, b, c], [a, c, d])]


def joined(*surfaces):
    points, triangles = [], []
    for own, cells in surfaces:
        triangles += [[i + len(points) for i in cell] for cell in cells]
        points += own
    return points, triangles


def turned(surface):
    """Inside out."""
    return surface[0], [cell[::-1] for cell in surface[1]]


# Measures.


def volume(points, triangles):
    total = 0.0
    for a, b, c in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[a], points[b], points[c]
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


def area(points, triangles):
    total = 0.0
    for corners in triangles:
        a, b, c = (points[i] for i in corners)
        u, v = [x - y for x, y in zip(b, a)], [x - y for x, y in zip(c, a)]
        total += math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2
    return total


def euler_number(points, triangles):
    """Points less edges plus triangles: 2 for each sphere, 0 for each torus. Each edge must have two triangles, one each way."""
    edges = {}
    for cell in triangles:
        for i in range(3):
            edge = (cell[i], cell[(i + 1) % 3])
            assert edge not in edges, "two triangles run the same way along an edge"
            edges[edge] = True
    assert all((b, a) in edges for a, b in edges), "an edge has one triangle"
    return len({i for cell in triangles for i in cell}) - len(edges) // 2 + len(triangles)


# Writers.


def vtk(points, triangles, arrays="", **options):
    content = point_files.vtk(points, triangles, **options)
    return content[: content.index(b"POINT_DATA")] + arrays.encode()


def vtp(points, triangles, arrays=""):
    words = lambda rows: " ".join(repr(x) for row in rows for x in row)
    data = lambda kind, name, values, more="": f'<DataArray type="{kind}" Name="{name}" {more} format="ascii">{values}</DataArray>'
    offsets = " ".join(str(3 * (i + 1)) for i in range(len(triangles)))
    return (
        '<?xml version="1.0"?>\n<VTKFile type="PolyData" version="0.1" byte_order="LittleEndian">\n<PolyData>\n'
        f'<Piece NumberOfPoints="{len(points)}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="{len(triangles)}">\n'
        f'{arrays}<Points>{data("Float64", "Points", words(points), "NumberOfComponents=" + chr(34) + "3" + chr(34))}</Points>\n'
        f'<Polys>{data("Int64", "connectivity", words(triangles))}\n{data("Int64", "offsets", offsets)}</Polys>\n'
        "</Piece>\n</PolyData>\n</VTKFile>\n"
    ).encode()


def stl(points, triangles, binary=True):
    if binary:
        cells = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for i in cell for x in points[i]), 0) for cell in triangles)
        return b"solid".ljust(80) + struct.pack("<I", len(triangles)) + cells
    lines = ["solid name of it"]
    for cell in triangles:
        corners = [f"vertex {points[i][0]!r} {points[i][1]!r} {points[i][2]!r}" for i in cell]
        lines += ["facet normal 0 0 0", "outer loop", *corners, "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid name of it", ""]).encode()


def ply(points, triangles, encoding="ascii", numbers="double"):
    header = f"ply\nformat {encoding} 1.0\ncomment a surface\nelement vertex {len(points)}\n"
    header += "".join(f"property {numbers} {axis}\n" for axis in "xyz") + "property uchar red\n"
    header += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    if encoding == "ascii":
        rows = [f"{p[0]!r} {p[1]!r} {p[2]!r} 7" for p in points] + [f"3 {a} {b} {c}" for a, b, c in triangles]
        return (header + "\n".join(rows) + "\n").encode()
    order = "<" if "little" in encoding else ">"
    letter = {"double": "d", "float": "f"}[numbers]
    data = b"".join(struct.pack(f"{order}3{letter}B", *p, 7) for p in points)
    return header.encode() + data + b"".join(struct.pack(f"{order}B3i", 3, *cell) for cell in triangles)


def makers(points, triangles):
    """Names of files of all formats, and their contents."""
    return {
        "text.vtk": vtk(points, triangles),
        "binary.vtk": vtk(points, triangles, binary=True, kind="float"),
        "new.vtk": vtk(points, triangles, binary=True, version="5.1"),
        "ras.vtk": vtk(points, triangles, title="SPACE=RAS"),
        "text.vtp": vtp(points, triangles),
        "binary.stl": stl(points, triangles),
        "text.stl": stl(points, triangles, binary=False),
        "text.ply": ply(points, triangles),
        "little.ply": ply(points, triangles, "binary_little_endian"),
        "big.ply": ply(points, triangles, "binary_big_endian", "float"),
        "text.obj": point_files.obj(points, triangles),
    }


# Readers of what the program writes: points, triangles, and arrays by their names.


def read_vtk(content):
    """A binary legacy file of version 4.2."""
    types = {"double": "d", "float": "f", "int": "i", "vtkIdType": "i"}
    at, points, triangles, arrays, count = 0, [], [], {}, 0

    def line():
        nonlocal at
        end = content.index(b"\n", at)
        text, at = content[at:end].decode(), end + 1
        return text

    def numbers(number, kind):
        nonlocal at
        size = number * struct.calcsize(types[kind])
        values = struct.unpack(f">{number}{types[kind]}", content[at : at + size])
        at += size
        return values

    assert line() == "# vtk DataFile Version 4.2"
    while at < len(content):
        words = line().split()
        if words[:1] == ["POINTS"]:
            values = numbers(3 * int(words[1]), words[2])
            points = [list(values[i : i + 3]) for i in range(0, len(values), 3)]
        elif words[:1] == ["POLYGONS"]:
            values = numbers(int(words[2]), "int")
            triangles = [list(values[i + 1 : i + 4]) for i in range(0, len(values), 4)]
        elif words[:1] in (["POINT_DATA"], ["CELL_DATA"]):
            count = int(words[1])
        elif words[:1] == ["SCALARS"]:
            assert line() == "LOOKUP_TABLE default"
            arrays[words[1]] = numbers(count, words[2])
        elif words[:1] in (["NORMALS"], ["VECTORS"], ["TENSORS"]):
            arrays[words[1]] = numbers((9 if words[0] == "TENSORS" else 3) * count, words[2])
        elif words[:1] == ["TEXTURE_COORDINATES"]:
            arrays[words[1]] = numbers(int(words[2]) * count, words[3])
        elif len(words) == 4 and words[3] in types:
            arrays[words[0]] = numbers(int(words[1]) * int(words[2]), words[3])
        elif words[:1] == ["METADATA"]:
            while line():
                pass
    return points, triangles, arrays


def read_vtp(content):
    """A file whose arrays are compressed and appended as base64."""
    text = content.decode()
    header = {"UInt32": "I", "UInt64": "Q"}[re.search(r'header_type="(\w+)"', text)[1]]
    appended = text[text.index("_", text.index("<AppendedData")) + 1 :]
    width = struct.calcsize(header)

    def data_at(offset):
        length = lambda count: (count * width + 2) // 3 * 4
        blocks = struct.unpack(f"<{header}", base64.b64decode(appended[offset : offset + length(1)])[:width])[0]
        raw = base64.b64decode(appended[offset : offset + length(3 + blocks)])
        sizes = struct.unpack(f"<{3 + blocks}{header}", raw[: (3 + blocks) * width])[3:]
        begin = offset + length(3 + blocks)
        packed = base64.b64decode(appended[begin : begin + (sum(sizes) + 2) // 3 * 4])
        result = b""
        for size in sizes:
            result, packed = result + zlib.decompress(packed[:size]), packed[size:]
        return result

    arrays = {}
    types = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i"}
    section = text[text.index("<Polys") : text.index("</Polys")]
    for part in (text[: text.index("<Verts")], section):
        for found in re.finditer(r'<DataArray type="(\w+)" Name="(\w+)"[^>]*offset="(\d+)"', part):
            if found[1] in types:
                data = data_at(int(found[3]))
                arrays[found[2]] = struct.unpack(f"<{len(data) // struct.calcsize(types[found[1]])}{types[found[1]]}", data)
    grouped = lambda values: [list(values[i : i + 3]) for i in range(0, len(values), 3)]
    return grouped(arrays.pop("Points")), grouped(arrays.pop("connectivity")), arrays


def read_stl(content):
    (count,) = struct.unpack("<I", content[80:84])
    assert len(content) == 84 + 50 * count
    points = []
    for i in range(count):
        values = struct.unpack("<12f", content[84 + 50 * i : 132 + 50 * i])[3:]
        points += [list(values[j : j + 3]) for j in (0, 3, 6)]
    return points, [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(count)], {}


def read_ply(content):
    header, data = content.split(b"end_header\n", 1)
    text = header.decode()
    assert "binary_little_endian" in text
    points_count = int(re.search(r"element vertex (\d+)", text)[1])
    count = int(re.search(r"element face (\d+)", text)[1])
    assert text.count("property double") == 3
    points = [list(struct.unpack_from("<3d", data, 24 * i)) for i in range(points_count)]
    faces = data[24 * points_count :]
    assert len(faces) == 13 * count
    return points, [list(struct.unpack("<3i", faces[13 * i + 1 : 13 * i + 13])) for i in range(count)], {}


def read_obj(content):
    points, triangles = [], []
    for line in content.decode().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:]])
        if words[:1] == ["f"]:
            triangles.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return points, triangles, {}


def read(name, content):
    return {"vtk": read_vtk, "vtp": read_vtp, "stl": read_stl, "ply": read_ply, "obj": read_obj}[name.split(".")[-1]](content)
