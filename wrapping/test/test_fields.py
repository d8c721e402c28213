# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Displacement fields and image operations: against their formulas, in NumPy, and as device images."""

import unittest

import itk
import numpy as np

from phantom import DEVICES, image_with_geometry, noisy_ball

Field = itk.Image[itk.Vector[itk.F, 3], 3]
DeviceField = itk.DeviceImage[itk.Vector[itk.F, 3], 3]
DeviceImage = itk.DeviceImage[itk.F, 3]
FINDS_TYPES_BY_NAMES = tuple(int(number) for number in itk.Version.GetITKVersion().split(".")[:2]) >= (5, 4)


def constant_field(shape, displacement):
    """The same displacement, in the order x, y, z, at each voxel."""
    array = np.empty((*shape, 3), np.float32)
    array[...] = displacement
    return array


def field_image(array):
    return itk.image_from_array(array, ttype=Field)


class FieldsTest(unittest.TestCase):
    def test_warp_by_whole_voxels(self):
        array = noisy_ball()
        field = field_image(constant_field(array.shape, (1.0, 0.0, -2.0)))
        for device in DEVICES:
            warped = itk.cuda_warp_image_filter(
                itk.image_from_array(array), displacement_field=field, edge_padding_value=-1.0, compute_device=device
            )
            expected = np.full(array.shape, -1.0)
            expected[2:, :, :-1] = array[:-2, :, 1:]
            np.testing.assert_allclose(itk.array_from_image(warped), expected, atol=1e-3)

    def test_every_interpolation_keeps_voxels(self):
        array = noisy_ball()
        image = itk.image_from_array(array)
        for device in DEVICES:
            for name, tolerance in (("Linear", 0), ("Nearest", 0), ("Label", 0), ("WindowedSinc", 0), ("CubicBSpline", 1e-3)):
                warped = itk.cuda_warp_image_filter(image, interpolation=name, compute_device=device)
                np.testing.assert_allclose(itk.array_from_image(warped), array, rtol=0, atol=tolerance, err_msg=name)
        with self.assertRaisesRegex(RuntimeError, "Linear, Nearest, CubicBSpline, WindowedSinc, Label"):
            itk.CudaWarpImageFilter.New(image).SetInterpolation("cubic")

    @unittest.skipUnless(hasattr(itk, "AffineTransform"), "this ITK does not wrap transforms")
    def test_warp_of_labels_by_a_transform(self):
        labels = (noisy_ball() > 80).astype(np.uint8)
        image = itk.image_from_array(labels)
        transform = itk.AffineTransform[itk.D, 3].New()
        transform.Translate([2.0, 0.0, 0.0])
        warp = itk.CudaWarpImageFilter.New(image, interpolation="Nearest", compute_device="cpu")
        warp.SetTransform(transform)
        warp.SetOutputParametersFromImage(image)
        warp.Update()
        expected = np.zeros_like(labels)
        expected[..., :-2] = labels[..., 2:]
        np.testing.assert_array_equal(itk.array_from_image(warp.GetOutput()), expected)

    def test_compose_invert_and_jacobian(self):
        shape = noisy_ball().shape
        first = field_image(constant_field(shape, (0.5, 1.0, 0.0)))
        second = field_image(constant_field(shape, (1.0, 0.0, 0.25)))
        for device in DEVICES:
            both = itk.cuda_compose_displacement_fields_image_filter(first, second, compute_device=device)
            np.testing.assert_allclose(
                itk.array_from_image(both), constant_field(shape, (1.5, 1.0, 0.25)), atol=1e-6
            )
            invert = itk.CudaInvertDisplacementFieldImageFilter.New(both, compute_device=device)
            invert.Update()
            np.testing.assert_allclose(
                itk.array_from_image(invert.GetOutput()), constant_field(shape, (-1.5, -1.0, -0.25)), atol=0.01
            )
            self.assertLessEqual(invert.GetMaxErrorNorm(), 0.01)
            jacobian = itk.CudaDisplacementFieldJacobianDeterminantFilter.New(both, compute_device=device)
            jacobian.Update()
            np.testing.assert_allclose(itk.array_from_image(jacobian.GetOutput()), 1.0, atol=1e-6)
            self.assertEqual(jacobian.GetNumberOfFoldedVoxels(), 0)

    @unittest.skipUnless(FINDS_TYPES_BY_NAMES, "this ITK finds types by the first argument alone")
    def test_names_of_inputs(self):
        """Functions also take their first input by its name."""
        shape = noisy_ball().shape
        first = field_image(constant_field(shape, (0.5, 1.0, 0.0)))
        second = field_image(constant_field(shape, (1.0, 0.0, 0.25)))
        image = itk.image_from_array(noisy_ball())
        for function, by_position, by_name in (
            (itk.cuda_compose_displacement_fields_image_filter, (first, second), {"displacement_field": first, "warping_field": second}),
            (itk.cuda_invert_displacement_field_image_filter, (first,), {"displacement_field": first}),
            (
                itk.cuda_structural_similarity_image_filter,
                (image, image),
                {"reference_image": image, "test_image": image},
            ),
        ):
            np.testing.assert_array_equal(
                function(**by_name, compute_device="cpu"), function(*by_position, compute_device="cpu")
            )

    def test_fields_as_device_images(self):
        array = noisy_ball()
        vectors = constant_field(array.shape, (1.0, 0.0, 0.0))
        field = DeviceField.FromArray(vectors)
        self.assertEqual((field.shape, field.GetNumberOfComponentsPerPixel()), (vectors.shape, 3))
        self.assertEqual(np.from_dlpack(field).ctypes.data, vectors.ctypes.data)
        warp = itk.CudaWarpImageFilter[DeviceImage, DeviceImage, DeviceField].New()
        warp.SetInput(DeviceImage.FromArray(array))
        warp.SetDisplacementField(field)
        warped = np.from_dlpack(warp.GetOutput())
        self.assertEqual((warp.GetHostToDeviceBytes(), warp.GetDeviceToHostBytes()), (0, 0))
        np.testing.assert_allclose(warped[..., :-1], array[..., 1:], atol=1e-3)
        np.testing.assert_array_equal(itk.array_from_image(itk.device_download_image_filter(field)), vectors)
        with self.assertRaises(ValueError):
            DeviceField.FromArray(np.zeros((4, 5, 6, 2), np.float32))
        with self.assertRaises(ValueError):
            DeviceField.FromArray(array)


