# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""What itk_cudaneuro does with transforms, against NumPy, ITK's own classes, and files that are made by hand."""

import math
import pathlib
import sys

import itk
import itk_cudaneuro
import numpy as np
from test_files import FilesTest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "test" / "files"))

import nifti_files  # noqa: E402

FIRST = np.array([[1.02, 0.05, -0.03, 1.5], [-0.04, 0.97, 0.06, -2.25], [0.02, -0.07, 1.01, 0.75], [0, 0, 0, 1]])
SECOND = np.array([[0.8, -0.6, 0.0, 10.0], [0.6, 0.8, 0.0, -20.0], [0.0, 0.0, 1.0, 3.0], [0, 0, 0, 1]])
FLIP = np.diag([-1.0, -1.0, 1.0, 1.0])
SIZE, SPACING, ORIGIN = (12, 11, 10), (1.0, 1.5, 2.0), (30.0, -20.0, 50.0)
TURN = np.array(nifti_files.rotation((1.0, 2.0, -0.5), 25.0))
FieldType = itk.Image[itk.Vector[itk.F, 3], 3]


def affine(matrix):
    transform = itk.AffineTransform[itk.D, 3].New()
    transform.SetMatrix(itk.matrix_from_array(np.array(matrix)[:3, :3].copy()))
    transform.SetOffset(list(map(float, np.array(matrix)[:3, 3])))
    return transform


def matrix_of(transform):
    result = np.eye(4)
    result[:3, :3] = itk.array_from_matrix(transform.GetMatrix())
    result[:3, 3] = list(transform.GetOffset())
    return result


def grid(values=None, turn=TURN):
    """An image on a grid that is turned in space."""
    image = itk.image_from_array(np.zeros(SIZE[::-1], np.float32) if values is None else np.ascontiguousarray(values))
    image.SetSpacing(SPACING)
    image.SetOrigin(ORIGIN)
    image.SetDirection(itk.matrix_from_array(turn.copy()))
    return image


def places(turn=TURN):
    """Of the voxels of that grid, as its array has them."""
    z, y, x = np.meshgrid(*(np.arange(n) for n in SIZE[::-1]), indexing="ij")
    return np.stack([x, y, z], -1) * SPACING @ turn.T + ORIGIN


def bent(points, size=1.0):
    """A smooth displacement in mm, whose derivatives are 0.12 at most."""
    x, y, z = np.moveaxis(points, -1, 0)
    return size * np.stack([0.8 * np.sin(0.15 * y + 0.2), 0.6 * np.cos(0.2 * x), 0.7 * np.sin(0.1 * x + 0.12 * z)], -1)


def field_of(vectors, turn=TURN):
    image = itk.image_from_array(np.ascontiguousarray(vectors, np.float32), ttype=FieldType)
    image.CopyInformation(grid(turn=turn))
    return image


def inside(margin=2):
    return places()[margin:-margin, margin:-margin, margin:-margin].reshape(-1, 3)


def mapped(matrix, points):
    return points @ np.array(matrix)[:3, :3].T + np.array(matrix)[:3, 3]


class TransformsTest(FilesTest):
    def field(self, vectors=None, turn=TURN):
        """A transform of one displacement field."""
        itk_cudaneuro.write_image(field_of(bent(places()) if vectors is None else vectors, turn), self.folder / "field.mha")
        return itk_cudaneuro.read_transform(self.folder / "field.mha")

    def assert_moves(self, transform, points, expected, tolerance):
        moved = np.array([list(transform.TransformPoint(list(map(float, point)))) for point in points])
        self.assertLess(np.abs(moved - expected).max(), tolerance)


