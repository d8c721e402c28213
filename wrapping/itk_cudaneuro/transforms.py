# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Transforms in files, and what cudaneuro-transform does with them: compose, invert, compare, convert, move.

A transform is an itk.Transform of double, of 2 or 3 axes, which takes points of the fixed image to the moving one; composites of
linear transforms and displacement fields are such. Images whose grids are needed are images or the paths of files. Messages are those
of the program, a RuntimeError of one line."""

import dataclasses
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from .files import Mesh, PathLike, Points, _image, _library, _numbers, _path, _place, _said, _vector, read_image

if TYPE_CHECKING:
    import itk

#: An image whose grid counts, or the path of its file.
Grid = Union["itk.ImageBase", PathLike]
Device = Union[str, "itk.ComputeDevice"]


@dataclasses.dataclass
class Jacobian:
    """How a transform changes volumes: its Jacobian determinants."""

    #: The determinant at each voxel, an itk.Image of float.
    image: "itk.Image"
    minimum: float
    maximum: float
    #: Voxels whose determinant is 0, negative or NaN.
    folded_voxels: int
    voxels: int


@dataclasses.dataclass
class Distances:
    """How far apart two transforms take the same points, in mm."""

    #: The distance at each voxel, an itk.Image of float: 0 outside the mask, NaN where a transform leads to no place.
    image: "itk.Image"
    mean: float
    median: float
    percentile_95: float
    maximum: float
    root_mean_square: float
    #: Voxels that were compared, and those of the mask where a transform leads to no place.
    voxels: int
    voxels_without_place: int


def read_transform(
    path: PathLike,
    nifti_place: str = "sform",
    format: str = "auto",
    fixed: Optional[Grid] = None,
    moving: Optional[Grid] = None,
) -> "itk.Transform":
    """A transform, or a composite of them: text of ITK (.tfm, .txt), Matlab (.mat), HDF5 (.h5), FreeSurfer's (.lta), an image of
    displacements, or a matrix of 4 x 4 numbers. It leads from the fixed to the moving image, whichever way the file has it.

    Parameters
    ----------

    path, nifti_place:
        As those of read_image.

    format:
        What a matrix of 4 x 4 numbers is, which does not say so: "flirt" of FSL, or "ras-matrix" of greedy and c3d.

    fixed, moving:
        The images of FLIRT's -ref and -in, to whose voxels its numbers belong.

    Returns
    -------

    An itk.Transform of double, as an object of its class where this package itk wraps that.

    Raises
    ------

    RuntimeError for a file that cannot be read, and for an image that is missing; ValueError for another format."""
    images = (_grid(fixed, nifti_place), _grid(moving, nifti_place))
    return _transform(_said(_transforms().Read, _path(path), _place(nifti_place), _format(format), *images))


def write_transform(
    transform: "itk.Transform",
    path: PathLike,
    reference: Optional[Grid] = None,
    format: str = "auto",
    fixed: Optional[Grid] = None,
    moving: Optional[Grid] = None,
) -> None:
    """Writes a transform in a format of read_transform: by the ending of the name, or as a matrix. A transform keeps its class and its
    numbers in text of ITK and HDF5; Matlab's files, .lta and matrices hold one linear transform, and several linear ones become one.

    Parameters
    ----------

    transform:
        An itk.Transform of double.

    path:
        The file, which is replaced.

    reference:
        The image whose grid an image of displacements gets; by default that of a transform which is one displacement field.

    format:
        "flirt" or "ras-matrix", in place of what the ending says.

    fixed, moving:
        The images that an .lta and FLIRT's matrices belong to.

    Raises
    ------

    RuntimeError for what cannot be written; TypeError for what is no transform of double; ValueError for another format."""
    images = (_grid(fixed), _grid(moving))
    _said(_transforms().Write, _path(path), _checked(transform), _grid(reference), _format(format), *images)


def compose_transforms(
    transforms: Sequence["itk.Transform"], reference: Optional[Grid] = None, compute_device: Optional[Device] = None
) -> "itk.Transform":
    """One transform of several, which are applied to a point one after the other, the first first: an affine one where all are linear,
    and else a displacement field.

    Parameters
    ----------

    transforms:
        At least one itk.Transform of double.

    reference:
        The image whose grid displacements get; by default that of the field where there is one transform.

    compute_device:
        "cpu", "cuda:N", "auto" for a GPU where there is one, or an itk.ComputeDevice. By default that of CUDANEURO_DEVICE, or auto.

    Raises
    ------

    RuntimeError where the reference is missing; TypeError for what is no transform of double; ValueError for none at all."""
    together = _together(transforms)
    return _transform(_said(_transforms().Compose, together, _grid(reference), _device(compute_device)).GetTransform())


def invert_transform(
    transform: "itk.Transform",
    tolerance: float = 1e-3,
    maximum_number_of_iterations: int = 50,
    full_output: bool = False,
    compute_device: Optional[Device] = None,
) -> Union["itk.Transform", Tuple["itk.Transform", Dict[str, float]]]:
    """The inverse of a transform: of linear ones exactly, of displacement fields by Newton's method on their own grids, of a composite
    part by part.

    Parameters
    ----------

    tolerance:
        Of displacement fields: what may remain at a voxel, in voxels.

    maximum_number_of_iterations:
        At a voxel.

    full_output:
        Whether to return what remains, too: a dictionary of "iterations", "mean_residual_voxels" and "maximum_residual_voxels", of the
        worst of several fields, all 0 where there is none.

    Raises
    ------

    RuntimeError for a transform that has no inverse; TypeError for what is no transform of double."""
    transform = _checked(transform)
    result = _said(_transforms().Invert, transform, maximum_number_of_iterations, tolerance, _device(compute_device))
    inverse = _transform(result.GetTransform())
    return (inverse, _named(result)) if full_output else inverse


def transform_to_displacement_field(
    transform: "itk.Transform", reference: Optional[Grid] = None, compute_device: Optional[Device] = None
) -> "itk.Image":
    """The displacements of a transform at the voxels of a reference, in mm, as an itk.Image of vectors of float: what the filters that
    take fields are given. They are NaN where it leads to no place.

    Raises
    ------

    RuntimeError where the reference is missing; TypeError for what is no transform of double."""
    result = _said(_transforms().Displacements, _checked(transform), _grid(reference), _device(compute_device))
    return _image(result.GetImage())


def jacobian_of_transform(
    transform: "itk.Transform", reference: Optional[Grid] = None, compute_device: Optional[Device] = None
) -> Jacobian:
    """The Jacobian determinants of a transform at the voxels of a reference, by default of its one displacement field, and where it
    folds.

    Raises
    ------

    RuntimeError where the reference is missing, and where no determinant is a number; TypeError for what is no transform of double."""
    result = _said(_transforms().Jacobian, _checked(transform), _grid(reference), _device(compute_device))
    return _of_numbers(Jacobian, result)


def compare_transforms(
    first: "itk.Transform",
    second: "itk.Transform",
    reference: Optional[Grid] = None,
    mask: Optional[Grid] = None,
    compute_device: Optional[Device] = None,
) -> Distances:
    """How far apart two transforms take the voxels of a reference, in mm.

    Parameters
    ----------

    reference:
        The fixed image. By default the mask, or else the grid of a transform that is one displacement field.

    mask:
        An image on the same grid; voxels where it is 0 or NaN are excluded.

    Raises
    ------

    RuntimeError where the reference is missing, where the mask has another grid, and where no voxel is left; TypeError for what is no
    transform of double."""
    transforms = (_checked(first), _checked(second))
    result = _said(_transforms().Compare, *transforms, _grid(reference), _mask(mask), _device(compute_device))
    return _of_numbers(Distances, result)


def move_points(
    points: Union[Points, Mesh, np.ndarray], transform: "itk.Transform", compute_device: Optional[Device] = None
) -> Union[Points, Mesh, np.ndarray]:
    """Takes points, or those of a mesh, from the fixed to the moving image. All else that a file says of them stays.

    Parameters
    ----------

    points:
        Points, a Mesh, or an array of shape (points, 3) or (points, 2), in mm along LPS.

    Returns
    -------

    What was given, with other places.

    Raises
    ------

    RuntimeError for points that are taken to no place; TypeError for what is no transform of double; ValueError for points of other
    axes than the transform's."""
    transform = _checked(transform)
    attribute = {Points: "coordinates", Mesh: "points"}.get(type(points))
    places = np.asarray(points if attribute is None else getattr(points, attribute), dtype=np.float64)
    axes = transform.GetInputSpaceDimension()
    if places.ndim != 2 or places.shape[1] != axes:
        raise ValueError(f"The places are an array of shape {places.shape}; accepted are (points, {axes}), of the transform's axes")
    moved = _numbers(_said(_transforms().MovePoints, transform, _vector(places), _device(compute_device))).reshape(-1, axes)
    return moved if attribute is None else dataclasses.replace(points, **{attribute: moved})


