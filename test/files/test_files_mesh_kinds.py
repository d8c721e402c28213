# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests kinds of files of meshes that some programs write and others do not read.

    python3 test_files_mesh_kinds.py SURFACE LANDMARKS
"""

import base64
import gzip
import math
import re
import struct

import point_files
import programs
import surface_files
import test_files_meshes
from test_files_meshes import POINTS, TRIANGLES

MARK = b"\xef\xbb\xbf"


def quads(points, triangles):
    """An .off file of polygons of four points, two triangles each."""
    cells = [[t[0], t[1], t[2], u[2]] for t, u in zip(triangles[::2], triangles[1::2])]
    rows = "".join(f"4 {a} {b} {c} {d}\n" for a, b, c, d in cells)
    return (f"OFF\n{len(points)} {len(cells)} 0\n" + point_files.text_of(points) + rows).encode()


class Stl(test_files_meshes.MeshTest):
    def test_counts_and_bytes_behind(self):
        whole = surface_files.stl(POINTS, TRIANGLES)
        self.write("more.stl", whole + bytes(117))
        self.expect_same("more.stl", "has 117 bytes behind its last triangle, which are left out", 1e-5)
        for count in (0, 0xFFFFFFFF):
            self.write("count.stl", whole[:80] + struct.pack("<I", count) + whole[84:])
            words = f"announces {count} triangles; the {len(TRIANGLES)} that it has are read"
            self.expect_same("count.stl", words, 1e-5)
            self.write("count.stl", whole[:80] + struct.pack("<I", count) + whole[84:-1])
            self.expect_refused("cannot read count.stl: ", "-o", "o.vtp", surface="count.stl")

    def test_how_text_begins_and_ends(self):
        whole = surface_files.stl(POINTS, TRIANGLES, binary=False)
        for content in (
            whole + b"\n" * 600,
            whole.replace(b"name of it", b"n" * 300),
            whole.replace(b"endsolid", b"end solid"),
            whole.replace(b"endloop", b"end loop"),
            MARK + whole,
            whole.replace(b"\n", b"\n; a comment\n", 1),
            whole.upper().replace(b"\n", b"\r\n"),
        ):
            self.write("t.stl", content)
            self.expect_same("t.stl")
        self.write("t.stl", whole.replace(b"vertex", b"vertx", 1))
        self.expect_refused("the loop before it has not three points", "-o", "o.vtp", surface="t.stl")


    def test_statements_in_one_line_and_a_comment_behind(self):
        whole = surface_files.stl(POINTS, TRIANGLES, binary=False)
        loop = whole.replace(b"outer loop\n", b"outer loop ")
        for content in (
            loop,
            loop.replace(b"facet normal 0 0 0\n", b"facet normal 0 0 0 "),
            loop.replace(b"endloop\nendfacet", b"endloop endfacet"),
            re.sub(rb"\n(vertex|end ?loop|end ?facet)", rb" \1", loop),
            whole + b"; made by a program\n",
            whole + b"a line of text\nand one more\n",
        ):
            self.write("t.stl", content)
            self.expect_same("t.stl")
        self.write("t.stl", loop[: loop.rindex(b"facet normal")] + b"; made by a program\n")
        self.expect_refused("it does not end with", "-o", "o.vtp", surface="t.stl")


class Off(test_files_meshes.MeshTest):
    def test_keyword_and_counts(self):
        whole = point_files.off(POINTS, TRIANGLES)
        counts = f"{len(POINTS)} {len(TRIANGLES)} 0".encode()
        assert whole.startswith(b"OFF\n# a mesh\n" + counts)
        body = whole[whole.index(counts) + len(counts):]
        for start in (b"OFF" + counts, b"off\n" + counts, b"OFF " + counts, b"OFF\t" + counts + b" # edges", b" \t OFF" + counts, b"# a mesh\n\nOFF\r\n" + counts):
            self.write("k.off", start + body)
            self.expect_same("k.off")
            points, triangles = self.moved("k.off", "o.off")
            self.assertLess(max(math.dist(a, b) for a, b in zip(points, POINTS)), 1e-9, start)
            self.assertEqual(triangles, TRIANGLES)
        for start, words in ((b"OFFx" + counts, "files of text that begin with OFF"), (b"4OFF\n" + counts, "files of text that begin with OFF"), (b"OFF7" + counts[1:], "the number of points is")):
            self.write("k.off", start + body[:40])
            self.expect_refused(words, "-o", "o.vtp", surface="k.off")

    def test_what_follows_coordinates(self):
        head, rows = f"{len(POINTS)} {len(TRIANGLES)}", point_files.text_of(POINTS).splitlines()
        faces = [f"3 {a} {b} {c}" for a, b, c in TRIANGLES]
        for keyword, more, counts in (("COFF", " 10 20 30 255", " 0"), ("NOFF", " 0 0 1", " 0"), ("STOFF", " 0.5 0.25", ""), ("OFF", " 10 20 30", " 0"), ("OFF", "", "")):
            text = "\n".join([keyword, head + counts, *[row + more for row in rows], *faces, ""])
            for mark in (b"", MARK):
                self.write("k.off", mark + text.encode())
                self.expect_same("k.off")
        text = "\n".join(["OFF", f"{len(POINTS)} {len(TRIANGLES) + 2} 0", *rows, "2 0 1", *faces, "1 3", ""])
        self.write("k.off", text.encode())
        self.expect_same("k.off", "k.off has 2 faces or lines of too few points, which are left out")


class Ply(test_files_meshes.MeshTest):
    def test_faces_of_few_points_and_header_lines(self):
        for encoding, few in (("ascii", b"0\n2 0 1\n"), ("binary_little_endian", b"\0" + struct.pack("<B2i", 2, 0, 1))):
            content = surface_files.ply(POINTS, TRIANGLES, encoding) + few
            content = content.replace(b"element face %d" % len(TRIANGLES), b"element face %d" % (len(TRIANGLES) + 2))
            self.write("few.ply", content.replace(b"comment a surface", b"created by a program"))
            error = self.expect_same("few.ply", "has 2 faces or lines of too few points, which are left out")
            self.assertIn('has "created by a program" in its header, which is not used', error)
        self.write("bad.ply", content.replace(b"property uchar red", b"property uchar"))
        self.expect_refused('its header has "property uchar"', "-o", "o.vtp", surface="bad.ply")

    def test_strips(self):
        points = [[0.0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]]
        for strip in ([0, 1, 2, 3, 0, 1], [0, 1, 2, 3, -1, 2, 3, 0, 1]):
            header = f"ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
            header += "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
            data = struct.pack("<12f", *(x for p in points for x in p)) + struct.pack(f"<{len(strip) + 1}i", len(strip), *strip)
            self.write("s.ply", header.encode() + data)
            surface = self.report("--spacing", "1", surface="s.ply")["surfaces"][0]
            self.assertAlmostEqual(abs(surface["volume_before_mm3"]), 1000 / 6, delta=1e-6)
            self.assertEqual(len(self.moved("s.ply", "o.off")[1]), 4)

    def test_coordinates_are_written_in_double_precision(self):
        far = [[x + 4512345.0 for x in p] for p in POINTS]
        self.write("far.ply", surface_files.ply(far, TRIANGLES))
        self.denoise_mesh("far.ply", "-o", "o.ply")
        self.denoise_mesh("far.ply", "-o", "o.obj")
        first, second = (self.surface(name)[0] for name in ("o.ply", "o.obj"))
        self.assertLess(max(math.dist(a, b) for a, b in zip(first, second)), 1e-8)


class Triangles(test_files_meshes.MeshTest):
    def test_polygons_become_triangles_where_files_have_these_alone(self):
        self.write("quads.off", quads(POINTS, TRIANGLES))
        self.denoise_mesh("quads.off", "-o", "o.off")
        points, cells = point_files.read_off((self.folder / "o.off").read_bytes())
        self.assertEqual({len(cell) for cell in cells}, {4})
        for name in ("o.stl", "o.gii", "o.fsa", "lh.out", "o.asc"):
            self.denoise_mesh("quads.off", "-o", name)
            figures = self.compare("o.off", name)
            # Files of single precision, or other diagonals of squares that are hardly bent.
            self.assertLess(figures["distance"]["mean_mm"], 0.01, name)
        own, triangles = point_files.read_gii((self.folder / "o.gii").read_bytes())
        self.assertEqual(len(triangles), len(TRIANGLES))
        self.assertLess(max(math.dist(a, b) for a, b in zip(own, points)), 1e-5)


    def test_landmarks_write_them_as_well(self):
        cells = [[t[0], t[1], t[2], u[2]] for t, u in zip(TRIANGLES[::2], TRIANGLES[1::2])]
        self.write("quads.obj", point_files.obj(POINTS, cells))
        for name in ("o.gii", "o.fsa", "o.fsb"):
            points, triangles = self.moved("quads.obj", name)
            self.assertEqual(len(triangles), len(TRIANGLES))
            self.assertEqual(surface_files.euler_number(points, triangles), 2)
            # Of the squares, which are hardly bent, VTK may cut others along the other diagonal.
            self.assertLess(self.compare("quads.obj", name)["distance"]["mean_mm"], 0.01, name)
        # A polygon with a notch, which a fan from its first point would leave.
        notch = [[0.0, 0, 0], [4, 3, 0], [8, 0, 0], [4, 8, 0], [4, 4, 0]]
        for shift in range(5):
            self.write("notch.obj", point_files.obj(notch[shift:] + notch[:shift], [[0, 1, 2, 3, 4]]))
            points, triangles = self.moved("notch.obj", "o.gii")
            self.assertEqual(len(triangles), 3)
            self.assertAlmostEqual(surface_files.area(points, triangles), 12.0, delta=1e-5)

    def test_lines_and_vertices_are_left_out_where_files_have_none(self):
        mixed = surface_files.vtk(POINTS, TRIANGLES).replace(b"POLYGONS", b"VERTICES 1 2\n1 0\nLINES 2 7\n3 0 1 2\n2 3 4\nPOLYGONS")
        self.write("mixed.vtk", mixed)
        for name in ("o.ply", "o.off", "o.gii", "lh.out"):
            words = f"{name} is without the lines and vertices of the mesh: .vtk and .obj have such"
            self.expect(0, words, "landmarks", "warp", "identity.tfm", "--points", "mixed.vtk", "--output-points", name, "-q")
            self.expect_same(name, tolerance=1e-5)
        self.expect(0, "", "landmarks", "warp", "identity.tfm", "--points", "mixed.vtk", "--output-points", "o.vtk", "-q")
        self.assertIn(b"LINES 2 7", (self.folder / "o.vtk").read_bytes())
        self.write("lines.vtk", surface_files.vtk(POINTS, []) + b"LINES 1 3\n2 0 1\n")
        words = "the mesh has lines or vertices alone, which files of its ending do not have"
        self.expect(1, words, "landmarks", "warp", "identity.tfm", "--points", "lines.vtk", "--output-points", "l.ply", "-q")


class FreeSurferAndGifti(test_files_meshes.MeshTest):
    def test_content_tells_text_from_binary(self):
        text, binary = point_files.fsa(POINTS, TRIANGLES), point_files.fsb(POINTS, TRIANGLES)
        for name in ("pial.asc", "lh.pial.asc", "lh.pial", "o.fsa", "o.fsb", "surface", "lh.smooth.asc"):
            for content in (text, binary):
                self.write(name, content)
                self.expect_same(name, tolerance=1e-5)
        self.moved("lh.pial", "o.csv")
        # A name that tells nothing is none to write to, whatever the file there is.
        self.write("surface", binary)
        self.expect_refused("the endings of surfaces are", "-o", "surface", surface="base.vtk")
        for name in ("o.asc", "lh.out.asc"):
            self.denoise_mesh("base.vtk", "-o", name)
            content = (self.folder / name).read_bytes()
            self.assertTrue(content.startswith(b"#!ascii"), name)
            self.assertEqual(point_files.read_fsa(content)[1], TRIANGLES)
        self.write("lh.thickness.asc", b"000 1.0 2.0 3.0 2.5\n")
        self.expect_refused("it is no surface of triangles of FreeSurfer", "-o", "o.vtp", surface="lh.thickness.asc")

    def test_gifti_that_is_compressed(self):
        whole = gzip.compress(point_files.gii(POINTS, TRIANGLES))
        self.write("in.gii.gz", whole)
        self.expect_same("in.gii.gz", tolerance=1e-5)
        self.denoise_mesh("in.gii.gz", "-o", "o.gii.gz")
        self.assertEqual(point_files.read_gii(gzip.decompress((self.folder / "o.gii.gz").read_bytes()))[1], TRIANGLES)
        for damaged in (whole[: len(whole) // 2], whole[:-4], whole[:200] + b"xyz" + whole[203:]):
            self.write("in.gii.gz", damaged)
            self.expect_refused("its gzip data is cut short or damaged", "-o", "o.vtp", surface="in.gii.gz")


    def test_ways_to_write_gifti(self):
        older = {b"Base64Binary": b"GIFTI_ENCODING_B64BIN", b"GZipBase64Binary": b"GIFTI_ENCODING_B64GZ", b"ASCII": b"GIFTI_ENCODING_ASCII"}
        for encoding, name in older.items():
            whole = point_files.gii(POINTS, TRIANGLES, encoding.decode())
            for what, content in {
                "character data": whole.replace(b"<Data>", b"<Data><![CDATA[").replace(b"</Data>", b"]]></Data>"),
                "a comment between numbers": whole.replace(b"</Data>", b"<!-- all of them --></Data>"),
                "a sign in a value": whole.replace(b"<DataArray ", b"<DataArray About='a>b' "),
                "older names": whole.replace(b'"' + encoding + b'"', b'"' + name + b'"').replace(b"LittleEndian", b"GIFTI_ENDIAN_LITTLE"),
                "single quotes": re.sub(rb'(<DataArray[^>]*>)', lambda tag: tag[1].replace(b'"', b"'"), whole),
            }.items():
                self.write("w.gii", content)
                with self.subTest(what):
                    self.expect_same("w.gii", tolerance=1e-5)
        points = struct.pack(f">{3 * len(POINTS)}f", *(x for p in point_files.turned(POINTS) for x in p))
        content = re.sub(rb"<Data>[^<]*</Data>", b"<Data>" + base64.b64encode(points) + b"</Data>", point_files.gii(POINTS, TRIANGLES), count=1)
        self.write("w.gii", content.replace(b"LittleEndian", b"GIFTI_ENDIAN_BIG", 1))
        self.expect_same("w.gii", tolerance=1e-5)


class LineEnds(test_files_meshes.MeshTest):
    def test_cr_alone(self):
        for name, content in {
            "m.obj": point_files.obj(POINTS, TRIANGLES),
            "m.off": point_files.off(POINTS, TRIANGLES),
            "m.ply": surface_files.ply(POINTS, TRIANGLES),
            "m.stl": surface_files.stl(POINTS, TRIANGLES, binary=False),
        }.items():
            self.write(name, content.replace(b"\n", b"\r"))
            self.expect_same(name)
        rows = point_files.obj(POINTS, TRIANGLES).split(b"\n")
        self.write("m.obj", b"\n".join(rows[:9]) + b"\n" + b"\r".join(rows[9:]))
        self.expect_same("m.obj")
        self.write("m.obj", b"v 0 0 0\rv 1 0 0\rf 1 2 x\r")
        self.expect_refused('line 3: a point of a face is "x"', "-o", "o.vtp", surface="m.obj")

    def test_binary_data_behind_a_cr(self):
        # The first number begins with the byte of a line feed.
        points = [[struct.unpack("<d", b"\n" + struct.pack("<d", POINTS[0][0])[1:])[0], *POINTS[0][1:]], *POINTS[1:]]
        content = surface_files.ply(points, TRIANGLES, "binary_little_endian")
        head, _, data = content.partition(b"end_header\n")
        self.assertEqual(data[:1], b"\n")
        for end in (b"\n", b"\r", b"\r\n"):
            self.write("b.ply", (head + b"end_header\n").replace(b"\n", end) + data)
            self.expect_same("b.ply")


class Xml(test_files_meshes.MeshTest):
    def test_quotes_and_what_stands_around_the_surface(self):
        whole = surface_files.vtp(POINTS, TRIANGLES)
        for what, content in {
            "single quotes": whole.replace(b'"', b"'"),
            "a comment before": whole.replace(b"<VTKFile", b"<!-- " + b"x" * 5000 + b" -->\n<VTKFile"),
            "a long comment before": whole.replace(b"<VTKFile", b"<!-- <a type='b'> " + b"x" * 100000 + b" -->\n<VTKFile"),
            "line ends behind": whole + b"\n" * 200,
            "a comment behind": whole + b"<!-- made by a program -->\n" * 9,
            "a long comment behind": whole + b"<!-- " + b"x" * 100000 + b" -->",
        }.items():
            self.write("x.vtp", content)
            with self.subTest(what):
                self.expect_same("x.vtp")
        self.write("x.vtp", whole.replace(b'"PolyData"', b'"ImageData"').replace(b"<VTKFile", b'<!-- "PolyData" --><VTKFile'))
        self.expect_refused('its type is not "PolyData"', "-o", "o.vtp", surface="x.vtp")

    def test_names_of_arrays_are_escaped(self):
        count, names = len(POINTS), ["a&b", "x<5", "say%22it%22", "&lt;"]
        values = {name: [i + place for i in range(count)] for place, name in enumerate(names)}
        lines = [f"SCALARS {names[0]} double 1\nLOOKUP_TABLE default\n" + "\n".join(map(str, values[names[0]]))]
        lines += [f"FIELD FieldData {len(names) - 1}"] + [f"{name} 1 {count} double\n" + " ".join(map(str, values[name])) for name in names[1:]]
        self.write("n.vtk", surface_files.vtk(POINTS, TRIANGLES, f"POINT_DATA {count}\n" + "\n".join(lines) + "\n"))
        for denoise in (lambda: self.denoise_mesh("n.vtk", "-o", "o.vtp"), lambda: self.denoise(0, "", "-o", "o.vtp", "--voxel-size", "1", surface="n.vtk")):
            denoise()
            content = (self.folder / "o.vtp").read_bytes()
            for word in (b'Scalars="a&amp;b"', b'Name="a&amp;b"', b'Name="x&lt;5"', b'Name="say&quot;it&quot;"', b'Name="&amp;lt;"'):
                self.assertIn(word, content)
        self.denoise_mesh("n.vtk", "-o", "o.vtp")
        self.denoise_mesh("o.vtp", "-o", "o.vtk")
        arrays = self.surface("o.vtk")[2]
        self.assertEqual({name: list(arrays[name]) for name in names}, values)
        self.write("n.vtk", (self.folder / "n.vtk").read_bytes().replace(b"x<5", b"x%015"))
        self.denoise_mesh("n.vtk", "-o", "no.vtp", status=1, words="has characters that .vtp files do not have in names")


class Obj(test_files_meshes.MeshTest):
    def test_backslashes_of_names_and_comments(self):
        lines = point_files.obj(POINTS, TRIANGLES).decode().splitlines()
        vertices = [line for line in lines if line.startswith("v ")]
        faces = [line for line in lines if line.startswith("f ")]
        names = ["# C:\\maps\\", "mtllib C:\\models\\", "g a\\", "o b \\", "usemtl c\\", "call d\\"]
        kinds = {
            "names": [row for pair in zip(names * len(vertices), vertices) for row in pair] + [row for pair in zip(names * len(faces), faces) for row in pair],
            "comments of data": [f"{row} # a comment \\" for row in vertices + faces],
            "data": [row.replace(" ", " \\\n") for row in vertices] + [row.replace(" ", "\\\n ", 1) for row in faces],
            "textures": [*vertices, *["vt 0 \\\n0", "vn 0 0 \\\n1", "l 1 \\\n2", "p 1 \\\n3"], *faces],
        }
        for what, rows in kinds.items():
            for end in ("\n", "\r\n", "\r"):
                self.write("b.obj", ("\n".join(rows) + "\n").replace("\n", end).encode())
                with self.subTest(what):
                    self.expect_same("b.obj")
                    points, triangles = self.moved("b.obj", "o.off") if what != "textures" else (POINTS, TRIANGLES)
                    self.assertEqual((len(points), triangles), (len(POINTS), TRIANGLES))

    def test_mark_before_the_first_point(self):
        self.write("m.obj", MARK + point_files.obj(POINTS, TRIANGLES).split(b"\n", 1)[1])
        self.expect_same("m.obj")
        self.assertEqual(len(self.moved("m.obj", "o.csv")[0]), len(POINTS))


class Vtk(test_files_meshes.MeshTest):
    def arrays(self, kind, numbers):
        count = len(POINTS)
        return f"POINT_DATA {count}\nFIELD FieldData 2\nfirst 1 {count} {kind}\n".encode() + numbers + f"\nsecond 1 {count} float\n".encode()

    def test_types_and_keywords(self):
        count, start = len(POINTS), surface_files.vtk(POINTS, TRIANGLES, binary=True)
        second = struct.pack(f">{count}f", *range(count)) + b"\n"
        for kind, numbers in (("bit", b"\x5a" * ((count + 7) // 8)), ("signed_char", bytes(i % 128 for i in range(count)))):
            self.write("t.vtk", start + self.arrays(kind, numbers) + second)
            self.expect_same("t.vtk")
            self.denoise_mesh("t.vtk", "-o", "o.vtk")
            self.assertIn(second, (self.folder / "o.vtk").read_bytes())
            self.moved("t.vtk", "o.csv")
        text = surface_files.vtk(POINTS, TRIANGLES)
        words = " ".join(map(str, range(count))).encode() + b"\n"
        bits = " ".join(str(i % 2) for i in range(count)).encode()
        self.write("t.vtk", text + self.arrays("bit", bits) + words)
        self.expect_same("t.vtk")
        first, title, rest = (text + self.arrays("int", words) + words).split(b"\n", 2)
        self.write("t.vtk", b"\n".join([first, title, rest.lower()]))
        self.expect_same("t.vtk")
        self.write("t.vtk", start + self.arrays("bit", b"\x5a" * (count // 8 - 1)))
        self.expect_refused("cannot read t.vtk: ", "-o", "o.vtp", surface="t.vtk")

    def test_grids(self):
        self.write("g.vtk", surface_files.vtk(POINTS, TRIANGLES).replace(b"POLYDATA", b"UNSTRUCTURED_GRID"))
        self.expect_refused("DATASET POLYDATA can be worked on, which ParaView's filter Extract Surface makes of it", "-o", "o.vtp", surface="g.vtk")

    def test_what_vtk_does_not_read(self):
        text = surface_files.vtk(POINTS, TRIANGLES) + f"POINT_DATA {len(POINTS)}\nSCALARS s float\n".encode()
        numbers = ["0.5"] * len(POINTS)
        self.write("t.vtk", text + " ".join(numbers).encode() + b"\n")
        self.expect_refused("SCALARS have no LOOKUP_TABLE", "-o", "o.vtp", surface="t.vtk")
        for word in ("nan", "inf", "-NaN"):
            self.write("t.vtk", text + b"LOOKUP_TABLE default\n" + " ".join([*numbers[1:], word]).encode() + b"\n")
            line = text.count(b"\n") + 2
            self.expect_refused(f'VTK cannot read the number "{word}" in line {line} as text', "-o", "o.vtp", surface="t.vtk")
            self.moved("t.vtk", "o.csv")


if __name__ == "__main__":
    programs.run_tests()
