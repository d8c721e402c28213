# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of device images and arrays, found as itk.device_image_from_array and so on. Device images are itk.DeviceImage: images in
the memory of a compute device, "cpu" or "cuda:N"."""

import sys
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple, Union

import numpy as np

import itk.support.types as itkt

if TYPE_CHECKING:
    import itk


def device_image_from_array(
    array: Any,
    spacing: Optional[Sequence[float]] = None,
    origin: Optional[Sequence[float]] = None,
    direction: Optional[Any] = None,
    is_vector: Optional[bool] = None,
    reference_image: Optional["itkt.ImageBase"] = None,
    compute_device: Optional[Union[str, "itk.ComputeDevice"]] = None,
) -> "itk.DeviceImage":
    """A device image that shares the memory of an array; type and dimension are the array's.

    Parameters
    ----------

    array:
        Of PyTorch, CuPy, NumPy, JAX, or whatever has __dlpack__ or __cuda_array_interface__; in C order without gaps, on the
        CPU or a CUDA device; or an xarray.DataArray, itk.Image or itk.DeviceImage, or a filter that makes one of these images,
        which is updated. float32 becomes an image, uint8 and bool a mask or labels, of
        shape (z, y, x) or (y, x). float32 of shape (z, y, x, 3) becomes a displacement field in mm with the components x, y, z.
        What is enqueued to write the array, on its library's current stream, is waited for.

    spacing, origin, direction:
        Geometry in the order x, y, z, in mm; direction is a matrix whose columns are the axes of the image. By default those of
        reference_image, or of an xarray.DataArray or image, or else 1, 0 and the identity.

    is_vector:
        Whether the last axis is that of components. By default it is where there are 4 axes. A displacement field of two
        dimensions, of shape (y, x, 2), needs True.

    reference_image:
        An itk.Image, itk.DeviceImage or xarray.DataArray of the same size, whose geometry is taken.

    compute_device:
        "cpu", "cuda:N", "auto" for a GPU where there is one, or an itk.ComputeDevice. An array of the CPU is copied to that device;
        by default it stays on the CPU, and so do the filters that take the image. An array on a CUDA device stays there.

    Returns
    -------

    An itk.DeviceImage, which keeps the array's owner. torch.from_dlpack, cupy.asarray and itk.array_from_device_image give
    its pixels back.

    Raises
    ------

    TypeError for what is no such array, and for a reference image that has no geometry; ValueError for an array of another type of
    element or number of axes, with gaps or empty, for a reference image of another size, and for an array on another CUDA device than
    compute_device; BufferError for what its library does not export, such as a read-only array of NumPy, or a tensor that requires
    grad (PyTorch before 2.0 raises a RuntimeError); RuntimeError for an image without pixels, and for a device that is not there."""
    import itk

    image = _image_of(array)
    reference = _image_of(reference_image)
    if reference is None and reference_image is not None:
        raise TypeError(
            f"The reference image is a {name_of_class(reference_image)}; accepted are itk.Image, itk.DeviceImage and "
            "xarray.DataArray, which have a geometry"
        )
    if image is not None:
        of_image = image.GetNumberOfComponentsPerPixel() > 1
        if is_vector not in (None, of_image):
            raise ValueError(f"is_vector is {is_vector}; the image's pixels tell it, and it is {of_image}")
        is_vector = of_image
    if isinstance(image, itk.DeviceImage):
        image_type, array = type(image), image
    else:
        array = array if image is None else _pixels_of(image)
        image_type = _device_image_type(array, is_vector)
    image = image_type.FromArray(array, spacing, origin, direction, image if reference is None else reference)
    return image if compute_device is None else _on_device(image, compute_device)


def _updated(image: Any) -> Any:
    """An image, or the output of a filter, that is up to date."""
    import itk

    image = itk.output(image)
    if hasattr(image, "UpdateOutputData"):
        image.Update()
    return image


def _image_of(array: Any) -> Optional["itkt.ImageBase"]:
    """The itk.Image or itk.DeviceImage that something with a geometry is or becomes; None for an array of pixels alone."""
    import itk

    image = _updated(array)
    if isinstance(image, (itk.Image, itk.DeviceImage)):
        return image
    xarray = sys.modules.get("xarray")
    if xarray is None or not isinstance(array, xarray.DataArray):
        return None
    return itk.image_from_xarray(array.astype("uint8") if array.dtype == bool else array)


def _pixels_of(image: "itkt.Image") -> np.ndarray:
    """A view of the pixels of an itk.Image."""
    import itk

    try:
        array = itk.array_view_from_image(image)
    except ValueError:  # by ITK before 5.4, where others return None
        array = None
    if array is None:
        raise RuntimeError("The image has no pixels: neither Allocate nor an update was called")
    return array


def name_of_class(value: Any) -> str:
    """The name of a value's class, for messages."""
    return f"{type(value).__module__}.{type(value).__name__}"


def refuse_mask(array: Any) -> None:
    """Raises TypeError for an array of NumPy with a mask, which libraries that share its memory do not see."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("A numpy.ma.MaskedArray has a mask that is not used here; give its data and, where one is taken, its mask")


def shape_and_type(array: Any) -> Tuple[Tuple[int, ...], str]:
    """An array's shape, and the name of its type of element."""
    shape = getattr(array, "shape", None)
    dtype = getattr(array, "dtype", None)
    refuse_mask(array)
    if shape is None or dtype is None:
        raise TypeError(
            f"A {name_of_class(array)} is no array with a shape and a dtype; accepted are arrays of "
            "PyTorch, CuPy, NumPy and the like"
        )
    # "float32" of NumPy and those who follow it, "torch.float32" of PyTorch.
    return tuple(shape), getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]


