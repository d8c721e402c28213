# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""DeviceImage and NumPy: shared memory, geometry and lifetimes on the CPU, copies to and from any device."""

import copy
import gc
import pickle
import unittest
import weakref

import itk
import numpy as np

from phantom import DEVICES, image_with_geometry, noisy_ball

DeviceImage = itk.DeviceImage[itk.F, 3]


class Owner(np.ndarray):
    """An array that can be watched."""


class DeviceImageTest(unittest.TestCase):
    def test_shares_memory_both_ways(self):
        array = noisy_ball()
        image = DeviceImage.FromArray(array)
        self.assertEqual((image.shape, image.dtype, image.ndim), (array.shape, np.float32, 3))
        self.assertEqual(image.__dlpack_device__(), (1, 0))
        back = np.from_dlpack(image)
        self.assertEqual(back.ctypes.data, array.ctypes.data)
        array[1, 2, 3] = -7.0
        self.assertEqual(back[1, 2, 3], -7.0)
        self.assertEqual(np.asarray(image)[1, 2, 3], -7.0)

    def test_keeps_the_owner(self):
        array = noisy_ball().view(Owner)
        expected = np.array(array)
        watch = weakref.ref(array)
        image = DeviceImage.FromArray(array)
        del array
        gc.collect()
        np.testing.assert_array_equal(np.from_dlpack(image), expected)
        self.assertIsNotNone(watch())
        del image
        gc.collect()
        self.assertIsNone(watch())

    def test_memory_outlives_the_image(self):
        back = np.from_dlpack(DeviceImage.FromArray(noisy_ball()))
        gc.collect()
        np.testing.assert_array_equal(back, noisy_ball())

    def test_an_exported_result_is_not_overwritten(self):
        filter = itk.CudaBilateralImageFilter.New(DeviceImage.FromArray(noisy_ball()), radius=1, range_sigma=20.0)
        filter.Update()
        first = np.from_dlpack(filter.GetOutput())
        copy = first.copy()
        filter.SetRangeSigma(60.0)
        filter.Update()
        np.testing.assert_array_equal(first, copy)
        self.assertFalse(np.array_equal(np.from_dlpack(filter.GetOutput()), copy))

    def test_geometry(self):
        reference = image_with_geometry(noisy_ball())
        for image in (
            DeviceImage.FromArray(noisy_ball(), reference_image=reference),
            DeviceImage.FromArray(
                noisy_ball(),
                spacing=reference.GetSpacing(),
                origin=reference.GetOrigin(),
                direction=reference.GetDirection(),
            ),
        ):
            result = itk.device_download_image_filter(itk.cuda_bilateral_image_filter(image))
            for get in ("GetSpacing", "GetOrigin", "GetDirection"):
                np.testing.assert_array_equal(np.asarray(getattr(result, get)()), np.asarray(getattr(reference, get)()))

    def test_three_filters_without_a_copy(self):
        array = noisy_ball()
        image = DeviceImage.FromArray(array)
        filters = [
            itk.CudaBilateralImageFilter[DeviceImage, DeviceImage].New(radius=1, range_sigma=20.0),
            itk.CudaAnisotropicDiffusionImageFilter[DeviceImage, DeviceImage].New(number_of_iterations=2, kappa=10.0),
            itk.CudaNonLocalMeansImageFilter[DeviceImage, DeviceImage].New(window_radius=1, patch_radius=1),
        ]
        filters[0].SetInput(image)
        filters[1].SetInput(filters[0].GetOutput())
        filters[2].SetInput(filters[1].GetOutput())
        result = np.from_dlpack(filters[2].GetOutput())
        for filter in filters:
            self.assertEqual((filter.GetHostToDeviceBytes(), filter.GetDeviceToHostBytes()), (0, 0))
        expected = itk.cuda_bilateral_image_filter(array, radius=1, range_sigma=20.0, compute_device="cpu")
        expected = itk.cuda_anisotropic_diffusion_image_filter(
            expected, number_of_iterations=2, kappa=10.0, compute_device="cpu"
        )
        expected = itk.cuda_non_local_means_image_filter(
            expected, window_radius=1, patch_radius=1, compute_device="cpu"
        )
        np.testing.assert_array_equal(result, expected)

    def test_upload_and_download(self):
        for device in DEVICES:
            for pixel_type in (np.uint8, np.int16, np.uint16, np.float32, np.float64):
                array = noisy_ball().astype(pixel_type)
                image = itk.device_upload_image_filter(
                    itk.image_from_array(array),
                    ttype=(itk.Image[itk.template(itk.image_from_array(array))[1][0], 3], DeviceImage),
                    compute_device=device,
                )
                self.assertEqual(image.GetComputeDevice().GetName(), device)
                back = itk.array_from_image(itk.device_download_image_filter(image))
                np.testing.assert_array_equal(back, array.astype(np.float32))

    def test_mask_on_the_device(self):
        array = noisy_ball()
        mask = itk.DeviceImage[itk.UC, 3].FromArray((array > 80).astype(np.uint8))
        result = np.from_dlpack(itk.cuda_bilateral_image_filter(DeviceImage.FromArray(array), mask_image=mask))
        np.testing.assert_array_equal(result[array <= 80], array[array <= 80])

    def test_two_dimensions(self):
        array = noisy_ball((9, 16))
        image = itk.DeviceImage[itk.F, 2].FromArray(array, spacing=[2.0, 3.0])
        np.testing.assert_allclose(
            np.from_dlpack(itk.cuda_bilateral_image_filter(image, use_image_spacing=False)),
            itk.cuda_bilateral_image_filter(array, compute_device="cpu"),
        )

    def test_indices(self):
        array = noisy_ball()
        image = DeviceImage.FromArray(array)
        self.assertEqual(image[1, 2, 3], array[1, 2, 3])
        np.testing.assert_array_equal(image[..., 2:5], array[..., 2:5])
        time = image.GetMTime()
        image[1, 2, 3] = 7.0
        self.assertEqual(array[1, 2, 3], 7.0)
        self.assertGreater(image.GetMTime(), time)

    def test_copies(self):
        """A copy has the pixels, the geometry and the device, and memory of its own."""
        image = DeviceImage.FromArray(noisy_ball(), spacing=[1, 2, 3], origin=[4, 5, 6], direction=[[0, 1, 0], [1, 0, 0], [0, 0, 1]])
        region = image.GetLargestPossibleRegion()
        region.SetIndex([7, -8, 9])
        image.SetRegions(region)
        field = itk.device_image_from_array(np.ones((4, 5, 2), np.float32), is_vector=True)
        for original in (image, field):
            for copied in (copy.copy(original), copy.deepcopy(original), pickle.loads(pickle.dumps(original))):
                np.testing.assert_array_equal(copied, original)
                self.assertIs(type(copied), type(original))
                self.assertEqual(copied.GetLargestPossibleRegion(), original.GetLargestPossibleRegion())
                for name in ("GetSpacing", "GetOrigin", "GetDirection", "GetComputeDevice"):
                    self.assertEqual(getattr(copied, name)(), getattr(original, name)())
                copied[:] = np.inf
                self.assertTrue(np.isfinite(original).all())
        points = itk.DevicePointSet[itk.F, 3].FromArray(np.zeros((4, 3), np.float32))
        with self.assertRaisesRegex(TypeError, "DevicePointSet cannot be copied or pickled; its array can"):
            copy.deepcopy(points)

    def test_conversion_to_numpy(self):
        image = DeviceImage.FromArray(noisy_ball())
        self.assertEqual(np.asarray(image, dtype=np.float64).dtype, np.float64)
        self.assertIsNot(np.array(image), image)
        with self.assertRaisesRegex(BufferError, "copying is not offered"):
            image.__dlpack__(copy=True)
        with self.assertRaisesRegex(BufferError, r"\(1, 0\); copying to \(2, 0\)"):
            image.__dlpack__(dl_device=(2, 0))
        self.assertFalse(hasattr(image, "__cuda_array_interface__"))


if __name__ == "__main__":
    unittest.main()
