# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Signed distances of labels, levels and meshes, and the denoising of surfaces."""

import itertools
import unittest

import itk
import numpy as np

from phantom import DEVICES, image_with_geometry

Image = itk.Image[itk.F, 3]
DeviceImage = itk.DeviceImage[itk.F, 3]
Points = itk.DevicePointSet[itk.D, 3]


def ball_distance(shape=(19, 21, 23), radius=6.0, noise=0.0):
    """The signed distance to a ball in the middle, float32, indexed [z, y, x]."""
    axes = np.meshgrid(*[np.arange(n) - (n - 1) / 2 for n in shape], indexing="ij")
    distance = np.sqrt(sum(a * a for a in axes)) - radius
    return (distance + np.random.default_rng(1).normal(0.0, noise, shape)).astype(np.float32)


def box_mesh(low, high):
    """The corners of a box, and its triangles, counterclockwise seen from outside."""
    points = np.array([[(low, high)[k][axis] for axis, k in enumerate(c)] for c in itertools.product((0, 1), repeat=3)])
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return points, np.array([(f[0], f[i], f[i + 1]) for f in faces for i in (1, 2)])


def box_distance(points, low, high):
    beyond = np.maximum(low - points, points - high)
    return np.linalg.norm(np.maximum(beyond, 0), axis=-1) + np.minimum(beyond.max(axis=-1), 0)


def mesh_filter(points, triangles, image_type=Image, **parameters):
    filter = itk.CudaMeshToSignedDistanceImageFilter[Points, image_type].New(triangles=triangles, **parameters)
    filter.SetInput(Points.FromArray(points))
    return filter


def noisy_sphere(noise=0.1, cuts=12, radius=6.0):
    """The surface of a cube of cuts^2 squares a side that is blown up to a sphere, with noise along its radii."""
    grid = np.stack(np.meshgrid(np.arange(cuts + 1), np.arange(cuts + 1), indexing="ij"), axis=-1).reshape(-1, 2)
    plane = 2.0 * grid / cuts - 1.0
    at = lambda i, j: i * (cuts + 1) + j
    squares = [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)) for i in range(cuts) for j in range(cuts)]
    points, triangles = [], []
    for axis, sign in itertools.product(range(3), (-1.0, 1.0)):
        side = np.roll(np.column_stack([np.full(len(plane), sign), plane]), axis, axis=1)
        for a, b, c, d in squares:
            cells = ((a, b, c), (a, c, d))
            triangles += [tuple(i + len(points) * len(plane) for i in cell[:: int(sign)]) for cell in cells]
        points.append(side)
    points, numbers = np.unique(np.round(np.concatenate(points), 9), axis=0, return_inverse=True)
    radii = radius + np.random.default_rng(1).normal(0.0, noise, len(points))
    points *= (radii / np.linalg.norm(points, axis=1))[:, None]
    return points, numbers.reshape(-1)[np.array(triangles)]


def roughness(points):
    return np.linalg.norm(points, axis=1).std()


