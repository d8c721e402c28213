# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-surface denoise by the method that meshes have by default, and what compare measures.

    python3 test_surface_meshes.py SURFACE
"""

import array
import itertools
import math

import programs
import surface_files
import surface_test

LEVEL_SET_OPTIONS = [
    ["--voxel-size", "1"],
    ["--band-width", "2"],
    ["--patch-size", "3"],
    ["--neighbors", "16"],
    ["--spatial-scale", "9"],
    ["--similarity-scale", "1"],
    ["--iterations", "3"],
    ["--passes", "2"],
    ["--reinitialize"],
    ["--no-volume-correction"],
    ["--keep-edges"],
    ["--output-distance", "d.mha"],
]


def edges_of(triangles):
    """How many triangles each edge has."""
    counts = {}
    for cell in triangles:
        for i in range(3):
            edge = tuple(sorted((cell[i], cell[(i + 1) % 3])))
            counts[edge] = counts.get(edge, 0) + 1
    return counts


def mean_edge(points, triangles):
    """The mean length of the edges."""
    edges = edges_of(triangles)
    return sum(math.dist(points[a], points[b]) for a, b in edges) / len(edges)


def largest_move(first, second):
    return max(math.dist(a, b) for a, b in zip(first, second))


def roughness(points, center=(0.0, 0.0, 0.0)):
    """The standard deviation of the radii of a sphere's points."""
    radii = [math.dist(p, center) for p in points]
    return surface_test.rms([r - sum(radii) / len(radii) for r in radii])


def half_sphere(cuts, radius, noise):
    """The part of a sphere whose triangles are above the middle, without points of none."""
    points, triangles = surface_files.sphere(cuts, radius, noise)
    kept = [cell for cell in triangles if sum(points[i][2] for i in cell) > 0]
    numbers = {old: new for new, old in enumerate(sorted({i for cell in kept for i in cell}))}
    return [points[old] for old in numbers], [[numbers[i] for i in cell] for cell in kept]


def polygons(points, cells):
    """A file of VTK with polygons of any number of corners."""
    content = surface_files.vtk(points, []).decode()
    content += f"POLYGONS {len(cells)} {sum(len(cell) + 1 for cell in cells)}\n"
    return (content + "".join(f"{len(cell)} {' '.join(map(str, cell))}\n" for cell in cells)).encode()


