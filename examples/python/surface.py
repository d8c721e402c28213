# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoises a surface by non-local means on its signed distance, and draws it before and after.

    python surface.py                                   # a noisy box with a hole and a ball on it
    python surface.py LABELS.nii.gz --label 2           # the surface of a label, the least if none is named
    python surface.py MESH.vtk --spacing 0.5            # a closed surface; read by VTK, which must be there for it

A drawing shows the zero level of the distance, to which rays are followed, and a slice with both surfaces.
"""

import argparse
import os
import time

import itk
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

MESHES = (".vtk", ".vtp", ".stl", ".ply", ".obj")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="label image, or surface (default: a synthetic one)")
    parser.add_argument("--label", type=int, help="the label whose surface is denoised (the least that there is)")
    parser.add_argument("--spacing", type=float, help="of the distances to a mesh, in mm (a hundredth of its size)")
    parser.add_argument("--size", type=int, default=64, help="voxels along the edges of the synthetic volume (64)")
    parser.add_argument("--noise", type=float, default=0.4, help="standard deviation of the synthetic noise in mm (0.4)")
    parser.add_argument("--neighbors", type=int, default=96, help="that a voxel is averaged with (96)")
    parser.add_argument("--iterations", type=int, default=10, help="steps (10)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--output", default="surface.png", help="the figure (surface.png)")
    arguments = parser.parse_args()
    if arguments.file and not os.path.isfile(arguments.file):
        parser.error(f"there is no file {arguments.file}")
    if arguments.size < 24:
        parser.error(f"--size must be at least 24, it is {arguments.size}")
    return arguments


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


def read_distance(arguments):
    """The distance to denoise, and the true one if it is known."""
    if not arguments.file:
        return make_noisy_shape(arguments)
    if arguments.file.lower().endswith(MESHES):
        return distance_to_mesh(arguments), None
    return distance_to_label(arguments), None


def denoise(noisy, arguments):
    filter = itk.CudaNonLocalMeansLevelSetImageFilter.New(
        noisy,
        number_of_neighbors=arguments.neighbors,
        number_of_iterations=arguments.iterations,
        **on_device(arguments),
    )
    start = time.perf_counter()
    filter.Update()
    print(
        f"{filter.GetNumberOfBandVoxels()} voxels within {filter.GetUsedBandWidth():.2f} mm in "
        f"{time.perf_counter() - start:.2f} s on {filter.GetComputeDevice()}\n"
        f"volume {filter.GetVolumeBefore():.1f} to {filter.GetVolumeAfter():.1f} mm^3"
    )
    return filter.GetOutput()


def distance_between(level, truth):
    """Mean distance of a surface from the true one, by the voxels next to it."""
    level, truth = itk.array_from_image(level), itk.array_from_image(truth)
    near = abs(level) < 0.5
    return abs(truth - level)[near].mean()


def sample(level, points):
    """Linear interpolation between voxels, at indices [..., (z, y, x)]."""
    points = np.clip(points, 0, np.array(level.shape) - 1.001)
    first = points.astype(int)
    part = points - first
    values = 0.0
    for corner in np.ndindex(2, 2, 2):
        weight = np.prod(np.where(corner, part, 1 - part), axis=-1)
        values = values + weight * level[tuple(np.moveaxis(first + corner, -1, 0))]
    return values


def render(image, pixels=300):
    """What rays that go through the volume at an angle see of its zero level, in shades of gray."""
    level = itk.array_from_image(image)
    spacing = np.array(image.GetSpacing())[::-1]
    extent = spacing * level.shape
    view = np.array([-0.45, 0.72, 0.53]) / np.linalg.norm([-0.45, 0.72, 0.53])
    # Products of vectors in the order z, y, x have the other sign.
    right = np.cross([1.0, 0.0, 0.0], view)
    right /= np.linalg.norm(right)
    up = np.cross(view, right)
    radius = 0.5 * np.linalg.norm(extent)
    across = np.linspace(-0.75, 0.75, pixels) * radius
    ray = extent / 2 - radius * view + across[::-1, None, None] * up + across[None, :, None] * right
    # The distance tells how far a ray can go.
    travelled = np.zeros(ray.shape[:2])
    for _ in range(120):
        distance = sample(level, (ray + travelled[..., None] * view) / spacing)
        travelled = np.minimum(travelled + 0.9 * distance, 2 * radius)
    hit = (ray + travelled[..., None] * view)[travelled < 2 * radius]
    steps = 0.7 * spacing.min() * np.eye(3)
    normal = np.stack([sample(level, (hit + step) / spacing) - sample(level, (hit - step) / spacing) for step in steps], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
    light = -view + 0.6 * up - 0.5 * right
    shades = np.ones(ray.shape[:2])
    shades[travelled < 2 * radius] = 0.15 + 0.8 * np.clip(normal @ light / np.linalg.norm(light), 0, 1)
    return shades


def draw(noisy, denoised, path):
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.8))
    for axes, image, title in ((left, noisy, "before"), (middle, denoised, "after")):
        axes.imshow(render(image), cmap="gray", vmin=0, vmax=1)
        axes.set_title(title)
        axes.axis("off")
    spacing = noisy.GetSpacing()
    for image, color, label in ((noisy, "0.6", "before"), (denoised, "tab:red", "after")):
        level = itk.array_from_image(image)
        slice_ = level[np.argmax((level < 0).sum(axis=(1, 2)))]
        x, y = (np.arange(n) * s for n, s in zip(slice_.shape[::-1], spacing))
        right.contour(x, y, slice_, levels=[0.0], colors=[color], linewidths=1.2)
        right.plot([], [], color=color, label=label)
    right.set_aspect("equal")
    right.set_xlabel("mm")
    right.set_title("The slice with most inside")
    right.legend(loc="upper right")
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def main():
    arguments = parse_arguments()
    try:
        noisy, truth = read_distance(arguments)
        denoised = denoise(noisy, arguments)
    except RuntimeError as error:
        raise SystemExit(str(error)) from None
    if truth is not None:
        before, after = (distance_between(level, truth) for level in (noisy, denoised))
        print(f"mean distance from the true surface {before:.3f} to {after:.3f} mm")
    draw(noisy, denoised, arguments.output)


if __name__ == "__main__":
    main()