def volume(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return np.sum(a * np.cross(b, c)) / 6


class MeshDenoisingTest(unittest.TestCase):
    def test_arrays(self):
        points, triangles = noisy_sphere()
        for device in DEVICES:
            for dtype in (np.float64, np.float32):
                given = points.astype(dtype)
                denoised = itk.cuda_mesh_denoising_filter(given, triangles, compute_device=device)
                self.assertEqual((type(denoised), denoised.dtype, denoised.shape), (np.ndarray, dtype, points.shape))
                np.testing.assert_array_equal(given, points.astype(dtype))
                # A sphere of 866 vertices: filters of the mesh leave less than half of the noise.
                self.assertLess(roughness(denoised), 0.5 * roughness(points))

    def test_class(self):
        points, triangles = noisy_sphere()
        for device in DEVICES:
            filter = itk.CudaMeshDenoisingFilter[Points, Points].New(triangles=triangles, compute_device=device)
            filter.SetInput(Points.FromArray(points))
            filter.Update()
            denoised = np.array(filter.GetOutput())
            np.testing.assert_array_equal(denoised, itk.cuda_mesh_denoising_filter(points, triangles, compute_device=device))
            # The estimate is of half a thousand neighborhoods, which overlap: some percent.
            self.assertAlmostEqual(filter.GetUsedNoise(), 0.1, delta=0.03)
            self.assertAlmostEqual(filter.GetInputVolume(), volume(points, triangles), delta=1e-6)
            self.assertAlmostEqual(filter.GetOutputVolume(), volume(denoised, triangles), delta=1e-6)
            edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
            lengths = np.linalg.norm(np.diff(points[np.unique(edges, axis=0)], axis=1), axis=-1)
            self.assertAlmostEqual(filter.GetMeanEdgeLength(), lengths.mean(), delta=1e-9)
            self.assertEqual(filter.GetNumberOfBorderEdges(), 0)
            filter.SetNoise(0.2)
            filter.SetTriangles(triangles[1:])
            filter.Update()
            self.assertAlmostEqual(filter.GetUsedNoise(), 0.2, delta=1e-12)
            self.assertEqual(filter.GetNumberOfBorderEdges(), 3)

    def test_device_points(self):
        points, triangles = noisy_sphere()
        result = itk.cuda_mesh_denoising_filter(Points.FromArray(points), triangles, compute_device="cpu")
        self.assertIsInstance(result, Points)
        np.testing.assert_array_equal(np.array(result), itk.cuda_mesh_denoising_filter(points, triangles, compute_device="cpu"))

    @unittest.skipUnless(hasattr(itk, "Mesh") and hasattr(itk, "dict_from_mesh"), "this ITK has no meshes in Python")
    def test_meshes(self):
        points, triangles = noisy_sphere()
        for number in (itk.F, itk.D):
            mesh = itk.Mesh[number, 3].New()
            for i, point in enumerate(points):
                mesh.SetPoint(i, [float(x) for x in point])
                mesh.SetPointData(i, float(i))
            mesh.SetCellsArray(itk.vector_container_from_array(triangles.astype(np.uint64).ravel()), itk.CommonEnums.CellGeometry_TRIANGLE_CELL)
            denoised = itk.cuda_mesh_denoising_filter(mesh, compute_device="cpu")
            self.assertIsInstance(denoised, type(mesh))
            before, after = (itk.dict_from_mesh(one) for one in (mesh, denoised))
            np.testing.assert_array_equal(before["cells"], after["cells"])
            np.testing.assert_array_equal(before["pointData"], after["pointData"])
            given = np.reshape(before["points"], (-1, 3))
            expected = itk.cuda_mesh_denoising_filter(given, triangles, compute_device="cpu")
            np.testing.assert_array_equal(np.reshape(after["points"], (-1, 3)), expected)

    def test_cells_become_triangles(self):
        from itk.support.cudaneuro_meshes import _fans_of_cells

        # As itk.dict_from_mesh has them: type, number of points, points.
        np.testing.assert_array_equal(_fans_of_cells([2, 3, 5, 6, 7, 2, 3, 7, 8, 5]), [[5, 6, 7], [7, 8, 5]])
        np.testing.assert_array_equal(_fans_of_cells([4, 5, 1, 2, 3, 4, 5, 2, 3, 7, 8, 9]), [[1, 2, 3], [1, 3, 4], [1, 4, 5], [7, 8, 9]])
        self.assertEqual(_fans_of_cells([]).shape, (0, 3))
        with self.assertRaisesRegex(ValueError, r"a cell of type 1 \(2 points\)"):
            _fans_of_cells([2, 3, 0, 1, 2, 1, 2, 0, 1])

    def test_errors(self):
        points, triangles = noisy_sphere()
        for arguments, settings, error, message in (
            ((points,), {}, TypeError, "triangles="),
            ((points[:, :2].copy(), triangles), {}, ValueError, r"float64 of shape \(866, 2\)"),
            ((points.astype(int), triangles), {}, ValueError, "accepted are float64 or float32"),
            ((points.tolist(), triangles), {}, TypeError, "is no array"),
            ((points, triangles.astype(float)), {}, ValueError, "Triangles are whole numbers"),
            ((points, triangles + 1), {}, RuntimeError, "point 866, which is not among the 866 points"),
            ((points, triangles[:0]), {}, RuntimeError, "numberOfTriangles is 0"),
            ((points, triangles), {"noise": -1.0}, RuntimeError, "Noise is -1"),
            ((points * np.nan, triangles), {}, RuntimeError, "is nan; it must be finite"),
        ):
            with self.assertRaisesRegex(error, message):
                itk.cuda_mesh_denoising_filter(*arguments, **settings)


class DistanceTest(unittest.TestCase):
    def test_labels(self):
        array = np.zeros((12, 13, 14), np.uint8)
        array[2:6, 3:7, 4:9] = 5
        array[8:, 9:, 10:] = 2
        for device in DEVICES:
            for pixel_type in (np.uint8, np.int16, np.uint16):
                filter = itk.CudaLabelToSignedDistanceImageFilter.New(
                    image_with_geometry(array.astype(pixel_type)), reach=3.0, compute_device=device
                )
                filter.Update()
                self.assertEqual(list(filter.GetLabels()), [2, 5])
                for i, label in enumerate((2, 5)):
                    output = filter.GetOutputOfLabel(label)
                    np.testing.assert_array_equal(itk.array_from_image(filter.GetOutput(i)), itk.array_from_image(output))
                    first = np.array(output.GetLargestPossibleRegion().GetIndex())[::-1]
                    inside = itk.array_from_image(output) < 0
                    # Where the label is, and the grid goes on beyond the image.
                    expected = {tuple(voxel) for voxel in np.argwhere(array == label)}
                    self.assertEqual({tuple(voxel + first) for voxel in np.argwhere(inside)}, expected)
                    np.testing.assert_array_equal(np.asarray(output.GetSpacing()), (0.9, 1.2, 1.5))
                self.assertGreater(first[0] + inside.shape[0], 8)
            results = itk.cuda_label_to_signed_distance_image_filter(array, reach=2.0, compute_device=device)
            self.assertEqual([result.dtype for result in results], [np.float32, np.float32])
            one = itk.cuda_label_to_signed_distance_image_filter(array, reach=2.0, labels=[5], compute_device=device)
            np.testing.assert_array_equal(one, results[1])
            # Three voxels around the label's 4 x 4 x 5; in the middle the boundary is a voxel and a half away, or more.
            self.assertEqual(one.shape, (10, 10, 11))
            self.assertEqual((one[4:6, 4:6, 4:7].max(), one.max()), (-1.5, 2.0))

    def test_device_labels(self):
        array = np.zeros((12, 13, 14), np.uint8)
        array[2:6, 3:7, 4:9] = 1
        for device in DEVICES:
            upload = itk.DeviceUploadImageFilter[itk.Image[itk.UC, 3], itk.DeviceImage[itk.UC, 3]].New(
                itk.image_from_array(array), compute_device=device
            )
            upload.Update()
            result = itk.cuda_label_to_signed_distance_image_filter(upload.GetOutput())
            self.assertIsInstance(result, DeviceImage)
            result = itk.array_from_image(itk.device_download_image_filter(result))
            np.testing.assert_array_equal(result, itk.cuda_label_to_signed_distance_image_filter(array, compute_device=device))

    def test_reinitialization(self):
        distance = ball_distance()
        for device in DEVICES:
            for dtype in (np.float32, np.float64):
                result = itk.cuda_reinitialize_signed_distance_image_filter(
                    (3 * distance).astype(dtype), reach=4.0, compute_device=device
                )
                self.assertEqual(result.dtype, dtype)
                # Chords of a cell of 1.7 mm are 1.7^2 / 8 / 6 mm from the ball; interpolation is as much off.
                np.testing.assert_allclose(result, np.clip(distance, -4, 4), atol=0.15)

    def test_mesh(self):
        low, high = np.array([2.3, 3.1, 2.7]), np.array([9.2, 8.4, 10.9])
        points, triangles = box_mesh(low, high)
        grid = np.stack(np.meshgrid(*[np.arange(13.0)] * 3, indexing="ij"), axis=-1)[..., ::-1]
        expected = np.clip(box_distance(grid, low, high), -2.5, 2.5)
        reference = itk.image_from_array(np.zeros((13, 13, 13), np.float32))
        for device in DEVICES:
            filter = mesh_filter(
                points, triangles, reach=2.5, reference_image=reference, use_reference_image=True, compute_device=device
            )
            filter.Update()
            # Distances are of float32.
            np.testing.assert_allclose(itk.array_from_image(filter.GetOutput()), expected, atol=1e-5)
            self.assertEqual((filter.GetUsedReach(), filter.GetNumberOfAmbiguousVoxels()), (2.5, 0))
            function = itk.cuda_mesh_to_signed_distance_image_filter(
                points, triangles, reach=2.5, reference_image=reference, use_reference_image=True, compute_device=device
            )
            np.testing.assert_array_equal(itk.array_from_image(function), itk.array_from_image(filter.GetOutput()))
            on_device = mesh_filter(points, triangles, DeviceImage, reach=2.5, size=[13, 13, 13], compute_device=device)
            on_device.Update()
            result = itk.device_download_image_filter(on_device.GetOutput())
            np.testing.assert_allclose(itk.array_from_image(result), expected, atol=1e-5)

    def test_bad_meshes(self):
        points, triangles = box_mesh(np.array([2.0, 2.0, 2.0]), np.array([6.0, 6.0, 6.0]))
        for bad, error, message in (
            (triangles[1:], RuntimeError, "openEdges is 3"),
            (triangles + 1, RuntimeError, "point 8, which is not among the 8 points"),
            (triangles - 1, ValueError, "point -1"),
            (triangles.astype(float), ValueError, r"not float64 of shape \(12, 3\)"),
            (triangles.ravel(), ValueError, r"of shape \(36,\)"),
        ):
            with self.assertRaisesRegex(error, message):
                mesh_filter(points, bad, size=[9, 9, 9]).Update()
        with self.assertRaisesRegex(RuntimeError, r"would be empty: its size is \[0, 0, 0\]"):
            mesh_filter(points, triangles).Update()


class LevelSetTest(unittest.TestCase):
    def test_denoising(self):
        truth = ball_distance()
        noisy = itk.cuda_reinitialize_signed_distance_image_filter(ball_distance(noise=0.3))
        near = abs(noisy) < 0.5
        for device in DEVICES:
            # A ball as small as this would shrink.
            result = itk.cuda_non_local_means_level_set_image_filter(noisy, compute_device=device)
            self.assertEqual((result.dtype, result.shape), (np.float32, noisy.shape))
            before, after = (np.abs(level - truth)[near].mean() for level in (noisy, result))
            self.assertLess(after, 0.7 * before)

    def test_parameters_and_results(self):
        image = image_with_geometry(ball_distance(noise=0.1))
        filter = itk.CudaNonLocalMeansLevelSetImageFilter.New(
            image,
            band_width=1.5,
            patch_size=3,
            number_of_neighbors=20,
            spatial_scale=float("inf"),
            similarity_scale=0.5,
            number_of_iterations=3,
            number_of_passes=2,
            compute_device="cpu",
        )
        filter.Update()
        output = filter.GetOutput()
        for get in ("GetSpacing", "GetOrigin", "GetDirection"):
            np.testing.assert_array_equal(np.asarray(getattr(output, get)()), np.asarray(getattr(image, get)()))
        array = itk.array_from_image(image)
        self.assertEqual(filter.GetNumberOfBandVoxels(), np.count_nonzero(abs(array) <= 1.5))
        self.assertEqual((filter.GetUsedBandWidth(), filter.GetUsedSimilarityScale()), (1.5, 0.5))
        self.assertAlmostEqual(filter.GetVolumeAfter(), filter.GetVolumeBefore(), delta=1e-3 * filter.GetVolumeBefore())
        changed = itk.array_from_image(output) != array
        self.assertGreater(np.count_nonzero(changed), 0)

    def test_mask(self):
        array = ball_distance(noise=0.1)
        mask = np.ones(array.shape, np.uint8)
        mask[: array.shape[0] // 2] = 0
        result = itk.cuda_non_local_means_level_set_image_filter(array, mask_image=mask, compute_device="cpu")
        np.testing.assert_array_equal(result[mask == 0], array[mask == 0])
        self.assertTrue(np.any(result[mask == 1] != array[mask == 1]))

    def test_device_images(self):
        array = ball_distance(noise=0.1)
        for device in DEVICES:
            on_device = itk.device_upload_image_filter(itk.image_from_array(array), compute_device=device)
            result = itk.cuda_non_local_means_level_set_image_filter(on_device)
            self.assertIsInstance(result, DeviceImage)
            expected = itk.cuda_non_local_means_level_set_image_filter(array, compute_device=device)
            np.testing.assert_array_equal(itk.array_from_image(itk.device_download_image_filter(result)), expected)

    def test_errors(self):
        array = ball_distance()
        for parameters, message in (
            ({"patch_size": 4}, "PatchSize is 4"),
            ({"number_of_neighbors": 0}, "NumberOfNeighbors is 0"),
            ({"band_width": -1.0}, "BandWidth is -1"),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                itk.cuda_non_local_means_level_set_image_filter(array, compute_device="cpu", **parameters)
        with self.assertRaisesRegex((TypeError, KeyError, RuntimeError), "Image"):
            itk.cuda_non_local_means_level_set_image_filter(array.astype(np.int16))


if __name__ == "__main__":
    unittest.main()