class Formats(TransformsTest):
    def test_every_format(self):
        """FIRST goes into a file of each and comes back."""
        fixed, moving = grid(), grid(turn=TURN @ np.diag([-1.0, 1.0, 1.0]))
        for name, settings in (
            ("m.tfm", {}), ("m.txt", {}), ("m.h5", {}), ("m.mat", {}),
            ("m.lta", {"fixed": fixed, "moving": moving}),
            ("flirt.mat", {"fixed": fixed, "moving": moving, "format": "flirt"}),
            ("ras.mat", {"format": "ras-matrix"}),
        ):  # fmt: skip
            with self.subTest(name=name):
                itk_cudaneuro.write_transform(affine(FIRST), self.folder / name, **settings)
                for_reading = {} if name == "m.lta" else settings
                copy = itk_cudaneuro.read_transform(self.folder / name, **for_reading)
                self.assertIs(type(copy), itk.AffineTransform[itk.D, 3])
                np.testing.assert_allclose(matrix_of(copy), FIRST, rtol=0, atol=1e-11)
        # Displacements of single precision, of up to 5 mm.
        for name in ("f.nii.gz", "f.mha", "f.nrrd"):
            itk_cudaneuro.write_transform(affine(FIRST), self.folder / name, reference=fixed)
            self.assert_moves(itk_cudaneuro.read_transform(self.folder / name), inside(), mapped(FIRST, inside()), 1e-5)

    def test_matrices_say_what_their_programs_mean(self):
        itk_cudaneuro.write_transform(affine(FIRST), self.folder / "ras.mat", format="ras-matrix")
        np.testing.assert_allclose(np.loadtxt(self.folder / "ras.mat"), FLIP @ FIRST @ FLIP, atol=1e-12)
        # In RAS the grid of this matrix is left-handed, as FSL has it, and the other one is not.
        left, right = grid(), grid(turn=TURN @ np.diag([-1.0, 1.0, 1.0]))
        for fixed, moving in ((left, right), (right, left)):
            def fsl(image):
                to_point = np.eye(4)
                to_point[:3, :3], to_point[:3, 3] = itk.array_from_matrix(image.GetDirection()), ORIGIN
                is_turned = np.linalg.det((FLIP @ to_point)[:3, :3]) > 0
                own = np.diag([-1.0 if is_turned else 1.0, 1.0, 1.0, 1.0])
                own[0, 3] = (SIZE[0] - 1) * SPACING[0] if is_turned else 0.0
                return to_point @ own

            expected = np.linalg.inv(fsl(fixed)) @ np.linalg.inv(FIRST) @ fsl(moving)
            for images in ({"fixed": fixed, "moving": moving}, self.as_files(fixed=fixed, moving=moving)):
                itk_cudaneuro.write_transform(affine(FIRST), self.folder / "flirt.mat", format="flirt", **images)
                # The matrix of a NIfTI header is of single precision.
                tolerance = 1e-11 if images["fixed"] is fixed else 1e-4
                np.testing.assert_allclose(np.loadtxt(self.folder / "flirt.mat"), expected, atol=tolerance)
        itk_cudaneuro.write_transform(affine(FIRST), self.folder / "m.lta", fixed=left, moving=right)
        lines = (self.folder / "m.lta").read_text().splitlines()
        matrix = [[float(word) for word in line.split()] for line in lines[5:9]]
        np.testing.assert_allclose(matrix, FLIP @ np.linalg.inv(FIRST) @ FLIP, atol=1e-12)

    def as_files(self, **images):
        for name, image in images.items():
            itk_cudaneuro.write_image(image, self.folder / f"{name}.nii.gz")
        return {name: self.folder / f"{name}.nii.gz" for name in images}

    def test_several_linear_ones_become_one_where_the_format_holds_one(self):
        both = itk.CompositeTransform[itk.D, 3].New()
        both.AddTransform(affine(SECOND))
        both.AddTransform(affine(FIRST))
        for name, settings in (("m.mat", {}), ("ras.mat", {"format": "ras-matrix"})):
            itk_cudaneuro.write_transform(both, self.folder / name, **settings)
            copy = itk_cudaneuro.read_transform(self.folder / name, **settings)
            np.testing.assert_allclose(matrix_of(copy), SECOND @ FIRST, atol=1e-12)
        itk_cudaneuro.write_transform(both, self.folder / "m.h5")
        self.assertEqual(itk_cudaneuro.read_transform(self.folder / "m.h5").GetNumberOfTransforms(), 2)

    def test_errors(self):
        path = self.folder / "m.lta"
        self.refuse("fixed is missing: an .lta tells the grids of both images", itk_cudaneuro.write_transform, affine(FIRST), path)
        self.refuse("moving is missing: FLIRT's", itk_cudaneuro.write_transform, affine(FIRST), path, format="flirt", fixed=grid())
        self.refuse("reference is missing: an image", itk_cudaneuro.write_transform, affine(FIRST), self.folder / "f.nii")
        words = "the transform is not linear, and a matrix of 4 x 4 is"
        field = self.field()
        self.refuse(words, itk_cudaneuro.write_transform, field, path, format="ras-matrix")
        self.refuse("m.txt: the count of its numbers is 3", itk_cudaneuro.read_transform, self.write("m.txt", "1 2 3\n"), format="ras-matrix")
        with self.assertRaisesRegex(ValueError, "format is 'fsl'; it must be"):
            itk_cudaneuro.write_transform(affine(FIRST), path, format="fsl")
        with self.assertRaisesRegex(TypeError, "The image is of type ndarray"):
            itk_cudaneuro.write_transform(affine(FIRST), path, fixed=np.eye(3), moving=grid())
        self.assertEqual(self.names(), ["field.mha", "m.txt"])


