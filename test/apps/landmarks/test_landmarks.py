# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-landmarks: the formats that it reads and writes, what its outputs are and which way they lead.

    python3 test_landmarks.py LANDMARKS REGISTER CHECK_TRANSFORM_FILE
"""

import math
import os
import shutil
import struct
import subprocess

import point_files
import programs
from landmarks_test import NEAR, QUICK, TARGET, TEMPLATE, TRIANGLES, LandmarksTest, largest_distance, moved


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
        self.match(0, "o.off is without the lines and vertices of the mesh", "--mesh", "lines.vtk", "--output-mesh", "o.off")
        self.assertEqual(point_files.read_off((self.folder / "o.off").read_bytes())[1], [[0, 1, 6, 5]])
        self.write("lines.vtk", content + b"LINES 1 4\n3 0 1 2\n")
        self.expect_refused("cannot write no.off: the mesh has lines or vertices alone", "--mesh", "lines.vtk", "--output-mesh", "no.off")
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
        words = "cannot write o.vtk: the points are of 2D, which .csv, .tsv, .txt and .pts can hold"
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
                check = [*programs.command("CheckTransformFile"), "moving.mha", transform, "warped.mha", "0.5", "0.05"]
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
        words = "where they are turned, shifted or scaled as a whole, --point-alignment takes that off first"
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
        command += [*programs.command("landmarks"), "match", "template.csv", "target.csv", "--sigma", "6", *arguments, *QUICK]
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
        for arguments, words in [(["--points", "0"], "--number-of-points: must be at least 1"), (["--targets", "0"], "--targets"), (["--smoothness", "0"], "--smoothness: must be at least 1"), (["--smoothness", "1001"], "--smoothness is 1001"), (["--mean-distance", "1e-20"], "--mean-distance is 1e-20; it must be from 1e-09 to 1000, or 0"), (["--seed", "-1"], "--seed: must not be negative; it is -1"), (["--seed", "18446744073709551616"], "--seed: must have at most 18 digits; it is 18446744073709551616"), (["--mean-distance", "9", "--maximum-distance", "3"], "--m")]:
            status, _, error = self.run_program("landmarks", "synthesize", "-o", "out", "-q", *arguments)
            self.assertIn(status, (1, 2), error)
            self.assertIn(words, error)
            self.assertEqual(self.names(), before)


if __name__ == "__main__":
    programs.run_tests()
