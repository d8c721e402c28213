# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Points, meshes and transforms in files, by itk_cudaneuro: against what the readers and writers of the programs' tests say."""

import json
import math
import unittest
import warnings

import itk
import itk_cudaneuro
import numpy as np

from test_files import FilesTest

import point_files
import test_files_transforms as transform_files

POINTS = [[1.5, -20.25, 3.0], [40.125, 5.0, -60.5], [-7.75, 8.5, 9.25], [10.0, 20.0, 30.5]]
TRIANGLES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]


class Points(FilesTest):
    def read_quietly(self, path):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return itk_cudaneuro.read_points(path)

    def test_every_format(self):
        for name, make in point_files.makers("a", POINTS, TRIANGLES):
            points = self.read_quietly(self.write(name, make()))
            self.assertEqual((points.coordinates.dtype, points.coordinates.shape), (np.float64, (4, 3)))
            # Formats of single precision: 60.5 and so on are exact there.
            np.testing.assert_array_equal(points.coordinates, POINTS, name)

    def test_every_format_is_written(self):
        points = itk_cudaneuro.Points(np.array(POINTS), ["a", "b, c", 'd"', "e"])
        for name in ("p.csv", "p.txt", "p.pts", "p.fcsv", "p.mrk.json"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                itk_cudaneuro.write_points(points, self.folder / name)
            got, _ = point_files.read(name, (self.folder / name).read_bytes())
            self.assertEqual([list(p) for p in got], POINTS, name)
        for name in ("p.csv", "p.mrk.json"):
            self.assertEqual(itk_cudaneuro.read_points(self.folder / name).labels, points.labels, name)

    def test_two_axes(self):
        flat = np.array(POINTS)[:, :2]
        for name in ("flat.csv", "flat.pts"):
            itk_cudaneuro.write_points(flat, self.folder / name)
            np.testing.assert_array_equal(itk_cudaneuro.read_points(self.folder / name).coordinates, flat)
        self.refuse("the points are of 2D", itk_cudaneuro.write_points, flat, self.folder / "flat.fcsv")

    def test_what_the_file_says_stays(self):
        path = self.write("a.mrk.json", point_files.markups(POINTS, "RAS", display={"color": [0.25, 0.5, 1.0]}, name="my list"))
        points = itk_cudaneuro.read_points(path)
        self.assertEqual(points.labels, ["P-0", "P-1", "P-2", "P-3"])
        points.coordinates = points.coordinates + [1.0, 0.0, 0.0]
        points.labels[0] = "first"
        itk_cudaneuro.write_points(points, self.folder / "b.mrk.json")
        written = json.loads((self.folder / "b.mrk.json").read_text())["markups"][0]
        self.assertEqual((written["display"]["color"], written["coordinateSystem"]), ([0.25, 0.5, 1.0], "LPS"))
        self.assertEqual([p["label"] for p in written["controlPoints"]], ["first", "P-1", "P-2", "P-3"])
        self.assertEqual([p["position"] for p in written["controlPoints"]], [[p[0] + 1.0, p[1], p[2]] for p in POINTS])

    def test_columns(self):
        path = self.write("ants.csv", "x,y,z,t,label,comment\n1,2,3,0,a,one\n4,5,6,0,b,two\n")
        points = itk_cudaneuro.read_points(path)
        self.assertEqual((points.labels, points.columns), (["a", "b"], {"t": ["0", "0"], "comment": ["one", "two"]}))
        points.columns["weight"] = [0.5, 2]
        del points.columns["t"]
        itk_cudaneuro.write_points(points, self.folder / "b.csv")
        self.assertEqual(self.read_quietly(self.folder / "b.csv").columns, {"comment": ["one", "two"], "weight": ["0.5", "2"]})
        with self.assertWarnsRegex(UserWarning, "b.pts has no place for .*label"):
            itk_cudaneuro.write_points(points, self.folder / "b.pts")

    def test_points_are_those_that_filters_take(self):
        path = self.write("a.csv", point_files.csv(POINTS))
        template = itk_cudaneuro.read_points(path)
        matched, _ = itk.cuda_match_landmarks(template.coordinates, template.coordinates + 0.5, sigma=20.0)
        itk_cudaneuro.write_points(matched, self.folder / "matched.csv")
        np.testing.assert_array_equal(itk_cudaneuro.read_points(self.folder / "matched.csv").coordinates, matched)

    def test_errors(self):
        self.refuse("there is no such file", itk_cudaneuro.read_points, self.folder / "missing.csv")
        self.refuse("cannot read", itk_cudaneuro.read_points, self.write("bad.csv", "x,y,z\n1,2\n"))
        self.refuse("its ending is that of no file of points", itk_cudaneuro.read_points, self.write("a.doc", ""))
        self.refuse("its ending is that of no format for points", itk_cudaneuro.write_points, np.array(POINTS), self.folder / "a.doc")
        for wrong, message in (
            (np.zeros(3), "accepted are .points, 2. or .points, 3."),
            (np.zeros((2, 4)), "accepted are .points, 2. or .points, 3."),
            (np.zeros((0, 3)), "accepted are .points, 2. or .points, 3."),
            ([[0.0, 0.0, 0.0], [0.0, np.nan, 0.0]], "The place of point 1 is not finite"),
            (itk_cudaneuro.Points(np.array(POINTS), ["a"]), "There are 4 points, and 1 labels"),
            (itk_cudaneuro.Points(np.array(POINTS), [], {"t": ["0"]}), "There are 4 points, and 1 t"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                itk_cudaneuro.write_points(wrong, self.folder / "a.csv")
        self.assertEqual(self.names(), ["a.doc", "bad.csv"])


class Meshes(FilesTest):
    def test_every_format(self):
        for name, make in point_files.makers("a", POINTS, TRIANGLES):
            content = make()
            path = self.write(name, content)
            _, triangles = point_files.read(name, content) if name.endswith((".vtk", ".obj", ".off", ".fsa", ".fsb", ".gii")) else (0, [])
            if not triangles:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                mesh = itk_cudaneuro.read_mesh(path)
            np.testing.assert_array_equal(mesh.points, POINTS, name)
            np.testing.assert_array_equal(mesh.triangles, TRIANGLES, name)
            self.assertEqual(mesh.triangles.dtype, np.int64)
            # Moved by 2, which all formats hold exactly, and with triangles of its own.
            mesh.points = mesh.points + 2.0
            mesh.triangles = mesh.triangles[:2]
            output = self.folder / ("out" + name[name.rindex(".") :])
            itk_cudaneuro.write_mesh(mesh, output)
            points, triangles = point_files.read(output.name, output.read_bytes())
            np.testing.assert_array_equal(np.array(points), np.array(POINTS) + 2.0, name)
            self.assertEqual([list(t) for t in triangles], TRIANGLES[:2], name)

    def test_the_space_that_a_file_notes_stays(self):
        path = self.write("a.vtk", point_files.vtk(point_files.turned(POINTS), TRIANGLES, title="3D Slicer output. SPACE=RAS"))
        mesh = itk_cudaneuro.read_mesh(path)
        itk_cudaneuro.write_mesh(mesh, self.folder / "b.vtk")
        self.assertIn(b"SPACE=RAS", (self.folder / "b.vtk").read_bytes())
        np.testing.assert_array_equal(itk_cudaneuro.read_mesh(self.folder / "b.vtk").points, mesh.points)

    def test_polygons_stay_where_nothing_changes_them(self):
        path = self.write("quad.off", "OFF\n5 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n4 0 1 2 3\n3 0 1 4\n")
        mesh = itk_cudaneuro.read_mesh(path)
        np.testing.assert_array_equal(mesh.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 4]])
        itk_cudaneuro.write_mesh(mesh, self.folder / "same.off")
        self.assertIn("4 0 1 2 3", (self.folder / "same.off").read_text())
        mesh.triangles = mesh.triangles[::-1]
        itk_cudaneuro.write_mesh(mesh, self.folder / "other.off")
        np.testing.assert_array_equal(itk_cudaneuro.read_mesh(self.folder / "other.off").triangles, mesh.triangles)

    def test_meshes_are_those_that_filters_take(self):
        mesh = itk_cudaneuro.Mesh(np.array(POINTS), np.array(TRIANGLES))
        itk_cudaneuro.write_mesh(mesh, self.folder / "a.ply")
        copy = itk_cudaneuro.read_mesh(self.folder / "a.ply")
        np.testing.assert_array_equal(copy.points, mesh.points)
        np.testing.assert_array_equal(copy.triangles, mesh.triangles)

    def test_errors(self):
        self.refuse("has points and no polygons", itk_cudaneuro.read_mesh, self.write("a.csv", point_files.csv(POINTS)))
        self.refuse("cannot read", itk_cudaneuro.read_mesh, self.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 7\n"))
        points = np.array(POINTS)
        for wrong, message in (
            (itk_cudaneuro.Mesh(points, np.array([[0, 1, 4]])), "There are 4 points, and triangles of the points 0 to 4"),
            (itk_cudaneuro.Mesh(points, np.array([[0.0, 1.0, 2.0]])), "accepted are integers of shape"),
            (itk_cudaneuro.Mesh(points, np.array([0, 1, 2])), "accepted are integers of shape"),
            (itk_cudaneuro.Mesh(points[:, :2], np.array(TRIANGLES)), r"accepted are \(points, 3\)"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                itk_cudaneuro.write_mesh(wrong, self.folder / "b.off")
        self.assertEqual(self.names(), ["a.csv", "a.off"])


class Transforms(FilesTest):
    def assert_moves(self, transform, move, tolerance=1e-9):
        """The tolerance is that of rounding in double precision; where a file has single precision, it says so."""
        for point in POINTS:
            self.assertLess(math.dist(transform.TransformPoint(point), move(point)), tolerance)

    def test_affine_transforms_of_all_formats(self):
        for name in transform_files.NAMES:
            content = transform_files.text(name, transform_files.PARAMETERS, transform_files.CENTER)
            for ending in ("txt", "tfm"):
                transform = itk_cudaneuro.read_transform(self.write("a." + ending, content))
                self.assertIs(type(transform), itk.AffineTransform[itk.D, 3])
                self.assert_moves(transform, transform_files.affine)
            columns = [(name, transform_files.PARAMETERS), ("fixed", transform_files.CENTER)]
            self.assert_moves(itk_cudaneuro.read_transform(self.write("a.mat", transform_files.matlab(columns))), transform_files.affine)

    def test_they_are_written(self):
        transform = itk.AffineTransform[itk.D, 3].New()
        transform.SetMatrix(itk.matrix_from_array(np.array(transform_files.MATRIX)))
        transform.SetTranslation(transform_files.TRANSLATION)
        transform.SetCenter(transform_files.CENTER)
        for ending in ("tfm", "txt", "h5", "hdf5", "mat"):
            path = self.folder / ("a." + ending)
            itk_cudaneuro.write_transform(transform, path)
            self.assert_moves(itk_cudaneuro.read_transform(path), transform_files.affine)
        text = (self.folder / "a.tfm").read_text()
        self.assertIn("Transform: AffineTransform_double_3_3", text)
        numbers = [float(word) for word in text.splitlines()[3].split()[1:]]
        np.testing.assert_array_equal(numbers, transform_files.PARAMETERS)

    def test_two_axes(self):
        transform = itk.Euler2DTransform[itk.D].New()
        transform.SetAngle(0.3)
        transform.SetTranslation([1.0, -2.0])
        itk_cudaneuro.write_transform(transform, self.folder / "flat.tfm")
        copy = itk_cudaneuro.read_transform(self.folder / "flat.tfm")
        self.assertIs(type(copy), itk.Euler2DTransform[itk.D])
        self.assertLess(math.dist(copy.TransformPoint([3.0, 4.0]), transform.TransformPoint([3.0, 4.0])), 1e-12)

    def test_fields_and_composites(self):
        # A field that moves all points within its grid by the same.
        shift = np.array([1.5, -2.0, 0.25])
        field = itk.image_from_array(
            np.broadcast_to(shift, (2, 2, 3, 3)).astype(np.float32), ttype=itk.Image[itk.Vector[itk.F, 3], 3]
        )
        field.SetOrigin([-100.0, -50.0, -70.0])
        field.SetSpacing([100.0, 100.0, 200.0])
        for name in ("field.nii.gz", "field.nrrd"):
            itk_cudaneuro.write_image(field, self.folder / name)
            moved = itk_cudaneuro.read_transform(self.folder / name)
            self.assert_moves(moved, lambda point: point + shift)
        composite = itk.CompositeTransform[itk.D, 3].New()
        affine = itk.AffineTransform[itk.D, 3].New()
        affine.SetTranslation([0.5, 0.5, 0.5])
        composite.AddTransform(moved)
        composite.AddTransform(affine)
        for name in ("c.tfm", "c.h5"):
            itk_cudaneuro.write_transform(composite, self.folder / name)
            copy = itk_cudaneuro.read_transform(self.folder / name)
            self.assertIs(type(copy), itk.CompositeTransform[itk.D, 3])
            self.assert_moves(copy, lambda point: point + shift + 0.5)
        self.refuse("which are HDF5 (.h5, .hdf5), text", itk_cudaneuro.write_transform, composite, self.folder / "c.mat")
        self.refuse("which are HDF5 (.h5, .hdf5), text", itk_cudaneuro.write_transform, moved, self.folder / "f.mat")

    def test_registrations_are_read_again(self):
        template = np.array(POINTS)
        _, transform = itk.cuda_match_landmarks(template, template + [0.5, 0.25, 0.0], sigma=20.0)
        itk_cudaneuro.write_transform(transform, self.folder / "map.h5")
        copy = itk_cudaneuro.read_transform(self.folder / "map.h5")
        self.assertIs(type(copy), itk.GeodesicShootingTransform[itk.D, 3])
        self.assert_moves(copy, transform.TransformPoint)

    def test_errors(self):
        few = transform_files.text(transform_files.NAMES[0], transform_files.PARAMETERS[:11], transform_files.CENTER)
        self.refuse("it must be 12", itk_cudaneuro.read_transform, self.write("few.tfm", few))
        self.refuse("there is no such file", itk_cudaneuro.read_transform, self.folder / "missing.tfm")
        self.refuse("lta_convert", itk_cudaneuro.read_transform, self.write("a.xfm", "MNI Transform File\n\nTransform_Type = Linear;\n"))
        transform = itk.AffineTransform[itk.D, 3].New()
        self.refuse("its ending is that of no format", itk_cudaneuro.write_transform, transform, self.folder / "a.jpg")
        for wrong in (np.eye(4), "a.tfm", None):
            with self.assertRaisesRegex(TypeError, "accepted is an itk.Transform of double"):
                itk_cudaneuro.write_transform(wrong, self.folder / "b.tfm")
        self.assertEqual(self.names(), ["a.xfm", "few.tfm"])


if __name__ == "__main__":
    unittest.main()