class Composing(TransformsTest):
    def test_linear_transforms_are_multiplied(self):
        composed = itk_cudaneuro.compose_transforms([affine(FIRST), affine(SECOND)])
        self.assertIs(type(composed), itk.AffineTransform[itk.D, 3])
        np.testing.assert_allclose(matrix_of(composed), SECOND @ FIRST, atol=1e-13)

    def test_fields_and_linear_transforms(self):
        """Vectors of single precision, of up to 60 mm."""
        expected = mapped(SECOND, places() + bent(places())) - places()
        composed = itk_cudaneuro.compose_transforms([self.field(), affine(SECOND)], reference=grid())
        self.assertEqual(composed.GetNameOfClass(), "DisplacementFieldTransform")
        self.assert_moves(composed, inside(), inside() + mapped(SECOND, inside() + bent(inside())) - inside(), 1e-5)
        both = itk.CompositeTransform[itk.D, 3].New()
        both.AddTransform(affine(SECOND))
        both.AddTransform(self.field())
        displacements = itk_cudaneuro.transform_to_displacement_field(both, reference=grid())
        self.assertIs(type(displacements), FieldType)
        np.testing.assert_allclose(itk.array_from_image(displacements), expected, atol=1e-5)
        self.refuse("reference is missing", itk_cudaneuro.compose_transforms, [self.field(), affine(SECOND)])
        self.refuse("reference is missing", itk_cudaneuro.transform_to_displacement_field, both)

    def test_images_move_once(self):
        """A ramp, which linear interpolation leaves one, by a field and a linear transform: single precision has 200 to 1e-5."""
        slope = np.array([2.0, -1.0, 3.0])
        near = np.eye(4)
        near[:3, 3] = (0.5, -0.3, 1.0)
        both = itk.CompositeTransform[itk.D, 3].New()
        both.AddTransform(affine(near))
        both.AddTransform(self.field())
        ramp = grid((places() @ slope).astype(np.float32))
        field = itk_cudaneuro.transform_to_displacement_field(both, ramp)
        moved = itk.cuda_warp_image_filter(ramp, displacement_field=field)
        inner = (slice(2, -2),) * 3
        expected = mapped(near, places() + bent(places())) @ slope
        np.testing.assert_allclose(itk.array_from_image(moved)[inner], expected[inner], atol=1e-3)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "There are no transforms"):
            itk_cudaneuro.compose_transforms([])
        with self.assertRaisesRegex(TypeError, "accepted is an itk.Transform of double"):
            itk_cudaneuro.compose_transforms([affine(FIRST), np.eye(4)])


class Inverting(TransformsTest):
    def test_linear_transforms(self):
        np.testing.assert_allclose(matrix_of(itk_cudaneuro.invert_transform(affine(FIRST))), np.linalg.inv(FIRST), atol=1e-13)
        shift = itk.TranslationTransform[itk.D, 3].New()
        shift.SetOffset([1.0, 2.0, -3.0])
        inverse = itk_cudaneuro.invert_transform(shift)
        self.assertIs(type(inverse), itk.TranslationTransform[itk.D, 3])
        self.assertEqual(list(inverse.GetOffset()), [-1.0, -2.0, 3.0])
        flat = FIRST.copy()
        flat[1] = flat[0]
        self.refuse("its AffineTransform is singular: its determinant is", itk_cudaneuro.invert_transform, affine(flat))

    def test_there_and_back(self):
        """1e-3 voxels of 2 mm are the tolerance; what linear interpolation makes of either field is 0.02."""
        both = itk.CompositeTransform[itk.D, 3].New()
        both.AddTransform(affine(SECOND))
        both.AddTransform(self.field())
        inverse, figures = itk_cudaneuro.invert_transform(both, full_output=True)
        self.assertEqual(list(figures), ["iterations", "mean_residual_voxels", "maximum_residual_voxels"])
        self.assertTrue(0.0 < figures["mean_residual_voxels"] < figures["maximum_residual_voxels"] < 1e-3)
        there = itk_cudaneuro.move_points(inside(3), both)
        self.assertLess(np.abs(itk_cudaneuro.move_points(there, inverse) - inside(3)).max(), 0.03)
        coarse = itk_cudaneuro.invert_transform(self.field(), tolerance=0.5, full_output=True)[1]
        self.assertGreater(coarse["maximum_residual_voxels"], 1e-3)


