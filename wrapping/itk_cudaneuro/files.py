# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Reading and writing files by the rules of the programs, which are those of the page "Files" of the documentation.

Places are in mm along LPS, whatever the file has. What is remarkable about a file is a warning (UserWarning), said once in a process.
What cannot be read or written is a RuntimeError of one line, which names the file, the place and the value. A written file appears as
a whole or not at all."""

import dataclasses
import os
import re
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

import numpy as np

if TYPE_CHECKING:
    import itk

PathLike = Union[str, "os.PathLike[str]"]

#: What the package itk calls its types of pixels, small ones first.
_NUMBER_TYPES = ("UC", "SC", "US", "SS", "UI", "SI", "UL", "SL", "ULL", "SLL", "F", "D")


def read_image(
    path: PathLike, pixel_type: Optional[Any] = None, volume: Optional[int] = None, nifti_place: str = "sform"
) -> "itk.Image":
    """An image of 2 or 3 axes with one number a voxel: NIfTI, MetaImage, NRRD, FreeSurfer's volumes, and series of DICOM where the
    module was built with ITKIOGDCM.

    Parameters
    ----------

    path:
        The file, or the folder of a series of DICOM.

    pixel_type:
        itk.F, itk.UC, itk.SS, itk.US or itk.D. By default that of the file; float for numbers that were scaled, double for other
        types of whole numbers.

    volume:
        Which volume of a series of NIfTI, from 0 on.

    nifti_place:
        "sform" or "qform": which matrix of a NIfTI header counts where it has both.

    Returns
    -------

    An itk.Image. Its dictionary has what else the header says, for write_image.

    Raises
    ------

    RuntimeError for a file that cannot be read, TypeError for another pixel_type, ValueError for another nifti_place or volume."""
    types = _image_types("UC", "SS", "US", "D", "F") if pixel_type is None else [_name_of_type(pixel_type)]
    return _image(_said(_library().ReadImage, _path(path), types, _place(nifti_place), _volume(volume)))


def read_labels(path: PathLike, volume: Optional[int] = None, nifti_place: str = "sform") -> "itk.Image":
    """An image of labels, which are whole numbers, without loss.

    Numbers that a slope made are rounded within its precision. The type of pixels is that of the file where this package itk has
    images of it, or else the first that holds all labels. The parameters are those of read_image.

    Raises
    ------

    RuntimeError for a file that cannot be read, for a voxel that is no whole number, and for labels that no type of pixels holds."""
    return _image(_said(_library().ReadLabels, _path(path), _image_types(*_NUMBER_TYPES), _place(nifti_place), _volume(volume)))


def read_displacement_field(path: PathLike, nifti_place: str = "sform") -> "itk.Image":
    """A displacement field in mm, of float: an image of vectors, or a NIfTI file whose last axis has the components.

    Raises
    ------

    RuntimeError for a file that cannot be read, and for vectors that are no displacements along LPS or RAS."""
    return _image(_said(_library().ReadDisplacementField, _path(path), _place(nifti_place)))


def write_image(image: "itk.ImageBase", path: PathLike, like: Optional["itk.ImageBase"] = None) -> None:
    """Writes an image, labels or a displacement field as NIfTI, MetaImage or NRRD, by the ending of the name.

    Parameters
    ----------

    image:
        An itk.Image or itk.DeviceImage, or a filter that makes one, which is updated.

    path:
        The file, which is replaced.

    like:
        The image of read_image or read_labels that this one was made of: what its header said beside grid and type is written again,
        where the format is the same. Images that filters make do not have that with them. By default the image's own dictionary.

    Raises
    ------

    RuntimeError for what cannot be written; TypeError for what is no image."""
    import itk

    image = itk.output(image)
    if not isinstance(image, itk.DataObject):
        raise TypeError(f"The image is of type {type(image).__name__}; accepted are itk.Image and itk.DeviceImage")
    if hasattr(image, "UpdateOutputData"):
        image.Update()
    if image.GetNameOfClass() == "DeviceImage":
        image = itk.device_download_image_filter(image)
    _said(_library().WriteImage, _path(path), image, None if like is None else itk.output(like))


@dataclasses.dataclass
class Points:
    """Points of a file. write_points keeps what else the file says, such as the list's name and colors of 3D Slicer."""

    #: Places in mm along LPS, of shape (points, 2) or (points, 3), float64.
    coordinates: np.ndarray
    #: A name of each point, or none at all.
    labels: List[str] = dataclasses.field(default_factory=list)
    #: What else is said of each point: a text a point, by the names of columns.
    columns: Dict[str, List[str]] = dataclasses.field(default_factory=dict)
    _file: Any = dataclasses.field(default=None, repr=False, compare=False)


