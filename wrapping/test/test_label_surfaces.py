# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Smooth surfaces of labels."""

import unittest

import itk
import numpy as np

from phantom import DEVICES, image_with_geometry

CENTERS = {3: (5.2, 6.3, 5.9), 200: (13.1, 6.1, 6.2)}
RADIUS = 3.4


def two_balls(dtype=np.uint8):
    """Labels 3 and 200, indexed [z, y, x], on a grid of 1 mm; CENTERS are x, y, z."""
    places = np.stack(np.meshgrid(*[np.arange(n) for n in (12, 13, 19)], indexing="ij"), axis=-1)[..., ::-1]
    labels = np.zeros(places.shape[:3], dtype)
    for label, center in CENTERS.items():
        labels[np.linalg.norm(places - center, axis=-1) < RADIUS] = label
    return labels


def volume(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return np.sum(a * np.cross(b, c)) / 6


class LabelSurfacesTest(unittest.TestCase):
    def test_arrays(self):
        for device in DEVICES:
            surfaces = itk.cuda_label_surface_filter(two_balls(), compute_device=device)
            np.testing.assert_array_equal(surfaces.labels, [3, 200])
            self.assertEqual((surfaces.points.dtype, surfaces.points.shape[1:]), (np.float64, (3,)))
            self.assertEqual((surfaces.triangles.shape[1:], surfaces.triangle_labels.shape), ((3,), surfaces.triangles.shape[:1]))
            for i, (label, center) in enumerate(CENTERS.items()):
                triangles = surfaces.triangles[surfaces.triangle_labels == label]
                # Each edge is there once in each direction.
                edges = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
                self.assertEqual({tuple(e) for e in edges}, {tuple(e[::-1]) for e in edges})
                # Steps of voxels of 1 mm leave 0.29 mm.
                heights = np.linalg.norm(surfaces.points[np.unique(triangles)] - center, axis=1) - RADIUS
                self.assertLess(np.sqrt(np.mean(heights**2)), 0.2)
                self.assertEqual(surfaces.label_volumes[i], np.count_nonzero(two_balls() == label))
                self.assertAlmostEqual(surfaces.surface_volumes[i], volume(surfaces.points, triangles), delta=1e-6)
                self.assertAlmostEqual(surfaces.surface_volumes[i], surfaces.label_volumes[i], delta=0.1 * surfaces.label_volumes[i])
                self.assertGreater(surfaces.noise[i], 0.0)

    def test_pixel_types(self):
        expected = itk.cuda_label_surface_filter(two_balls(), labels=[200], compute_device="cpu")
        np.testing.assert_array_equal(expected.labels, [200])
        for dtype in (np.int16, np.uint16, np.float32):
            surfaces = itk.cuda_label_surface_filter(two_balls(dtype), labels=[200], compute_device="cpu")
            np.testing.assert_array_equal(surfaces.points, expected.points)
            np.testing.assert_array_equal(surfaces.triangles, expected.triangles)

    def test_images_are_in_space(self):
        labels = two_balls()
        image = image_with_geometry(labels)
        surfaces = itk.cuda_label_surface_filter(image, labels=[3], compute_device="cpu")
        inside = [image.TransformIndexToPhysicalPoint([int(i) for i in voxel[::-1]]) for voxel in np.argwhere(labels == 3)]
        np.testing.assert_allclose(surfaces.points.mean(axis=0), np.mean(inside, axis=0), atol=0.2)
        self.assertAlmostEqual(surfaces.label_volumes[0], np.prod(image.GetSpacing()) * len(inside), delta=1e-6)
        self.assertAlmostEqual(volume(surfaces.points, surfaces.triangles), surfaces.surface_volumes[0], delta=1e-6)

    def test_class(self):
        expected = itk.cuda_label_surface_filter(two_balls(), compute_device="cpu")
        filter = itk.CudaLabelSurfaceFilter.New(itk.image_from_array(two_balls()), compute_device="cpu")
        filter.Update()
        self.assertEqual([filter.GetLabel(i) for i in range(filter.GetNumberOfSurfaces())], [3, 200])
        np.testing.assert_array_equal(np.array(filter.GetOutput()), expected.points)
        np.testing.assert_array_equal(filter.GetTriangles(), expected.triangles)
        self.assertEqual(filter.GetNumberOfTriangles(1), np.count_nonzero(expected.triangle_labels == 200))
        self.assertEqual(filter.GetNoise(0), expected.noise[0])
        filter.SetLabels([200])
        filter.Update()
        self.assertEqual(filter.GetNumberOfSurfaces(), 1)
        with self.assertRaisesRegex(RuntimeError, "There is no surface 1"):
            filter.GetLabel(1)

    def test_surfaces_go_into_the_filters_of_meshes(self):
        surfaces = itk.cuda_label_surface_filter(two_balls(), compute_device="cpu")
        denoised = itk.cuda_mesh_denoising_filter(surfaces.points, surfaces.triangles, compute_device="cpu")
        self.assertEqual(denoised.shape, surfaces.points.shape)

    def test_errors(self):
        for labels, settings, error, message in (
            (two_balls(), {"labels": [3, 5]}, RuntimeError, "label is 5"),
            (np.zeros((4, 5, 6), np.uint8), {}, RuntimeError, "the number of labels other than 0 is 0"),
            (np.full((4, 5, 6), np.nan, np.float32), {}, RuntimeError, "nan"),
        ):
            with self.assertRaisesRegex(error, message):
                itk.cuda_label_surface_filter(labels, compute_device="cpu", **settings)
        with self.assertRaises((TypeError, KeyError, RuntimeError)):
            itk.cuda_label_surface_filter(np.ones((5, 6), np.uint8), compute_device="cpu")


if __name__ == "__main__":
    unittest.main()