def _transforms() -> Any:
    return _library("CudaNeuroTransforms")


def _checked(transform: Any) -> "itk.Transform":
    import itk

    if not isinstance(transform, itk.TransformBaseTemplate[itk.D]):
        raise TypeError(f"The transform is of type {type(transform).__name__}; accepted is an itk.Transform of double")
    return transform


def _together(transforms: Sequence["itk.Transform"]) -> "itk.Transform":
    """A composite of them."""
    import itk

    transforms = [_checked(transform) for transform in transforms]
    if not transforms:
        raise ValueError("There are no transforms; at least one is needed")
    axes = transforms[0].GetInputSpaceDimension()
    composite = itk.CompositeTransform[itk.D, axes].New()
    # It applies the one that was added last first.
    for transform in reversed(transforms):
        if transform.GetInputSpaceDimension() != axes:
            raise ValueError(f"There are a transform of {axes} axes and one of {transform.GetInputSpaceDimension()}")
        composite.AddTransform(transform)
    return composite


def _transform(transform: Any) -> "itk.Transform":
    """A transform of C++ as an object of its class."""
    import itk
    from itk.support.cudaneuro import of_its_class

    axes = transform.GetInputSpaceDimension()
    return of_its_class(itk.Transform[itk.D, axes, axes].cast(transform))