@dataclasses.dataclass
class Mesh:
    """A mesh of a file. write_mesh keeps what else the file says, such as the space that it notes."""

    #: Places in mm along LPS, of shape (points, 3), float64.
    points: np.ndarray
    #: Three points of each triangle, counted from 0, of shape (triangles, 3), int64. Polygons of a file that have more points are cut
    #: from their first one; they are written as they were where the triangles are.
    triangles: np.ndarray
    _file: Any = dataclasses.field(default=None, repr=False, compare=False)


def read_points(path: PathLike) -> Points:
    """Points and landmarks: tables (.csv, .tsv, .txt), elastix' (.pts), 3D Slicer's (.mrk.json, .fcsv), or the points of a mesh.

    Raises
    ------

    RuntimeError for a file that cannot be read."""
    file = _said(_library("CudaNeuroPointFile").Read, _path(path))
    columns = {name: list(file.GetColumn(name)) for name in file.GetColumnNames()}
    return Points(_coordinates(file), list(file.GetLabels()), columns, file)


def write_points(points: Union[Points, np.ndarray], path: PathLike) -> None:
    """Writes points in a format of read_points, by the ending of the name.

    What the format has no place for is said in a warning.

    Parameters
    ----------

    points:
        Points, or an array of shape (points, 2) or (points, 3).

    Raises
    ------

    RuntimeError for what cannot be written; ValueError for another shape, and for labels and columns of another length."""
    if not isinstance(points, Points):
        points = Points(points)
    file = _with_coordinates(points._file, points.coordinates, (2, 3))
    count = len(points.coordinates)
    for name, texts in (("labels", points.labels), *points.columns.items()):
        if len(texts) != count and not (name == "labels" and len(texts) == 0):
            raise ValueError(f"There are {count} points, and {len(texts)} {name}")
    file.SetLabels([str(label) for label in points.labels])
    for name in file.GetColumnNames():
        if name not in points.columns:
            file.RemoveColumn(name)
    for name, texts in points.columns.items():
        file.SetColumn(name, [str(text) for text in texts])
    _said(file.Write, _path(path))


def read_mesh(path: PathLike) -> Mesh:
    """A mesh: legacy .vtk, .ply, .obj, .off, .stl, GIFTI (.gii, .gii.gz), or FreeSurfer's surfaces (lh.*, rh.*, .fsb, .asc, .fsa).

    Raises
    ------

    RuntimeError for a file that cannot be read, and for one without polygons."""
    file = _said(_library("CudaNeuroPointFile").Read, _path(path))
    triangles = _numbers(file.GetTriangles()).astype(np.int64).reshape(-1, 3)
    if len(triangles) == 0:
        raise RuntimeError(f"{_path(path)} has points and no polygons; read_points reads it")
    return Mesh(_coordinates(file), triangles, file)