class Meshes(surface_test.SurfaceTest):
    def test_a_noisy_sphere_gets_smooth_and_keeps_its_triangles(self):
        report = self.mesh_report("noisy.vtk", "-o", "o.vtk")
        points, triangles, arrays = self.surface("o.vtk")
        self.assertEqual(triangles, self.triangles)
        # Some 870 vertices share the noise; filters of the mesh leave less than half of it on a sphere.
        self.assertLess(roughness(points), 0.5 * roughness(self.points))
        # Arrays are those of the file, in its order.
        self.assertEqual(list(arrays["number"]), list(range(len(triangles))))
        self.assertEqual(len(arrays["height"]), len(points))
        self.assertLess(max(abs(h - p[2]) for h, p in zip(arrays["height"], self.points)), 1e-6)  # of float
        self.assertEqual(set(arrays), {"height", "number"})
        self.assertEqual(report["method"], "normals")
        self.assertEqual(report["parameters"], {"noise": "auto"})
        surface = report["surfaces"][0]
        # The estimate is of half a thousand neighborhoods, which overlap: some percent.
        self.assertAlmostEqual(surface["noise_mm"], surface_test.NOISE, delta=0.2 * surface_test.NOISE)
        self.assertAlmostEqual(surface["mean_edge_mm"], mean_edge(self.points, self.triangles), delta=1e-9)
        self.assertEqual(surface["border_edges"], 0)
        before, after = (surface_files.volume(p, triangles) for p in (self.points, points))
        self.assertAlmostEqual(surface["volume_before_mm3"], before, delta=1e-6)
        self.assertAlmostEqual(surface["volume_after_mm3"], after, delta=1e-6)
        self.assertAlmostEqual(surface["volume_change_percent"], 100 * (after - before) / before, delta=1e-6)
        self.assertAlmostEqual(surface["area_after_mm2"], surface_files.area(points, triangles), delta=1e-6)
        self.assertEqual(surface["triangles_after"], len(triangles))
        # The file has what was compared.
        figures = self.compare("noisy.vtk", "o.vtk")
        for kind in ("distance", "angle"):
            for name, value in surface[kind].items():
                self.assertAlmostEqual(value, figures[kind][name], delta=1e-9)
        self.assertEqual(set(report["seconds"]), {"reading", "denoising", "comparing", "writing", "total"})

    def test_the_same_bits(self):
        self.denoise_mesh("noisy.vtk", "-o", "a.vtk")
        self.expect(0, "", "surface", "denoise", "noisy.vtk", "-o", "b.vtk", "--method", "normals", "--noise", "auto", "--threads", "1", "-q")
        self.assertEqual((self.folder / "a.vtk").read_bytes(), (self.folder / "b.vtk").read_bytes())

    def test_every_format_has_the_same_result(self):
        self.denoise_mesh("noisy.vtk", "-o", "expected.vtk")
        expected = self.surface("expected.vtk")[0]
        for name, content in surface_files.makers(self.points, self.triangles).items():
            self.write(name, content)
            self.denoise_mesh(name, "-o", "o.vtk")
            points, triangles, _ = self.surface("o.vtk")
            if name.endswith(".stl"):
                # Points are those of each triangle, which stay together.
                self.assertEqual(len(set(map(tuple, points))), len(expected))
                order = [i for cell in self.triangles for i in cell]
                points = [points[triangles[i // 3][i % 3]] for i in range(len(order))]
                self.assertLess(largest_move(points, [expected[i] for i in order]), 1e-4, name)
                continue
            self.assertEqual(triangles, self.triangles)
            sign = -1 if name.startswith("ras") else 1
            points = [[sign * p[0], sign * p[1], p[2]] for p in points]
            # Some formats have numbers of single precision, and a surface that is turned around the z axis rounds otherwise.
            self.assertLess(largest_move(points, expected), 1e-4, name)
        self.assertIn(b"SPACE=RAS", self.in_space_of("ras.vtk"))
        self.assertIn(b"SPACE=LPS", self.in_space_of("text.vtk"))

    def in_space_of(self, name):
        self.denoise_mesh(name, "-o", "space.vtk")
        return (self.folder / "space.vtk").read_bytes()[:300]

    def test_every_format_is_written(self):
        self.denoise_mesh("noisy.vtk", "-o", "expected.vtk")
        expected = self.surface("expected.vtk")[0]
        for ending in ("vtp", "stl", "ply", "obj"):
            words = "" if ending == "vtp" else f"o.{ending} will be without the arrays of noisy.vtk"
            self.denoise_mesh("noisy.vtk", "-o", f"o.{ending}", words=words)
            points, triangles, _ = self.surface(f"o.{ending}")
            pairs = [(points[i], expected[j]) for a, b in zip(triangles, self.triangles) for i, j in zip(a, b)]
            self.assertLess(max(math.dist(a, b) for a, b in pairs), 2e-6, ending)

    def test_polygons_stay(self):
        points, triangles = self.points, self.triangles
        quads = [[t[0], t[1], t[2], u[2]] for t, u in zip(triangles[::2], triangles[1::2])]
        self.write("quads.vtk", polygons(points, quads))
        self.denoise_mesh("quads.vtk", "-o", "o.vtp")
        moved, corners, arrays = self.surface("o.vtp")
        self.assertEqual([i for cell in corners for i in cell], [i for cell in quads for i in cell])
        self.assertEqual(list(arrays["offsets"]), [4 * (i + 1) for i in range(len(quads))])
        self.assertLess(roughness(moved), 0.6 * roughness(points))

    def test_normals_are_computed_anew(self):
        normals = "".join(f"{p[0]!r} {p[1]!r} {p[2]!r}\n" for p in ([1.0, 0.0, 0.0] for _ in self.points))
        arrays = f"POINT_DATA {len(self.points)}\nNORMALS old float\n{normals}"
        self.write("normals.vtk", surface_files.vtk(self.points, self.triangles, arrays))
        self.denoise_mesh("normals.vtk", "-o", "o.vtk")
        points, _, found = self.surface("o.vtk")
        cosines = [sum(a * b for a, b in zip(p, found["old"][3 * i : 3 * i + 3])) / math.hypot(*p) for i, p in enumerate(points)]
        # Those of a sphere that is smooth again: within 20 degrees of its radii.
        self.assertGreater(min(cosines), math.cos(math.radians(20)))

    def test_noise_that_is_given(self):
        report = self.mesh_report("noisy.vtk", "-o", "o.ply", "--noise", "0.02")
        self.assertEqual(report["parameters"], {"noise": 0.02})
        self.assertEqual(report["surfaces"][0]["noise_mm"], 0.02)
        # Less noise is taken away than there is.
        self.denoise_mesh("noisy.vtk", "-o", "all.ply")
        little, much = (self.surface(name)[0] for name in ("o.ply", "all.ply"))
        self.assertGreater(roughness(little), 1.5 * roughness(much))

    def test_a_mesh_without_noise_stays(self):
        self.write("smooth.vtk", surface_files.vtk(*surface_files.sphere(12, surface_test.RADIUS)))
        surface = self.mesh_report("smooth.vtk")["surfaces"][0]
        self.assertLess(surface["distance"]["maximum_mm"], 0.01 * surface["mean_edge_mm"])
        self.assertLess(surface["angle"]["mean_degrees"], 0.3)

    def test_summary(self):
        out = self.expect(0, "", "surface", "denoise", "noisy.vtk", "-o", "o.stl", "--threads", "2")
        self.assertRegex(out, r"method +normals: noise auto")
        self.assertRegex(out, r"moved by .* mm on average, RMS .*; volume .* %\); area .*; noise .* mm, mean edge .* mm, 0 border edges")
        self.assertRegex(self.expect(0, "", "surface", "compare", "noisy.vtk", "o.stl", "--threads", "1"), r"angle +mean .* degrees between normals, RMS")


class Volumes(surface_test.SurfaceTest):
    def test_a_large_change_is_a_warning(self):
        # Twenty times the noise that there is makes small spheres smaller.
        points, triangles = surface_files.sphere(4, 3.0, 0.0)
        self.write("small.ply", surface_files.ply(points, triangles))
        status, _, error = self.run_program("surface", "denoise", "small.ply", "-o", "o.ply", "--noise", "3", "-q")
        self.assertEqual(status, 0, error)
        before, after = surface_files.volume(points, triangles), surface_files.volume(*self.surface("o.ply")[:2])
        self.assertGreater(abs(after / before - 1), 0.02)
        self.assertRegex(error, r"small.ply changes its volume by -?[\d.]+ %, from [\d.]+ to [\d.]+ mm\^3")
        # Not for what is kept.
        self.assertNotIn("volume", self.run_program("surface", "denoise", "noisy.vtk", "-o", "o.vtk", "-q")[2])

    def test_a_thin_label_that_shrinks_is_a_warning(self):
        inside = lambda x, y, z: 6 <= x < 8 and 6 <= y < 8 and 4 <= z < 20
        values = [1 if inside(x, y, z) else 0 for z, y, x in itertools.product(range(24), range(14), range(14))]
        self.write_image("rod.mha", (14, 14, 24), "B", values, spacing=(1, 1, 1.5))
        status, _, error = self.run_program("surface", "denoise", "rod.mha", "-o", "o.ply", "--method", "level-set", "-q")
        self.assertEqual(status, 0, error)
        volume = surface_files.volume(*self.surface("o.ply")[:2])
        self.assertRegex(error, rf"label 1 of rod.mha changes its volume by {100 * (volume / 96 - 1):.1f}\d* %, from 96 to")


class Methods(surface_test.SurfaceTest):
    def test_options_of_the_other_method_are_refused(self):
        self.write_labels()
        before = self.names()
        for arguments in LEVEL_SET_OPTIONS:
            for chosen in ([], ["--method", "normals"]):
                words = " has no effect here: only with "
                self.denoise_mesh("noisy.vtk", "-o", "o.vtp", *arguments, *chosen, status=1, words=words)
        words = "--noise has no effect here: only with --method normals"
        self.denoise_mesh("noisy.vtk", "-o", "o.vtp", "--method", "level-set", "--noise", "1", status=1, words=words)
        self.denoise_mesh("labels.mha", "-o", "o.vtp", "--noise", "1", status=1, words=words)
        for arguments in LEVEL_SET_OPTIONS:
            self.denoise_mesh("labels.mha", "-o", "o.vtp", *arguments, status=1, words="--method level-set")
        words = "--method normals has no effect here: only with a surface as INPUT"
        self.denoise_mesh("labels.mha", "-o", "o.vtp", "--method", "normals", status=1, words=words)
        self.denoise_mesh("noisy.vtk", "-o", "o.vtp", "--method", "median", status=1, words="--method: must be one of normals, labels, level-set, auto; it is median")
        for value in ("0", "-1", "nan", "inf"):
            self.denoise_mesh("noisy.vtk", "-o", "o.vtp", "--noise", value, status=1, words="--noise")
        self.assertEqual(self.names(), before)

    def test_each_input_has_its_method(self):
        self.write_labels()
        self.write_distance()
        quick = ["--patch-size", "3", "--neighbors", "16", "--iterations", "3"]
        for surface, method, reported, arguments in [
            ("noisy.vtk", "normals", "normals", []),
            ("labels.mha", "labels", "labels", []),
            ("distance.mha", "level-set", "non-local-means-level-set", ["--distance", *quick]),
        ]:
            report = self.mesh_report(surface, "-o", "a.vtk", *arguments)
            self.assertEqual(report["method"], reported)
            named = self.mesh_report(surface, "-o", "b.vtk", "--method", method, *arguments)
            self.assertEqual(named["parameters"], report["parameters"])
            self.assertEqual((self.folder / "a.vtk").read_bytes(), (self.folder / "b.vtk").read_bytes())
        report = self.mesh_report("labels.mha", "-o", "b.vtk", "--method", "level-set", *quick)
        self.assertEqual(report["method"], "non-local-means-level-set")

    def test_whole_numbers_of_a_real_type_are_labels(self):
        self.write_labels()
        header, _, pixels = (self.folder / "labels.mha").read_bytes().partition(b"LOCAL\n")
        real = header.replace(b"MET_UCHAR", b"MET_FLOAT") + b"LOCAL\n" + array.array("f", list(pixels)).tobytes()
        self.write("real.mha", real)
        report = self.mesh_report("real.mha", "-o", "real.vtk")
        self.assertEqual(report["method"], "labels")
        self.mesh_report("labels.mha", "-o", "whole.vtk")
        self.assertEqual((self.folder / "real.vtk").read_bytes(), (self.folder / "whole.vtk").read_bytes())


class Labels(surface_test.SurfaceTest):
    """--method labels."""

    def test_surfaces_of_balls(self):
        volumes = self.write_labels()
        report = self.mesh_report("labels.mha", "--method", "labels", "-o", "{label}.ply")
        self.assertEqual([surface["label"] for surface in report["surfaces"]], sorted(volumes))
        for surface in report["surfaces"]:
            label = surface["label"]
            points, triangles, _ = self.surface(f"{label}.ply")
            volume = surface_files.volume(points, triangles)
            self.assertAlmostEqual(surface["volume_after_mm3"], volume, delta=1e-4 * volume)
            self.assertAlmostEqual(surface["volume_before_mm3"], volumes[label], delta=1e-6 * volume)
            # Edges are those of two triangles.
            edges = [frozenset((t[i], t[i - 1])) for t in triangles for i in range(3)]
            self.assertEqual(2 * len(set(edges)), len(edges))
            if label == 3:
                # Steps of 1 mm leave 0.29 mm of RMS distance; the surface is far nearer to the ball.
                radii = [math.dist(point, (8, 10, 10)) for point in points]
                self.assertLess(surface_test.rms([radius - 6.0 for radius in radii]), 0.15)
                self.assertAlmostEqual(volume, volumes[label], delta=0.04 * volume)

    def test_what_it_does_not_have(self):
        self.write_labels()
        self.write_labels("fixed.mha")
        for arguments in (["--mask", "fixed.mha"], ["--output-distance", "{label}.mha"], ["--patch-size", "3"]):
            self.denoise_mesh("labels.mha", "--method", "labels", "-o", "o.vtp", *arguments, status=1, words=f"{arguments[0]} has no effect here")
        self.denoise_mesh("noisy.vtk", "--method", "labels", "-o", "o.vtp", status=1, words="only with an image of labels as INPUT")


class BadMeshes(surface_test.SurfaceTest):
    def finite(self, name):
        points, triangles, _ = self.surface(name)
        self.assertTrue(all(math.isfinite(x) for p in points for x in p), name)
        return points, triangles

    def test_an_open_mesh_stays_open(self):
        points, triangles = half_sphere(12, surface_test.RADIUS, surface_test.NOISE)
        self.write("open.vtk", surface_files.vtk(points, triangles))
        count = sum(1 for number in edges_of(triangles).values() if number == 1)
        words = f"open.vtk is open, and stays so: {count} edges have one triangle"
        surface = self.mesh_report("open.vtk", "-o", "o.vtk", words=words)["surfaces"][0]
        self.assertEqual(surface["border_edges"], count)
        self.assertFalse([name for name in surface if "volume" in name])
        moved, cells = self.finite("o.vtk")
        self.assertEqual(cells, triangles)
        self.assertLess(roughness(moved), 0.7 * roughness(points))
        self.assertNotIn("volume", self.expect(0, words, "surface", "denoise", "open.vtk", "-o", "o.vtk", "--threads", "2"))

    def test_triangles_that_are_wrong(self):
        points, triangles = self.points, self.triangles
        doubled = self.mesh_case("doubled.vtk", points, [*triangles, triangles[5]], "doubled.vtk: 1 triangle is there twice; it is dropped")
        self.assertEqual(doubled[1], triangles)
        flipped = [triangles[0][::-1], *triangles[1:]]
        self.assertEqual(self.mesh_case("flipped.vtk", points, flipped, "")[1], flipped)
        inside_out = [cell[::-1] for cell in triangles]
        self.assertLess(roughness(self.mesh_case("inside.vtk", points, inside_out, "")[0]), 0.5 * roughness(points))
        empty = [*triangles, [3, 3, 8], [4, 5, 4]]
        self.assertLess(roughness(self.mesh_case("empty.vtk", points, empty, "")[0]), 0.5 * roughness(points))
        extra = self.mesh_case("extra.vtk", [*points, [1e9, 0.0, 0.0]], triangles, "")[0]
        self.assertEqual(extra[-1], [1e9, 0.0, 0.0])
        self.assertLess(largest_move(extra[:-1], self.mesh_case("plain.vtk", points, triangles, "")[0]), 1e-4)

    def mesh_case(self, name, points, triangles, words):
        self.write(name, surface_files.vtk(points, triangles))
        self.denoise_mesh(name, "-o", "o.vtk", words=words)
        return self.finite("o.vtk")

    def test_parts_that_intersect_and_islands(self):
        ball = lambda center, seed: surface_files.sphere(10, 4.0, 0.15, center, seed)
        points, triangles = self.mesh_case("two.vtk", *surface_files.joined(ball((0, 0, 0), 1), ball((5, 0, 0), 2)), "")
        half = len(points) // 2
        for part, center in ((points[:half], (0, 0, 0)), (points[half:], (5, 0, 0))):
            self.assertLess(roughness(part, center), 0.1)
        island = [[30.0, 0.0, 0.0], [30.5, 0.0, 0.0], [30.0, 0.5, 0.0], [30.0, 0.0, 0.5]]
        cells = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
        points, triangles = self.mesh_case("island.vtk", *surface_files.joined((self.points, self.triangles), (island, cells)), "")
        self.assertEqual(len(triangles), len(self.triangles) + 4)
        self.assertLess(largest_move(points[-4:], island), 1.0)
        self.assertLess(roughness(points[:-4]), 0.5 * roughness(self.points))

    def test_what_is_no_mesh(self):
        before = self.names() | {"none.vtk", "nan.vtk", "point.vtk"}
        self.write("none.vtk", surface_files.vtk(self.points, []))
        self.denoise_mesh("none.vtk", "-o", "o.vtk", status=1, words="it has no triangles or other polygons")
        self.write("nan.vtk", surface_files.vtk([[math.nan, 0.0, 0.0], *self.points[1:]], self.triangles))
        self.denoise_mesh("nan.vtk", "-o", "o.vtk", status=1, words="cannot read nan.vtk: ")
        self.write("point.vtk", surface_files.vtk([[1.0, 2.0, 3.0]] * 3, [[0, 1, 2]]))
        self.denoise_mesh("point.vtk", "-o", "o.vtk", status=1, words="none of which has three different corners")
        self.assertEqual(self.names(), before)


class Comparing(surface_test.SurfaceTest):
    def sheet(self, count, height):
        """A flat sheet of count^2 squares of 1 mm, whose corners are at a height."""
        points = [[float(i), float(j), height(i, j)] for i in range(count + 1) for j in range(count + 1)]
        at = lambda i, j: i * (count + 1) + j
        cells = [[at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)] for i in range(count) for j in range(count)]
        return points, [t for a, b, c, d in cells for t in ([a, b, c], [a, c, d])]

    def test_distances_are_integrated_over_the_area(self):
        flat = self.sheet(8, lambda i, j: 0.0)
        rough = self.sheet(8, lambda i, j: 0.1 if (i + 2 * j) % 3 == 0 else -0.05)
        self.write("flat.vtk", surface_files.vtk(*flat))
        self.write("rough.vtk", surface_files.vtk(*rough))
        figures = self.compare("flat.vtk", "rough.vtk")
        # The square of what is linear between the corners, by its closed form, and the angle between planes.
        square, angle, whole = 0.0, 0.0, 0.0
        for cell in rough[1]:
            a, b, c = (rough[0][i] for i in cell)
            area = surface_files.area([a, b, c], [[0, 1, 2]])
            square += area * (a[2] ** 2 + b[2] ** 2 + c[2] ** 2 + a[2] * b[2] + b[2] * c[2] + c[2] * a[2]) / 6
            angle += area * math.degrees(math.acos(0.5 / area))
            whole += area
        self.assertAlmostEqual(figures["distance_test_to_reference"]["rms_mm"], math.sqrt(square / whole), delta=1e-9)
        self.assertAlmostEqual(figures["distance_test_to_reference"]["maximum_mm"], 0.1, delta=1e-9)
        self.assertAlmostEqual(figures["angle_test_to_reference"]["mean_degrees"], angle / whole, delta=1e-6)

    def test_angles(self):
        slope = math.tan(math.radians(25))
        self.write("flat.vtk", surface_files.vtk(*self.sheet(8, lambda i, j: 0.0)))
        tilted = self.sheet(8, lambda i, j: slope * j)
        self.write("tilted.vtk", surface_files.vtk(*tilted))
        self.write("turned.vtk", surface_files.vtk(*surface_files.turned(tilted)))
        for name in ("tilted.vtk", "turned.vtk"):
            figures = self.compare("flat.vtk", name)
            for kind in ("angle", "angle_reference_to_test", "angle_test_to_reference"):
                self.assertAlmostEqual(figures[kind]["mean_degrees"], 25, delta=1e-6)
                self.assertAlmostEqual(figures[kind]["rms_degrees"], 25, delta=1e-6)
        # A surface has the normals of itself.
        self.assertLess(self.compare("noisy.vtk", "noisy.vtk")["angle"]["rms_degrees"], 1e-6)


if __name__ == "__main__":
    programs.run_tests()
