# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out of the functions: of NumPy, xarray and PyTorch, as functions of ITK's own take and return them."""

import importlib
import inspect
import unittest

import itk
import numpy as np

from phantom import image_with_geometry, noisy_ball

try:
    import xarray
except ImportError:
    xarray = None
try:
    import torch
except ImportError:
    torch = None

#: Older versions of ITK return xarray.DataArray with the memory of an image that is gone, from functions of their own, too.
XARRAY_KEEPS_MEMORY = "view" in inspect.signature(itk.xarray_from_image).parameters

LEVELS = {"number_of_levels": 1, "number_of_iterations": 2}
#: Functions that take images of scalars: number of images, keywords, whether an image of one slice will do.
OF_IMAGES = {
    "cuda_adaptive_non_local_means_image_filter": (1, {}, True),
    "cuda_anisotropic_diffusion_image_filter": (1, {"number_of_iterations": 2, "kappa": 10.0}, True),
    "cuda_bilateral_image_filter": (1, {"radius": 1, "range_sigma": 20.0}, True),
    "cuda_bilateral_sweep_image_filter": (1, {}, True),
    "cuda_diffeomorphic_atlas_filter": (2, LEVELS, True),
    "cuda_discrete_gaussian_image_filter": (1, {}, True),
    "cuda_gradient_image_filter": (1, {}, True),
    "cuda_greedy_fluid_registration_filter": (2, LEVELS, True),
    "cuda_label_surface_filter": (1, {}, False),
    "cuda_label_to_signed_distance_image_filter": (1, {"labels": [1]}, False),
    "cuda_linear_registration_filter": (2, LEVELS, True),
    "cuda_multi_resolution_pyramid_image_filter": (1, {}, True),
    "cuda_noise_estimate_image_filter": (1, {}, True),
    "cuda_noise_map_image_filter": (1, {}, True),
    "cuda_non_local_means_image_filter": (1, {"window_radius": 1, "patch_radius": 1}, True),
    "cuda_non_local_means_level_set_image_filter": (1, {}, False),
    "cuda_register_images": (2, {"method": "Greedy", **LEVELS}, True),
    "cuda_reinitialize_signed_distance_image_filter": (1, {}, False),
    "cuda_statistics_image_filter": (1, {}, True),
    "cuda_structural_similarity_image_filter": (2, {}, True),
    "cuda_symmetric_registration_filter": (2, LEVELS, True),
    "cuda_unbiased_fluid_registration_filter": (2, LEVELS, True),
    "cuda_warp_image_filter": (1, {}, True),
    "device_upload_image_filter": (1, {}, True),
}
#: Those of other things: ITK makes no displacement fields, points or vectors of arrays by itself.
OF_OTHER_THINGS = {
    "cuda_compose_displacement_fields_image_filter",
    "cuda_displacement_field_jacobian_determinant_filter",
    "cuda_geodesic_shooting_registration",
    "cuda_geodesic_shooting_to_displacement_field_filter",
    "cuda_invert_displacement_field_image_filter",
    "cuda_mesh_denoising_filter",
    "cuda_mesh_to_signed_distance_image_filter",
    "cuda_nearest_neighbors",
    "device_download_image_filter",
}
#: Those of base classes, which ITK makes of every class that is not abstract.
OF_BASE_CLASSES = {
    "cuda_neuro_mesh_process",
    "cuda_neuro_process",
    "image_source",
    "image_to_image_filter",
    "image_to_mesh_filter",
    "mesh_source",
}


def array_for(name):
    """Labels, distances or intensities."""
    shape = (10, 12, 11)
    if any(part in name for part in ("signed_distance", "level_set", "label")):
        axes = np.meshgrid(*[np.arange(n) - 0.5 * (n - 1) for n in shape], indexing="ij")
        distance = (np.sqrt(sum(a * a for a in axes)) - 3.0).astype(np.float32)
        return (distance < 0).astype(np.uint8) if "label" in name else distance
    return noisy_ball(shape)


def call(name, image):
    """The function's results for an image, twice for functions of two, as a list."""
    count, keywords, _ = OF_IMAGES[name]
    result = getattr(itk, name)(*[image] * count, compute_device="cpu", **keywords)
    return list(result) if isinstance(result, tuple) else [result]


def is_itk_image(result):
    return isinstance(result, itk.Image)


