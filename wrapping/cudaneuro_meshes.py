# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of meshes, as arrays of points and triangles or as itk.Mesh. They are attributes of the package itk."""

import dataclasses
from typing import Any, Optional, Tuple

import numpy as np

from itk.support.cudaneuro import array_like, is_of_class, shape_and_type


@dataclasses.dataclass(frozen=True)
class LabelSurfaces:
    """What itk.cuda_label_surface_filter returns: the surfaces of labels, one after the other.

    points is an array of shape (points, 3), of coordinates in mm; triangles one of shape (triangles, 3), points counted from 0,
    counterclockwise as seen from outside; triangle_labels has the label of each triangle. The others have a value for each label:
    labels the label itself, label_volumes the volume of its voxels and surface_volumes what its surface encloses, both in mm^3, and
    noise how far from the surface voxels have the wrong label, a standard deviation in mm."""

    points: np.ndarray
    triangles: np.ndarray
    triangle_labels: np.ndarray
    labels: np.ndarray
    label_volumes: np.ndarray
    surface_volumes: np.ndarray
    noise: np.ndarray


def _fans_of_cells(cells: np.ndarray) -> np.ndarray:
    """The triangles of the cells of a mesh, as itk.dict_from_mesh gives them: type, number of points and their numbers, cell after
    cell. Polygons become fans of triangles from their first point."""
    triangle, polygons = 2, (2, 3, 4)
    cells = np.asarray(cells).astype(np.int64)
    if len(cells) % 5 == 0 and np.all(cells.reshape(-1, 5)[:, :2] == (triangle, 3)):
        return cells.reshape(-1, 5)[:, 2:]
    fans, at = [], 0
    while at < len(cells):
        kind, corners = cells[at], cells[at + 2 : at + 2 + cells[at + 1]]
        if kind not in polygons:
            raise ValueError(f"The mesh has a cell of type {kind} ({len(corners)} points); accepted are triangles and polygons")
        fans += [(corners[0], *pair) for pair in zip(corners[1:], corners[2:])]
        at += 2 + len(corners)
    return np.array(fans, np.int64).reshape(-1, 3)


def _device_points(points: Any) -> "itk.DevicePointSet":
    """Points in three dimensions that share the memory of an array; an itk.DevicePointSet as it is."""
    import itk

    if isinstance(points, itk.DevicePointSet):
        return points
    shape, name = shape_and_type(points)
    if len(shape) != 2 or shape[1] != 3 or name not in ("float32", "float64"):
        raise ValueError(f"The points are {name} of shape {shape}; accepted are float64 or float32 of shape (points, 3)")
    return itk.DevicePointSet[itk.F if name == "float32" else itk.D, 3].FromArray(points)


def _surface_of(mesh: Any, triangles: Any) -> Tuple[Any, Any, Optional[dict]]:
    """The points and triangles of a mesh, and what else an itk.Mesh has, as itk.mesh_from_dict takes it."""
    import itk

    if not is_of_class(mesh, "Mesh"):
        if triangles is None:
            raise TypeError("Points need triangles=, the numbers of the points that each triangle joins")
        return _device_points(mesh), triangles, None
    if triangles is not None:
        raise TypeError("An itk.Mesh has cells; triangles= are for points without")
    content = itk.dict_from_mesh(mesh)
    points = np.ascontiguousarray(content["points"]).reshape(-1, 3)
    if points.dtype not in (np.float32, np.float64):
        points = points.astype(np.float64)
    return _device_points(points), _fans_of_cells(content["cells"]), content


def cuda_mesh_denoising_filter(mesh: Any, triangles: Any = None, **settings: Any) -> Any:
    """Removes the noise of the vertices of a mesh, and keeps edges and folds: itk.CudaMeshDenoisingFilter.

    Parameters
    ----------

    mesh:
        An itk.Mesh of three dimensions, whose cells are triangles and polygons; or points as an array of shape (points, 3), float64
        or float32, of coordinates in mm, in C order: of NumPy, or of PyTorch, CuPy and the like, which are not copied; or an
        itk.DevicePointSet.

    triangles:
        For points: an array of whole numbers of shape (triangles, 3), points counted from 0, in one sense of rotation.

    settings:
        Of the class, in snake case: noise in mm, compute_device="cpu".

    Returns
    -------

    What was given: an itk.Mesh with the cells and data of that which was given, or the points as an array of the same library, or as an
    itk.DevicePointSet.

    Raises
    ------

    TypeError for what is no mesh; ValueError for arrays of another type or shape; RuntimeError for a point that is not there, and for
    settings out of range, with the value and the limit."""
    import itk

    points, triangles, content = _surface_of(mesh, triangles)
    types = (type(points), type(points))
    denoising = itk.CudaMeshDenoisingFilter[types].New(triangles=triangles, **settings)
    denoising.SetInput(points)
    denoising.Update()
    if content is None:
        return array_like(mesh, denoising.GetOutput())
    # The dictionary's array of points has the type of the mesh's coordinates.
    moved = np.asarray(denoising.GetOutput()).astype(np.asarray(content["points"]).dtype).ravel()
    return itk.mesh_from_dict({**content, "points": moved})


def cuda_mesh_to_signed_distance_image_filter(mesh: Any, triangles: Any = None, **settings: Any) -> Any:
    """The signed distance to a closed mesh in mm, negative inside, at the voxels of a grid: itk.CudaMeshToSignedDistanceImageFilter.

    Parameters
    ----------

    mesh, triangles:
        As itk.cuda_mesh_denoising_filter takes them.

    settings:
        Of the class, in snake case: reference_image=image with use_reference_image=True for the grid of an image, or size,
        output_origin, output_spacing and output_direction; reach in mm; compute_device="cpu". ttype=itk.DeviceImage[itk.F, 3] for a
        distance in device memory.

    Returns
    -------

    The distance, by default an itk.Image of float.

    Raises
    ------

    TypeError for what is no mesh; ValueError for arrays of another type or shape; RuntimeError for a mesh that is not closed, and for
    settings out of range, with the value and the limit."""
    import itk

    points, triangles, _ = _surface_of(mesh, triangles)
    types = (type(points), settings.pop("ttype", itk.Image[itk.F, 3]))
    to_distance = itk.CudaMeshToSignedDistanceImageFilter[types].New(triangles=triangles, **settings)
    to_distance.SetInput(points)
    to_distance.Update()
    return to_distance.GetOutput()
