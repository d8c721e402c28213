# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests files of meshes as people have them: what other programs write is read, and means the same.

    python3 test_files_meshes.py SURFACE LANDMARKS
"""

import base64
import itertools
import math
import random
import re
import struct

import damaged_files
import point_files
import programs
import surface_files
import surface_test

POINTS, TRIANGLES = surface_files.sphere(8, 6.0, 0.1, center=(3.0, -2.0, 1.0))


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def step(value, steps):
    """A number of single precision some steps further."""
    bits = struct.unpack("i", struct.pack("f", value))[0]
    return struct.unpack("f", struct.pack("i", bits + steps))[0]


def strips(points, version, binary):
    """A tetrahedron as one strip of six points."""
    content = point_files.vtk(points, binary=binary, version=version).split(b"POINT_DATA")[0]
    strip = [0, 1, 2, 3, 0, 1]
    words = lambda code, numbers: struct.pack(f">{len(numbers)}{code}", *numbers) if binary else " ".join(map(str, numbers)).encode()
    if version == "5.1":
        content += b"TRIANGLE_STRIPS 2 6\nOFFSETS vtktypeint64\n" + words("q", [0, 6]) + b"\nCONNECTIVITY vtktypeint64\n" + words("q", strip)
    else:
        content += b"TRIANGLE_STRIPS 1 7\n" + words("i", [6, *strip])
    return content + b"\n"


def noted(kind, space, points, triangles):
    """A file of LPS points whose coordinates are in a space that it notes."""
    own = point_files.turned(points) if space == "RAS" else points
    note = f"SPACE={space}".encode()
    if kind == "vtk":
        return surface_files.vtk(points, triangles, title=f"3D Slicer output. SPACE={space}")
    if kind == "vtp":
        codes = " ".join(str(ord(c)) for c in space + "\0")
        field = f'<FieldData><Array type="String" Name="SPACE" NumberOfTuples="1" format="ascii">{codes}</Array></FieldData>\n'
        return surface_files.vtp(own, triangles).replace(b"<PolyData>\n", b"<PolyData>\n" + field.encode())
    if kind == "stl":
        return (b"3D Slicer output. " + note).ljust(80) + surface_files.stl(own, triangles)[80:]
    if kind == "text.stl":
        return surface_files.stl(own, triangles, binary=False).replace(b"solid name of it", b"solid " + note, 1)
    if kind.endswith("ply"):
        encoding = {"ply": "ascii", "little.ply": "binary_little_endian", "big.ply": "binary_big_endian"}[kind]
        return surface_files.ply(own, triangles, encoding).replace(b"comment a surface", b"comment " + note)
    if kind == "obj":
        return b"# 3D Slicer output. " + note + b"\n" + point_files.obj(own, triangles)
    return point_files.off(own, triangles).replace(b"# a mesh", b"# " + note)


class MeshTest(surface_test.SurfaceTest):
    def setUp(self):
        super().setUp()
        self.write("base.vtk", surface_files.vtk(POINTS, TRIANGLES))
        self.write("identity.tfm", damaged_files.affine_text([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 0], 3))

    def expect_same(self, name, words="", tolerance=1e-6):
        """Expects that a file is the surface of base.vtk, and returns what is said."""
        status, out, error = self.run_program("surface", "compare", "base.vtk", name, "--json", "-", "-q")
        self.assertEqual(status, 0, f"{name}: {error}")
        self.assertIn(words, error)
        self.assertLess(float(re.search(r'"maximum_mm": ([-+.e\d]+)', out)[1]), tolerance, name)
        self.assertAlmostEqual(float(re.search(r'"volume_after_mm3": ([-+.e\d]+)', out)[1]), surface_files.volume(POINTS, TRIANGLES), delta=1e-3)
        return error

    def moved(self, name, output):
        """What cudaneuro-landmarks makes of a file by the identity."""
        self.expect(0, "", "landmarks", "warp", "identity.tfm", "--points", name, "--output-points", output, "-q")
        return point_files.read(output, (self.folder / output).read_bytes())


class Repairs(MeshTest):
    def test_corners_that_differ_by_rounding(self):
        rng = random.Random(4)
        apart = [[single(x) for x in POINTS[i]] for cell in TRIANGLES for i in cell]
        cells = [[i, i + 1, i + 2] for i in range(0, len(apart), 3)]
        rounded = [[step(x, rng.choice((-1, 0, 0, 1))) for x in point] for point in apart]
        for name, content in (("r.stl", surface_files.stl(rounded, cells)), ("t.stl", surface_files.stl(rounded, cells, binary=False)), ("r.ply", surface_files.ply(rounded, cells)), ("r.vtk", surface_files.vtk(rounded, cells))):
            self.write(name, content)
            error = self.expect_same(name, "points of open edges are joined with others that are within", 3e-6)
            self.assertIn("1e-06 of the box's diagonal", error)
            self.denoise(0, "are joined", "-o", "o.ply", "--spacing", "1", surface=name)
            self.assertEqual(surface_files.euler_number(*self.surface("o.ply")[:2]), 2)
            self.denoise_mesh(name, "-o", "o.ply", words="are joined")
            points, triangles, _ = self.surface("o.ply")
            self.assertEqual(triangles, cells)
            self.assertEqual(len({tuple(p) for p in points}), len(POINTS))

    def test_tiny_values_in_the_place_of_zero(self):
        points, triangles = surface_files.sphere(8, 6.0)
        rng = random.Random(5)
        apart = [[x if abs(x) > 1e-9 else rng.choice((0.0, 1e-33, -1e-17)) for x in points[i]] for cell in triangles for i in cell]
        self.write("z.stl", surface_files.stl(apart, [[i, i + 1, i + 2] for i in range(0, len(apart), 3)]))
        surface = self.report("--spacing", "1", surface="z.stl")["surfaces"][0]
        self.assertAlmostEqual(surface["volume_before_mm3"], surface_files.volume(points, triangles), delta=1e-3)

    def test_gaps_and_short_edges_are_no_rounding(self):
        points, triangles = surface_files.cube(5.0)
        torn = [list(p) for p in points] + [[points[0][0] + 1e-3, *points[0][1:]]]
        cells = [[8 if i == 0 else i for i in triangles[0]], *triangles[1:]]
        self.write("torn.ply", surface_files.ply(torn, cells))
        self.expect_refused("torn.ply is open: it has 4 edges with one triangle", "-o", "o.vtp", "--spacing", "1", surface="torn.ply")
        # A tetrahedron whose edges are 1e-7 of the diagonal is closed, so that nothing of it is joined.
        small = ([[0.0, 0, 0], [1e-6, 0, 0], [0, 1e-6, 0], [0, 0, 1e-6]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        self.write("small.vtk", surface_files.vtk(*surface_files.joined(small, surface_files.cube(5.0))))
        status, _, error = self.run_program("surface", "compare", "small.vtk", "small.vtk", "-q")
        self.assertEqual((status, error), (0, ""))

    def test_triangles_that_are_there_twice(self):
        twice = [*TRIANGLES, TRIANGLES[5], TRIANGLES[9][1:] + TRIANGLES[9][:1], TRIANGLES[20]]
        for name, content in (("w.ply", surface_files.ply(POINTS, twice)), ("w.stl", surface_files.stl(POINTS, twice)), ("w.vtp", surface_files.vtp(POINTS, twice)), ("w.obj", point_files.obj(POINTS, twice))):
            self.write(name, content)
            self.expect_same(name, f"{name}: 3 triangles are there twice; they are dropped")
            self.denoise(0, "3 triangles are there twice", "-o", "o.ply", "--spacing", "1", surface=name)
        numbers = "".join(f"{min(i, len(TRIANGLES))}\n" for i in range(len(twice)))
        arrays = f"CELL_DATA {len(twice)}\nSCALARS number int 1\nLOOKUP_TABLE default\n{numbers}"
        # Points that no cell has stay, too, and all that stays is in the order of the file.
        self.write("w.vtk", surface_files.vtk([[20.0, 0, 0], *POINTS], [[i + 1 for i in cell] for cell in twice], arrays))
        self.denoise_mesh("w.vtk", "-o", "o.vtk", words="3 triangles are there twice")
        points, cells, carried = self.surface("o.vtk")
        self.assertEqual([[i - 1 for i in cell] for cell in cells], TRIANGLES)
        self.assertEqual(list(carried["number"]), list(range(len(TRIANGLES))))
        self.assertEqual(points[0], [20.0, 0, 0])
        self.assertLess(max(math.dist(a, b) for a, b in zip(points[1:], POINTS)), 1.0)
        self.denoise(0, "3 triangles are there twice", "-o", "o.vtk", "--spacing", "1", surface="w.vtk")
        self.assertLess(max(self.surface("o.vtk")[2]["number"]), len(TRIANGLES))


class Spaces(MeshTest):
    def test_notes_are_honored_and_written_again(self):
        for kind, space in itertools.product(("vtk", "vtp", "stl", "text.stl", "ply", "little.ply", "big.ply", "obj", "off"), ("RAS", "LPS")):
            name, ending = f"in.{kind}", kind.rsplit(".", maxsplit=1)[-1]
            self.write(name, noted(kind, space, POINTS, TRIANGLES))
            self.expect_same(name)
            self.denoise(0, "", "-o", f"o.{ending}", "--spacing", "1", surface=name)
            content = (self.folder / f"o.{ending}").read_bytes()
            if ending == "vtp":
                self.assertIn(b'Name="SPACE"', content)
            else:
                self.assertIn(f"SPACE={space}".encode(), content[:400], name)
            # The result is where the input is, and its numbers are in the space of the note.
            figures = self.compare("base.vtk", f"o.{ending}")
            self.assertLess(figures["distance"]["maximum_mm"], 2.0, name)
            if ending in ("ply", "stl", "obj"):
                points = self.surface(f"o.{ending}")[0]
                middle = sum(p[0] for p in points) / len(points)
                self.assertAlmostEqual(middle, -3.0 if space == "RAS" else 3.0, delta=0.5)

    def test_points_of_landmarks(self):
        for kind, space in itertools.product(("vtk", "obj", "off"), ("RAS", "LPS")):
            self.write(f"in.{kind}", noted(kind, space, POINTS, TRIANGLES))
            points, _ = self.moved(f"in.{kind}", "o.csv")
            self.assertLess(max(math.dist(a, b) for a, b in zip(points, POINTS)), 1e-9, kind)
            own, triangles = self.moved(f"in.{kind}", f"o.{kind}")
            self.assertIn(f"SPACE={space}".encode(), (self.folder / f"o.{kind}").read_bytes()[:200])
            own = point_files.turned(own) if space == "RAS" and kind != "vtk" else own
            self.assertLess(max(math.dist(a, b) for a, b in zip(own, POINTS)), 1e-9, kind)
            self.assertEqual(triangles, TRIANGLES)

    def test_without_a_note_it_is_lps(self):
        self.write("in.ply", surface_files.ply(POINTS, TRIANGLES))
        self.denoise(0, "", "-o", "o.obj", "--spacing", "1", surface="in.ply")
        self.assertIn(b"SPACE=LPS", (self.folder / "o.obj").read_bytes()[:100])
        self.expect_same("in.ply")


class FreeSurferAndGifti(MeshTest):
    FOOTER = b"\0\0\0\2\0\0\0\0\0\0\0\x14valid = 1  # volume info valid\nfilename = ../mri/filled.mgz\nvolume = 256 256 256\nvoxelsize = 1 1 1\nxras   = -1 0 0\nyras   = 0 0 -1\nzras   = 0 1 0\ncras   = 5.4 -18 2.5\n"

    def test_freesurfer(self):
        self.write("lh.pial", point_files.fsb(POINTS, TRIANGLES) + self.FOOTER)
        self.expect_same("lh.pial", "whose origin (c_ras) is at 5.4, -18, 2.5 mm of the scanner's RAS; its coordinates are taken as they are", 1e-5)
        for output in ("lh.smooth", "o.fsb"):
            self.denoise(0, "c_ras", "-o", output, "--spacing", "1", surface="lh.pial")
            content = (self.folder / output).read_bytes()
            self.assertEqual(content[:3], b"\xff\xff\xfe")
            self.assertTrue(content.endswith(self.FOOTER))
            points, triangles = point_files.read_fsb(content)
            self.assertEqual(surface_files.euler_number(points, triangles), 2)
            self.assertAlmostEqual(sum(p[0] for p in points) / len(points), 3.0, delta=0.5)
        points, triangles = self.moved("lh.pial", "rh.moved.gii")
        self.assertEqual(triangles, TRIANGLES)
        self.moved("lh.pial", "o.fsb")
        self.assertEqual((self.folder / "o.fsb").read_bytes()[-len(self.FOOTER):], self.FOOTER)

    def test_names_of_freesurfer(self):
        for name in ("rh.white", "lh.inflated", "rh.sphere.reg", "lh.smoothwm.nofix", "surface", "sub-1_hemi-L_pial.surf"):
            self.write(name, point_files.fsb(POINTS, TRIANGLES))
            self.expect_same(name, tolerance=1e-5)
        self.write("lh.curv", b"\xff\xff\xff\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0")
        self.expect_refused("cannot read lh.curv: ", "-o", "o.vtp", surface="lh.curv")
        self.expect_refused("there is no such file", "-o", "o.vtp", surface="lh.white")

    def test_gifti(self):
        space = "<CoordinateSystemTransformMatrix><DataSpace><![CDATA[NIFTI_XFORM_UNKNOWN]]></DataSpace><TransformedSpace><![CDATA[NIFTI_XFORM_TALAIRACH]]></TransformedSpace><MatrixData>1 0 0 7.5 0 1 0 -3 0 0 1 2 0 0 0 1</MatrixData></CoordinateSystemTransformMatrix>\n"
        about = "<MetaData><MD><Name><![CDATA[AnatomicalStructurePrimary]]></Name><Value><![CDATA[CortexLeft]]></Value></MD></MetaData>\n"
        for encoding in ("ASCII", "Base64Binary", "GZipBase64Binary"):
            content = point_files.gii(POINTS, TRIANGLES, encoding).replace(b'ExternalFileOffset="">\n', f'ExternalFileOffset="">\n{about}{space}'.encode(), 1)
            self.write("in.gii", content.replace(b'Arrays="2">\n', b'Arrays="2">\n' + about.replace("AnatomicalStructurePrimary", "Date").encode()))
            self.expect_same("in.gii", tolerance=1e-5)
            self.denoise(0, "", "-o", "o.gii", "--spacing", "1", surface="in.gii")
            self.moved("in.gii", "moved.gii")
            for output in ("o.gii", "moved.gii"):
                text = (self.folder / output).read_text()
                for word in ("AnatomicalStructurePrimary", "CortexLeft", "Date", "NIFTI_XFORM_TALAIRACH", "7.5"):
                    self.assertIn(word, text)
            points, triangles = point_files.read_gii((self.folder / "o.gii").read_bytes())
            self.assertEqual(surface_files.euler_number(points, triangles), 2)
            self.assertAlmostEqual(sum(p[0] for p in points) / len(points), 3.0, delta=0.5)

    def test_numbers_across_buffers(self):
        content = point_files.gii(POINTS, TRIANGLES, "ASCII")
        for length in range(0, 3000, 97):
            self.write("t.gii", content.replace(b'Arrays="2">\n', b'Arrays="2">\n<!--' + b"x" * length + b"-->\n"))
            points, triangles = self.moved("t.gii", "o.off")
            self.assertLess(max(math.dist(a, b) for a, b in zip(points, POINTS)), 1e-5, length)
            self.assertEqual(triangles, TRIANGLES)

    def test_big_endian_columns_and_double(self):
        turned = point_files.turned(POINTS)
        values = [p[axis] for axis in range(3) for p in turned]
        data = base64.b64encode(struct.pack(f">{len(values)}d", *values))
        content = point_files.gii(POINTS, TRIANGLES).replace(b"NIFTI_TYPE_FLOAT32", b"NIFTI_TYPE_FLOAT64").replace(b"LittleEndian", b"BigEndian", 1)
        content = content.replace(b"RowMajorOrder", b"ColumnMajorOrder", 1)
        self.write("c.gii", re.sub(rb"<Data>[^<]*</Data>", b"<Data>" + data + b"</Data>", content, count=1))
        self.expect_same("c.gii", tolerance=1e-5)

    def test_damaged_gifti(self):
        whole = point_files.gii(POINTS, TRIANGLES)
        count = str(len(POINTS)).encode()
        begin = whole.index(b"<Data>")
        cases = {
            "fewer": whole.replace(b'Dim0="' + count, b'Dim0="%d' % (len(POINTS) + 1)),
            "more": whole.replace(b'Dim0="' + count, b'Dim0="%d' % (len(POINTS) - 1)),
            "far more": whole.replace(b'Dim0="' + count, b'Dim0="2000000000'),
            "none": whole.replace(b'Dim0="' + count, b'Dim0="-1'),
            "letters": whole[: begin + 30] + b"\xc4" + whole[begin + 31 :],
            "missing": whole[: begin + 30] + whole[begin + 60 :],
            "elsewhere": whole.replace(b"<DataArray", b"|DataArray", 1),
            "no root": re.sub(rb"<GIFTI[^>]*>", b"", whole),
            "order": whole.replace(b"RowMajorOrder", b"RoeMajorOrder", 1),
            "cut": whole[: len(whole) // 2],
            "triangles": point_files.gii(POINTS, [*TRIANGLES[1:], [0, 1, 10**6]]),
            "text": point_files.gii(POINTS, TRIANGLES, "ASCII").replace(b"<Data>", b"<Data>7 ", 1),
            "packed": point_files.gii(POINTS, TRIANGLES, "GZipBase64Binary").replace(b'Dim0="' + count, b'Dim0="%d' % (len(POINTS) - 1)),
        }
        for what, content in cases.items():
            self.write("d.gii", content)
            with self.subTest(what):
                self.expect_refused("cannot read d.gii: ", "-o", "o.vtp", surface="d.gii")

    def test_strips(self):
        points = [[0.0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]]
        for version, binary in itertools.product(("3.0", "5.1"), (False, True)):
            self.write("s.vtk", strips(points, version, binary))
            surface = self.report("--spacing", "1", surface="s.vtk")["surfaces"][0]
            self.assertAlmostEqual(abs(surface["volume_before_mm3"]), 1000 / 6, delta=1e-6)
            self.assertEqual(len(self.moved("s.vtk", "o.off")[1]), 4)


class Obj(MeshTest):
    def test_how_people_write_it(self):
        lines = point_files.obj(POINTS, TRIANGLES).decode().split("\n")
        vertices = [line for line in lines if line.startswith("v ")]
        faces = [line for line in lines if line.startswith("f ")]
        plain = [line.replace("/1/1", "") for line in faces]
        normals = ["vn 0 0 1", "vt 0 0"]
        half = len(faces) // 2
        back = [re.sub(r"(\d+)/1/1", lambda m: f"{int(m[1]) - len(POINTS) - 1}//1", line) for line in faces]
        broken = [line.replace(" ", " \\\n", 2) for line in faces]
        kinds = {
            "continued": [*[v.replace(" ", " \\\n ", 1) for v in vertices], *normals, *broken],
            "comments": [*[v + " # a point" for v in vertices], *[f + " # a face" for f in plain], "#end"],
            "faces first": [*normals, *plain, *vertices],
            "between": [*vertices[:10], *plain[:half], *vertices[10:], *plain[half:]],
            "negative": [*vertices, *normals, *back],
            "textures": [*vertices, "vt 0 0", *[f.replace("/1/1", "/1") for f in faces]],
            "colors": [*[v + " 0.5 0.25 nan" for v in vertices], *plain],
            "weights": [*[v + " 1.0" for v in vertices], *plain],
            "points and lines": [*vertices, "p 1 2", "l 1 2 3", *plain],
            "rest": ["mtllib a.mtl", "o one", "g a b", "s off", *vertices, "usemtl c", "vp 1", *plain, "", "   "],
            "tabs": [line.replace(" ", "\t") for line in vertices + plain],
        }
        for what, rows in kinds.items():
            for end in ("\n", "\r\n"):
                self.write("k.obj", end.join(rows).replace("\\\n", "\\" + end).encode())
                with self.subTest(what):
                    self.expect_same("k.obj")
                    self.assertLess(max(math.dist(a, b) for a, b in zip(self.moved("k.obj", "o.csv")[0], POINTS)), 1e-9)

    def test_what_it_cannot_be(self):
        vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
        for faces, words in (
            ("f 1 2 4\n", "a cell of it has point 3, counted from 0; there are 3 points"),
            ("f 0 1 2\n", "line 4: a point of a face is 0; points are counted from 1"),
            ("f -1 -2 -4\n", "line 4: a point of a face is -4"),
            ("f 1 2 x\n", 'line 4: a point of a face is "x"'),
            ("v 1 nan 2\nf 1 2 3\n", 'line 4: a coordinate is "nan"'),
        ):
            self.write("b.obj", (vertices + faces).encode())
            self.expect_refused(words, "-o", "o.vtp", surface="b.obj")


class Results(MeshTest):
    def expect_sound(self, points, triangles):
        """Expects triangles with an area, and a closed surface, in single precision."""
        points = [[single(x) for x in p] for p in points]
        self.assertEqual(len({tuple(p) for p in points}), len(points))
        for a, b, c in triangles:
            self.assertGreater(surface_files.area([points[a], points[b], points[c]], [[0, 1, 2]]), 0.0)
        return points

    def test_faces_on_the_planes_of_the_grid(self):
        for half, spacing, shift, *more in ((5.0, 0.5, 0.0), (5.0, 1.0, 120.0), (4.0, 0.4, -33.3), (5.0, 0.5, 0.0, "--keep-edges")):
            points, triangles = surface_files.cube(half)
            self.write("cube.stl", surface_files.stl([[x + shift for x in p] for p in points], triangles))
            for ending in ("ply", "obj", "vtk"):
                self.denoise(0, "", "-o", f"o.{ending}", "--spacing", str(spacing), *more, surface="cube.stl")
                out, cells, _ = self.surface(f"o.{ending}")
                self.expect_sound(out, cells)
                if not more:
                    self.assertEqual(surface_files.euler_number(out, cells), 2)
                self.assertAlmostEqual(surface_files.volume([[x - shift for x in p] for p in out], cells), 8 * half**3, delta=0.06 * 8 * half**3)


class Damaged(MeshTest):
    def test_files_that_are_cut_short(self):
        makers = surface_files.makers(POINTS, TRIANGLES)
        for name, content in makers.items():
            if name.endswith("obj"):
                continue  # whose faces may be fewer
            for part in (0.2, 0.5, 0.9, 0.995):
                self.write(name, content[: int(part * len(content))])
                self.expect_refused(f"cannot read {name}: ", "-o", "o.vtp", surface=name)
        self.write("between.stl", makers["text.stl"][: makers["text.stl"].rindex(b"facet normal")])
        self.expect_refused("it does not end with", "-o", "o.vtp", surface="between.stl")
        # VTK's reader goes by the version.
        for version in (b"3.0", b"7", b"51.0"):
            self.write("version.vtk", makers["new.vtk"].replace(b"Version 5.1", b"Version " + version))
            self.expect_refused("cannot read version.vtk: ", "-o", "o.vtp", surface="version.vtk")

    def test_damaged_arrays(self):
        points, triangles = surface_files.sphere(2, 6.0)
        count = len(points)
        arrays = f"POINT_DATA {count}\nSCALARS height float 1\nLOOKUP_TABLE default\n".encode() + struct.pack(f">{count}f", *(p[2] for p in points))
        arrays += f"\nCELL_DATA {len(triangles)}\nSCALARS number int 1\nLOOKUP_TABLE default\n".encode() + struct.pack(f">{len(triangles)}i", *range(len(triangles)))
        arrays += b"\nFIELD FieldData 1\npair 2 %d double\n" % len(triangles) + bytes(16 * len(triangles)) + b"\n"
        start = surface_files.vtk(points, triangles, binary=True)
        self.write("whole.vtk", start + arrays)
        self.denoise(0, "", "-o", "o.vtk", "--spacing", "1", surface="whole.vtk")
        self.assertLessEqual({"height", "number", "pair"}, set(self.surface("o.vtk")[2]))
        cells = b"CELL_DATA %d" % len(triangles)
        for damaged in (arrays.replace(cells, b"CELL_DATA -32768"), arrays.replace(b"number int 1", b"number int 10000000000.0"), arrays.replace(b"default\n", b"default\n" + b" " * 5000, 1), arrays[: len(arrays) // 2]):
            self.write("arrays.vtk", start + damaged)
            self.expect_refused("cannot read arrays.vtk: ", "-o", "o.vtp", surface="arrays.vtk")

    def test_damaged_surfaces(self):
        points, triangles = surface_files.sphere(2, 6.0)
        makers = [*surface_files.makers(points, triangles).items(), ("lh.damaged", point_files.fsb(points, triangles))]
        makers += [("in.gii", point_files.gii(points, triangles, encoding)) for encoding in ("ASCII", "Base64Binary", "GZipBase64Binary")]
        for seed in range(150):
            name, content = makers[seed % len(makers)]
            files, how = damaged_files.damage(random.Random(seed), {name: content})
            self.write(name, files[name])
            status, _, error = self.run_program("surface", "compare", "base.vtk", name, "-q")
            self.assertIn(status, (0, 1), f"{seed}, {how}: {error}")
            self.assertTrue(status == 0 or (error.count("\n") == 1 and name in error), f"{seed}, {how}: {error}")


if __name__ == "__main__":
    programs.run_tests()
