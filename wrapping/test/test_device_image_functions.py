# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The functions that make device images of arrays and images, and arrays of them."""

import unittest
from unittest import mock

import itk
import numpy as np

from phantom import DEVICES, image_with_geometry, noisy_ball


def field_array(shape):
    return np.random.default_rng(1).normal(size=(*shape, len(shape))).astype(np.float32)


class DeviceImageFunctionsTest(unittest.TestCase):
    def test_type_and_dimension_follow_from_the_array(self):
        for array, keywords, expected in (
            (noisy_ball(), {}, (itk.F, 3)),
            (noisy_ball((9, 16)), {}, (itk.F, 2)),
            (noisy_ball().astype(np.uint8), {}, (itk.UC, 3)),
            (noisy_ball((9, 16)) > 80, {}, (itk.UC, 2)),
            (field_array((5, 6, 7)), {}, (itk.Vector[itk.F, 3], 3)),
            (field_array((6, 7)), {"is_vector": True}, (itk.Vector[itk.F, 2], 2)),
            # An image, unless it is said to be a field.
            (field_array((6, 7)), {}, (itk.F, 3)),
        ):
            image = itk.device_image_from_array(array, **keywords)
            with self.subTest(shape=array.shape, dtype=array.dtype, keywords=keywords):
                self.assertEqual(itk.template(image), (itk.DeviceImage, expected))
                self.assertTrue(np.shares_memory(itk.array_view_from_device_image(image), array))
                back = itk.array_from_device_image(image)
                np.testing.assert_array_equal(back, array)
                self.assertIs(type(back), np.ndarray)
                self.assertFalse(np.shares_memory(back, array))

    def test_geometry(self):
        reference = image_with_geometry(noisy_ball())
        for keywords in (
            {"reference_image": reference},
            {"spacing": itk.spacing(reference), "origin": itk.origin(reference), "direction": reference.GetDirection()},
            {
                "spacing": [0.9, 1.2, 1.5],
                "origin": (-10.0, 5.0, 2.5),
                "direction": np.asarray(reference.GetDirection()).tolist(),
            },
        ):
            image = itk.device_image_from_array(noisy_ball(), **keywords)
            for get in ("GetSpacing", "GetOrigin", "GetDirection"):
                np.testing.assert_array_equal(np.asarray(getattr(image, get)()), np.asarray(getattr(reference, get)()))
        with self.assertRaisesRegex(ValueError, "reference image"):
            itk.device_image_from_array(noisy_ball((5, 6, 7)), reference_image=reference)

    def test_images(self):
        """An itk.Image brings its geometry; memory is shared."""
        for array in (noisy_ball(), (noisy_ball() > 80).astype(np.uint8)):
            host = image_with_geometry(array)
            image = itk.device_image_from_array(host)
            np.testing.assert_array_equal(
                itk.array_from_matrix(image.GetDirection()), itk.array_from_matrix(host.GetDirection())
            )
            self.assertEqual(list(itk.spacing(image)), list(itk.spacing(host)))
            self.assertEqual(list(itk.origin(image)), list(itk.origin(host)))
            view = itk.array_view_from_device_image(image)
            self.assertTrue(np.shares_memory(view, itk.array_view_from_image(host)))
            del host
            np.testing.assert_array_equal(view, array)
        field = itk.cuda_greedy_fluid_registration_filter(
            *(itk.image_from_array(noisy_ball((9, 16))) for _ in range(2)), number_of_levels=1, number_of_iterations=1
        )
        self.assertEqual(itk.template(itk.device_image_from_array(field))[1], (itk.Vector[itk.F, 2], 2))

    def test_a_region_that_does_not_begin_at_zero(self):
        host = image_with_geometry(noisy_ball())
        region = host.GetLargestPossibleRegion()
        for axis, index in enumerate((2, -3, 4)):
            region.SetIndex(axis, index)
        host.SetRegions(region)
        for device in DEVICES:
            image = itk.device_image_from_array(host, compute_device=itk.ComputeDevice.FromName(device))
            for result in (image, itk.device_image_from_array(image)):
                self.assertEqual(result.GetLargestPossibleRegion(), region)
                point = result.TransformIndexToPhysicalPoint([5, 6, 7])
                np.testing.assert_array_equal(list(point), list(host.TransformIndexToPhysicalPoint([5, 6, 7])))
                np.testing.assert_array_equal(itk.array_from_device_image(result), noisy_ball())

    def test_compute_devices_are_equal_by_name(self):
        cpu = itk.ComputeDevice.FromName("cpu")
        self.assertEqual({cpu, itk.ComputeDevice.FromName("cpu")}, {cpu})
        self.assertEqual(itk.device_image_from_array(noisy_ball()).GetComputeDevice(), cpu)
        self.assertNotEqual(cpu, "cpu")

    def test_compute_device(self):
        reference = image_with_geometry(noisy_ball())
        for device in DEVICES:
            for array in (noisy_ball(), noisy_ball() > 80, field_array((5, 6, 7))):
                image = itk.device_image_from_array(array, spacing=[1, 2, 3], compute_device=device)
                self.assertEqual(image.GetComputeDevice().GetName(), device)
                self.assertEqual(list(itk.spacing(image)), [1, 2, 3])
                np.testing.assert_array_equal(itk.array_from_device_image(image), array)
            image = itk.device_image_from_array(noisy_ball(), reference_image=reference, compute_device=device)
            np.testing.assert_array_equal(np.asarray(image.GetDirection()), np.asarray(reference.GetDirection()))
        with self.assertRaisesRegex(RuntimeError, "cuda:99"):
            itk.device_image_from_array(noisy_ball(), compute_device="cuda:99")

    def test_a_view_outlives_its_image(self):
        view = itk.array_view_from_device_image(itk.device_image_from_array(noisy_ball()))
        np.testing.assert_array_equal(view, noisy_ball())

    @unittest.skipUnless(itk.ComputeDevice.IsCudaAvailable(), "there is no GPU")
    def test_views_on_a_gpu(self):
        image = itk.device_image_from_array(noisy_ball(), compute_device="cuda:0")
        with mock.patch.dict("sys.modules", {"cupy": None}):
            with self.assertRaisesRegex(ImportError, r"on cuda:0, .*torch.from_dlpack"):
                itk.array_view_from_device_image(image)
        try:
            import cupy
        except ImportError:
            self.skipTest("there is no CuPy")
        view = itk.array_view_from_device_image(image)
        self.assertIsInstance(view, cupy.ndarray)
        self.assertEqual(view.data.ptr, image.__cuda_array_interface__["data"][0])
        np.testing.assert_array_equal(cupy.asnumpy(view), noisy_ball())

    def test_outputs_of_filters(self):
        array = noisy_ball()
        bilateral = itk.CudaBilateralImageFilter.New(itk.device_image_from_array(array), radius=1, range_sigma=20.0)
        expected = itk.cuda_bilateral_image_filter(array, radius=1, range_sigma=20.0, compute_device="cpu")
        np.testing.assert_array_equal(itk.array_from_device_image(bilateral), expected)
        np.testing.assert_array_equal(itk.array_view_from_device_image(bilateral.GetOutput()), expected)

    def test_filters_are_updated(self):
        array = noisy_ball()
        for image in (itk.image_from_array(array), itk.device_image_from_array(array)):
            filter = itk.CudaBilateralImageFilter.New(image, radius=1, range_sigma=20.0, compute_device="cpu")
            expected = itk.cuda_bilateral_image_filter(array, radius=1, range_sigma=20.0, compute_device="cpu")
            np.testing.assert_array_equal(itk.device_image_from_array(filter), expected)
            filter.SetRangeSigma(30.0)
            result = itk.device_image_from_array(array, reference_image=filter.GetOutput())
            np.testing.assert_array_equal(result, array)
            self.assertFalse(np.array_equal(filter.GetOutput(), expected))

    def test_arrays_that_come_out_go_in(self):
        view = itk.array_view_from_device_image(itk.device_image_from_array(noisy_ball()))
        view += 1
        np.testing.assert_array_equal(itk.device_image_from_array(view), noisy_ball() + np.float32(1))

    def test_errors(self):
        array = noisy_ball()
        for value, keywords, message in (
            (array.astype(np.float64), {}, "of type float64; accepted is float32 for an image, uint8 or bool"),
            (array.astype(np.int16), {}, "of type int16"),
            (field_array((6, 7)).astype(np.uint8), {"is_vector": True}, "of type uint8; accepted is float32 for a displ"),
            (array[0, 0], {}, r"has shape \(13,\); accepted are \(y, x\)"),
            (array[None], {"is_vector": False}, r"has shape \(1, 12, 14, 13\); accepted are \(y, x\)"),
            (array[None], {}, r"has shape \(1, 12, 14, 13\); a displacement field has its 3 components on the last axis"),
            (np.moveaxis(field_array((5, 6, 7)), -1, 0), {}, r"has shape \(3, 5, 6, 7\); a displacement field"),
            (array[::2], {}, "not contiguous"),
            (array[:0], {}, r"is empty: its shape is \(0, 14, 13\)"),
            (itk.image_from_array(array), {"is_vector": True}, "is_vector is True; the image's pixels tell it"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(ValueError, message):
                itk.device_image_from_array(value, **keywords)
        with self.assertRaisesRegex(TypeError, "builtins.list is no array"):
            itk.device_image_from_array([[1.0, 2.0], [3.0, 4.0]])
        with self.assertRaisesRegex(TypeError, "numpy.ma.MaskedArray has a mask"):
            itk.device_image_from_array(np.ma.masked_array(array, array > 80))
        with self.assertRaisesRegex(TypeError, "The reference image is a numpy.ndarray; accepted are itk.Image"):
            itk.device_image_from_array(array, reference_image=array)
        with self.assertRaisesRegex(RuntimeError, "The image has no pixels"):
            itk.device_image_from_array(itk.Image[itk.F, 3].New())
        for function in (itk.array_from_device_image, itk.array_view_from_device_image):
            with self.assertRaisesRegex(RuntimeError, "The image has no pixels"):
                function(itk.DeviceImage[itk.F, 3].New())
            with self.assertRaisesRegex(TypeError, "itkImageF3 is no itk.DeviceImage"):
                function(itk.image_from_array(array))
        array.setflags(write=False)
        with self.assertRaises(BufferError):
            itk.device_image_from_array(array)


if __name__ == "__main__":
    unittest.main()
