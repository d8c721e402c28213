# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The functions that ITK does not generate: registration in a call; what functions return; hints."""

import inspect
import typing
import unittest

import itk
import numpy as np

from phantom import DEVICES, noisy_ball
from test_landmarks import lattice
from test_linear_registration import SHIFT, blobs

FUNCTIONS = (
    "array_from_device_image",
    "array_view_from_device_image",
    "cuda_match_landmarks",
    "cuda_register_images",
    "device_image_from_array",
)
METHODS = ("Translation", "Rigid", "Similarity", "Affine", "Symmetric", "Unbiased", "Greedy")


class RegisterImagesTest(unittest.TestCase):
    SHAPE = (30, 31, 32)

    def test_methods(self):
        fixed, moving = (np.asarray(image) for image in (blobs(self.SHAPE), blobs(self.SHAPE, SHIFT)))
        inside = (slice(4, -4),) * 3
        before = np.abs(moving - fixed)[inside].mean()
        for device in DEVICES:
            for method in METHODS:
                linear = method in METHODS[:4]
                settings = {"number_of_levels": 2} if linear else {"number_of_levels": 2, "number_of_iterations": 40}
                warped, transform = itk.cuda_register_images(fixed, moving, method, compute_device=device, **settings)
                with self.subTest(device=device, method=method):
                    self.assertIsInstance(warped, np.ndarray)
                    self.assertEqual((warped.shape, warped.dtype), (fixed.shape, fixed.dtype))
                    self.assertLess(np.abs(warped - fixed)[inside].mean(), 0.35 * before)
                    mapped = np.array(list(transform.TransformPoint([15.5, 15.0, 14.5])))
                    np.testing.assert_allclose(mapped, np.array([15.5, 15.0, 14.5]) + SHIFT, atol=0.3 if linear else 1.0)

    def test_warped_image_is_the_moving_image_through_the_transform(self):
        """By ITK's own interpolation, at voxels, of all stages together."""
        fixed, moving = blobs(self.SHAPE), blobs(self.SHAPE, SHIFT)
        warped, transform = itk.cuda_register_images(fixed, moving, number_of_levels=1, number_of_iterations=5)
        self.assertEqual(itk.template(warped), itk.template(fixed))
        self.assertEqual(transform.GetNumberOfTransforms(), 2)
        interpolated, moving_array = np.asarray(warped), np.asarray(moving)
        for index in ([12, 13, 14], [15, 15, 15], [18, 12, 16]):
            mapped = np.array(list(transform.TransformPoint([float(i) for i in index])))
            first = np.floor(mapped).astype(int)
            box = moving_array[tuple(slice(i, i + 2) for i in first[::-1])].astype(np.float64)
            for weight in (mapped - first)[::-1]:
                box = box[0] * (1.0 - weight) + box[1] * weight
            # Positions are of float in the warped image and of double in the transform.
            self.assertAlmostEqual(interpolated[tuple(index[::-1])], float(box), delta=1e-3)

    def test_stages_are_the_filters_one_after_the_other(self):
        fixed, moving = blobs(self.SHAPE), blobs(self.SHAPE, SHIFT)
        warped, transform = itk.cuda_register_images(
            fixed, moving, ("Rigid", "Greedy"), compute_device="cpu", number_of_iterations=5, number_of_levels=1
        )
        rigid = itk.CudaLinearRegistrationFilter.New(fixed, moving, TransformType="Rigid", ComputeDevice="cpu")
        rigid.Update()
        greedy = itk.CudaGreedyFluidRegistrationFilter.New(
            fixed, moving, InitialTransform=rigid.GetTransform(), NumberOfLevels=1, NumberOfIterations=5, ComputeDevice="cpu"
        )
        greedy.Update()
        np.testing.assert_array_equal(np.asarray(warped), np.asarray(greedy.GetWarpedImage()))
        point = [12.0, 13.0, 14.0]
        self.assertEqual(list(transform.TransformPoint(point)), list(greedy.GetTransform().TransformPoint(point)))
        # The same in two calls.
        again, _ = itk.cuda_register_images(
            fixed,
            moving,
            "Greedy",
            initial_transform=itk.cuda_register_images(fixed, moving, "Rigid", compute_device="cpu")[1],
            compute_device="cpu",
            number_of_iterations=5,
            number_of_levels=1,
        )
        np.testing.assert_array_equal(np.asarray(again), np.asarray(warped))

    def test_device_images(self):
        arrays = [np.asarray(image) for image in (blobs(self.SHAPE), blobs(self.SHAPE, SHIFT))]
        for device in DEVICES:
            settings = {"number_of_levels": 1, "number_of_iterations": 5}
            expected, _ = itk.cuda_register_images(*arrays, compute_device=device, **settings)
            images = (itk.device_image_from_array(array, compute_device=device) for array in arrays)
            warped, _ = itk.cuda_register_images(*images, **settings)
            self.assertEqual(warped.GetComputeDevice().GetName(), device)
            np.testing.assert_array_equal(itk.array_from_device_image(warped), expected)

    def test_masks(self):
        """The moving image has no value outside its mask."""
        fixed, moving = (np.asarray(image) for image in (blobs((40, 41)), blobs((40, 41), SHIFT)))
        mask = np.zeros(fixed.shape, np.uint8)
        mask[10:30, 10:30] = 1
        warped, _ = itk.cuda_register_images(
            fixed, moving, "Translation", fixed_mask_image=mask, moving_mask_image=mask, number_of_levels=1
        )
        self.assertEqual(np.abs(warped[:6]).max(), 0.0)
        self.assertGreater(warped[20, 20], 0.0)

    def test_errors(self):
        image = blobs((40, 41))
        for method in ("Spline", ("Affine", "Spline"), ()):
            with self.assertRaisesRegex(ValueError, r"use one of Translation, .*Symmetric"):
                itk.cuda_register_images(image, image, method)
        with self.assertRaisesRegex(ValueError, "transform_type is 'Rigid', and is none of the settings here: use method"):
            itk.cuda_register_images(image, image, "Translation", transform_type="Rigid")
        with self.assertRaisesRegex(ValueError, "compute_warped is False, and is none of the settings here"):
            itk.cuda_register_images(image, image, "Greedy", compute_warped=False)
        with self.assertRaisesRegex(RuntimeError, "MaximumStep is 0; it must be"):
            itk.cuda_register_images(image, image, "Greedy", maximum_step=0.0)
        with self.assertRaisesRegex(AttributeError, "SetStep"):
            itk.cuda_register_images(image, image, "Greedy", step=1)