class Jacobians(TransformsTest):
    def test_of_linear_transforms(self):
        jacobian = itk_cudaneuro.jacobian_of_transform(affine(FIRST), reference=grid())
        for value in (jacobian.minimum, jacobian.maximum, *itk.array_from_image(jacobian.image).ravel()):
            self.assertAlmostEqual(value, np.linalg.det(FIRST), 6)
        self.assertEqual((jacobian.folded_voxels, jacobian.voxels), (0, 1320))
        self.refuse("reference is missing", itk_cudaneuro.jacobian_of_transform, affine(FIRST))

    def test_of_mixed_transforms(self):
        """As differences of NumPy along the axes of the grid, whose vectors are of single precision; twice that by a linear map."""
        for size in (1.0, 12.0):
            vectors = bent(places(), size)
            along = [np.gradient(vectors, spacing, axis=axis) for axis, spacing in ((2, SPACING[0]), (1, SPACING[1]), (0, SPACING[2]))]
            expected = np.linalg.det(np.eye(3) + np.stack(along, -1) @ TURN.T)
            both = itk.CompositeTransform[itk.D, 3].New()
            both.AddTransform(affine(np.diag([2.0, 1.0, 1.0, 1.0])))
            both.AddTransform(self.field(vectors))
            jacobian = itk_cudaneuro.jacobian_of_transform(both, reference=grid())
            values = itk.array_from_image(jacobian.image)
            inner = (slice(1, -1),) * 3
            np.testing.assert_allclose(values[inner], 2.0 * expected[inner], atol=1e-4)
            self.assertEqual((jacobian.minimum, jacobian.maximum), (values.min(), values.max()))
            self.assertEqual(jacobian.folded_voxels, (values <= 0).sum())
            self.assertEqual(jacobian.folded_voxels > 0, size > 1.0)


class Comparing(TransformsTest):
    def assert_figures(self, result, expected):
        figures = (result.mean, result.median, result.percentile_95, result.maximum, result.root_mean_square)
        wanted = (expected.mean(), np.median(expected), np.percentile(expected, 95), expected.max(), math.sqrt((expected**2).mean()))
        np.testing.assert_allclose(figures, wanted, rtol=1e-10)
        self.assertEqual(result.voxels, expected.size)

    def test_distances(self):
        expected = np.linalg.norm(mapped(FIRST, places()) - mapped(SECOND, places()), axis=-1)
        result = itk_cudaneuro.compare_transforms(affine(FIRST), affine(SECOND), reference=grid())
        self.assert_figures(result, expected)
        np.testing.assert_allclose(itk.array_from_image(result.image), expected, rtol=1e-6)
        values = np.random.default_rng(2).choice(np.array([0.0, np.nan, np.inf, 1.0, -7.0], np.float32), SIZE[::-1])
        within = ~np.isnan(values) & (values != 0)
        for settings in ({"reference": grid()}, {}):
            result = itk_cudaneuro.compare_transforms(affine(FIRST), affine(SECOND), mask=grid(values), **settings)
            self.assert_figures(result, expected[within])
            np.testing.assert_allclose(itk.array_from_image(result.image), np.where(within, expected, 0.0), rtol=1e-6)
        itk_cudaneuro.write_image(grid(within.astype(np.uint8)), self.folder / "mask.mha")
        result = itk_cudaneuro.compare_transforms(affine(FIRST), affine(SECOND), mask=self.folder / "mask.mha")
        self.assert_figures(result, expected[within])

    def test_mixed_transforms(self):
        """Where the grid is that of the second one's field, and a voxel has no place."""
        flat = np.eye(3)
        vectors = bent(places(flat))
        vectors[5, 5, 5] = np.nan
        result = itk_cudaneuro.compare_transforms(affine(np.eye(4)), self.field(vectors, flat))
        expected = np.linalg.norm(vectors.astype(np.float32).astype(float), axis=-1)
        self.assertEqual(result.voxels_without_place, 1)
        self.assert_figures(result, expected[np.isfinite(expected)])

    def test_errors(self):
        self.refuse("reference is missing", itk_cudaneuro.compare_transforms, affine(FIRST), affine(SECOND))
        empty = grid(np.zeros(SIZE[::-1], np.uint8))
        self.refuse("no voxel is left to compare at", itk_cudaneuro.compare_transforms, affine(FIRST), affine(SECOND), mask=empty)
        small = itk.image_from_array(np.ones((2, 3, 4), np.uint8))
        self.refuse("the mask", itk_cudaneuro.compare_transforms, affine(FIRST), affine(SECOND), reference=grid(), mask=small)