class ImageOperationsTest(unittest.TestCase):
    def test_gaussian(self):
        array = noisy_ball()
        sigma = 1.5
        distance = np.arange(-9, 10)
        kernel = np.exp(-0.5 * (distance / sigma) ** 2)
        kernel /= kernel.sum()
        expected = np.pad(array.astype(np.float64), 9, mode="edge")
        for axis in range(3):
            expected = np.apply_along_axis(np.convolve, axis, expected, kernel, "valid")
        for device in DEVICES:
            result = itk.cuda_discrete_gaussian_image_filter(
                itk.image_from_array(array), sigma=sigma, compute_device=device
            )
            np.testing.assert_allclose(itk.array_from_image(result), expected, atol=1e-5 * np.ptp(array))

    def test_gradient(self):
        array = noisy_ball()
        padded = np.pad(array.astype(np.float64), 1, mode="edge")
        expected = np.stack(
            [
                0.5 * (padded[1:-1, 1:-1, 2:] - padded[1:-1, 1:-1, :-2]),
                0.5 * (padded[1:-1, 2:, 1:-1] - padded[1:-1, :-2, 1:-1]),
                0.5 * (padded[2:, 1:-1, 1:-1] - padded[:-2, 1:-1, 1:-1]),
            ],
            axis=-1,
        )
        for device in DEVICES:
            result = itk.cuda_gradient_image_filter(itk.image_from_array(array), compute_device=device)
            np.testing.assert_allclose(itk.array_from_image(result), expected, atol=1e-5 * np.ptp(array))

    def test_pyramid(self):
        image = image_with_geometry(noisy_ball())
        pyramid = itk.CudaMultiResolutionPyramidImageFilter.New(image, number_of_levels=3, compute_device="cpu")
        pyramid.Update()
        for level, factor in enumerate((4, 2, 1)):
            output = pyramid.GetOutput(level)
            self.assertEqual(output.shape, tuple(-(-n // factor) for n in image.shape))
            np.testing.assert_allclose(np.asarray(output.GetSpacing()), factor * np.asarray(image.GetSpacing()))
        np.testing.assert_array_equal(itk.array_from_image(output), itk.array_from_image(image))

    def test_noise_estimate(self):
        generator = np.random.default_rng(0)
        array = (5.0 * generator.standard_normal((40, 48, 56))).astype(np.float32)
        array[20:] += 100.0
        estimate = itk.CudaNoiseEstimateImageFilter.New(itk.image_from_array(array), compute_device="cpu")
        estimate.Update()
        # The median over the 5e4 bright voxels is good to one percent; those at the edge, a twentieth, add a few.
        self.assertAlmostEqual(estimate.GetNoiseStandardDeviation(), 5.0, delta=0.4)

    def test_statistics(self):
        array = noisy_ball()
        array[0, 0, 0] = np.nan
        statistics = itk.CudaStatisticsImageFilter.New(itk.image_from_array(array), compute_device="cpu")
        statistics.Update()
        values = array.ravel()[1:].astype(np.float64)
        self.assertEqual((statistics.GetCount(), statistics.GetNumberOfNotFinite()), (values.size, 1))
        self.assertEqual((statistics.GetMinimum(), statistics.GetMaximum()), (values.min(), values.max()))
        self.assertAlmostEqual(statistics.GetMean(), values.mean(), places=9)
        self.assertAlmostEqual(statistics.GetVariance(), values.var(ddof=1), places=6)


if __name__ == "__main__":
    unittest.main()
