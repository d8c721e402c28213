# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-landmarks: the formats that it reads and writes, what its outputs are and which way they lead, and what it
says of bad input.

    python3 test_landmarks.py LANDMARKS REGISTER CHECK_TRANSFORM_FILE
"""

import array
import json
import math
import os
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

import point_files
import programs

# Points of a bent sheet, about 4 mm apart, and where a smooth map takes them.
TEMPLATE = [[4.0 * i, 4.0 * j, 3.0 * math.sin(0.4 * i)] for i in range(5) for j in range(5)]
TRIANGLES = [[5 * i + j, 5 * i + j + 1, 5 * i + j + 5] for i in range(4) for j in range(4)]
QUICK = ["--time-steps", "10", "--iterations", "100", "--threads", "1", "-q"]


def moved(points, amount=1.0):
    return [[p[0] + amount * math.sin(0.2 * p[1]), p[1] + 0.5 * amount, p[2] - amount * math.cos(0.1 * p[0])] for p in points]


TARGET = moved(TEMPLATE)
# Distances that the iterations of these tests leave are below this, in mm; points move by more than 1 mm.
NEAR = 0.1


def largest_distance(points, others):
    assert len(points) == len(others)
    return max(math.dist(p, q) for p, q in zip(points, others))


class LandmarksTest(programs.ProgramTest):
    """Each test has a folder with a template and a target."""

    def setUp(self):
        super().setUp()
        self.write("template.csv", point_files.csv(TEMPLATE))
        self.write("target.csv", point_files.csv(TARGET))

    def match(self, status, words, *arguments, points=("template.csv", "target.csv"), **options):
        return self.expect(status, words, "landmarks", "match", *points, "--sigma", "6", *arguments, *QUICK, **options)

    def warp(self, status, words, *arguments, **options):
        return self.expect(status, words, "landmarks", "warp", *arguments, "--threads", "1", "-q", **options)

    def expect_refused(self, words, *arguments, **options):
        """Expects an error in one line, and that nothing is written."""
        before = self.names()
        self.match(1, words, *arguments, **options)
        self.assertEqual(self.names(), before)

    def points(self, name):
        return point_files.read(name, (self.folder / name).read_bytes())[0]

    def report(self, name="report.json"):
        return json.loads((self.folder / name).read_text())

    def field(self, name, at):
        """The displacement in a MetaImage of floats at a voxel, and the size."""
        header, _, data = (self.folder / name).read_bytes().partition(b"ElementDataFile = LOCAL\n")
        size = next(list(map(int, line.split(b"=")[1].split())) for line in header.split(b"\n") if line.startswith(b"DimSize"))
        values = array.array("f", data)
        first = len(size) * sum(index * math.prod(size[:axis]) for axis, index in enumerate(at))
        return list(values[first : first + len(size)]), size

    def write_grid(self, name="grid.mha"):
        """A grid with voxels of 4 mm, whose voxel (i, j, 2) is at (4 i, 4 j, 0)."""
        header = programs.meta_header((5, 5, 5), "MET_UCHAR")
        header = header.replace(b"ElementType", b"Offset = 0 0 -8\nElementSpacing = 4 4 4\nElementType")
        self.write(name, header + bytes(125))


class Formats(LandmarksTest):
    def test_every_format_is_read(self):
        self.match(0, "", "--output-transform", "map.tfm")
        self.warp(0, "", "map.tfm", "--points", "template.csv", "-o", "expected.csv")
        expected = self.points("expected.csv")
        for name, make in point_files.makers("in", TEMPLATE, TRIANGLES):
            self.write(name, make())
            self.warp(0, "", "map.tfm", "--points", name, "-o", "moved.csv")
            # Some formats have numbers of single precision, of about 1e-7 of 20 mm.
            self.assertLess(largest_distance(self.points("moved.csv"), expected), 1e-5, name)

    def test_every_format_is_written(self):
        self.match(0, "", "--output-transform", "map.tfm", "--output-points", "expected.csv")
        self.write("mesh.vtk", point_files.vtk(TEMPLATE, TRIANGLES))
        for name in ["o.csv", "o.txt", "o.pts", "o.fcsv", "o.json", "o.mrk.json", "o.vtk", "o.obj", "o.off", "o.fsa", "o.fsb", "o.gii"]:
            self.warp(0, "", "map.tfm", "--points", "mesh.vtk", "-o", name)
            points, triangles = point_files.read(name, (self.folder / name).read_bytes())
            # FreeSurfer's text has six digits behind the point.
            self.assertLess(largest_distance(points, self.points("expected.csv")), 1e-5, name)
            self.assertIn(triangles, (TRIANGLES, []), name)
            self.assertEqual(bool(triangles), name[1:] not in (".csv", ".txt", ".pts", ".fcsv", ".json", ".mrk.json"), name)
            self.assertNotIn(b"unfinished", (self.folder / name).read_bytes())

    def test_labels_stay(self):
        self.write("template.mrk.json", point_files.markups(TEMPLATE, "RAS"))
        self.match(0, "", "--output-points", "o.mrk.json", points=("template.mrk.json", "target.csv"))
        file = self.report("o.mrk.json")
        self.assertEqual([p["label"] for p in file["markups"][0]["controlPoints"]], [f"P-{i}" for i in range(len(TEMPLATE))])
        self.assertEqual(file["markups"][0]["coordinateSystem"], "LPS")
        self.match(0, "", "--output-points", "o.csv", points=("o.mrk.json", "target.csv"))
        self.assertIn("P-3", (self.folder / "o.csv").read_text().split("\n")[4])

    def test_lines_and_cells_of_other_kinds(self):
        content = point_files.vtk(TEMPLATE).split(b"POINT_DATA")[0]
        self.write("lines.vtk", content + b"LINES 1 4\n3 0 1 2\nVERTICES 1 2\n1 7\nPOLYGONS 1 5\n4 0 1 6 5\n")
        self.match(0, "", "--mesh", "lines.vtk", "--output-mesh", "o.vtk")
        words = (self.folder / "o.vtk").read_text().split()
        self.assertEqual(words[words.index("LINES") + 1 : words.index("LINES") + 3], ["1", "4"])
        self.assertEqual(words[words.index("VERTICES") + 1], "1")
        self.assertEqual(words[words.index("POLYGONS") + 2], "5")
        self.match(0, "", "--mesh", "lines.vtk", "--output-mesh", "o.obj")
        for line in ("l 1 2 3", "p 8", "f 1 2 7 6"):
            self.assertIn(line, (self.folder / "o.obj").read_text().split("\n"))
        self.expect_refused("cannot write o.off: the mesh has lines or vertices", "--mesh", "lines.vtk", "--output-mesh", "o.off")
        self.expect_refused("cannot write o.fsb: there are no triangles", "--output-points", "o.fsb")

    def test_2d(self):
        self.write("flat.csv", point_files.csv([p[:2] for p in TEMPLATE]))
        self.write("flat_target.txt", point_files.txt([p[:2] for p in TARGET]))
        self.write("grid.mha", programs.meta_header((6, 7), "MET_UCHAR") + bytes(42))
        outputs = ["-o", "map.h5", "--output-points", "o.csv", "--output-field", "f.mha", "--reference", "grid.mha"]
        self.match(0, "", *outputs, "--output-trajectory", "t.csv", points=("flat.csv", "flat_target.txt"))
        self.assertLess(largest_distance(self.points("o.csv"), [p[:2] for p in TARGET]), NEAR)
        self.assertEqual(self.field("f.mha", (0, 0))[1], [6, 7])
        self.warp(0, "", "map.h5", "--points", "flat.csv", "-o", "again.txt")
        self.assertLess(largest_distance(self.points("again.txt"), self.points("o.csv")), 1e-4)
        words = "cannot write o.vtk: the points are of 2D, which .csv, .txt and .pts can hold"
        self.expect_refused(words, "--output-points", "o.vtk", points=("flat.csv", "flat_target.txt"))


class Outputs(LandmarksTest):
    def test_points_reach_their_targets(self):
        self.match(0, "", "--output-points", "o.csv")
        self.assertLess(largest_distance(self.points("o.csv"), TARGET), NEAR)

    def test_transforms_lead_there_and_back(self):
        for ending in ["tfm", "txt", "h5", "mat"]:
            self.match(0, "", "-o", f"map.{ending}", "--output-inverse-transform", f"back.{ending}")
            self.warp(0, "", f"map.{ending}", "--points", "template.csv", "-o", "there.csv")
            self.assertLess(largest_distance(self.points("there.csv"), TARGET), NEAR, ending)
            for arguments in [[f"back.{ending}"], [f"map.{ending}", "--inverse"]]:
                self.warp(0, "", *arguments, "--points", "there.csv", "-o", "back.csv")
                # The flow is computed in double precision on the CPU.
                self.assertLess(largest_distance(self.points("back.csv"), TEMPLATE), 1e-6, ending)

    def test_another_mesh_is_carried_along(self):
        between = [[(a + b) / 2 for a, b in zip(p, q)] for p, q in zip(TEMPLATE, TEMPLATE[1:] + TEMPLATE[:1])]
        self.write("between.obj", point_files.obj(between, TRIANGLES))
        self.match(0, "", "--mesh", "between.obj", "--output-mesh", "mesh.vtk", "-o", "map.h5")
        self.warp(0, "", "map.h5", "--points", "between.obj", "-o", "again.csv")
        self.assertLess(largest_distance(self.points("mesh.vtk"), self.points("again.csv")), 1e-9)
        self.assertEqual(point_files.read("mesh.vtk", (self.folder / "mesh.vtk").read_bytes())[1], TRIANGLES)
        # Points between landmarks go where the smooth map takes them, but for what landmarks do not know of it.
        near = [i for i in range(len(between)) if i % 5 != 4]
        self.assertLess(max(math.dist(self.points("mesh.vtk")[i], moved(between)[i]) for i in near), 0.5)

    def test_fields_are_displacements_of_their_maps(self):
        self.write_grid()
        outputs = ["--output-field", "f.mha", "--output-inverse-field", "b.mha", "--reference", "grid.mha"]
        self.match(0, "", *outputs, "-o", "map.tfm")
        at = [(i, j, 2) for i in range(5) for j in range(5)]
        self.write("voxels.csv", point_files.csv([[4.0 * i, 4.0 * j, 0.0] for i, j, _ in at]))
        for name, arguments in [("f.mha", []), ("b.mha", ["--inverse"])]:
            self.warp(0, "", "map.tfm", *arguments, "--points", "voxels.csv", "-o", "o.csv")
            expected = [[b - a for a, b in zip(p, q)] for p, q in zip(self.points("voxels.csv"), self.points("o.csv"))]
            got = [self.field(name, index)[0] for index in at]
            # Fields are computed in single precision.
            self.assertLess(largest_distance(got, expected), 1e-4, name)
            self.warp(0, "", "map.tfm", *arguments, "--reference", "grid.mha", "--output-field", "again.mha")
            self.assertLess(largest_distance([self.field("again.mha", index)[0] for index in at], got), 1e-6)
        # A field of displacements is a map, too.
        self.warp(0, "", "f.mha", "--points", "voxels.csv", "-o", "through.csv")
        self.warp(0, "", "map.tfm", "--points", "voxels.csv", "-o", "o.csv")
        self.assertLess(largest_distance(self.points("through.csv"), self.points("o.csv")), 1e-4)

    def test_itk_resamples_with_the_transform_as_with_the_field(self):
        self.write("moving.mha", programs.meta_header((20, 20, 12), "MET_UCHAR") + bytes((x * 9 + y * 7 + z * 5) % 200 for z in range(12) for y in range(20) for x in range(20)))
        self.match(0, "", "-o", "map.h5", "--output-field", "field.mha", "--reference", "moving.mha")
        quick = ["--iterations", "0", "--levels", "1", "--threads", "1", "-q", "--output-type", "float"]
        for name in ["map.h5", "field.mha"]:
            arguments = ["unbiased", "moving.mha", "moving.mha", "--initial-transform", name, "-o", "warped.mha", *quick]
            self.expect(0, "", "register", *arguments)
            for transform in ["map.h5", "field.mha"]:
                check = [programs.PROGRAMS["CheckTransformFile"], "moving.mha", transform, "warped.mha", "0.5", "0.05"]
                done = subprocess.run(check, cwd=self.folder, capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, f"{name} {transform} {done.stdout}{done.stderr}")

    def test_momenta_and_trajectory(self):
        self.match(0, "", "--output-momenta", "m.csv", "--output-trajectory", "t.csv", "--output-points", "o.csv")
        rows = [line.split(",") for line in (self.folder / "m.csv").read_text().split()]
        self.assertEqual(rows[0], ["x", "y", "z", "px", "py", "pz"])
        self.assertEqual([[float(x) for x in row[:3]] for row in rows[1:]], TEMPLATE)
        # Work is done along the way: momenta point where points go.
        self.assertGreater(sum(float(row[4]) for row in rows[1:]), 0)
        rows = [line.split(",") for line in (self.folder / "t.csv").read_text().split()]
        self.assertEqual(rows[0], ["time", "point", "x", "y", "z"])
        values = [[float(x) for x in row] for row in rows[1:]]
        count = len(TEMPLATE)
        self.assertEqual(len(values), 11 * count)
        # Trajectories are computed in single precision around the middle of the points.
        self.assertLess(largest_distance([row[2:] for row in values[:count]], TEMPLATE), 1e-5)
        self.assertLess(largest_distance([row[2:] for row in values[-count:]], self.points("o.csv")), 1e-4)
        self.assertEqual([row[0] for row in values[::count]], [i / 10 for i in range(11)])
        self.match(0, "", "--output-trajectory", "t.vtk")
        self.assertEqual(len(self.points("t.vtk")), 11 * count)
        words = (self.folder / "t.vtk").read_text().split()
        # A line for each point, through its places at all times.
        first = words.index("LINES") + 1
        self.assertEqual(words[first : first + 2], [str(count), str(12 * count)])
        self.assertEqual(words[first + 2 : first + 14], ["11", *(str(count * time) for time in range(11))])

    def test_report(self):
        self.match(0, "", "--json", "report.json", "--output-points", "o.csv")
        report = self.report()
        self.assertEqual(report["number_of_points"], len(TEMPLATE))
        self.assertEqual(report["dimension"], 3)
        self.assertEqual(report["device"], "cpu")
        expected = {"sigma": 6, "lambda": 5e5, "time_steps": 10, "integrator": "euler", "precision": "single", "iterations": 100}
        self.assertLessEqual(expected.items(), report["parameters"].items())
        (target,) = report["targets"]
        self.assertEqual((target["name"], target["target"]), ("target", "target.csv"))
        distances = [math.dist(p, q) for p, q in zip(TEMPLATE, TARGET)]
        self.assertAlmostEqual(target["distance_before"]["mean_mm"], sum(distances) / len(distances), places=5)
        self.assertAlmostEqual(target["distance_before"]["maximum_mm"], max(distances), places=5)
        self.assertAlmostEqual(target["distance_after"]["maximum_mm"], largest_distance(self.points("o.csv"), TARGET), places=4)
        columns = target["iterations"]
        self.assertEqual({len(columns[name]) for name in ("loss", "kinetic_energy", "mismatch")}, {target["number_of_iterations"] + 1})
        self.assertEqual(columns["loss"], sorted(columns["loss"], reverse=True))
        for loss, energy, mismatch in zip(columns["loss"], columns["kinetic_energy"], columns["mismatch"]):
            self.assertAlmostEqual(loss, energy + mismatch, delta=1e-12 * loss)
        squares = sum(math.dist(p, q) ** 2 for p, q in zip(self.points("o.csv"), TARGET))
        # Written points are in double; those of the loss in single have errors of 1e-5 mm, of distances of some 0.05 mm.
        self.assertAlmostEqual(columns["mismatch"][-1], 5e5 * squares, delta=2e-3 * columns["mismatch"][-1])
        self.assertIn(target["stop_reason"], ("converged", "maximum_number_of_iterations", "line_search_failed"))
        self.assertEqual(target["outputs"], {"points": "o.csv"})
        self.assertLessEqual({"matching", "writing", "total"}, set(report["seconds"]))

    def test_summary(self):
        out = self.expect(0, "", "landmarks", "match", "template.csv", "target.csv", "--sigma", "6", *QUICK[:-1], "--output-points", "o.csv")
        self.assertIn("25 points of 3D", out)
        self.assertIn("target   target.csv: distance ", out)

    def test_weights(self):
        # A point of weight 0 is carried along by the others, whatever its target is.
        odd = [list(p) for p in TARGET]
        odd[12] = [100.0, -50.0, 30.0]
        self.write("odd.csv", point_files.csv(odd))
        self.write("weights.csv", b"weight\n" + b"".join(b"0\n" if i == 12 else b"1\n" for i in range(25)))
        self.write("weights.txt", b" ".join(b"0" if i == 12 else b"1" for i in range(25)))
        for name in ["weights.csv", "weights.txt"]:
            self.match(0, "", "--weights", name, "--output-points", "o.csv", points=("template.csv", "odd.csv"))
            self.assertLess(largest_distance(self.points("o.csv"), TARGET), 1.0)

    def test_methods(self):
        for arguments in [["--integrator", "heun"], ["--integrator", "runge-kutta-4"], ["--precision", "double"], ["--lambda", "1e4"]]:
            self.match(0, "", "--output-points", "o.csv", *arguments)
            self.assertLess(largest_distance(self.points("o.csv"), TARGET), 10 * NEAR, arguments)

    def test_several_targets(self):
        (self.folder / "b").mkdir()
        self.write("b/target.csv", point_files.csv(moved(TEMPLATE, -0.7)))
        self.write("third.txt", point_files.txt(moved(TEMPLATE, 0.3)))
        points = ("template.csv", "target.csv", "b/target.csv", "third.txt")
        self.match(0, "", "--output-points", "{name}_moved.csv", "-o", "{name}.h5", "--json", "report.json", points=points)
        self.assertEqual([target["name"] for target in self.report()["targets"]], ["target_1", "target_2", "third"])
        for name, amount in [("target_1", 1.0), ("target_2", -0.7), ("third", 0.3)]:
            self.assertLess(largest_distance(self.points(f"{name}_moved.csv"), moved(TEMPLATE, amount)), NEAR, name)
            self.assertTrue((self.folder / f"{name}.h5").is_file())
        # Each has the result that it has alone.
        self.match(0, "", "--output-points", "alone.csv")
        self.assertEqual((self.folder / "alone.csv").read_bytes(), (self.folder / "target_1_moved.csv").read_bytes())
        self.expect_refused("with 3 targets it must have {name} in it", "-o", "map.h5", points=points)
        self.expect_refused("--json is r{name}.json; there is one report of all targets", "--json", "r{name}.json", points=points)


def turned(points, degrees, scale=1.0):
    """Points that are turned about the third axis, scaled and shifted."""
    c, s = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    return [[c * p[0] - s * p[1] + 3.0, s * p[0] + c * p[1] - 5.0, scale * p[2] + 7.0] for p in points]


def root_mean_square(points, others):
    return math.sqrt(sum(math.dist(p, q) ** 2 for p, q in zip(points, others)) / len(points))


class Alignment(LandmarksTest):
    POINTS = ("template.csv", "turned.csv")

    def match_turned(self, words, *arguments):
        """The target of the one target of a match, in its report."""
        self.match(0, words, "--json", "report.json", "--output-points", "o.csv", *arguments, points=self.POINTS)
        return self.report()["targets"][0]

    def test_points_that_remain_far_are_a_warning(self):
        self.write("turned.csv", point_files.csv(turned(TEMPLATE, 40)))
        # Too few iterations for a way of some 10 mm.
        few = ["--sigma", "6", "--iterations", "2", "--time-steps", "10", "--threads", "1", "-q"]
        words = "where they are turned, shifted or scaled as a whole, --align takes that off first"
        outputs = ["--json", "report.json", "--output-points", "o.csv"]
        self.expect(0, words, "landmarks", "match", *self.POINTS, *outputs, *few)
        target = self.report()["targets"][0]
        self.assertTrue(target["remains_far"])
        self.assertNotIn("distance_aligned", target)
        after = target["distance_after"]["root_mean_square_mm"]
        self.assertAlmostEqual(after, root_mean_square(self.points("o.csv"), self.points("turned.csv")), places=4)

    def test_a_rotation_and_a_scale_are_taken_off_first(self):
        for align, scale in [("rigid", 1.0), ("similarity", 1.3)]:
            to = turned(TARGET, 40, scale)
            self.write("turned.csv", point_files.csv(to))
            outputs = ["-o", "map.h5", "--output-inverse-transform", "back.h5", "--output-trajectory", "t.csv"]
            target = self.match_turned("", "--align", align, *outputs)
            self.assertFalse(target["remains_far"])
            before, aligned, after = (target[f"distance_{when}"]["root_mean_square_mm"] for when in ("before", "aligned", "after"))
            self.assertAlmostEqual(before, root_mean_square(TEMPLATE, to), places=5)
            self.assertLess(aligned, 2.0 * scale)
            self.assertLess(after, NEAR)
            self.assertLess(largest_distance(self.points("o.csv"), to), 2 * NEAR)
            # What is written has all of the map in it.
            self.warp(0, "", "map.h5", "--points", "template.csv", "--output-points", "w.csv")
            self.assertLess(largest_distance(self.points("w.csv"), self.points("o.csv")), 1e-3)
            self.warp(0, "", "back.h5", "--points", "w.csv", "--output-points", "b.csv")
            self.assertLess(largest_distance(self.points("b.csv"), TEMPLATE), 1e-3)
            rows = [[float(x) for x in line.split(",")] for line in (self.folder / "t.csv").read_text().split()[1:]]
            self.assertLess(largest_distance([row[2:] for row in rows[-len(TEMPLATE):]], self.points("o.csv")), 1e-3)
            # A composite is of several parts.
            self.expect_refused("map.mat", "--align", align, "-o", "map.mat")

    def test_points_that_leave_it_open_are_refused(self):
        self.write("line.csv", point_files.csv([[float(i), 2.0 * i, 0.0] for i in range(5)]))
        self.expect_refused("the width of the points of the template", "--align", "rigid", "-o", "map.h5", points=("line.csv", "line.csv"))
        self.write("two.csv", point_files.csv(TEMPLATE[:2]))
        words = "the number of points of positive weight is 2; it must be 3 or greater"
        self.expect_refused(words, "--align", "rigid", "-o", "map.h5", points=("two.csv", "two.csv"))


class Pictures(LandmarksTest):
    def draw(self, *arguments):
        """Runs the program on a display of its own, which is not shown. Tests are left out where nothing can be drawn."""
        xvfb = shutil.which("xvfb-run")
        command = [xvfb, "-a"] if xvfb and "DISPLAY" not in os.environ else []
        command += [programs.PROGRAMS["landmarks"], "match", "template.csv", "target.csv", "--sigma", "6", *arguments, *QUICK]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        if "cannot be drawn: " in done.stderr and ("without VTK" in done.stderr or not xvfb):
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)

    def colors(self, name):
        """The colors of a PNG of 8 bits without interlacing, each with the number of its pixels."""
        import zlib

        content = (self.folder / name).read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        width, height, _, kind = struct.unpack(">IIBB", content[16:26])
        channels = {2: 3, 6: 4}[kind]
        at, data = 8, b""
        while at < len(content):
            (size,) = struct.unpack(">I", content[at : at + 4])
            data += content[at + 8 : at + 8 + size] if content[at + 4 : at + 8] == b"IDAT" else b""
            at += 12 + size
        rows = zlib.decompress(data)
        self.assertEqual(len(rows), height * (1 + channels * width))
        return width, height, rows

    def test_picture(self):
        self.draw("--picture", "path.png")
        width, height, rows = self.colors("path.png")
        self.assertEqual((width, height), (1200, 900))
        # Rows of background are all equal; those with points are not.
        self.assertGreater(len({rows[i : i + len(rows) // height] for i in range(0, len(rows), len(rows) // height)}), 50)

    def test_animation(self):
        self.draw("--animation", "frames")
        names = sorted(os.listdir(self.folder / "frames"))
        self.assertEqual(names, [f"frame_{i:04}.png" for i in range(11)])
        self.assertEqual(len({(self.folder / "frames" / name).read_bytes() for name in names}), 11)

    def test_without_a_display(self):
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        status, _, error = self.run_program("landmarks", "match", "template.csv", "target.csv", "--sigma", "6", *QUICK, "--picture", "o.png", env=environment)
        if status != 0:
            self.assertEqual((status, error.count("\n")), (1, 1), error)
            self.assertIn("--picture cannot be drawn: this ", error)
            self.assertNotIn("o.png", self.names())


class BadInput(LandmarksTest):
    def test_files_of_points(self):
        for name, content, words in [
            ("a.csv", b"", "it is empty"),
            ("a.csv", b"x,y,z\n", "it has no points"),
            ("a.csv", b"x,y,z\n1,2,nan\n", 'the z in line 2 is "nan"'),
            ("a.csv", b"x,w\n1,2\n", "it has no column y; its columns are x, w"),
            ("a.csv", b"1,2,3\n1,2\n", "line 2: it has 2 values; the first line has 3"),
            ("a.csv", b"1,2,3,4\n", "line 1: it has 4 numbers"),
            ("a.csv", b"1e13,2,3\n", "coordinate x of point 0 is 1e+13; it must be a number from -1e12 to 1e12"),
            ("a.txt", b"1 2 3\n4 5\n", "line 2: it has 2 values; the first line has 3"),
            ("a.txt", b"1 2 inf\n", 'the z in line 1 is "inf"'),
            ("a.txt", b"1\n", "it has no column y"),
            ("a.json", b"{", "it is no JSON"),
            ("a.json", b"[1]", 'it has no "markups"'),
            ("a.json", json.dumps({"markups": []}).encode(), "it has 0 markups"),
            ("a.json", point_files.markups(TEMPLATE, "voxels"), 'coordinateSystem is "voxels"'),
            ("a.json", point_files.markups(TEMPLATE, "LPS", coordinateUnits="m"), 'coordinateUnits is "m"'),
            ("a.json", point_files.markups(TEMPLATE).replace(b'"defined"', b'"moved"', 1), "positionStatus of control point 1"),
            ("a.vtk", b"hello\n", "line 1: it is no legacy file of VTK"),
            ("a.vtk", point_files.vtk(TEMPLATE)[:100], "the number of points is 25; the rest of the file has"),
            ("a.vtk", b"# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2     \n", "it is cut short: a coordinate is missing"),
            ("a.vtk", point_files.vtk(TEMPLATE, binary=True)[:500], "cut short"),
            ("a.vtk", point_files.vtk(TEMPLATE).replace(b"POLYDATA", b"UNSTRUCTURED_GRID"), "DATASET POLYDATA can be worked on"),
            ("a.vtk", point_files.vtk(TEMPLATE, [[0, 1, 25]]), "a cell of it has point 25, counted from 0; there are 25 points"),
            ("a.vtk", point_files.vtk([[math.nan, 0, 0]], binary=True), "coordinate x of point 0 is nan"),
            ("a.obj", b"v 1 2\n", "line 1: a point has 2 coordinates"),
            ("a.obj", b"v 1 2 3\nf 1 2 3\n", "a cell of it has point 1, counted from 0; there are 1 points"),
            ("a.obj", b"f -1 2 3\n", "line 1: a point of a face is -1"),
            ("a.off", b"OFF BINARY\n", 'it begins with "OFF BINARY"'),
            ("a.off", b"OFF\n3 0 0\n1 2 3\n4 5 6\n7 8\n", "it is cut short: a coordinate is missing"),
            ("a.off", b"OFF\n999999 0 0\n1 2 3\n", "the number of points is 999999; the rest of the file has 11 bytes"),
            ("a.fsa", b"1 0\n", 'it does not begin with "#!ascii"'),
            ("a.fsb", b"\xff\xff\xff\n", "it is no binary surface of triangles"),
            ("a.fsb", point_files.fsb(TEMPLATE, TRIANGLES)[:-1], "it is cut short"),
            ("a.gii", b"<xml/>", "it is no GIFTI file"),
            ("a.gii", point_files.gii(TEMPLATE).replace(b'Dim0="25"', b'Dim0="26"'), "it is cut short; there are 300 bytes of 312"),
            ("a.gii", point_files.gii(TEMPLATE).replace(b"Base64Binary", b"Base65Binary"), "its NIFTI_INTENT_POINTSET must have an Encoding of ASCII"),
            ("a.vtp", b"<VTKFile/>", "its ending is that of no file of points that is known here, which are .csv"),
        ]:
            self.write(name, content)
            self.expect_refused(f"cannot read {name}: ", "--output-points", "o.csv", points=(name, "target.csv"))
            self.expect_refused(words, "--output-points", "o.csv", points=("template.csv", name))
            (self.folder / name).unlink()

    def test_points_that_do_not_correspond(self):
        self.write("few.csv", point_files.csv(TARGET[:-1]))
        self.write("flat.csv", point_files.csv([p[:2] for p in TARGET]))
        words = "cannot read few.csv: it has 24 points, and template.csv 25"
        self.expect_refused(words, "--output-points", "o.csv", points=("template.csv", "few.csv"))
        words = "cannot read flat.csv: its points have 2 coordinates, and those of template.csv 3"
        self.expect_refused(words, "--output-points", "o.csv", points=("template.csv", "flat.csv"))
        before = self.names()
        status, _, error = self.run_program("landmarks", "match", "template.csv", "few.csv", "gone.csv", "flat.csv", "--sigma", "6", "-o", "{name}.h5", "-q")
        self.assertEqual((status, error.count("\n"), self.names()), (1, 1, before), error)
        for words in ["3 files cannot be used: ", "few.csv", "gone.csv: there is no such file", "flat.csv"]:
            self.assertIn(words, error)

    def test_weights(self):
        for content, words in [
            (b"1 2 3\n", "it has 3 weights, and template.csv 25 points"),
            (b"1 " * 24 + b"-1\n", "weight 24 is -1; it must be at least 0"),
            (b"1 " * 24 + b"much\n", 'a weight is "much"'),
            (b"0 " * 25, "weight"),
        ]:
            self.write("w.txt", content)
            self.expect_refused(words, "--weights", "w.txt", "--output-points", "o.csv")
        self.write("w.csv", b"x,y\n1,2\n")
        self.expect_refused("it has no column weight", "--weights", "w.csv", "--output-points", "o.csv")

    def test_parameters(self):
        for arguments, words in [
            (["--sigma", "0"], "--sigma: must be positive"),
            (["--sigma", "1e31"], "--sigma is 1e+31"),
            (["--lambda", "-1"], "--lambda: must be positive"),
            (["--time-steps", "0"], "--time-steps: must be at least 1"),
            (["--time-steps", "10001"], "--time-steps is 10001"),
            (["--integrator", "leapfrog"], "--integrator: must be one of euler, heun, runge-kutta-4"),
            (["--precision", "half"], "--precision: must be one of single, double"),
            (["--device", "cuda:99"], 'no device "cuda:99"'),
            (["--convergence", "nan"], "--convergence: must be at least 0"),
        ]:
            before = self.names()
            given = ["--sigma", "6"] if "--sigma" not in arguments else []
            got, _, error = self.run_program("landmarks", "match", "template.csv", "target.csv", *given, "-o", "o.h5", "-q", *arguments)
            self.assertEqual(got, 1, error)
            self.assertIn(words, error)
            self.assertEqual(self.names(), before)
        for missing in [["match", "template.csv", "target.csv", "-o", "o.h5"], ["match", "template.csv", "target.csv", "--sigma", "6"], ["warp", "a.h5"]]:
            self.assertEqual(self.run_program("landmarks", *missing)[0], 2)

    def test_outputs(self):
        self.write_grid()
        for arguments, words in [
            (["-o", "o.xyz"], "cannot write o.xyz: its ending is that of no format for transforms"),
            (["--output-points", "o.vtp"], "cannot write o.vtp: its ending is that of no format for points"),
            (["--output-momenta", "o.txt"], "cannot write o.txt: its ending must be .csv"),
            (["--output-trajectory", "o.obj"], "cannot write o.obj: its ending must be .csv or .vtk"),
            (["--output-points", "template.csv"], "would overwrite the input template.csv"),
            (["--output-points", "o.csv", "--output-momenta", "./o.csv"], "would overwrite the output o.csv"),
            (["-o", "nowhere/o.h5"], "there is no folder nowhere"),
            (["--json", "target.csv"], "would overwrite the input target.csv"),
            (["--output-field", "grid.mha", "--reference", "grid.mha"], "would overwrite the input grid.mha"),
        ]:
            before = self.contents()
            self.match(1, words, *arguments)
            self.assertEqual(self.contents(), before)

    def test_grids_and_maps(self):
        self.write("flat.mha", programs.meta_header((6, 7), "MET_UCHAR") + bytes(42))
        self.expect_refused("flat.mha has 2 axes, and the points of template.csv 3", "--reference", "flat.mha", "--output-field", "f.mha")
        self.match(0, "", "-o", "map.tfm")
        text = (self.folder / "map.tfm").read_text()
        self.write("flat.csv", point_files.csv([p[:2] for p in TARGET]))
        self.warp(1, "map.tfm has a transform of 3 axes", "map.tfm", "--points", "flat.csv", "-o", "o.csv")
        lines = text.split("\n")
        fixed = next(i for i, line in enumerate(lines) if line.startswith("FixedParameters:"))
        values = lines[fixed].split(":")[1].split()
        for at, value, words in [
            (0, "2", ""),  # version of the layout
            (1, "2", "its GeodesicShootingTransform_double_3_3 cannot be used: the dimension is 2; it must be 3"),
            (2, "24", "its GeodesicShootingTransform_double_3_3 cannot be used: the number of points is 24; it must be 25"),
            (3, "-1", ""),  # sigma
            (4, "0", ""),  # time steps
            (5, "3", ""),  # sums in a time step
            (6, "2", ""),  # direction
        ]:
            changed = [*values[:at], value, *values[at + 1 :]]
            self.write("bad.tfm", "\n".join([*lines[:fixed], "FixedParameters: " + " ".join(changed), *lines[fixed + 1 :]]).encode())
            self.warp(1, "cannot read bad.tfm: " + words, "bad.tfm", "--points", "template.csv", "-o", "o.csv")
            self.expect(1, "cannot read bad.tfm: " + words, "register", "unbiased", "fixed.mha", "moving.mha", "-i", "bad.tfm", "-o", "o.nii", "-q")
        self.write("bad.tfm", text.replace("Parameters: ", "Parameters: 1 ", 1).encode())
        self.warp(1, "the count of parameters of its GeodesicShootingTransform_double_3_3 is 76; it must be 75", "bad.tfm", "--points", "template.csv", "-o", "o.csv")
        self.assertNotIn("o.csv", self.names())
        self.write("shear.tfm", b"#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\nParameters: 1 0 0 0 0 0 0 0 1 0 0 0\nFixedParameters: 0 0 0\n")
        self.warp(1, "whose inverse is not known", "shear.tfm", "--inverse", "--points", "template.csv", "-o", "o.csv")

    def test_a_full_disk(self):
        before = self.contents()
        outputs = ["--output-points", "o.vtk", "-o", "o.mat", "--output-momenta", "m.csv"]
        for limit in [0, 100, 700]:
            limits = lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            self.match(1, "cannot write ", *outputs, preexec_fn=limits)
            self.assertEqual(self.contents(), before)

    def test_points_that_cannot_be_reached(self):
        # Two points at the same place cannot go to different ones: they go between them.
        self.write("double.csv", point_files.csv(TEMPLATE[:5] + TEMPLATE[:1]))
        self.write("apart.csv", point_files.csv(TEMPLATE[:5] + [[p + 2.0 for p in TEMPLATE[0]]]))
        points = ("double.csv", "apart.csv")
        self.match(0, "", "--output-points", "o.csv", "--json", "report.json", points=points)
        self.assertEqual(self.report()["targets"][0]["unreachable_points"], 2)
        got = self.points("o.csv")
        self.assertLess(math.dist(got[0], got[5]), 1e-6)
        self.assertLess(math.dist(got[0], [p + 1.0 for p in TEMPLATE[0]]), 0.1)


class Stopping(LandmarksTest):
    def test_signals(self):
        before = self.names()
        for number in [signal.SIGINT, signal.SIGTERM]:
            # A loss that falls slowly, with far more iterations than any test waits for.
            endless = ["--sigma", "300", "--time-steps", "10000", "--iterations", "100000000", "--gradient-tolerance", "0", "--precision", "double"]
            process = self.start("landmarks", "match", "template.csv", "target.csv", *endless, "-o", "o.h5", "--threads", "1", "-q")
            while not any(name.startswith(".o.h5.unfinished") for name in os.listdir(self.folder)):
                self.assertIsNone(process.poll())
                time.sleep(0.001)
            process.send_signal(number)
            _, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number, error)
            self.assertEqual(error, "cudaneuro-landmarks: stopped; no output was written\n")
            self.assertEqual(self.names(), before)


class Synthesis(LandmarksTest):
    def test_landmarks_and_surfaces(self):
        arguments = ["synthesize", "-o", "out", "--points", "60", "--targets", "2", "--seed", "3", "--surfaces", "--json", "r.json", "-q"]
        self.expect(0, "", "landmarks", *arguments, "--mean-distance", "1", "--maximum-distance", "2.5", "--noise", "0")
        names = {name for name in self.names() if name.startswith("out/")}
        self.assertEqual(names, {f"out/{stem}{ending}" for stem in ("template", "target_0001", "target_0002") for ending in (".csv", "_surface.vtk")})
        template = self.points("out/template.csv")
        self.assertEqual(len(template), 60)
        for name in ["target_0001", "target_0002"]:
            distances = [math.dist(p, q) for p, q in zip(template, self.points(f"out/{name}.csv"))]
            self.assertAlmostEqual(sum(distances) / len(distances), 1.0, delta=0.05)
            self.assertEqual(len(self.points(f"out/{name}_surface.vtk")), len(self.points("out/template_surface.vtk")))
        self.assertNotEqual(self.points("out/target_0001.csv"), self.points("out/target_0002.csv"))
        self.assertEqual(self.report("r.json")["seed"], 3)
        self.match(0, "", "--json", "m.json", points=("out/template.csv", "out/target_0001.csv", "out/target_0002.csv"))
        self.assertEqual(len(self.report("m.json")["targets"]), 2)

    def test_parameters(self):
        before = self.names()
        for arguments, words in [(["--points", "0"], "--points"), (["--targets", "0"], "--targets"), (["--smoothness", "0"], "--smoothness is 0"), (["--mean-distance", "1e-20"], "--mean-distance is 1e-20; it must be 0, or at least 1e-9"), (["--seed", "-1"], "--seed: must not be negative; it is -1"), (["--seed", "18446744073709551616"], "--seed: must have at most 18 digits; it is 18446744073709551616"), (["--mean-distance", "9", "--maximum-distance", "3"], "--m")]:
            status, _, error = self.run_program("landmarks", "synthesize", "-o", "out", "-q", *arguments)
            self.assertIn(status, (1, 2), error)
            self.assertIn(words, error)
            self.assertEqual(self.names(), before)


if __name__ == "__main__":
    programs.run_tests()
