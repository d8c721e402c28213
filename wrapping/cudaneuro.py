# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of the package itk that ITK does not generate from classes: device images and arrays, and registration in a call.

They are found as itk.device_image_from_array and so on. Device images are itk.DeviceImage: images in the memory of a compute
device, "cpu" or "cuda:N"."""

import dataclasses
import sys
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple, Union

import numpy as np

import itk.support.types as itkt
from itk.support import helpers

if TYPE_CHECKING:
    import itk

__all__ = [
    "ImageSimilarity",
    "ImageStatistics",
    "array_from_device_image",
    "array_view_from_device_image",
    "cuda_match_landmarks",
    "cuda_register_images",
    "device_image_from_array",
]

#: What cuda_register_images calls its methods, and the classes that they are.
_FLUID_CLASSES = {
    "Symmetric": "CudaSymmetricRegistrationFilter",
    "Unbiased": "CudaUnbiasedFluidRegistrationFilter",
    "Greedy": "CudaGreedyFluidRegistrationFilter",
}
_LINEAR_TYPES = ("Translation", "Rigid", "Similarity", "Affine")


@dataclasses.dataclass(frozen=True)
class ImageStatistics:
    """What itk.cuda_statistics_image_filter returns: of the finite voxels in the mask, in the image's intensities; the variance is
    that of a sample, and sigma is its square root. The others in the mask are counted as not finite."""

    number_of_voxels: int
    number_of_not_finite: int
    minimum: float
    maximum: float
    mean: float
    sigma: float
    variance: float
    sum: float


@dataclasses.dataclass(frozen=True)
class ImageSimilarity:
    """What itk.cuda_structural_similarity_image_filter returns with compute_map=False."""

    mean_structural_similarity: float
    mean_squared_error: float


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
            f"The reference image is a {_name_of_class(reference_image)}; accepted are itk.Image, itk.DeviceImage and "
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


def _name_of_class(value: Any) -> str:
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
            f"A {_name_of_class(array)} is no array with a shape and a dtype; accepted are arrays of "
            "PyTorch, CuPy, NumPy and the like"
        )
    # "float32" of NumPy and those who follow it, "torch.float32" of PyTorch.
    return tuple(shape), getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]


def _device_image(image: Any) -> Any:
    """The device image that something is or has as its output."""
    import itk

    image = itk.output(image)
    if not isinstance(image, itk.DeviceImage):
        raise TypeError(f"A {_name_of_class(image)} is no itk.DeviceImage; itk.array_from_image is for images")
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


def cuda_register_images(
    fixed_image: "itkt.ImageLike",
    moving_image: "itkt.ImageLike",
    method: Union[str, Sequence[str]] = ("Affine", "Symmetric"),
    initial_transform: Optional["itkt.Transform"] = None,
    fixed_mask_image: Optional["itkt.ImageLike"] = None,
    moving_mask_image: Optional["itkt.ImageLike"] = None,
    compute_device: Optional[str] = None,
    **settings: Any,
) -> Tuple["itkt.ImageLike", "itkt.Transform"]:
    """Registers two images: returns the moving image on the fixed image's grid, and the transform that takes it there.

    Parameters
    ----------

    fixed_image, moving_image:
        Both of the same type: itk.Image of float, short or unsigned char, itk.DeviceImage of float, NumPy array or
        xarray.DataArray, of 2 or 3 dimensions. Their grids may differ. They need not have the same contrast for the linear
        methods, which maximize mutual information by default; the others compare intensities by default
        (metric="MeanSquares"; "LocalCorrelation" and "MutualInformation" are for other contrasts).

    method:
        What is found: "Translation", "Rigid", "Similarity" or "Affine" (itk.CudaLinearRegistrationFilter), or a map that does
        not fold: "Symmetric" (itk.CudaSymmetricRegistrationFilter), "Unbiased" (itk.CudaUnbiasedFluidRegistrationFilter) or
        "Greedy" (itk.CudaGreedyFluidRegistrationFilter). Or several of them, each of which begins with the result of the one
        before, with the default settings of all but the last. By default ("Affine", "Symmetric").

    initial_transform:
        An itk.Transform of double from points of the fixed image to points of the moving image, to begin with. By default the
        identity, or what a linear method finds by itself.

    fixed_mask_image, moving_mask_image:
        Images of unsigned char on the grid of the fixed and of the moving image; where they are 0, voxels take no part.

    compute_device:
        "cpu", "cuda:N", or "auto" for a GPU where there is one, which is the default. Device images have their own.

    settings:
        Of the last method's class, in snake case: metric="LocalCorrelation", number_of_iterations_per_level=[100, 50, 20].

    Returns
    -------

    warped_image:
        The moving image on the fixed image's grid by linear interpolation, 0 where it has no value; of the kind that the images
        are: an image, a device image, a NumPy array or an xarray.DataArray.

    transform:
        From points of the fixed image to points of the moving image, in mm, as itk.resample_image_filter takes it: of the
        class that the linear method has; for the others an itk.CompositeTransform of the transform that they began with and an
        itk.DisplacementFieldTransform with its inverse. GetInverseTransform() goes the other way.

    Raises
    ------

    ValueError for an unknown method, and for transform_type and compute_warped, which are no settings here; TypeError for images of
    other types and for arrays with a mask; RuntimeError for images without contrast or overlap and for settings out of range, with the
    value and the limit."""
    methods = [method] if isinstance(method, str) else list(method)
    known = (*_LINEAR_TYPES, *_FLUID_CLASSES)
    if not methods or any(name not in known for name in methods):
        raise ValueError(f"Unknown method {method!r}: use one of {', '.join(known)}, or several")
    for name, instead in (("transform_type", "method"), ("compute_warped", "the class itself, which leaves out the warped image")):
        if name in settings:
            raise ValueError(f"{name} is {settings[name]!r}, and is none of the settings here: use {instead}")
    common = {
        "fixed_mask_image": fixed_mask_image,
        "moving_mask_image": moving_mask_image,
        "compute_device": compute_device,
    }
    common = {name: value for name, value in common.items() if value is not None}
    for image in (fixed_image, moving_image, fixed_mask_image, moving_mask_image):
        refuse_mask(image)
    kept = []

    @helpers.accept_array_like_xarray_torch
    def register(fixed, moving, **common):
        registration = _register(fixed, moving, methods, initial_transform, common, settings)
        kept.append(registration.GetWarpedImage())
        return kept[0], registration.GetTransform()

    warped, transform = register(fixed_image, moving_image, **common)
    if warped is kept[0]:
        warped.DisconnectPipeline()
    elif isinstance(warped, np.ndarray):
        # What ITK makes of its image is a view, which does not keep the image's memory in all of its versions.
        warped = np.array(warped)
    else:
        warped = warped.clone() if hasattr(warped, "clone") else warped.copy(deep=True)
    return warped, transform


def _register(
    fixed: "itkt.ImageBase",
    moving: "itkt.ImageBase",
    methods: Sequence[str],
    transform: Optional["itkt.Transform"],
    common: dict,
    settings: dict,
) -> Any:
    """Runs a filter for each method, the settings being those of the last, and returns that."""
    import itk

    registration = None
    for index, name in enumerate(methods):
        is_last = index == len(methods) - 1
        keywords = dict(common, **(settings if is_last else {"compute_warped": False}))
        if transform is not None:
            keywords["initial_transform"] = transform
        if name in _LINEAR_TYPES:
            keywords["transform_type"] = name
            if transform is not None:
                keywords.setdefault("start", "InitialTransform")
            registration = itk.CudaLinearRegistrationFilter.New(fixed, moving, **keywords)
        else:
            keywords.setdefault("compute_jacobian", False)
            registration = getattr(itk, _FLUID_CLASSES[name]).New(fixed, moving, **keywords)
        registration.Update()
        transform = registration.GetTransform()
    return registration


def is_of_class(value: Any, *names: str) -> bool:
    """Whether a value is an object of one of ITK's classes, by their names, which not every ITK wraps."""
    return hasattr(value, "GetNameOfClass") and value.GetNameOfClass() in names


