# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""PyTorch and CuPy arrays on a GPU: no copies, the right order of work, lifetimes."""

import gc
import unittest
import weakref

import itk
import numpy as np

from phantom import noisy_ball
from test_landmarks import lattice

try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except ImportError:
    cupy = None

NUMBER_OF_GPUS = itk.ComputeDevice.GetNumberOfCudaDevices()
DeviceImage = itk.DeviceImage[itk.F, 3]


def setUpModule():
    if not itk.ComputeDevice.IsCudaAvailable():
        raise unittest.SkipTest("needs an NVIDIA GPU")


class OnlyCudaArrayInterface:
    """An array that offers nothing but the CUDA array interface, with fields that may be changed."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = dict(array.__cuda_array_interface__, **changes)


def three_filters(image):
    """The results' last image and the bytes that crossed to and from the host."""
    filters = [
        itk.CudaBilateralImageFilter[DeviceImage, DeviceImage].New(image, radius=1, range_sigma=20.0),
        itk.CudaAnisotropicDiffusionImageFilter[DeviceImage, DeviceImage].New(number_of_iterations=2, kappa=10.0),
        itk.CudaNonLocalMeansImageFilter[DeviceImage, DeviceImage].New(
            window_radius=1, patch_radius=1, smoothing_parameter=8.0
        ),
    ]
    filters[1].SetInput(filters[0].GetOutput())
    filters[2].SetInput(filters[1].GetOutput())
    filters[2].Update()
    return filters[2].GetOutput(), sum(f.GetHostToDeviceBytes() + f.GetDeviceToHostBytes() for f in filters)


def expected_of_three_filters(array):
    image = DeviceImage.FromArray(np.ascontiguousarray(array))
    return np.from_dlpack(three_filters(image)[0])


