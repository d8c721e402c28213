# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Bad input: an exception that names what was given and what is accepted."""

import os
import unittest

import itk
import numpy as np

from phantom import noisy_ball

DeviceImage = itk.DeviceImage[itk.F, 3]


class OneCapsule:
    """An object whose array somebody has taken away already."""

    def __init__(self, array):
        self.array = array
        self.capsule = array.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, stream=None):
        return self.capsule


class OnDevice(OneCapsule):
    """An object that claims to be on another kind of device."""

    def __dlpack__(self, stream=None):
        raise BufferError("this kind of device has no DLPack")


class ErrorTest(unittest.TestCase):
    def test_pixel_type_that_is_not_wrapped(self):
        for array in (noisy_ball().astype(np.int32), noisy_ball((3, 4, 5, 6))):
            with self.assertRaisesRegex((TypeError, KeyError, RuntimeError), "(?s)Image.*(not wrapped|No suitable)"):
                itk.cuda_bilateral_image_filter(array)

    def test_array_that_is_not_accepted(self):
        array = noisy_ball()
        for bad, message in (
            (array.astype(np.int32), "type int32; accepted is float32"),
            (array.astype(np.int64), "type int64; accepted is float32"),
            (array.astype(np.float64), "type float64; accepted is float32"),
            (array[::2], r"not contiguous: shape \(6, 14, 13\) with strides \(364, 13, 1\)"),
            (array.transpose(), "not contiguous"),
            (array[0], "2 axes and the image 3"),
            (array[:0], r"empty: its shape is \(0, 14, 13\)"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                DeviceImage.FromArray(bad)
        for bad in ([1.0, 2.0], "array", None, 5):
            with self.assertRaisesRegex(TypeError, type(bad).__name__ + ".*accepted are arrays of PyTorch"):
                DeviceImage.FromArray(bad)

    def test_arrays_with_masks(self):
        """Masks would be lost: libraries share what is behind them."""
        volume = np.ma.masked_greater(noisy_ball(), 80)
        points = np.ma.masked_greater(np.arange(12, dtype=np.float32).reshape(4, 3), 5)
        for call in (
            lambda: DeviceImage.FromArray(volume),
            lambda: itk.DeviceVectors[itk.F].FromArray(points),
            lambda: itk.DevicePointSet[itk.F, 3].FromArray(points),
            lambda: itk.cuda_nearest_neighbors(points=points),
            lambda: itk.cuda_register_images(noisy_ball(), volume),
            lambda: itk.cuda_register_images(noisy_ball(), noisy_ball(), fixed_mask_image=volume > 20),
        ):
            with self.assertRaisesRegex(TypeError, "numpy.ma.MaskedArray has a mask"):
                call()

    def test_array_that_was_taken_away(self):
        owner = OneCapsule(noisy_ball())
        DeviceImage.FromArray(owner)
        with self.assertRaisesRegex(ValueError, "was used before"):
            DeviceImage.FromArray(owner)
        with self.assertRaisesRegex(BufferError, "has no DLPack"):
            DeviceImage.FromArray(OnDevice(noisy_ball()))

    def test_reference_of_another_size(self):
        with self.assertRaisesRegex(ValueError, r"shape \(12, 14, 13\) and the reference image \(5, 14, 13\)"):
            DeviceImage.FromArray(noisy_ball(), reference_image=itk.image_from_array(noisy_ball()[:5]))

    def test_device_that_is_not_there(self):
        for call in (
            lambda: itk.cuda_bilateral_image_filter(noisy_ball(), compute_device="cuda:99"),
            lambda: itk.ComputeDevice.FromName("cuda:99"),
        ):
            with self.assertRaisesRegex(RuntimeError, '(?s)no device "cuda:99".*cpu'):
                call()
        with self.assertRaisesRegex(RuntimeError, '(?s)Unknown device "gpu": use auto, cpu or cuda:N'):
            itk.cuda_bilateral_image_filter(noisy_ball(), compute_device="gpu")
        previous = os.environ.get("CUDANEURO_DEVICE")
        os.environ["CUDANEURO_DEVICE"] = "cuda:99"
        try:
            with self.assertRaisesRegex(RuntimeError, 'CUDANEURO_DEVICE.*"cuda:99"'):
                itk.cuda_bilateral_image_filter(noisy_ball())
        finally:
            del os.environ["CUDANEURO_DEVICE"]
            if previous is not None:
                os.environ["CUDANEURO_DEVICE"] = previous

    def test_parameters(self):
        for function, parameters, message in (
            (itk.cuda_bilateral_image_filter, {"radius": 0}, r"Radius\[0] is 0; it must be 1"),
            (itk.cuda_bilateral_image_filter, {"radius": -1}, "parameter Radius is -1; it must be between 0"),
            (itk.cuda_non_local_means_image_filter, {"window_radius": [2, 2, -3]}, "parameter WindowRadius is -3"),
            (itk.cuda_bilateral_image_filter, {"range_sigma": -1.0}, "RangeSigma is -1"),
            (itk.cuda_discrete_gaussian_image_filter, {"sigma": 1e200}, r"Sigma\[0\] is inf; it must be"),
            (itk.cuda_anisotropic_diffusion_image_filter, {"stencil": "Six"}, 'stencil "Six": use one of PeronaMalik6'),
            (itk.cuda_non_local_means_image_filter, {"weighting": "None"}, 'weighting "None": use one of PatchSum'),
            (itk.cuda_bilateral_image_filter, {"mask_image": noisy_ball()}, "Masks must be .* unsigned char"),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                function(noisy_ball(), **parameters)

    def test_image_without_pixels(self):
        with self.assertRaisesRegex(RuntimeError, "input image is empty"):
            itk.cuda_bilateral_image_filter(DeviceImage.New())
        with self.assertRaisesRegex(RuntimeError, "no pixels"):
            np.from_dlpack(DeviceImage.New())


if __name__ == "__main__":
    unittest.main()
