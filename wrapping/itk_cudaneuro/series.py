# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Series of volumes in files, moved as cudaneuro-transform apply moves them."""

from typing import TYPE_CHECKING, Any, Optional, Sequence

from .files import PathLike, _name_of_type, _path, _place, _said
from .transforms import Device, _checked, _device, _together, _transforms

if TYPE_CHECKING:
    import itk

#: Interpolations by their names in the program, and those of itk.cuda_warp_image_filter.
_INTERPOLATIONS = {
    "linear": "Linear",
    "nearest": "Nearest",
    "cubic-spline": "CubicBSpline",
    "windowed-sinc": "WindowedSinc",
    "label": "Label",
}


def apply_transforms_to_series(
    input: PathLike,
    output: PathLike,
    reference: PathLike,
    transform: Optional["itk.Transform"] = None,
    volume_transforms: Optional[Sequence["itk.Transform"]] = None,
    interpolation: str = "linear",
    background: float = 0.0,
    output_type: Optional[Any] = None,
    nifti_place: str = "sform",
    compute_device: Optional[Device] = None,
    number_of_threads: Optional[int] = None,
) -> None:
    """Brings all volumes of a NIfTI series to the grid of an image with one interpolation, and writes them as one series, with the bits
    that cudaneuro-transform apply writes.

    Several volumes are read, moved and written at a time, and only these are in memory, but for a compressed input, which is
    decompressed as a whole. Where all is background, that is a warning.

    Parameters
    ----------

    input, output:
        The files: a series, and the one that is written, as NIfTI.

    reference:
        The file of the fixed image, whose grid the volumes get; of a series, the grid of its volumes.

    transform:
        An itk.Transform of double, from points of the fixed image to those of the moving one; a composite is one.

    volume_transforms:
        An itk.Transform of double for each volume, as a correction of motion finds them. It is applied after transform: from points of
        the fixed image, or where transform leads, to points of the volume. One object may be that of several volumes.

    interpolation:
        "linear", "nearest", "cubic-spline", "windowed-sinc" or "label"; or a name of itk.cuda_warp_image_filter, as "CubicBSpline".

    background:
        What voxels get that are taken to no place on the volume, in intensity units: a number of the type that is written.

    output_type:
        The type of numbers to write, as itk.F. By default that of the file. Whole numbers are rounded, and become the nearest that the
        type has; of labels it must have all.

    nifti_place:
        As that of read_image.

    compute_device:
        As that of compose_transforms.

    number_of_threads:
        Of the CPU, at least 1. By default that of all cores.

    Raises
    ------

    RuntimeError of one line, and no output, for files that cannot be read or written, an input that is no series, another number of
    transforms than of volumes, a singular transform, one of 2 axes, and a background or a label that the type has not; TypeError for
    what is no transform of double or no type; ValueError for another interpolation, nifti_place or number of threads, and for no
    volume_transforms at all."""
    if number_of_threads is not None and number_of_threads < 1:
        raise ValueError(f"number_of_threads is {number_of_threads}; it must be 1 or more")
    # The composite has them in the order of the volumes: _together adds the last one first.
    each = None if volume_transforms is None else _together(list(volume_transforms)[::-1])
    _said(
        _transforms().MoveSeries,
        _path(input),
        _path(output),
        _path(reference),
        None if transform is None else _checked(transform),
        each,
        _interpolation(interpolation),
        float(background),
        "" if output_type is None else _name_of_type(output_type, "output_type"),
        _place(nifti_place),
        _device(compute_device),
        number_of_threads or 0,
    )


def _interpolation(name: str) -> str:
    own = _INTERPOLATIONS.get(name, name)
    if own not in _INTERPOLATIONS.values():
        raise ValueError(f"interpolation is {name!r}; it must be one of {', '.join(_INTERPOLATIONS)}")
    return own