class ArrayLikeTest(unittest.TestCase):
    def test_all_functions_are_here(self):
        functions = importlib.import_module("itk.Configuration.CudaNeuro_snake_case").snake_case_functions
        known = set(OF_IMAGES) - {"cuda_register_images"} | OF_OTHER_THINGS | OF_BASE_CLASSES
        self.assertEqual(set(functions), known)

    def test_numpy(self):
        for name in OF_IMAGES:
            array = array_for(name)
            expected = call(name, itk.image_from_array(array))
            results = call(name, array)
            with self.subTest(name=name):
                self.assertEqual(len(results), len(expected))
                for result, image in zip(results, expected):
                    if is_itk_image(image):
                        self.assertIsInstance(result, np.ndarray)
                        np.testing.assert_array_equal(result, itk.array_from_image(image))
                    else:
                        self.assertIs(type(result), type(image))

    @unittest.skipIf(xarray is None, "there is no xarray")
    def test_xarray(self):
        for name in OF_IMAGES:
            image = image_with_geometry(array_for(name))
            array = itk.xarray_from_image(image)
            # Coordinates of xarray are rounded, so that the way back to a spacing is not exact.
            expected = call(name, itk.image_from_xarray(array))
            results = call(name, array)
            with self.subTest(name=name):
                for result, expected_image in zip(results, expected):
                    if is_itk_image(expected_image):
                        self.compare_data_arrays(result, itk.xarray_from_image(expected_image))
                    else:
                        self.assertIs(type(result), type(expected_image))

    def compare_data_arrays(self, result, expected):
        self.assertEqual((result.dims, result.shape, result.dtype), (expected.dims, expected.shape, expected.dtype))
        for name in expected.coords:
            np.testing.assert_array_equal(result.coords[name].values, expected.coords[name].values)
        np.testing.assert_array_equal(result.attrs["direction"], expected.attrs["direction"])
        if XARRAY_KEEPS_MEMORY:
            np.testing.assert_array_equal(result.values, expected.values)

    @unittest.skipIf(xarray is None, "there is no xarray")
    def test_registered_xarray(self):
        """The result's memory is its own; a mask may be an xarray.DataArray, too."""
        array = noisy_ball()
        mask = np.ones(array.shape, np.uint8)
        mask[:3] = 0
        images = [image_with_geometry(a) for a in (array, mask)]
        image, mask = (itk.xarray_from_image(i) for i in images)
        result, transform = itk.cuda_register_images(image, image, "Translation", moving_mask_image=mask, number_of_levels=1)
        self.assertEqual((result.dims, result.dtype), (image.dims, image.dtype))
        for name in image.coords:
            np.testing.assert_allclose(result.coords[name].values, image.coords[name].values, rtol=1e-12)
        np.testing.assert_allclose(result.attrs["direction"], image.attrs["direction"], rtol=1e-12)
        np.testing.assert_allclose(transform.GetParameters(), [0.0, 0.0, 0.0], atol=0.02)
        self.assertEqual(np.abs(result.values[:2]).max(), 0.0)
        # A shift of a hundredth of a voxel changes noise by some hundredths of its range.
        np.testing.assert_allclose(result.values[4:-1, 1:-1, 1:-1], array[4:-1, 1:-1, 1:-1], atol=5.0)

    @unittest.skipIf(xarray is None, "there is no xarray")
    def test_device_image_from_xarray(self):
        expected = image_with_geometry(noisy_ball())
        image = itk.device_image_from_array(itk.xarray_from_image(expected))
        for get in (itk.spacing, itk.origin, lambda i: itk.array_from_matrix(i.GetDirection())):
            np.testing.assert_allclose(np.asarray(get(image)), np.asarray(get(expected)), rtol=1e-12)
        np.testing.assert_array_equal(itk.array_from_device_image(image), noisy_ball())
        image = itk.device_image_from_array(itk.xarray_from_image(expected), origin=[1.0, 2.0, 3.0])
        self.assertEqual(list(itk.origin(image)), [1.0, 2.0, 3.0])
        mask = itk.device_image_from_array(itk.xarray_from_image(expected) > 80)
        self.assertEqual(itk.template(mask)[1], (itk.UC, 3))
        np.testing.assert_array_equal(mask, noisy_ball() > 80)
        np.testing.assert_allclose(list(itk.spacing(image)), list(itk.spacing(expected)), rtol=1e-12)

    @unittest.skipIf(torch is None, "there is no PyTorch")
    def test_torch(self):
        """ITK takes a tensor's first axis for that of channels: a tensor (1, y, x) for an image of one slice."""
        for name, (_, _, takes_a_slice) in OF_IMAGES.items():
            if not takes_a_slice:
                continue
            array = array_for(name)[:1].copy()
            expected = call(name, itk.image_from_array(array))
            results = call(name, torch.from_numpy(array))
            with self.subTest(name=name):
                for result, image in zip(results, expected):
                    if not is_itk_image(image):
                        self.assertIs(type(result), type(image))
                        continue
                    self.assertIsInstance(result, torch.Tensor)
                    expected_array = itk.array_from_image(image)
                    if image.GetNumberOfComponentsPerPixel() > 1:
                        expected_array = np.moveaxis(expected_array, -1, 0)
                    np.testing.assert_array_equal(result.numpy(), expected_array)

    @unittest.skipIf(torch is None, "there is no PyTorch")
    def test_device_image_of_a_tensor(self):
        """The way for volumes: indexed (z, y, x), shared."""
        tensor = torch.from_numpy(noisy_ball())
        for value, expected in ((tensor, itk.F), (tensor > 80, itk.UC), ((tensor > 80).to(torch.uint8), itk.UC)):
            image = itk.device_image_from_array(value, spacing=[1, 1, 1.5])
            self.assertEqual(itk.template(image)[1], (expected, 3))
            back = torch.from_dlpack(image)
            self.assertEqual(back.data_ptr(), value.data_ptr())
            np.testing.assert_array_equal(back.numpy(), value.numpy())
        # The tensor's memory is kept.
        expected = value.numpy().copy()
        del value, back
        np.testing.assert_array_equal(itk.array_from_device_image(image), expected)
        with self.assertRaisesRegex(ValueError, "of type float64; accepted is float32"):
            itk.device_image_from_array(tensor.double())
        with self.assertRaisesRegex(ValueError, "contiguous"):
            itk.device_image_from_array(tensor.transpose(0, 1))

    @unittest.skipIf(torch is None, "there is no PyTorch")
    def test_neighbors_of_tensors(self):
        points = torch.from_numpy(np.random.default_rng(1).normal(size=(60, 5)).astype(np.float32))
        indices, distances = itk.cuda_nearest_neighbors(points=points, number_of_neighbors=2)
        self.assertIsInstance(indices, torch.Tensor)
        self.assertEqual((indices.dtype, distances.dtype), (torch.int32, torch.float32))
        np.testing.assert_array_equal(indices[:, 0].numpy(), np.arange(60))


if __name__ == "__main__":
    unittest.main()
