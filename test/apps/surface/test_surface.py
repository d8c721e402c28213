# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-surface: the formats that it reads and writes, and what its outputs are.

    python3 test_surface.py SURFACE
"""

import array
import itertools
import json
import math
import os
import shutil
import struct
import subprocess

import damaged_files
import image_files
import point_files
import programs
import surface_files
import surface_test


class Formats(surface_test.SurfaceTest):
    def test_every_format_is_read(self):
        self.write("base.vtk", surface_files.vtk(self.points, self.triangles))
        for name, content in surface_files.makers(self.points, self.triangles).items():
            self.write(name, content)
            figures = self.compare("base.vtk", name)
            # Some formats have numbers of single precision, of about 1e-7 of 6 mm.
            self.assertLess(figures["distance"]["maximum_mm"], 1e-6, name)
            self.assertAlmostEqual(figures["volume_after_mm3"], surface_files.volume(self.points, self.triangles), delta=1e-3)
            self.denoise(0, "", "-o", "o.vtp", "--spacing", "1", surface=name)

    def test_every_format_is_written(self):
        self.denoise(0, "", "-o", "expected.vtk", "--spacing", "1")
        points, triangles, _ = self.surface("expected.vtk")
        for ending in ("vtp", "stl", "ply", "obj"):
            words = "" if ending == "vtp" else f"o.{ending} will be without the arrays of noisy.vtk"
            self.denoise(0, words, "-o", f"o.{ending}", "--spacing", "1")
            own, cells, _ = self.surface(f"o.{ending}")
            self.assertEqual(len(cells), len(triangles), ending)
            pairs = [(own[i], points[j]) for a, b in zip(cells, triangles) for i, j in zip(a, b)]
            self.assertLess(max(math.dist(a, b) for a, b in pairs), 2e-6, ending)

    def test_polygons_and_points_that_are_apart(self):
        points, triangles = surface_files.cube(5.0)
        quads = [[t[0], t[1], t[2], u[2]] for t, u in zip(triangles[::2], triangles[1::2])]
        content = surface_files.vtk(points, []).decode()
        content += f"POLYGONS {len(quads)} {5 * len(quads)}\n" + "".join(f"4 {a} {b} {c} {d}\n" for a, b, c, d in quads)
        self.write("quads.vtk", content.encode())
        self.write("apart.stl", surface_files.stl(points, triangles))
        for name in ("quads.vtk", "apart.stl"):
            surface = self.report("--spacing", "0.8", surface=name)["surfaces"][0]
            self.assertAlmostEqual(surface["volume_before_mm3"], 1000, delta=1e-6)
            self.assertAlmostEqual(surface["area_before_mm2"], 600, delta=1e-6)
        # A fortieth of the longest side.
        self.assertAlmostEqual(self.report("--iterations", "1", surface="quads.vtk")["surfaces"][0]["grid_spacing_mm"][0], 0.25)


class Outputs(surface_test.SurfaceTest):
    def test_a_noisy_sphere_gets_smooth(self):
        report = self.report("-o", "o.vtk", "--spacing", "0.6")
        points, triangles, _ = self.surface("o.vtk")
        before = surface_test.rms([math.hypot(*p) - surface_test.RADIUS for p in self.points])
        mean = sum(math.hypot(*p) for p in points) / len(points)
        self.assertLess(surface_test.rms([math.hypot(*p) - mean for p in points]), 0.6 * before)
        self.assertEqual(surface_files.euler_number(points, triangles), 2)
        surface = report["surfaces"][0]
        self.assertAlmostEqual(surface["volume_before_mm3"], surface_files.volume(self.points, self.triangles), delta=1e-6)
        self.assertAlmostEqual(surface["area_before_mm2"], surface_files.area(self.points, self.triangles), delta=1e-6)
        self.assertAlmostEqual(surface["volume_after_mm3"], surface_files.volume(points, triangles), delta=1e-6)
        self.assertAlmostEqual(surface["area_after_mm2"], surface_files.area(points, triangles), delta=1e-6)
        self.assertEqual(surface["triangles_after"], len(triangles))
        # The file has what was compared.
        distance = self.compare("noisy.vtk", "o.vtk")["distance"]
        for name, value in surface["distance"].items():
            self.assertAlmostEqual(value, distance[name], delta=1e-6)
        self.assertLess(distance["mean_mm"], distance["rms_mm"])
        self.assertLess(distance["rms_mm"], distance["percentile_95_mm"])
        self.assertLess(distance["percentile_95_mm"], distance["maximum_mm"])

    def test_distances_between_spheres(self):
        # Points that are between two spheres' corners are up to 6 (pi / 80)^2 / 2 mm inside.
        self.write("a.ply", surface_files.ply(*surface_files.sphere(40, 6.0)))
        self.write("b.ply", surface_files.ply(*surface_files.sphere(40, 6.5)))
        figures = self.compare("a.ply", "b.ply")
        for name in ("distance", "distance_reference_to_test", "distance_test_to_reference"):
            for value in figures[name].values():
                self.assertAlmostEqual(value, 0.5, delta=0.01)

    def test_arrays_are_carried_over(self):
        self.denoise(0, "", "-o", "o.vtk", "--spacing", "0.8")
        self.denoise(0, "", "-o", "o.vtp", "--spacing", "0.8")
        points, triangles, arrays = self.surface("o.vtk")
        self.assertEqual(len(arrays["height"]), len(points))
        self.assertEqual(len(arrays["number"]), len(triangles))
        # The closest point is no farther away than the surface was moved, by a few standard deviations of the noise.
        self.assertLess(max(abs(p[2] - height) for p, height in zip(points, arrays["height"])), 4 * surface_test.NOISE)
        for cell, number in zip(triangles, arrays["number"]):
            center = lambda surface, corners: [sum(surface[i][axis] for i in corners) / 3 for axis in range(3)]
            # Triangles of the input are 2 mm long at most.
            self.assertLess(math.dist(center(points, cell), center(self.points, self.triangles[number])), 2 + 4 * surface_test.NOISE)
        again = self.surface("o.vtp")
        self.assertEqual(again[0], points)
        self.assertEqual(again[1], triangles)
        self.assertEqual(again[2]["height"], arrays["height"])
        self.assertEqual(again[2]["number"], arrays["number"])

    def test_what_arrays_stand_for_stays(self):
        count = len(self.points)
        text = lambda rows: "\n".join(" ".join(map(repr, row)) for row in rows) + "\n"
        for space in ("LPS", "RAS"):
            own = point_files.turned(self.points) if space == "RAS" else self.points
            arrays = f"POINT_DATA {count}\nVECTORS flow float\n" + text([2 * x for x in p] for p in own)
            arrays += "TENSORS stress float\n" + text([p[0], 0.0, 0.0, 0.0, p[1], 0.0, 0.0, 0.0, p[2]] for p in own)
            arrays += "TEXTURE_COORDINATES uv 2 float\n" + text(p[:2] for p in own)
            arrays += "GLOBAL_IDS ids vtkIdType\n" + text([i] for i in range(count))
            arrays += f"CELL_DATA {len(self.triangles)}\nVECTORS side float\n" + text([1.0, 2.0, 3.0] for _ in self.triangles)
            self.write("a.vtk", surface_files.vtk(self.points, self.triangles, arrays, title=f"SPACE={space}"))
            self.denoise(0, "", "-o", "o.vtk", "--spacing", "0.8", surface="a.vtk")
            self.denoise(0, "", "-o", "o.vtp", "--spacing", "0.8", surface="a.vtk")
            points, triangles, got = self.surface("o.vtk")
            content = (self.folder / "o.vtk").read_bytes()
            for words in (b"VECTORS flow", b"TENSORS stress", b"TEXTURE_COORDINATES uv 2", b"VECTORS side"):
                self.assertIn(words, content)
            # Several points may have the same number.
            self.assertNotIn(b"GLOBAL_IDS", content)
            self.assertLessEqual(set(got["ids"]), set(range(count)))
            near = 8 * surface_test.NOISE
            for i, p in enumerate(points):
                self.assertLess(math.dist(got["uv"][2 * i : 2 * i + 2], p[:2]), near)
                self.assertLess(math.dist(got["flow"][3 * i : 3 * i + 3], [2 * x for x in p]), near)
                self.assertLess(math.dist(got["stress"][9 * i : 9 * i + 9 : 4], p), near)
            self.assertEqual(got["side"], (1.0, 2.0, 3.0) * len(triangles))
            content = (self.folder / "o.vtp").read_bytes()
            for words in (b'Vectors="flow"', b'Tensors="stress"', b'TCoords="uv"', b'Vectors="side"'):
                self.assertIn(words, content)

    def test_components_holes_and_handles(self):
        ball = lambda radius, center: surface_files.sphere(10, radius, 0.0, center)
        shell = surface_files.turned(ball(3.0, (0, 0, 0)))
        surfaces = {
            "components": (surface_files.joined(ball(4.0, (0, 0, 0)), ball(3.0, (10, 0, 0))), 4),
            "hole": (surface_files.joined(ball(6.0, (0, 0, 0)), shell), 4),
            "torus": (surface_files.torus(40, 20, 6.0, 2.5), 0),
            "inside out": (surface_files.turned(ball(5.0, (0, 0, 0))), 2),
        }
        for name, (surface, euler) in surfaces.items():
            self.write("in.ply", surface_files.ply(*surface))
            self.denoise(0, "", "-o", "o.ply", "--spacing", "0.5", surface="in.ply")
            points, triangles, _ = self.surface("o.ply")
            self.assertEqual(surface_files.euler_number(points, triangles), euler, name)
            # A surface that is inside out stays so.
            expected = surface_files.volume(*surface)
            # Voxels of 0.5 mm cut corners of spheres of 3 mm: 0.5^2 / (8 3) mm of each radius; denoising does as much.
            self.assertAlmostEqual(surface_files.volume(points, triangles), expected, delta=0.03 * abs(expected), msg=name)

    def test_volume_correction(self):
        self.write("smooth.ply", surface_files.ply(*surface_files.sphere(16, surface_test.RADIUS)))
        change = lambda *more: self.report("--spacing", "0.5", *more, surface="smooth.ply")["surfaces"][0]
        plain, corrected = change("--no-volume-correction"), change()
        self.assertEqual(plain["volume_offset_mm"], 0)
        self.assertNotEqual(corrected["volume_offset_mm"], 0)
        # The volume is kept on the grid; on the way there and back, triangles of 0.5 mm cut off 0.5^2 / (8 6) mm of a radius of
        # 6 mm, which is 0.3 %, where they bend the same way as the surface.
        self.assertLess(abs(corrected["volume_change_percent"]), 0.5)
        self.assertLess(abs(corrected["volume_change_percent"]), abs(plain["volume_change_percent"]))

    def test_edges(self):
        points, triangles = surface_files.cube(5.0)
        sides = "".join(f"{i}\n" for i in range(len(triangles)))
        arrays = f"CELL_DATA {len(triangles)}\nSCALARS number int 1\nLOOKUP_TABLE default\n{sides}"
        self.write("cube.vtk", surface_files.vtk(points, triangles, arrays))
        self.denoise(0, "", "-o", "cubes.vtk", "--spacing", "0.6", surface="cube.vtk")
        report = self.report("-o", "edges.vtk", "--spacing", "0.6", "--keep-edges", surface="cube.vtk")
        own, cells, carried = self.surface("edges.vtk")
        self.assertEqual(surface_files.euler_number(own, cells), 2)
        self.assertEqual(report["surfaces"][0]["triangles_after"], len(cells))
        self.assertEqual(set(carried["number"]), set(range(len(triangles))))
        # Marching cubes cut corners by a voxel or so, and nothing is noisy.
        farthest = lambda name: self.compare("cube.vtk", name)["distance"]["maximum_mm"]
        self.assertLess(farthest("edges.vtk"), 0.1 * farthest("cubes.vtk"))

    def test_report(self):
        options = ["--band-width", "2", "--spatial-scale", "inf", "--similarity-scale", "1.5", "--passes", "2", "--reinitialize", "--keep-edges"]
        report = self.report("--spacing", "0.9", *options)
        parameters = {"patch_size": 3, "neighbors": 16, "iterations": 3, "passes": 2}
        parameters.update(dict.fromkeys(("reinitialize", "volume_correction", "keep_edges"), True))
        self.assertEqual(report["parameters"], parameters)
        surface = report["surfaces"][0]
        self.assertEqual(surface["band_width_mm"], 2)
        self.assertEqual(surface["similarity_scale_mm2"], 1.5)
        self.assertGreater(surface["band_voxels"], 1000)
        self.assertEqual(surface["grid_spacing_mm"], [0.9, 0.9, 0.9])
        self.assertEqual(report["input_description"], f"{len(self.triangles)} polygons of {len(self.points)} points")
        self.assertEqual(set(report["seconds"]), {"reading", "distance", "denoising", "surface", "comparing", "writing", "total"})

    def test_summary(self):
        out = self.expect(0, "", "surface", "denoise", "noisy.vtk", "-o", "o.stl", "--spacing", "1", *surface_test.QUICK_WORDS)
        self.assertIn("mm on average, RMS", out)
        self.assertIn("o.stl will be without the arrays", self.run_program("surface", "denoise", "noisy.vtk", "-o", "o.stl", "--spacing", "1", *surface_test.QUICK_WORDS, "-q")[2])
        self.assertIn("95 % up to", self.expect(0, "", "surface", "compare", "noisy.vtk", "o.stl", "--threads", "1"))


class Images(surface_test.SurfaceTest):
    def test_the_type_of_the_file_is_named(self):
        size = (9, 8, 7)
        labels = [int(all(1 < i < n - 2 for i, n in zip(index, size[::-1]))) for index in itertools.product(*(range(n) for n in size[::-1]))]
        for code, number, name in (("i", 1, "int"), ("h", 4, "short"), ("f", 3, "float")):
            self.write("labels.mgh", image_files.mgh(struct.pack(f">{len(labels)}{code}", *labels), number, size))
            report = json.loads(self.denoise_mesh("labels.mgh", "--json", "-"))
            self.assertEqual(report["input_description"], f"9 x 8 x 7 voxels of 1 x 1 x 1 mm, {name}")

    def test_labels_in_one_file(self):
        volumes = self.write_labels()
        report = self.report("-o", "o.vtk", surface="labels.mha")
        points, triangles, arrays = self.surface("o.vtk")
        self.assertEqual([surface["label"] for surface in report["surfaces"]], [3, 7])
        self.assertEqual(set(arrays["Label"]), {3, 7})
        for label, expected in volumes.items():
            own = [cell for cell, value in zip(triangles, arrays["Label"]) if value == label]
            self.assertEqual(surface_files.euler_number(points, own), 2, label)
            # Of voxels of 1 mm on balls of 5 mm: corners are cut.
            self.assertAlmostEqual(surface_files.volume(points, own), expected, delta=0.08 * expected)

    def test_edges_of_a_label(self):
        values = [1 if all(5 <= i < 15 for i in voxel) else 0 for voxel in itertools.product(range(20), repeat=3)]
        self.write_image("box.mha", (20,) * 3, "B", values)
        surface = self.report("-o", "o.ply", "--keep-edges", "--similarity-scale", "1e-6", surface="box.mha")["surfaces"][0]
        points, triangles, _ = self.surface("o.ply")
        self.assertEqual(surface_files.euler_number(points, triangles), 2)
        # The volume before is that of the voxels.
        self.assertAlmostEqual(surface["volume_before_mm3"], 1000, delta=1e-9)
        self.assertAlmostEqual(surface["volume_change_percent"], (surface_files.volume(points, triangles) - 1000) / 10, delta=1e-6)
        # Nothing is averaged, so that what is contoured before and after is the same. Distances of a label are to the sides of
        # voxels: what is contoured has 2 % less at most.
        self.assertLess(surface["distance"]["maximum_mm"], 0.01)
        self.assertAlmostEqual(surface["volume_change_percent"], -1, delta=1)

    def test_a_file_for_each_label(self):
        self.write_labels()
        self.denoise(0, "", "-o", "ball {label}.stl", "--output-distance", "{label}.mha", surface="labels.mha")
        names = {"ball 3.stl", "ball 7.stl", "3.mha", "7.mha"}
        self.assertLess(names, self.names())
        self.denoise(0, "", "-o", "only.vtp", "--label", "7", surface="labels.mha")
        self.assertEqual(set(self.surface("only.vtp")[2]["Label"]), {7})
        self.assertEqual(len(self.surface("only.vtp")[1]), len(self.surface("ball 7.stl")[1]))
        self.expect_refused("files of its ending do not tell which of 2 labels", "-o", "o.stl", surface="labels.mha")
        self.expect_refused("with 2 labels it must have {label} in it", "--output-distance", "o.mha", surface="labels.mha")
        self.expect_refused("{label} stands for a label", "-o", "{label}.vtp")

    def test_formats_of_labels(self):
        values = [1 if math.dist((x, y, z), (7.5,) * 3) < 5 else 0 for z, y, x in itertools.product(range(16), repeat=3)]
        for files in (damaged_files.nifti("in.nii.gz", (16,) * 3, 4, values), damaged_files.nrrd("in.nrrd", (16,) * 3, 2, values)):
            for name, content in files.items():
                self.write(name, content)
            surface = self.report(surface=next(iter(files)))["surfaces"][0]
            self.assertAlmostEqual(surface["volume_before_mm3"], sum(values), delta=1e-9 * sum(values))
            self.assertAlmostEqual(surface["volume_after_mm3"], sum(values), delta=0.08 * sum(values))

    def test_distances(self):
        values = self.write_distance()
        self.denoise(0, "", "--distance", "-o", "o.vtk", "--output-distance", "o.mha", surface="distance.mha")
        points, triangles, _ = self.surface("o.vtk")
        self.assertEqual(surface_files.euler_number(points, triangles), 2)
        self.assertLess(max(abs(math.dist(p, (9.5,) * 3) - surface_test.RADIUS) for p in points), 0.2)
        written = array.array("f", (self.folder / "o.mha").read_bytes()[-4 * 20**3 :])
        changes = [abs(a - b) for a, b in zip(written, values)]
        self.assertGreater(max(changes), 0.001)
        # Patches that the surface passes in directions which are nearly the same are alike: a third of a voxel.
        self.assertLess(max(changes), 1 / 3)
        # A mask that is 0 everywhere but at one voxel leaves all else as it is.
        mask = [0] * 20**3
        self.write_image("mask.mha", (20,) * 3, "B", [1 if abs(v) < 1 and i % 3 == 0 and i < 4000 else 0 for i, v in enumerate(values)])
        self.denoise(0, "", "--distance", "-m", "mask.mha", "--output-distance", "m.mha", surface="distance.mha")
        masked = array.array("f", (self.folder / "m.mha").read_bytes()[-4 * 20**3 :])
        self.assertEqual(list(masked[4000:]), list(array.array("f", values)[4000:]))
        self.assertNotEqual(list(masked), list(array.array("f", values)))

    def test_directions(self):
        self.write_distance(direction=(0, 1, 0, 1, 0, 0, 0, 0, -1))
        self.denoise(0, "", "--distance", "-o", "turned.ply", surface="distance.mha")
        self.write_distance(direction=(-1, 0, 0, 0, 1, 0, 0, 0, 1))
        self.denoise(0, "", "--distance", "-o", "mirrored.ply", surface="distance.mha")
        for name, center in (("turned.ply", (9.5, 9.5, -9.5)), ("mirrored.ply", (-9.5, 9.5, 9.5))):
            points, triangles, _ = self.surface(name)
            self.assertLess(max(abs(math.dist(p, center) - surface_test.RADIUS) for p in points), 0.2, name)
            self.assertGreater(surface_files.volume(points, triangles), 0, name)

    def test_what_is_no_distance(self):
        self.write_distance(scale=2.5)
        words = "distance.mha is no signed distance near its surface: the norm of its gradient is from 2.4"
        self.denoise(0, words, "--distance", "--json", "r.json", surface="distance.mha")


class Synthesizing(surface_test.SurfaceTest):
    def synthesize(self, status, words, *arguments):
        return self.expect(status, words, "surface", "synthesize", *arguments, "--threads", "1", "-q")

    def test_noise_on_a_box(self):
        said = self.synthesize(0, "", "-o", "noisy.ply", "--output-true", "true.vtk", "--shape", "Box", "--size", "10", "--json", "-")
        report = json.loads(said)
        points, triangles, _ = self.surface("noisy.ply")
        true, cells, _ = self.surface("true.vtk")
        self.assertEqual(triangles, cells)
        self.assertEqual(report["triangles"], len(triangles))
        self.assertEqual(surface_files.euler_number(true, cells), 2)
        self.assertAlmostEqual(surface_files.volume(true, cells), report["volume_mm3"], delta=1e-6)
        # Points are moved by 0.2 mean edges; the estimate from so many has an error of a few percent.
        self.assertAlmostEqual(surface_test.rms([math.dist(a, b) for a, b in zip(points, true)]) / report["mean_edge_mm"], 0.2, delta=0.02)
        self.synthesize(0, "", "-o", "again.ply", "--shape", "Box", "--size", "10")
        self.assertEqual(self.surface("again.ply")[0], points)

    def test_bad_values(self):
        for arguments, words in (
            (["--shape", "Pear"], "--shape"),
            (["--noise", "11"], "--deviation is 11"),
            (["--edge-length", "49"], "--edge-length is 49"),
            (["--size", "0"], "--size"),
        ):
            self.synthesize(1, words, "-o", "o.ply", *arguments)
        self.assertNotIn("o.ply", self.names())


class Figures(surface_test.SurfaceTest):
    def draw(self, *arguments, **options):
        """Runs the program on a display of its own, which is not shown. Tests are left out where nothing can be drawn."""
        xvfb = shutil.which("xvfb-run")
        command = [xvfb, "-a"] if xvfb and "DISPLAY" not in os.environ else []
        quick = [] if "normals" in arguments else surface_test.QUICK_WORDS
        command += [*programs.command("surface"), "denoise", *arguments, *quick, "-q"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        if "cannot be drawn: " in done.stderr and not xvfb:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)

    def check(self, name):
        content = (self.folder / name).read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", content[16:24]), (2400, 800))
        self.assertGreater(len(content), 50000)

    def test_figure(self):
        self.draw("noisy.vtk", "--figure", "f.png", "--spacing", "1")
        self.check("f.png")
        self.draw("noisy.vtk", "--figure", "n.png", "--method", "normals")
        self.check("n.png")
        self.write_labels()
        self.draw("labels.mha", "--figure", "l.png", "-o", "{label}.ply")
        self.check("l.png")

    def test_without_a_display(self):
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        status, _, error = self.run_program("surface", "denoise", "noisy.vtk", "--figure", "f.png", "--spacing", "1", *surface_test.QUICK_WORDS, "-q", env=environment)
        if status != 0:
            self.assertIn("--figure cannot be drawn: this VTK draws on a display of X", error)
            self.assertNotIn("f.png", self.names())


class Constructions(surface_test.SurfaceTest):
    def test_flat_faces_stay(self):
        # A wheel of 30 teeth.
        n = 60
        corners = [(2 * math.pi * i / n, 9.0 + i % 2) for i in range(n)]
        points = [(r * math.cos(a), r * math.sin(a), z) for z in (0.0, 1.0) for a, r in corners] + [(0, 0, 0), (0, 0, 1)]
        triangles = []
        for i in range(n):
            j = (i + 1) % n
            triangles += [(i, j, n + j), (i, n + j, n + i), (2 * n, j, i), (2 * n + 1, n + i, n + j)]
        self.write("wheel.vtk", surface_files.vtk(points, triangles))
        words = "wheel.vtk has the flat faces of a construction"
        surface = self.mesh_report("wheel.vtk", "-o", "o.vtk", words=words)["surfaces"][0]
        self.assertEqual((surface["has_flat_faces"], surface["noise_mm"]), (True, 0))
        self.assertLess(max(math.dist(a, b) for a, b in zip(self.surface("o.vtk")[0], points, strict=True)), 1e-12)  # of text
        self.mesh_report("wheel.vtk", "-o", "o.vtk", "--noise", "0.1")

    def test_no_volume_has_no_change(self):
        # Two equal spheres, of which one is inside out.
        points, triangles = surface_files.sphere(6, 5.0, 0.3)
        both = points + [(x + 20, y, z) for x, y, z in points]
        turned = [(c + len(points), b + len(points), a + len(points)) for a, b, c in triangles]
        self.write("two.vtk", surface_files.vtk(both, triangles + turned))
        surface = self.mesh_report("two.vtk", "-o", "o.vtk")["surfaces"][0]
        self.assertLess(abs(surface["volume_before_mm3"]), 1e-9)
        self.assertEqual(surface["volume_change_percent"], 0)


if __name__ == "__main__":
    programs.run_tests()