def cuda_match_landmarks(
    template_points: Any, target_points: Any, sigma: float, **settings: Any
) -> Tuple[Any, "itk.GeodesicShootingTransform"]:
    """Moves landmarks to those that correspond to them by a smooth map of all of space that has an inverse.

    Parameters
    ----------

    template_points, target_points:
        Both itk.PointSet of one type, or both itk.Mesh; or arrays of shape (points, 3) or (points, 2), float64 or float32, of coordinates x, y, z in mm, in C order; point by point they
        correspond. Of NumPy, or of PyTorch, CuPy and the like, with __dlpack__ or __cuda_array_interface__, which are not copied.
        What is on a CUDA device is computed there, the rest on the CPU.

    sigma:
        How far a landmark carries its neighborhood along, in mm; about the distance between neighboring points, or more.

    settings:
        Of itk.CudaGeodesicShootingRegistration, in snake case: number_of_time_steps=20, precision="Double".

    Returns
    -------

    matched_points:
        The template points near to their targets: an array of the shape, type and library that they are of, an itk.PointSet, or an
        itk.Mesh with the cells and data of the template.

    transform:
        An itk.GeodesicShootingTransform of double from the template to the target, which GetInverseTransform() inverts.

    Raises
    ------

    TypeError for what is no array; ValueError for another shape or type of element, and for arrays of different ones; RuntimeError for
    different numbers of points and for settings out of range, with the value and the limit."""
    import itk

    if is_of_class(template_points, "PointSet") and type(template_points) is type(target_points):
        registration = itk.CudaGeodesicShootingRegistration[type(template_points)].New(
            template_point_set=template_points, target_point_set=target_points, sigma=sigma, **settings
        )
        registration.Update()
        return registration.GetOutput(), registration.GetTransform()
    if is_of_class(template_points, "Mesh") and is_of_class(target_points, "Mesh"):
        content, target_content = itk.dict_from_mesh(template_points), itk.dict_from_mesh(target_points)
        points = [np.array(one["points"]).reshape(-1, one["meshType"]["dimension"]) for one in (content, target_content)]
        matched, transform = cuda_match_landmarks(*points, sigma, **settings)
        return itk.mesh_from_dict({**content, "points": np.ascontiguousarray(matched).ravel()}), transform
    (shape, name), target = shape_and_type(template_points), shape_and_type(target_points)
    if len(shape) != 2 or shape[1] not in (2, 3) or name not in ("float32", "float64"):
        raise ValueError(
            f"The template points are {name} of shape {shape}; accepted are float64 or float32 of shape (points, 3) or (points, 2)"
        )
    if target[1] != name or len(target[0]) != 2 or target[0][1] != shape[1]:
        raise ValueError(
            f"The target points are {target[1]} of shape {target[0]} and the template points {name} of shape {shape}; they must be "
            "of the same type and dimension"
        )
    points_type = itk.DevicePointSet[itk.F if name == "float32" else itk.D, shape[1]]
    registration = itk.CudaGeodesicShootingRegistration[points_type].New(
        template_point_set=points_type.FromArray(template_points),
        target_point_set=points_type.FromArray(target_points),
        sigma=sigma,
        **settings,
    )
    registration.Update()
    return array_like(template_points, registration.GetOutput()), registration.GetTransform()


