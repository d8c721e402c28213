# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes signed distances: of a synthetic shape with noise, of a surface file, of a label."""

import itk
import numpy as np


def on_device(arguments):
    return {"compute_device": arguments.device} if arguments.device else {}


def make_noisy_shape(arguments):
    """The signed distance to a shape with edges, with noise and without."""
    size = arguments.size
    z, y, x = np.meshgrid(*[np.arange(size) - (size - 1) / 2] * 3, indexing="ij")
    beyond = np.stack([abs(x) - 0.33 * size, abs(y) - 0.26 * size, abs(z + 0.08 * size) - 0.2 * size])
    box = np.linalg.norm(np.maximum(beyond, 0), axis=0) + np.minimum(beyond.max(axis=0), 0)
    hole = np.hypot(x + 0.15 * size, y) - 0.1 * size
    ball = np.sqrt((x - 0.15 * size) ** 2 + y**2 + (z - 0.12 * size) ** 2) - 0.17 * size
    shape = np.minimum(np.maximum(box, -hole), ball)
    noise = np.random.default_rng(1).normal(0.0, arguments.noise, shape.shape)
    # Of levels that are not distances, where surfaces meet or noise was added.
    return (
        itk.cuda_reinitialize_signed_distance_image_filter(
            itk.image_from_array(level.astype(np.float32)), **on_device(arguments)
        )
        for level in (shape + noise, shape)
    )


def read_mesh(path):
    """Points and triangles of a surface, points at the same place made one."""
    try:
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy
    except ImportError:
        raise SystemExit(f"{path} is a surface; to read it, the module vtk is needed") from None
    reader = {".vtk": vtk.vtkPolyDataReader, ".vtp": vtk.vtkXMLPolyDataReader, ".stl": vtk.vtkSTLReader}.get(
        path[-4:].lower(), vtk.vtkPLYReader if path.lower().endswith(".ply") else vtk.vtkOBJReader
    )()
    reader.SetFileName(path)
    clean = vtk.vtkCleanPolyData()
    clean.SetInputConnection(reader.GetOutputPort())
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputConnection(clean.GetOutputPort())
    triangles.PassLinesOff()
    triangles.PassVertsOff()
    triangles.Update()
    mesh = triangles.GetOutput()
    if mesh.GetNumberOfPolys() == 0:
        raise SystemExit(f"{path} has no triangles")
    cells = vtk_to_numpy(mesh.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    return vtk_to_numpy(mesh.GetPoints().GetData()).astype(np.float64), cells


def distance_to_mesh(arguments):
    """The distance on a grid that has 10 voxels around the mesh."""
    points, triangles = read_mesh(arguments.file)
    low, high = points.min(axis=0), points.max(axis=0)
    spacing = arguments.spacing or (high - low).max() / 100
    filter = itk.CudaMeshToSignedDistanceImageFilter[itk.DevicePointSet[itk.D, 3], itk.Image[itk.F, 3]].New(
        triangles=triangles,
        output_spacing=[spacing] * 3,
        output_origin=(low - 10 * spacing).tolist(),
        size=(np.ceil((high - low) / spacing).astype(int) + 21).tolist(),
        **on_device(arguments),
    )
    filter.SetInput(itk.DevicePointSet[itk.D, 3].FromArray(np.ascontiguousarray(points)))
    filter.Update()
    return filter.GetOutput()


def distance_to_label(arguments):
    image = itk.imread(arguments.file, itk.US)
    chosen = {} if arguments.label is None else {"labels": [arguments.label]}
    filter = itk.CudaLabelToSignedDistanceImageFilter.New(image, **chosen, **on_device(arguments))
    filter.Update()
    print(f"label {filter.GetLabels()[0]}")
    return filter.GetOutput(0)