def _device_image(image: Any) -> Any:
    """The device image that something is or has as its output."""
    import itk

    image = itk.output(image)
    if not isinstance(image, itk.DeviceImage):
        raise TypeError(f"A {name_of_class(image)} is no itk.DeviceImage; itk.array_from_image is for images")
    return image


def _device_image_type(array: Any, is_vector: Optional[bool]) -> Any:
    """The class of device image for an array."""
    import itk

    shape, name = shape_and_type(array)
    if is_vector is None:
        is_vector = len(shape) == 4
    dimension = len(shape) - 1 if is_vector else len(shape)
    if dimension not in (2, 3):
        raise ValueError(
            f"The array has shape {shape}; accepted are (y, x), (z, y, x), and with is_vector=True (y, x, 2) and (z, y, x, 3)"
        )
    if name not in ("float32", "uint8", "bool") or (is_vector and name != "float32"):
        accepted = (
            "float32 for a displacement field" if is_vector else "float32 for an image, uint8 or bool for a mask or labels"
        )
        raise ValueError(f"The array's elements are of type {name}; accepted is {accepted}")
    if not is_vector:
        return itk.DeviceImage[itk.F if name == "float32" else itk.UC, dimension]
    if shape[-1] != dimension:
        raise ValueError(
            f"The array has shape {shape}; a displacement field has its {dimension} components on the last axis, "
            "(y, x, 2) or (z, y, x, 3)"
        )
    return itk.DeviceImage[itk.Vector[itk.F, dimension], dimension]


def _on_device(image: "itk.DeviceImage", compute_device: Union[str, "itk.ComputeDevice"]) -> "itk.DeviceImage":
    """The device image itself, or a copy on another device."""
    import itk

    there, here = itk.ComputeDevice.FromName(str(compute_device)).GetName(), image.GetComputeDevice().GetName()
    if there == here:
        return image
    if image.GetComputeDevice().IsCuda():
        raise ValueError(f"The array is on {here}, and compute_device is {there}; copy it with its own library first")
    pixel_type, dimension = itk.template(image)[1]
    host_type = itk.Image[pixel_type, dimension]
    host_image = itk.image_view_from_array(np.asarray(image), ttype=host_type)
    host_image.CopyInformation(image)
    host_image.SetRegions(image.GetLargestPossibleRegion())
    upload = itk.DeviceUploadImageFilter[host_type, type(image)].New(host_image, compute_device=there)
    upload.Update()
    result = upload.GetOutput()
    result.DisconnectPipeline()
    return result


def array_from_device_image(image: "itkt.ImageOrImageSource") -> np.ndarray:
    """The pixels of a device image, or of a filter's output that is one, as a NumPy array, copied from whichever device.

    float32 or uint8 of shape (z, y, x) or (y, x); a displacement field is float32 of shape (z, y, x, 3) or (y, x, 2), with the
    components x, y, z. What the image is made by is updated first. torch.from_dlpack(image) and cupy.asarray(image) copy
    nothing.

    Raises TypeError for what is no device image, and RuntimeError for an image without pixels."""
    import itk

    image = _device_image(image)
    if image.GetComputeDevice().IsCuda():
        return itk.array_from_image(itk.device_download_image_filter(image))
    return np.array(image)


def array_view_from_device_image(image: "itkt.ImageOrImageSource") -> Any:
    """The pixels of a device image, or of a filter's output that is one, as an array that shares its memory: of NumPy for an
    image on the CPU, of CuPy for one on a CUDA device.

    Shapes and types are those of array_from_device_image. The array keeps the memory when the image is gone.

    Raises ImportError for an image on a CUDA device where there is no CuPy; TypeError for what is no device image, and RuntimeError
    for an image without pixels."""
    image = _device_image(image)
    if not image.GetComputeDevice().IsCuda():
        return np.asarray(image)
    try:
        import cupy
    except ImportError:
        raise ImportError(
            f"The pixels are on {image.GetComputeDevice().GetName()}, and there is no CuPy to view them: use "
            "torch.from_dlpack(image), or copy them with itk.array_from_device_image(image)"
        ) from None
    return cupy.from_dlpack(image)


def device_image_state(image: "itk.DeviceImage") -> Tuple[Any, ...]:
    """What restored_device_image makes an equal image of: pixels on the host, geometry, and the name of the device."""
    import itk

    region = image.GetLargestPossibleRegion()
    return (
        array_from_device_image(image),
        list(image.GetSpacing()),
        list(image.GetOrigin()),
        itk.array_from_matrix(image.GetDirection()),
        list(region.GetIndex()),
        image.GetComputeDevice().GetName(),
    )


def restored_device_image(array, spacing, origin, direction, index, compute_device) -> "itk.DeviceImage":
    """The image of device_image_state, on its device."""
    is_vector = array.ndim > len(index)
    image = device_image_from_array(array, spacing, origin, direction, is_vector, compute_device=compute_device)
    region = image.GetLargestPossibleRegion()
    region.SetIndex(index)
    image.SetRegions(region)
    return image
