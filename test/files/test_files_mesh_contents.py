# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what meshes have beside points and triangles: that programs carry it along, or say what they leave out.

    python3 test_files_mesh_contents.py SURFACE LANDMARKS
"""

import base64
import itertools
import math
import re
import struct
import zlib

import point_files
import programs
import surface_files
import test_files_meshes
from test_files_meshes import POINTS, TRIANGLES

LOST = "is without what the input has at points and cells: "


class Cells(test_files_meshes.MeshTest):
    def test_lines_and_vertices(self):
        mixed = surface_files.vtk(POINTS, TRIANGLES).replace(b"POLYGONS", b"VERTICES 1 2\n1 0\nLINES 2 7\n3 0 1 2\n2 3 4\nPOLYGONS")
        self.write("mixed.vtk", mixed)
        rows = point_files.obj(POINTS, TRIANGLES).decode() + "l 1 2 3\nl 4 5\np 1\n"
        self.write("mixed.obj", rows.encode())
        for name in ("mixed.vtk", "mixed.obj"):
            for output in ("o.ply", "o.off", "o.gii", "o.stl", "lh.out"):
                self.denoise_mesh(name, "-o", output, words=f"{output} is without the lines and vertices of the mesh: .vtk, .vtp and .obj have such")
            for output, words in (("o.vtk", (b"VERTICES 1 2", b"LINES 2 7")), ("o.vtp", (b'NumberOfVerts="1"', b'NumberOfLines="2"')), ("o.obj", (b"\np 1\n", b"\nl 1 2 3\nl 4 5\n"))):
                self.assertNotIn("lines", self.run_program("surface", "denoise", name, "-o", output, "-q")[2])
                for word in words:
                    self.assertIn(word, (self.folder / output).read_bytes())

    def test_cells_of_few_points(self):
        self.write("few.vtk", surface_files.vtk(POINTS, TRIANGLES).replace(b"POLYGONS", b"LINES 2 5\n1 0\n2 0 1\nPOLYGONS"))
        self.expect_same("few.vtk")
        self.expect(0, "few.vtk has 1 faces or lines of too few points, which are left out", "landmarks", "warp", "identity.tfm", "--points", "few.vtk", "-o", "o.vtk", "-q")
        self.assertIn(b"LINES 1 3", (self.folder / "o.vtk").read_bytes())
        self.assertEqual(self.moved("few.vtk", "o.off")[1], TRIANGLES)
        # A polygon of two points, with a number, before the others.
        numbers = f"CELL_DATA {len(TRIANGLES) + 1}\nSCALARS number int 1\nLOOKUP_TABLE default\n" + "".join(f"{i}\n" for i in range(-1, len(TRIANGLES)))
        numbers_of_xml = " ".join(str(i) for i in range(-1, len(TRIANGLES)))
        arrays = f'<CellData><DataArray type="Int32" Name="number" format="ascii">{numbers_of_xml}</DataArray></CellData>'
        count = "POLYGONS %d %d\n"
        text = surface_files.vtk(POINTS, TRIANGLES, numbers).decode()
        own, more = count % (len(TRIANGLES), 4 * len(TRIANGLES)), count % (len(TRIANGLES) + 1, 4 * len(TRIANGLES) + 3)
        self.assertIn(own, text)
        self.write("few.vtk", text.replace(own, more + "2 0 1\n").encode())
        content = surface_files.vtp(POINTS, TRIANGLES, arrays).decode().replace('Polys="%d"' % len(TRIANGLES), 'Polys="%d"' % (len(TRIANGLES) + 1))
        content = re.sub(r'(Name="connectivity"[^>]*>)', r"\1 0 1 ", content)
        offsets = " ".join(str(2 + 3 * i) for i in range(len(TRIANGLES) + 1))
        self.write("few.vtp", re.sub(r'(Name="offsets"[^>]*>)[^<]*', rf"\g<1>{offsets}", content).encode())
        for name, output in ((f"few.{a}", f"o.{b}") for a in ("vtk", "vtp") for b in ("vtk", "vtp", "ply")):
            self.expect_same(name, f"{name} has 1 faces or lines of too few points, which are left out")
            self.denoise_mesh(name, "-o", output, words=f"{name} has 1 faces")
            _, triangles, carried = self.surface(output)
            self.assertEqual(triangles, TRIANGLES)
            self.assertEqual(list(carried.get("number", [])), [] if output == "o.ply" else list(range(len(TRIANGLES))))


class Arrays(test_files_meshes.MeshTest):
    def carry(self, name, output, words):
        _, _, error = self.run_program("landmarks", "warp", "identity.tfm", "--points", name, "-o", output, "-q")
        self.assertEqual(error, f"cudaneuro-landmarks: warning: {output} {LOST}{words}\n" if words else "")

    def test_what_is_left_out_is_named(self):
        self.write("c.ply", surface_files.ply(POINTS, TRIANGLES).replace(b"property uchar red", b"property uchar nx"))
        self.carry("c.ply", "o.ply", "")
        for encoding in ("ascii", "binary_big_endian"):
            self.write("c.ply", surface_files.ply(POINTS, TRIANGLES, encoding))
            self.carry("c.ply", "o.ply", "red")
            self.denoise_mesh("c.ply", "-o", "o.ply", words=f"o.ply {LOST}red")
        numbers = "0.5\n" * len(POINTS)
        arrays = f"POINT_DATA {len(POINTS)}\nSCALARS thickness float 1\nLOOKUP_TABLE default\n{numbers}NORMALS n float\n" + "0 0 1\n" * len(POINTS)
        arrays += f"FIELD FieldData 1\ncurv 1 {len(POINTS)} float\n{numbers}CELL_DATA {len(TRIANGLES)}\nCOLOR_SCALARS rgb 1\n" + "1\n" * len(TRIANGLES)
        self.write("a.vtk", surface_files.vtk(POINTS, TRIANGLES, arrays))
        self.carry("a.vtk", "o.vtk", "curv, rgb, thickness")
        self.assertNotIn(LOST, self.run_program("surface", "denoise", "a.vtk", "-o", "o.vtk", "-q")[2])
        rows = point_files.obj(POINTS, TRIANGLES).decode()
        colors = re.sub(r"^(v .*)$", r"\1 0.1 0.2 0.3", rows, flags=re.M)
        self.write("a.obj", ("mtllib a.mtl\nvn 0 0 1\nvt 0 0\nusemtl red\n" + colors).encode())
        self.carry("a.obj", "o.obj", "colors, materials, textures")


class Stl(test_files_meshes.MeshTest):
    def test_all_programs_read_and_write_it(self):
        apart = [[i, i + 1, i + 2] for i in range(0, 3 * len(TRIANGLES), 3)]
        for binary in (True, False):
            self.write("in.stl", surface_files.stl(POINTS, TRIANGLES, binary))
            points, triangles = self.moved("in.stl", "o.off")
            self.assertEqual(triangles, apart)
            self.assertLess(max(math.dist(points[i], POINTS[j]) for t, u in zip(apart, TRIANGLES) for i, j in zip(t, u)), 1e-6)
        for space in ("LPS", "RAS"):
            self.write("in.stl", test_files_meshes.noted("stl", space, POINTS, TRIANGLES))
            self.expect(0, "", "landmarks", "warp", "identity.tfm", "--points", "in.stl", "-o", "o.stl", "-q")
            content = (self.folder / "o.stl").read_bytes()
            self.assertEqual(content[:80], f"SPACE={space}".encode().ljust(80))
            self.assertEqual(len(content), 84 + 50 * len(TRIANGLES))
            # Normals are of length 1, and point outward as the triangles run.
            for i in range(len(TRIANGLES)):
                normal, a, b, c = (struct.unpack_from("<3f", content, 84 + 50 * i + 12 * k) for k in range(4))
                u, v = ([x - y for x, y in zip(p, a)] for p in (b, c))
                cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
                self.assertLess(math.dist(normal, [x / math.hypot(*cross) for x in cross]), 1e-4)
            self.expect_same("o.stl")


class Others(test_files_meshes.MeshTest):
    def test_gifti_with_numbers_in_another_file(self):
        content = point_files.gii(POINTS, TRIANGLES).decode()
        data, places = b"a few bytes before", iter(())
        for text in re.findall(r"<Data>(.*?)</Data>", content):
            places = iter([*places, len(data)])
            data += base64.b64decode(text)
        content = re.sub(r"<Data>.*?</Data>", "<Data/>", content).replace('"Base64Binary"', '"ExternalFileBinary"')
        content = re.sub(r'ExternalFileName="" ExternalFileOffset=""', lambda _: f'ExternalFileName="a.dat" ExternalFileOffset="{next(places)}"', content)
        (self.folder / "sub").mkdir()
        self.write("sub/a.gii", content.encode())
        self.write("sub/a.dat", data)
        self.expect_same("sub/a.gii", tolerance=1e-5)
        self.assertEqual(self.moved("sub/a.gii", "o.off")[1], TRIANGLES)
        self.write("sub/a.dat", data[:-1])
        self.expect_refused("a.dat: it is cut short", "-o", "o.vtp", surface="sub/a.gii")
        self.write("b.gii", content.encode())
        self.expect_refused("a.dat: there is no such file", "-o", "o.vtp", surface="b.gii")
        self.write("b.gii", content.replace('"a.dat"', '""').encode())
        self.expect_refused("is in a file of its own, which it does not name", "-o", "o.vtp", surface="b.gii")

    def test_compressed_data_that_is_elsewhere(self):
        """As in a file whose line feeds became two characters where it was copied as text."""
        data = [struct.pack(f"<{3 * len(POINTS)}d", *(x for p in POINTS for x in p)), struct.pack(f"<{3 * len(TRIANGLES)}q", *(i for t in TRIANGLES for i in t))]
        data.append(struct.pack(f"<{len(TRIANGLES)}q", *range(3, 3 * len(TRIANGLES) + 1, 3)))
        sizes = [[1, 2**16, len(part), len(zlib.compress(part))] for part in data]

        def read(encoding, sizes, before=b""):
            """Writes the numbers before the data, and the data; without a change, they are read."""
            pack = {"raw": bytes, "base64": base64.b64encode}[encoding]
            parts = [pack(struct.pack("<4I", *own)) + pack(zlib.compress(part)) for own, part in zip(sizes, data)]
            offsets = iter([sum(map(len, parts[:i])) for i in range(3)])
            header = re.sub(rb'format="ascii">[^<]*<', lambda _: b'format="appended" offset="%d"><' % next(offsets), surface_files.vtp(POINTS, TRIANGLES))
            header = header.replace(b"<VTKFile", b'<VTKFile compressor="vtkZLibDataCompressor"')
            self.write("a.vtp", header.replace(b"</PolyData>", b'</PolyData><AppendedData encoding="%s">_' % encoding.encode() + before + b"".join(parts) + b"</AppendedData>"))
            return self.run_program("surface", "compare", "base.vtk", "a.vtp", "-q")

        for encoding in ("raw", "base64"):
            self.assertEqual(read(encoding, sizes)[0], 0)
            for before in (b"\r", b"\r\r\r\r\r\r", b"\0" * 1000):
                status, _, error = read(encoding, sizes, before)
                self.assertEqual(status, 1)
                self.assertIn("is damaged, or not where the header says; it may have been copied as text", error)
        for place, number in itertools.product(range(4), (0, 2, 2**32 - 1)):
            damaged = [list(own) for own in sizes]
            damaged[1][place] = number
            if (place, number) != (1, 2**32 - 1):
                status, _, error = read("raw", damaged)
                self.assertEqual((status, error.count("\n")), (1, 1), (place, number))

    def test_heads_of_mne(self):
        self.write("inner_skull.surf", point_files.fsb(POINTS, TRIANGLES))
        self.expect_same("inner_skull.surf", tolerance=1e-5)
        self.denoise_mesh("inner_skull.surf", "-o", "o.surf")
        self.assertEqual(point_files.read_fsb((self.folder / "o.surf").read_bytes())[1], TRIANGLES)

    def test_objects_of_mni(self):
        rows = point_files.text_of(POINTS)
        self.write("white.obj", f"P 0.3 0.3 0.4 10 1 {len(POINTS)}\n{rows}".encode())
        self.expect_refused("it is an .obj of MNI's programs (CIVET), which AFNI's ConvertSurface converts", "-o", "o.vtp", surface="white.obj")


if __name__ == "__main__":
    programs.run_tests()