class Moving(TransformsTest):
    def test_points_and_meshes(self):
        both = itk.CompositeTransform[itk.D, 3].New()
        both.AddTransform(affine(SECOND))
        both.AddTransform(self.field())
        points = inside(4)[:3]
        expected = [list(both.TransformPoint(list(map(float, point)))) for point in points]
        np.testing.assert_allclose(itk_cudaneuro.move_points(points, both), expected, atol=1e-12)
        moved = itk_cudaneuro.move_points(itk_cudaneuro.Points(points, ["a", "b", "c"], {"side": ["l", "r", "l"]}), both)
        np.testing.assert_allclose(moved.coordinates, expected, atol=1e-12)
        self.assertEqual((moved.labels, moved.columns), (["a", "b", "c"], {"side": ["l", "r", "l"]}))
        mesh = itk_cudaneuro.move_points(itk_cudaneuro.Mesh(points, np.array([[0, 1, 2]])), both)
        np.testing.assert_allclose(mesh.points, expected, atol=1e-12)
        itk_cudaneuro.write_mesh(mesh, self.folder / "m.ply")
        np.testing.assert_allclose(itk_cudaneuro.read_mesh(self.folder / "m.ply").points, expected, rtol=1e-6)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, r"shape \(2, 2\); accepted are \(points, 3\)"):
            itk_cudaneuro.move_points(np.zeros((2, 2)), affine(FIRST))
        lost = self.field(np.full((*SIZE[::-1], 3), np.nan))
        self.refuse("cannot use the transform: it takes the point", itk_cudaneuro.move_points, inside(), lost)

    def test_devices_are_named(self):
        moved = itk_cudaneuro.move_points(inside(), affine(FIRST), compute_device=itk.ComputeDevice.FromName("cpu"))
        np.testing.assert_allclose(moved, mapped(FIRST, inside()), atol=1e-12)
        self.refuse('Unknown device "gpu"', itk_cudaneuro.move_points, inside(), affine(FIRST), compute_device="gpu")


class Planes(TransformsTest):
    def test_two_axes(self):
        if (itk.F, 2) not in set(itk.Image.keys()):
            self.skipTest("this ITK has no images of two axes")
        shift = itk.TranslationTransform[itk.D, 2].New()
        shift.SetOffset([1.0, -2.0])
        image = itk.image_from_array(np.zeros((7, 9), np.float32))
        result = itk_cudaneuro.compare_transforms(shift, itk_cudaneuro.invert_transform(shift), reference=image)
        self.assertAlmostEqual(result.maximum, math.hypot(2.0, 4.0), 12)
        self.assertAlmostEqual(itk_cudaneuro.jacobian_of_transform(shift, reference=image).minimum, 1.0, 6)
        np.testing.assert_allclose(itk_cudaneuro.move_points(np.array([[3.0, 4.0]]), shift), [[4.0, 2.0]])
        itk_cudaneuro.write_transform(shift, self.folder / "f.mha", reference=image)
        self.assertEqual(itk_cudaneuro.read_transform(self.folder / "f.mha").GetInputSpaceDimension(), 2)
        self.refuse("has 2 axes, and a matrix of 4 x 4 has 3", itk_cudaneuro.write_transform, shift, self.folder / "m", format="ras-matrix")
        self.refuse("3 axes", itk_cudaneuro.jacobian_of_transform, affine(FIRST), reference=image)
        self.refuse("2 to 2 are needed", itk_cudaneuro.compare_transforms, shift, affine(FIRST), reference=image)


if __name__ == "__main__":
    import unittest

    unittest.main()