class MatchLandmarksTest(unittest.TestCase):
    def test_points_and_transform(self):
        for dimension in (2, 3):
            for dtype in (np.float32, np.float64):
                points, moved = (array.astype(dtype) for array in lattice(dimension))
                matched, transform = itk.cuda_match_landmarks(points, moved, sigma=4.0, number_of_time_steps=10)
                with self.subTest(dimension=dimension, dtype=dtype):
                    self.assertIsInstance(matched, np.ndarray)
                    self.assertEqual((matched.shape, matched.dtype), (points.shape, points.dtype))
                    # The mismatch that the kinetic energy is worth.
                    np.testing.assert_allclose(matched, moved, atol=0.01)
                    for point, match in zip(points, matched):
                        there = transform.TransformPoint([float(x) for x in point])
                        # Points are rounded to float, or not at all.
                        np.testing.assert_allclose(list(there), match, atol=1e-4)
                        back = transform.GetInverseTransform().TransformPoint(there)
                        np.testing.assert_allclose(list(back), point, atol=1e-6)

    def test_matched_points_are_taken_again(self):
        points, moved = lattice(3)
        matched, _ = itk.cuda_match_landmarks(points, moved, sigma=4.0, number_of_time_steps=10)
        matched += 0.5
        again, _ = itk.cuda_match_landmarks(matched, moved, sigma=4.0, number_of_time_steps=10)
        np.testing.assert_allclose(again, moved, atol=0.01)

    def test_errors(self):
        points, moved = lattice(3)
        for arguments, message in (
            ((points.astype(int), moved), r"The template points are int64 of shape \(27, 3\); accepted"),
            ((points.ravel(), moved), r"of shape \(81,\); accepted"),
            ((points, moved[:, :2].copy()), r"The target points are float64 of shape \(27, 2\) and the template"),
            ((points, moved.astype(np.float32)), "The target points are float32"),
            ((points[::2], moved[::2]), "contiguous"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                itk.cuda_match_landmarks(*arguments, sigma=4.0)
        with self.assertRaisesRegex(TypeError, "builtins.list is no array"):
            itk.cuda_match_landmarks(points.tolist(), moved.tolist(), sigma=4.0)
        with self.assertRaisesRegex(RuntimeError, "Target 0 has 4 points and the template 27"):
            itk.cuda_match_landmarks(points, moved[:4].copy(), sigma=4.0)
        with self.assertRaisesRegex(RuntimeError, "Sigma is -1; it must be"):
            itk.cuda_match_landmarks(points, moved, sigma=-1.0)


class ReturnedValuesTest(unittest.TestCase):
    def test_noise(self):
        estimate = itk.CudaNoiseEstimateImageFilter.New(itk.image_from_array(noisy_ball()), ComputeDevice="cpu")
        estimate.Update()
        sigma = itk.cuda_noise_estimate_image_filter(noisy_ball(), compute_device="cpu")
        self.assertEqual(sigma, estimate.GetNoiseStandardDeviation())
        self.assertIsInstance(sigma, float)

    def test_noise_map(self):
        array = np.random.default_rng(0).normal(1000.0, 5.0, (40, 48, 56)).astype(np.float32)
        noise = itk.cuda_noise_map_image_filter(array, compute_device="cpu")
        self.assertEqual((noise.shape, noise.dtype), (array.shape, np.float32))
        # The standard error is 2 %, and twice that at the ends.
        self.assertLess(np.abs(noise - 5.0).max(), 0.7)
        estimate = itk.CudaNoiseMapImageFilter.New(itk.image_from_array(array), smoothing_sigma=20.0, compute_device="cpu")
        estimate.Update()
        self.assertAlmostEqual(estimate.GetMeanNoise(), 5.0, delta=0.1)
        self.assertEqual((estimate.GetNumberOfVoxels(), estimate.GetNumberOfExcludedVoxels()), (array.size, 0))

    def test_denoising_with_a_noise_map(self):
        options = dict(window_radius=1, patch_radius=1, compute_device="cpu")
        array = noisy_ball()
        number = itk.cuda_non_local_means_image_filter(array, noise_standard_deviation=5.0, **options)
        noise = np.full(array.shape, 5.0, np.float32)
        self.assertTrue((itk.cuda_non_local_means_image_filter(array, noise_map_image=noise, **options) == number).all())
        noise[0, 0, 1] = 0.0
        denoise = itk.CudaNonLocalMeansImageFilter.New(itk.image_from_array(array), **options)
        denoise.SetNoiseMapImage(itk.image_from_array(noise))
        denoise.Update()
        self.assertEqual(denoise.GetNumberOfVoxelsWithoutNoise(), 1)
        noise[0, 0, 1] = np.nan
        with self.assertRaisesRegex(RuntimeError, "voxel .1, 0, 0. is nan"):
            itk.cuda_non_local_means_image_filter(array, noise_map_image=noise, **options)

    def test_edge_preserving_filters_with_a_noise_map(self):
        array = noisy_ball()
        for name, number, options in (
            ("bilateral", {"range_sigma": 2.0 * 5.0}, {"range_factor": 2.0}),
            ("anisotropic_diffusion", {"kappa": 2.0 * 5.0 * 2.0**0.5}, {"kappa_factor": 2.0}),
        ):
            denoise = getattr(itk, f"cuda_{name}_image_filter")
            shared = {"stencil": "Gerig26"} if "kappa" in number else {}
            shared["compute_device"] = "cpu"
            expected = denoise(array, **number, **shared)
            noise = np.full(array.shape, 5.0, np.float32)
            # Factors are multiplied in another order.
            np.testing.assert_allclose(denoise(array, noise_map_image=noise, **options, **shared), expected, atol=1e-4)
            noise[0, 0, 1] = 0.0
            denoised = denoise(array, noise_map_image=noise, **shared)
            self.assertEqual(denoised[0, 0, 1], array[0, 0, 1])
            noise[0, 0, 1] = np.nan
            with self.assertRaisesRegex(RuntimeError, "voxel .1, 0, 0. is nan"):
                denoise(array, noise_map_image=noise, **shared)
            with self.assertRaisesRegex(RuntimeError, "in place of"):
                denoise(array, noise_map_image=noise, **number, **shared)

    def test_denoising_without_a_strength(self):
        denoise = itk.cuda_adaptive_non_local_means_image_filter
        array = np.random.default_rng(0).normal(1000.0, 5.0, (24, 28, 26)).astype(np.float32)
        result = denoise(array, compute_device="cpu")
        self.assertLess(result.std(), 1.0)  # of 5
        noise = itk.cuda_noise_map_image_filter(array, compute_device="cpu")
        self.assertTrue((denoise(array, noise_map_image=noise, compute_device="cpu") == result).all())
        noise = itk.cuda_noise_map_image_filter(array, rician_correction=True, compute_device="cpu")
        options = dict(rician_correction=True, smoothing_factor=1.2, compute_device="cpu")
        self.assertTrue((denoise(array, noise_map_image=noise, **options) == denoise(array, **options)).all())
        number = denoise(array, noise_standard_deviation=5.0, compute_device="cpu")
        noise = np.full(array.shape, 5.0, np.float32)
        self.assertTrue((denoise(array, noise_map_image=noise, compute_device="cpu") == number).all())
        estimate = itk.CudaAdaptiveNonLocalMeansImageFilter.New(itk.image_from_array(array), compute_device="cpu")
        estimate.Update()
        self.assertAlmostEqual(estimate.GetNoiseStandardDeviation(), 5.0, delta=0.2)
        self.assertEqual(estimate.GetNumberOfVoxelsWithoutNoise(), 0)
        with self.assertRaisesRegex(RuntimeError, "set NoiseStandardDeviation or NoiseMapImage"):
            denoise(np.full((9, 9, 9), 3.0, np.float32), compute_device="cpu")

    def test_statistics(self):
        array = noisy_ball()
        array[0, 0, :3] = np.nan
        finite = array[np.isfinite(array)].astype(np.float64)
        result = itk.cuda_statistics_image_filter(array, compute_device="cpu")
        self.assertEqual((result.number_of_voxels, result.number_of_not_finite), (finite.size, 3))
        self.assertEqual((result.minimum, result.maximum), (finite.min(), finite.max()))
        # Sums of float with an error of a few of its roundings.
        for name, expected in (
            ("mean", finite.mean()),
            ("sum", finite.sum()),
            ("variance", finite.var(ddof=1)),
            ("sigma", finite.std(ddof=1)),
        ):
            self.assertAlmostEqual(getattr(result, name) / expected, 1.0, delta=1e-6)

    def test_neighbors(self):
        points = np.random.default_rng(1).normal(size=(60, 5)).astype(np.float32)
        indices, distances = itk.cuda_nearest_neighbors(points=points, number_of_neighbors=2, compute_device="cpu")
        self.assertEqual((indices.shape, indices.dtype, distances.dtype), ((60, 2), np.int32, np.float32))
        np.testing.assert_array_equal(indices[:, 0], np.arange(60))
        on_device = itk.DeviceVectors[itk.F].FromArray(points)
        same, _ = itk.cuda_nearest_neighbors(points=on_device, number_of_neighbors=2)
        self.assertIsInstance(same, itk.DeviceVectors[itk.SI])
        np.testing.assert_array_equal(np.asarray(same), indices)


class DiscoveryTest(unittest.TestCase):
    def test_names(self):
        for name in FUNCTIONS:
            self.assertIn(name, dir(itk))
            self.assertIn(name, dir(itk.CudaNeuro))
            self.assertGreater(len(getattr(itk, name).__doc__), 200)
        self.assertEqual(set(itk.search("device_image")) & set(FUNCTIONS), {name for name in FUNCTIONS if "device" in name})

    def test_hints(self):
        for name in FUNCTIONS:
            signature = inspect.signature(getattr(itk, name))
            self.assertIsNot(signature.return_annotation, inspect.Signature.empty)
            for parameter in signature.parameters.values():
                self.assertIsNot(parameter.annotation, inspect.Parameter.empty, f"{name}: {parameter}")
        returned = {
            name: inspect.signature(getattr(itk, name)).return_annotation
            for name in ("cuda_noise_estimate_image_filter", "cuda_statistics_image_filter", "cuda_bilateral_image_filter")
        }
        self.assertIs(returned["cuda_noise_estimate_image_filter"], float)
        self.assertIn("sigma", typing.get_type_hints(returned["cuda_statistics_image_filter"]))
        parameters = inspect.signature(itk.cuda_bilateral_image_filter).parameters
        self.assertIs(parameters["range_sigma"].annotation, float)


if __name__ == "__main__":
    unittest.main()
