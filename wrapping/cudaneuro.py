# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of the package itk that ITK does not generate from classes: registration in a call, and what is done to those that it
generates. Those of device images and arrays are in cudaneuro_device_images.py, and importable from here, too.

They are found as itk.cuda_register_images and so on."""

import dataclasses
import sys
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple, Union

import numpy as np

import itk.support.types as itkt
from itk.support import helpers
from itk.support.cudaneuro_device_images import (  # noqa: F401
    array_from_device_image,
    array_view_from_device_image,
    device_image_from_array,
    device_image_state,
    name_of_class,
    refuse_mask,
    restored_device_image,
    shape_and_type,
)

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

    name = transform.GetNameOfClass() if hasattr(transform, "GetNameOfClass") else name_of_class(transform)
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
