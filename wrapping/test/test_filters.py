# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The functions and classes on itk.Image and NumPy arrays, against double precision."""

import itertools
import unittest

import itk
import numpy as np

import reference
from phantom import DEVICES, image_with_geometry, noisy_ball

# The module promises 1e-5 of the data range, which is about 150 here.
TOLERANCE = 1e-5 * 150

SMALL = {
    "cuda_bilateral_image_filter": {"radius": 1, "range_sigma": 20.0},
    "cuda_anisotropic_diffusion_image_filter": {"number_of_iterations": 2, "kappa": 10.0},
    "cuda_non_local_means_image_filter": {"window_radius": 1, "patch_radius": 1},
    "cuda_adaptive_non_local_means_image_filter": {},
}


class FilterTest(unittest.TestCase):
    def expect_close(self, result, expected):
        self.assertLess(np.abs(np.asarray(result, np.float64) - expected).max(), TOLERANCE)

    def test_bilateral(self):
        for device in DEVICES:
            for shape in ((12, 14, 13), (21, 17)):
                array = noisy_ball(shape)
                result = itk.cuda_bilateral_image_filter(
                    array, radius=2, domain_sigma=1.5, range_sigma=25.0, use_image_spacing=False, compute_device=device
                )
                self.assertEqual(result.dtype, np.float32)
                self.expect_close(result, reference.bilateral(array, 2, 1.5, 25.0))

    def test_bilateral_sweep(self):
        for device in DEVICES:
            array = noisy_ball()
            parameters = {"range_sigma": 25.0, "use_image_spacing": False, "compute_device": device}
            results = itk.cuda_bilateral_sweep_image_filter(
                array, radii=[1, 2], domain_sigmas=[0.75, 1.5, 3.0], **parameters
            )
            self.assertEqual(len(results), 6)
            for result, (radius, sigma) in zip(results, itertools.product((1, 2), (0.75, 1.5, 3.0))):
                self.expect_close(result, reference.bilateral(array, radius, sigma, 25.0))

    def test_anisotropic_diffusion(self):
        for device in DEVICES:
            array = noisy_ball()
            result = itk.cuda_anisotropic_diffusion_image_filter(
                array,
                stencil="PeronaMalik6",
                conductance="PeronaMalikRational",
                number_of_iterations=1,
                time_step=0.1,
                kappa=15.0,
                compute_device=device,
            )
            self.expect_close(result, reference.perona_malik_step(array, 0.1, 15.0))

    def test_non_local_means(self):
        for device in DEVICES:
            array = noisy_ball()
            result = itk.cuda_non_local_means_image_filter(
                array,
                weighting="PatchDistance",
                center_weight="One",
                window_radius=2,
                patch_radius=1,
                smoothing_parameter=12.0,
                compute_device=device,
            )
            self.expect_close(result, reference.non_local_means(array, 2, 1, 12.0))

    def test_structural_similarity(self):
        for device in DEVICES:
            array = noisy_ball()
            other = noisy_ball(seed=2)
            images = [itk.image_from_array(a) for a in (array, other)]
            filter = itk.CudaStructuralSimilarityImageFilter.New(
                images[0], test_image=images[1], data_range=255.0, compute_device=device
            )
            filter.Update()
            squared_error = np.mean((array.astype(np.float64) - other) ** 2)
            # Both sums are in double precision.
            self.assertAlmostEqual(filter.GetMeanSquaredError(), squared_error, delta=1e-6 * squared_error)
            self.assertLess(filter.GetMeanStructuralSimilarity(), 0.999)
            map_of_itself = itk.cuda_structural_similarity_image_filter(
                array, test_image=array, data_range=255.0, compute_device=device
            )
            self.assertLess(np.abs(map_of_itself - 1.0).max(), 1e-5)
            for first, second in ((array, other), images):
                means = itk.cuda_structural_similarity_image_filter(
                    first, test_image=second, data_range=255.0, compute_map=False, compute_device=device
                )
                self.assertEqual(means.mean_structural_similarity, filter.GetMeanStructuralSimilarity())
                self.assertEqual(means.mean_squared_error, filter.GetMeanSquaredError())

    def test_pixel_types(self):
        for name, parameters in SMALL.items():
            function = getattr(itk, name)
            for device in DEVICES:
                for pixel_type in (np.uint8, np.int16, np.uint16, np.float32, np.float64):
                    for shape in ((7, 9, 8), (11, 10)):
                        array = noisy_ball(shape).astype(pixel_type)
                        result = function(array, compute_device=device, **parameters)
                        self.assertEqual((result.dtype, result.shape), (array.dtype, array.shape))
                        in_float = function(array.astype(np.float32), compute_device=device, **parameters)
                        expected = np.rint(in_float) if np.issubdtype(pixel_type, np.integer) else in_float
                        # A value within rounding error of a half may go either way.
                        self.assertLessEqual(np.abs(result.astype(np.float64) - expected).max(), 1.0)
                        self.assertLess(np.mean(result != expected.astype(pixel_type)), 0.02)

    def test_geometry(self):
        image = image_with_geometry(noisy_ball())
        for name, parameters in SMALL.items():
            result = getattr(itk, name)(image, **parameters)
            self.assertIsInstance(result, itk.Image[itk.F, 3])
            for get in ("GetSpacing", "GetOrigin", "GetDirection"):
                np.testing.assert_array_equal(np.asarray(getattr(result, get)()), np.asarray(getattr(image, get)()))

    def test_mask(self):
        array = noisy_ball()
        mask = (array > 80).astype(np.uint8)
        for device in DEVICES:
            for name, parameters in SMALL.items():
                result = getattr(itk, name)(array, mask_image=mask, compute_device=device, **parameters)
                np.testing.assert_array_equal(result[mask == 0], array[mask == 0])
                self.assertTrue(np.any(result[mask == 1] != array[mask == 1]))

    def test_mixes_with_filters_of_itk(self):
        image = itk.image_from_array(noisy_ball().astype(np.int16))
        cast = itk.CastImageFilter[itk.Image[itk.SS, 3], itk.Image[itk.F, 3]].New(image)
        bilateral = itk.CudaBilateralImageFilter[itk.Image[itk.F, 3], itk.Image[itk.F, 3]].New(cast.GetOutput())
        bilateral.SetRadius(1)
        bilateral.SetRangeSigma(20.0)
        back = itk.CastImageFilter[itk.Image[itk.F, 3], itk.Image[itk.SS, 3]].New(bilateral.GetOutput())
        back.Update()
        expected = itk.cuda_bilateral_image_filter(
            noisy_ball().astype(np.int16).astype(np.float32), radius=1, range_sigma=20.0
        )
        np.testing.assert_array_equal(itk.array_from_image(back.GetOutput()), expected.astype(np.int16))

    def test_names_of_choices(self):
        diffusion = itk.CudaAnisotropicDiffusionImageFilter[itk.Image[itk.F, 3], itk.Image[itk.F, 3]].New()
        self.assertEqual((diffusion.GetStencilName(), diffusion.GetConductanceName()), ("GeometricMean26", "PeronaMalikRational"))
        diffusion.SetStencil("Gerig26")
        diffusion.SetConductance("Charbonnier")
        self.assertEqual((diffusion.GetStencilName(), diffusion.GetConductanceName()), ("Gerig26", "Charbonnier"))
        means = itk.CudaNonLocalMeansImageFilter[itk.Image[itk.F, 3], itk.Image[itk.F, 3]].New()
        means.SetWeighting("PatchSum")
        means.SetCenterWeight("One")
        self.assertEqual((means.GetWeightingName(), means.GetCenterWeightName()), ("PatchSum", "One"))

    def test_noise_estimate(self):
        noise = np.random.default_rng(3).normal(100.0, 8.0, (24, 24, 24)).astype(np.float32)
        filter = itk.CudaNonLocalMeansImageFilter.New(itk.image_from_array(noise))
        filter.Update()
        # Some 14,000 samples: half a percent, and the estimator's own few percent.
        self.assertAlmostEqual(filter.GetNoiseStandardDeviation(), 8.0, delta=0.4)
        self.assertGreater(filter.GetSmoothingParameter(), 0.0)

    def test_progress_and_abort(self):
        for device in DEVICES:
            filter = itk.CudaNonLocalMeansImageFilter.New(
                itk.image_from_array(noisy_ball((40, 40, 40))), compute_device=device
            )
            seen = []
            filter.AddObserver(itk.ProgressEvent(), lambda: seen.append(filter.GetProgress()))
            filter.Update()
            self.assertEqual(seen, sorted(seen))
            self.assertEqual(seen[-1], 1.0)
            self.assertGreater(len(seen), 2)
            filter.AddObserver(itk.ProgressEvent(), lambda: filter.AbortGenerateDataOn())
            filter.Modified()
            with self.assertRaisesRegex(RuntimeError, "abort"):
                filter.Update()

    def test_docstrings(self):
        for name in SMALL:
            self.assertIn("Voxels outside the mask", getattr(itk, name).__doc__)
        filter = itk.CudaBilateralImageFilter[itk.Image[itk.F, 3], itk.Image[itk.F, 3]]
        self.assertIn("Tomasi and Manduchi", filter.__doc__)
        self.assertIn("1e-30 to 1e30; default 50", filter.SetRangeSigma.__doc__)
        self.assertIn("shares the memory", itk.DeviceImage[itk.F, 3].FromArray.__doc__)
        registration = itk.CudaLinearRegistrationFilter[itk.Image[itk.F, 3], itk.Image[itk.F, 3]]
        self.assertIn("LocalCorrelation", registration.SetMetric.__doc__)
        self.assertIn("CudaFluidRegistrationFilter", registration.SetNumberOfIterationsPerLevel.__doc__)


if __name__ == "__main__":
    unittest.main()
