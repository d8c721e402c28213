# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what cudaneuro-landmarks says of bad input, and what is left when it is stopped.

    python3 test_landmarks_errors.py LANDMARKS REGISTER CHECK_TRANSFORM_FILE
"""

import json
import math
import os
import resource
import signal
import time

import point_files
import programs
from landmarks_test import TARGET, TEMPLATE, TRIANGLES, LandmarksTest


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
            ("a.off", b"OFF\n3 0 0\n1 2 3\n4 5 6\n7 8\n", "line 5: a point has 2 coordinates"),
            ("a.off", b"OFF\n999999 0 0\n1 2 3\n", "the number of points is 999999; the rest of the file has 11 bytes"),
            ("a.fsa", b"1 0\n", "it begins neither with the bytes FF FF FE nor, as text, with"),
            ("a.fsb", b"\xff\xff\xff\n", "it is no surface of triangles of FreeSurfer"),
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
            (["--time-steps", "0"], "--number-of-time-steps: must be at least 1"),
            (["--time-steps", "10001"], "--number-of-time-steps is 10001"),
            (["--integrator", "leapfrog"], "--integrator: must be one of euler, heun, runge-kutta-4"),
            (["--precision", "half"], "--precision: must be one of single, double"),
            (["--device", "cuda:99"], 'no device "cuda:99"'),
            (["--convergence", "nan"], "--convergence-threshold: must be at least 0"),
        ]:
            before = self.names()
            given = ["--sigma", "6"] if "--sigma" not in arguments else []
            self.expect(1, words, "landmarks", "match", "template.csv", "target.csv", *given, "-o", "o.h5", "-q", *arguments)
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
        for more in ([], ["--inverse"]):
            self.warp(1, "cannot use shear.tfm: the matrix of its AffineTransform is singular", "shear.tfm", *more, "--points", "template.csv", "-o", "o.csv")
        self.write("field.mha", programs.meta_header((2, 2, 2), "MET_FLOAT").replace(b"ElementType", b"ElementNumberOfChannels = 3\nElementType") + bytes(96))
        words = "field.mha has a DisplacementFieldTransform whose inverse is not known; cudaneuro-transform invert finds that of displacements"
        self.warp(1, words, "field.mha", "--inverse", "--points", "template.csv", "-o", "o.csv")

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
            error = self.expect_end(process, 128 + number)
            self.assertEqual(error, "cudaneuro-landmarks: stopped; no output was written\n")
            self.assertEqual(self.names(), before)


if __name__ == "__main__":
    programs.run_tests()