def array_like(original: Any, result: Any) -> Any:
    """What a class in device memory holds, as an array of the library that the original is of; unchanged for an original of
    another kind."""
    if isinstance(original, np.ndarray):
        return np.asarray(result)
    for name, array_type in (("torch", "Tensor"), ("cupy", "ndarray")):
        library = sys.modules.get(name)
        if library is not None and isinstance(original, getattr(library, array_type)):
            return library.from_dlpack(result)
    return result


def of_its_class(transform: "itkt.Transform") -> "itkt.Transform":
    """A transform as an object of its class where this ITK wraps that, so that it has the class's functions."""
    import itk

    return itk.down_cast(transform) if hasattr(itk, transform.GetNameOfClass()) else transform


def cuda_geodesic_shooting_to_displacement_field_filter(transform: "itk.GeodesicShootingTransform", **settings: Any) -> "itkt.Image":
    """The displacements of a transform at the voxels of a grid, in mm: itk.CudaGeodesicShootingToDisplacementFieldFilter.

    Parameters
    ----------

    transform:
        An itk.GeodesicShootingTransform of double, as itk.cuda_match_landmarks returns it.

    settings:
        Of the class, in snake case: reference_image=image with use_reference_image=True for the grid of an image, or size,
        output_origin, output_spacing and output_direction; precision="Double"; compute_device="cpu". ttype=(field_type, itk.D) for a
        field of another type, such as itk.DeviceImage[itk.Vector[itk.F, 3], 3].

    Returns
    -------

    The displacement field, by default an itk.Image of vectors of float.

    Raises
    ------

    TypeError for another transform; RuntimeError for settings out of range, with the value and the limit."""
    import itk

    name = transform.GetNameOfClass() if hasattr(transform, "GetNameOfClass") else _name_of_class(transform)
    if name != "GeodesicShootingTransform":
        raise TypeError(f"The transform is a {name}; accepted is an itk.GeodesicShootingTransform")
    dimension = transform.GetInputSpaceDimension()
    types = settings.pop("ttype", (itk.Image[itk.Vector[itk.F, dimension], dimension], itk.D))
    to_field = itk.CudaGeodesicShootingToDisplacementFieldFilter[types].New(transform=transform, **settings)
    to_field.UpdateLargestPossibleRegion()
    return to_field.GetOutput()


def complete_functions(functions: dict) -> None:
    """Corrects what ITK generates from classes: functions that do not find out their type, and the hints of those that return
    something else than there are hints for."""
    from itk.support import cudaneuro_meshes as meshes

    for own in (
        cuda_geodesic_shooting_to_displacement_field_filter,
        meshes.cuda_mesh_denoising_filter,
        meshes.cuda_mesh_to_signed_distance_image_filter,
    ):
        functions[own.__name__] = own
    for name, hint in (
        ("cuda_label_surface_filter", meshes.LabelSurfaces),
        ("cuda_linear_registration_filter", "itkt.Transform"),
        ("cuda_nearest_neighbors", Tuple[Any, Any]),
        ("cuda_noise_estimate_image_filter", float),
        ("cuda_statistics_image_filter", ImageStatistics),
    ):
        functions[name].__annotations__["return"] = hint