def _grid(image: Optional[Grid], nifti_place: str = "sform") -> Any:
    """An image, what is read of a file, or None."""
    import itk

    if image is None:
        return None
    if isinstance(image, (str, os.PathLike)):
        return _said(_library().ReadGrid, _path(image), _place(nifti_place))
    image = itk.output(image)
    if not isinstance(image, itk.DataObject):
        raise TypeError(f"The image is of type {type(image).__name__}; accepted are itk.Image, itk.DeviceImage and the path of a file")
    if hasattr(image, "UpdateOutputInformation"):
        image.UpdateOutputInformation()
    return image


def _mask(mask: Optional[Grid]) -> Any:
    """A copy of unsigned char, which is 1 where the mask is neither 0 nor NaN."""
    import itk

    if mask is None:
        return None
    mask = read_image(mask) if isinstance(mask, (str, os.PathLike)) else _grid(mask)
    mask.Update()
    if mask.GetNameOfClass() == "DeviceImage":
        mask = itk.device_download_image_filter(mask)
    values = itk.array_view_from_image(mask)
    result = itk.image_from_array(((values != 0) & ~np.isnan(values)).astype(np.uint8))
    result.CopyInformation(mask)
    return result


def _format(format: str) -> str:
    if format not in ("auto", "flirt", "ras-matrix"):
        raise ValueError(f'format is {format!r}; it must be "auto", "flirt" or "ras-matrix"')
    return format


def _device(compute_device: Optional[Device]) -> str:
    return "" if compute_device is None else str(compute_device)


def _named(result: Any) -> Dict[str, float]:
    return dict(zip(result.GetNames(), result.GetNumbers()))


def _of_numbers(kind: Any, result: Any) -> Any:
    """A dataclass of the image and the numbers of a result."""
    types = {field.name: int for field in dataclasses.fields(kind) if field.type in (int, "int")}
    return kind(image=_image(result.GetImage()), **{name: types.get(name, float)(number) for name, number in _named(result).items()})