def write_mesh(mesh: Mesh, path: PathLike) -> None:
    """Writes a mesh in a format of read_mesh, by the ending of the name, in the space that the file which was read notes; without one
    in LPS, or in RAS where the format has that.

    Raises
    ------

    RuntimeError for what cannot be written; ValueError for arrays of another shape, and for triangles of points that are not there."""
    file = _with_coordinates(mesh._file, mesh.points, (3,))
    triangles = np.asarray(mesh.triangles)
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
        raise ValueError(f"The triangles are {triangles.dtype} of shape {triangles.shape}; accepted are integers of shape (triangles, 3)")
    if triangles.size and not 0 <= triangles.min() <= triangles.max() < len(mesh.points):
        raise ValueError(
            f"There are {len(mesh.points)} points, and triangles of the points {triangles.min()} to {triangles.max()}, counted from 0"
        )
    if not np.array_equal(triangles.ravel(), _numbers(file.GetTriangles())):
        file.SetTriangles(_vector(triangles))
    _said(file.Write, _path(path))


def _library(name: str = "CudaNeuroFiles") -> Any:
    """A class of the compiled part."""
    import itk

    if not hasattr(itk, name):
        raise RuntimeError(
            "This build of itk-cudaneuro reads and writes no files: it was made with CudaNeuro_WRAP_FILES=OFF, which is the default "
            "where nlohmann_json, libdeflate or a reader of ITK is missing"
        )
    return getattr(itk, name)


def _said(function: Any, *arguments: Any) -> Any:
    """The result of a function, once its warnings are said. Messages name parameters of Python, not options of programs."""
    try:
        return function(*arguments)
    except RuntimeError as error:
        raise RuntimeError(_in_python(str(error))) from None
    finally:
        for text in _library().TakeWarnings():
            # At the line that called the function of this module.
            warnings.warn(_in_python(text), stacklevel=3)


def _in_python(message: str) -> str:
    return re.sub("--(volume|nifti-place|reference|fixed|moving|background|output-type)", lambda found: found[1].replace("-", "_"), message)


def _path(path: PathLike) -> str:
    return os.fsdecode(path)


def _place(nifti_place: str) -> str:
    if nifti_place not in ("sform", "qform"):
        raise ValueError(f'nifti_place is {nifti_place!r}; it must be "sform" or "qform"')
    return nifti_place


def _volume(volume: Optional[int]) -> int:
    if volume is not None and volume < 0:
        raise ValueError(f"volume is {volume}; it must be 0 or more")
    return -1 if volume is None else int(volume)


def _name_of_type(pixel_type: Any, parameter: str = "pixel_type") -> str:
    import itk

    for name in _NUMBER_TYPES:
        if getattr(itk, name, None) == pixel_type:
            return name
    raise TypeError(f"{parameter} is {pixel_type!r}; it must be a type of numbers, such as itk.F")


def _image_types(*names: str) -> List[str]:
    """Those of types of pixels that this package itk has images of."""
    import itk

    there = set(itk.Image.keys())
    return [name for name in names if (getattr(itk, name), 3) in there]


def _image(image: Any) -> "itk.Image":
    import itk

    return itk.down_cast(image)


def _numbers(vector: Any) -> np.ndarray:
    import itk

    return np.array(itk.array_from_vnl_vector(vector)) if vector.size() else np.empty(0)


def _vector(array: np.ndarray) -> Any:
    import itk

    return itk.vnl_vector_from_array(np.ascontiguousarray(array, dtype=np.float64).ravel())


def _coordinates(file: Any) -> np.ndarray:
    return _numbers(file.GetCoordinates()).reshape(-1, file.GetDimension())


def _with_coordinates(file: Any, coordinates: Any, dimensions: Any) -> Any:
    """A copy of what else a file says, with other places."""
    coordinates = np.asarray(coordinates)
    if coordinates.ndim != 2 or coordinates.shape[1] not in dimensions or len(coordinates) == 0:
        accepted = " or ".join(f"(points, {dimension})" for dimension in dimensions)
        raise ValueError(f"The places are an array of shape {coordinates.shape}; accepted are {accepted}")
    if not np.isfinite(coordinates).all():
        raise ValueError(f"The place of point {np.argmin(np.isfinite(coordinates).all(axis=1))} is not finite")
    file = _library("CudaNeuroPointFile")() if file is None else file.Clone()
    file.SetCoordinates(_vector(coordinates), coordinates.shape[1])
    return file