@unittest.skipIf(torch is None, "needs PyTorch")
class TorchTest(unittest.TestCase):
    def test_three_filters_without_a_host_copy(self):
        array = noisy_ball((32, 40, 36))
        tensor = torch.from_numpy(array).cuda()
        image = DeviceImage.FromArray(tensor)
        self.assertEqual(image._GetAddress(), tensor.data_ptr())
        self.assertEqual(image.GetComputeDevice().GetName(), "cuda:0")
        result, bytes_copied = three_filters(image)
        back = torch.from_dlpack(result)
        self.assertEqual(bytes_copied, 0)
        self.assertEqual((back.data_ptr(), back.device.type), (result._GetAddress(), "cuda"))
        np.testing.assert_allclose(back.cpu().numpy(), expected_of_three_filters(array), atol=1e-5 * 150)

    def test_neighbors_without_a_host_copy(self):
        array = np.random.default_rng(3).normal(size=(700, 125)).astype(np.float32)
        tensor = torch.from_numpy(array).cuda()
        search = itk.CudaNearestNeighbors.New(points=tensor, number_of_neighbors=20, exclude_self=True)
        search.Update()
        self.assertEqual(search.GetPoints()._GetAddress(), tensor.data_ptr())
        self.assertEqual(search.GetHostToDeviceBytes() + search.GetDeviceToHostBytes(), 0)
        indices = torch.from_dlpack(search.GetIndices())
        distances = torch.from_dlpack(search.GetSquaredDistances())
        self.assertEqual((indices.device.type, indices.dtype), ("cuda", torch.int32))
        self.assertEqual((distances.device.type, distances.dtype), ("cuda", torch.float32))
        on_cpu = itk.CudaNearestNeighbors.New(
            points=array, number_of_neighbors=20, exclude_self=True, compute_device="cpu"
        )
        on_cpu.Update()
        np.testing.assert_array_equal(indices.cpu().numpy(), np.asarray(on_cpu.GetIndices()))
        np.testing.assert_array_equal(distances.cpu().numpy(), np.asarray(on_cpu.GetSquaredDistances()))

    def test_functions_share_memory(self):
        tensor = torch.from_numpy(noisy_ball()).cuda()
        field = torch.zeros(5, 6, 7, 3, device="cuda")
        for value, expected in (
            (tensor, (itk.F, 3)),
            (tensor[0], (itk.F, 2)),
            (tensor > 80, (itk.UC, 3)),
            ((tensor > 80).to(torch.uint8), (itk.UC, 3)),
            (field, (itk.Vector[itk.F, 3], 3)),
        ):
            for device in (None, "cuda:0"):
                image = itk.device_image_from_array(value, compute_device=device)
                self.assertEqual(itk.template(image)[1], expected)
                self.assertEqual(torch.from_dlpack(image).data_ptr(), value.data_ptr())
                np.testing.assert_array_equal(itk.array_from_device_image(image), value.cpu().numpy())
        with self.assertRaisesRegex(ValueError, "on cuda:0, and compute_device is cpu"):
            itk.device_image_from_array(tensor, compute_device="cpu")

    def test_registration_stays_on_the_device(self):
        """What an iteration decides by is some numbers; no image or field crosses."""
        fixed = torch.from_numpy(noisy_ball((40, 40, 40))).cuda()
        moving = torch.roll(fixed, 1, dims=2).contiguous()
        images = [itk.device_image_from_array(tensor) for tensor in (fixed, moving)]
        registration = itk.CudaSymmetricRegistrationFilter.New(*images, NumberOfLevels=1, NumberOfIterations=5)
        registration.Update()
        for crossed in (registration.GetHostToDeviceBytes(), registration.GetDeviceToHostBytes()):
            self.assertLess(crossed, 4 * fixed.numel())
        field = torch.from_dlpack(registration.GetDisplacementField())
        self.assertEqual((field.device.type, tuple(field.shape)), ("cuda", (40, 40, 40, 3)))
        warped, transform = itk.cuda_register_images(*images, "Translation", number_of_levels=2)
        self.assertEqual(torch.from_dlpack(warped).device.type, "cuda")
        np.testing.assert_allclose(transform.GetParameters(), [1.0, 0.0, 0.0], atol=0.05)

    def test_landmarks_stay_on_the_device(self):
        points, moved = lattice(3)
        tensors = [torch.from_numpy(array).cuda() for array in (points, moved)]
        matched, transform = itk.cuda_match_landmarks(*tensors, sigma=4.0, number_of_time_steps=10)
        self.assertEqual((matched.device.type, matched.dtype), ("cuda", torch.float64))
        np.testing.assert_allclose(matched.cpu().numpy(), moved, atol=0.01)
        there = transform.TransformPoint([float(x) for x in points[5]])
        np.testing.assert_allclose(list(there), matched[5].cpu().numpy(), atol=1e-4)

    def test_waits_for_the_producers_stream(self):
        stream = torch.cuda.Stream()
        matrix = torch.rand(4096, 4096, device="cuda") / 4096
        array = noisy_ball((64, 64, 64))
        source = torch.from_numpy(array).cuda()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            tensor = torch.zeros(64, 64, 64, device="cuda")
            product = matrix
            for _ in range(100):  # tens of milliseconds before the pixels are written
                product = product @ matrix
            tensor += source + 0.0 * product[0, 0]
            image = DeviceImage.FromArray(tensor)
        result = itk.cuda_bilateral_image_filter(image, radius=1, range_sigma=20.0)
        expected = itk.cuda_bilateral_image_filter(array, radius=1, range_sigma=20.0, compute_device="cpu")
        np.testing.assert_allclose(torch.from_dlpack(result).cpu().numpy(), expected, atol=1e-5 * 150)

    def test_memory_is_not_reused_before_the_consumers_work_is_done(self):
        array = noisy_ball((128, 128, 128))
        expected = torch.from_numpy(itk.cuda_bilateral_image_filter(array, radius=1, range_sigma=20.0))
        matrix = torch.rand(4096, 4096, device="cuda") / 4096
        stream = torch.cuda.Stream()
        tensor = torch.from_numpy(array).cuda()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            view = torch.from_dlpack(itk.cuda_bilateral_image_filter(DeviceImage.FromArray(tensor), radius=1, range_sigma=20.0))
            product = matrix
            for _ in range(100):
                product = product @ matrix
            copy = view + 0.0 * product[0, 0]
            del view  # while the addition waits for the products
            gc.collect()
        for _ in range(3):
            itk.cuda_bilateral_image_filter(DeviceImage.FromArray(tensor), radius=2, range_sigma=90.0)
        stream.synchronize()
        np.testing.assert_allclose(copy.cpu().numpy(), expected.numpy(), atol=1e-5 * 150)

    def test_keeps_the_tensor(self):
        tensor = torch.from_numpy(noisy_ball()).cuda()
        image = DeviceImage.FromArray(tensor)
        del tensor
        gc.collect()
        torch.full((12, 14, 13), 3.0, device="cuda")  # would get the memory, were it free
        np.testing.assert_array_equal(torch.from_dlpack(image).cpu().numpy(), noisy_ball())

    def test_an_exported_result_is_not_overwritten(self):
        filter = itk.CudaBilateralImageFilter.New(
            DeviceImage.FromArray(torch.from_numpy(noisy_ball()).cuda()), radius=1, range_sigma=20.0
        )
        filter.Update()
        for take in (torch.from_dlpack, lambda image: torch.as_tensor(image, device="cuda")):
            first = take(filter.GetOutput())
            copy = first.clone()
            filter.SetRangeSigma(filter.GetRangeSigma() + 20.0)
            filter.Update()
            self.assertTrue(torch.equal(first, copy))
            self.assertFalse(torch.equal(torch.from_dlpack(filter.GetOutput()), copy))

    def test_tensors_that_are_not_accepted(self):
        tensor = torch.from_numpy(noisy_ball()).cuda()
        for bad, message in (
            (tensor.int(), "type int32; accepted is float32"),
            (tensor.double(), "type float64; accepted is float32"),
            (tensor.half(), "type float16; accepted is float32"),
            (tensor[::2], "not contiguous"),
            (tensor.permute(2, 1, 0), "not contiguous"),
            (tensor[0], "2 axes and the image 3"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                DeviceImage.FromArray(bad)
        with self.assertRaisesRegex((BufferError, RuntimeError), "grad"):
            DeviceImage.FromArray(tensor.clone().requires_grad_())

    def test_tensor_freed_by_its_owner(self):
        tensor = torch.from_numpy(noisy_ball()).cuda()
        shape = tensor.shape
        tensor.untyped_storage().resize_(0)
        self.assertEqual(tensor.shape, shape)
        with self.assertRaisesRegex(ValueError, "freed"):
            DeviceImage.FromArray(tensor)

    def test_tensor_on_another_device(self):
        image = DeviceImage.FromArray(torch.from_numpy(noisy_ball()))
        with self.assertRaisesRegex(RuntimeError, "on device cpu and the filter computes on cuda:0"):
            itk.cuda_bilateral_image_filter(image, compute_device="cuda:0")
        image = DeviceImage.FromArray(torch.from_numpy(noisy_ball()).cuda())
        with self.assertRaisesRegex(RuntimeError, "on device cuda:0 and the filter computes on cpu"):
            itk.cuda_bilateral_image_filter(image, compute_device="cpu")

    @unittest.skipUnless(NUMBER_OF_GPUS > 1, "needs two GPUs")
    def test_second_gpu(self):
        array = noisy_ball()
        image = DeviceImage.FromArray(torch.from_numpy(array).to("cuda:1"))
        self.assertEqual(image.GetComputeDevice().GetName(), "cuda:1")
        torch.cuda.set_device(0)
        result = torch.from_dlpack(three_filters(image)[0])
        self.assertEqual((result.device.index, torch.cuda.current_device()), (1, 0))
        np.testing.assert_allclose(result.cpu().numpy(), expected_of_three_filters(array), atol=1e-5 * 150)
        with self.assertRaisesRegex(RuntimeError, "on device cuda:1 and the filter computes on cuda:0"):
            itk.cuda_bilateral_image_filter(image, compute_device="cuda:0")

    def test_mask(self):
        array = noisy_ball()
        tensor = torch.from_numpy(array).cuda()
        mask = itk.DeviceImage[itk.UC, 3].FromArray((tensor > 80).to(torch.uint8))
        result = torch.from_dlpack(
            itk.cuda_bilateral_image_filter(DeviceImage.FromArray(tensor), mask_image=mask)
        )
        self.assertTrue(torch.equal(result[tensor <= 80], tensor[tensor <= 80]))

    def test_conversion_to_numpy_names_the_way(self):
        image = DeviceImage.FromArray(torch.from_numpy(noisy_ball()).cuda())
        with self.assertRaisesRegex(TypeError, "on cuda:0.*device_download_image_filter"):
            np.asarray(image)
        np.testing.assert_array_equal(itk.array_from_image(itk.device_download_image_filter(image)), noisy_ball())


@unittest.skipIf(cupy is None, "needs CuPy")
class CupyTest(unittest.TestCase):
    def test_three_filters_without_a_host_copy(self):
        array = noisy_ball((32, 40, 36))
        on_device = cupy.asarray(array)
        expected = expected_of_three_filters(array)
        for given in (on_device, OnlyCudaArrayInterface(on_device)):
            image = DeviceImage.FromArray(given)
            self.assertEqual(image._GetAddress(), on_device.data.ptr)
            result, bytes_copied = three_filters(image)
            self.assertEqual(bytes_copied, 0)
            for take in (cupy.from_dlpack, cupy.asarray):
                back = take(result)
                self.assertEqual(back.data.ptr, result._GetAddress())
                np.testing.assert_allclose(cupy.asnumpy(back), expected, atol=1e-5 * 150)

    def test_waits_for_the_producers_stream(self):
        array = noisy_ball((64, 64, 64))
        source = cupy.asarray(array)
        matrix = cupy.random.rand(4096, 4096, dtype=cupy.float32) / 4096
        expected = itk.cuda_bilateral_image_filter(array, radius=1, range_sigma=20.0, compute_device="cpu")
        for wrap in (lambda a: a, OnlyCudaArrayInterface):
            cupy.cuda.Device().synchronize()
            with cupy.cuda.Stream(non_blocking=True):
                on_device = cupy.zeros((64, 64, 64), cupy.float32)
                product = matrix
                for _ in range(100):
                    product = product @ matrix
                on_device += source + 0.0 * product[0, 0]
                image = DeviceImage.FromArray(wrap(on_device))
            result = itk.cuda_bilateral_image_filter(image, radius=1, range_sigma=20.0)
            np.testing.assert_allclose(cupy.asnumpy(cupy.from_dlpack(result)), expected, atol=1e-5 * 150)

    def test_keeps_the_owner_of_an_interface(self):
        owner = OnlyCudaArrayInterface(cupy.asarray(noisy_ball()))
        watch = weakref.ref(owner)
        image = DeviceImage.FromArray(owner)
        del owner
        gc.collect()
        self.assertIsNotNone(watch())
        np.testing.assert_array_equal(cupy.asnumpy(cupy.asarray(image)), noisy_ball())
        del image
        gc.collect()
        self.assertIsNone(watch())

    def test_interfaces_that_are_not_accepted(self):
        array = cupy.asarray(noisy_ball())
        for bad, message in (
            (OnlyCudaArrayInterface(array.astype(cupy.int32)), "type <i4; accepted is float32"),
            (OnlyCudaArrayInterface(array[::2]), "not contiguous"),
            (OnlyCudaArrayInterface(array, mask=array), "mask"),
            (OnlyCudaArrayInterface(array, data=(0, False)), "no memory of a CUDA device"),
            (OnlyCudaArrayInterface(array, data=(noisy_ball().ctypes.data, False)), "no memory of a CUDA device"),
            (OnlyCudaArrayInterface(array[0]), "2 axes and the image 3"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                DeviceImage.FromArray(bad)

    def test_array_freed_by_its_owner(self):
        memory = cupy.cuda.Memory(12 * 14 * 13 * 4)  # outside CuPy's pool, so that freeing gives it back
        array = cupy.ndarray((12, 14, 13), cupy.float32, cupy.cuda.MemoryPointer(memory, 0))
        given = OnlyCudaArrayInterface(array)
        del given.array, array, memory
        gc.collect()
        with self.assertRaisesRegex(ValueError, "no memory of a CUDA device"):
            DeviceImage.FromArray(given)


class GpuTest(unittest.TestCase):
    def test_images_of_the_host_are_computed_on_the_gpu_by_default(self):
        filter = itk.CudaBilateralImageFilter.New(itk.image_from_array(noisy_ball()))
        filter.Update()
        self.assertEqual(filter.GetComputeDevice().GetName(), "cuda:0")
        self.assertEqual(filter.GetHostToDeviceBytes(), noisy_ball().nbytes)


if __name__ == "__main__":
    unittest.main()
