# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Compares surfaces of labels by cudaneuro-surface with vtkSurfaceNets3D and vtkWindowedSincPolyDataFilter, and prints a table.

    label_rivals.py PROGRAM FOLDER shapes [NAME...]            shapes that are known exactly, of voxels of 1 mm
    label_rivals.py PROGRAM FOLDER pair NOISY TRUE [LABEL...]  labels of a segmentation, and of the true one
    label_rivals.py PROGRAM FOLDER coarse MAP [LABEL...]       every second voxel of a map, and the map itself

PROGRAM is cudaneuro-surface, which also measures all surfaces (its command compare); FOLDER has what is in between. It needs NumPy
and VTK 9.3 or newer. Each rival has the settings that are best for each single number, found on the truth; vtkSurfaceNets3D is
in the table with its own settings, too."""

import argparse
import itertools
import json
import pathlib
import subprocess

import nifti
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk

SHAPES = ("Folds", "Sphere", "Torus", "Nut", "Blocks")
PASS_BANDS = (0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.17, 0.22, 0.3, 0.4, 0.5)
SINC_ITERATIONS = (20, 50, 200)
NETS_ITERATIONS = (4, 8, 16, 32, 64, 128)
NETS_SCALES = (0.5, 1, 2, 4)
MARGIN = 8


def image_of(inside, spacing):
    """Voxels, indexed [i, j, k], whose first one is at 0."""
    image = vtk.vtkImageData()
    image.SetDimensions(*inside.shape)
    image.SetSpacing(*spacing)
    image.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(inside.ravel(order="F")), deep=1))
    return image


def marching_cubes(image):
    contour = vtk.vtkFlyingEdges3D()
    contour.SetInputData(image)
    contour.SetValue(0, 0.5)
    contour.ComputeNormalsOff()
    contour.ComputeScalarsOff()
    contour.Update()
    return contour.GetOutput()


def windowed_sinc(surface, pass_band, iterations):
    smooth = vtk.vtkWindowedSincPolyDataFilter()
    smooth.SetInputData(surface)
    smooth.SetPassBand(pass_band)
    smooth.SetNumberOfIterations(iterations)
    smooth.NormalizeCoordinatesOn()
    smooth.NonManifoldSmoothingOn()
    smooth.Update()
    return smooth.GetOutput()


def surface_nets(image, iterations=None, scale=None):
    """With the settings that the filter has by default, unless others are given."""
    nets = vtk.vtkSurfaceNets3D()
    nets.SetInputData(image)
    nets.SetValue(0, 1)
    nets.SetOutputMeshTypeToTriangles()
    if iterations is not None:
        nets.SetNumberOfIterations(iterations)
        nets.AutomaticSmoothingConstraintsOn()
        nets.SetConstraintScale(scale)
    nets.Update()
    return nets.GetOutput()


def write_surface(surface, path):
    """Only the triangles: the program compares nothing else."""
    bare = vtk.vtkPolyData()
    bare.SetPoints(surface.GetPoints())
    bare.SetPolys(surface.GetPolys())
    writer = vtk.vtkXMLPolyDataWriter()
    writer.SetFileName(str(path))
    writer.SetInputData(bare)
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()
    writer.Write()
    return path


class Comparison:
    """Surfaces of one label, and how far they are from the true one."""

    def __init__(self, program, folder, truth):
        self.program = program
        self.folder = folder
        self.truth = truth

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words), "--json", "-", "-q"], stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)

    def measure(self, path):
        """Mean angle in degrees; mean and RMS distance in mm, of both directions together."""
        report = self.run("compare", self.truth, path)
        distance = report["distance"]
        return np.array([report["angle"]["mean_degrees"], distance["mean_mm"], distance["rms_mm"]])

    def best(self, surfaces):
        return np.min([self.measure(write_surface(one, self.folder / "rival.vtp")) for one in surfaces if one.GetNumberOfPolys()], axis=0)

    def row(self, inside, spacing):
        image = image_of(inside, spacing)
        steps = marching_cubes(image)
        sinc = self.best(windowed_sinc(steps, *setting) for setting in itertools.product(PASS_BANDS, SINC_ITERATIONS))
        default = self.best([surface_nets(image)])
        nets = self.best(surface_nets(image, *setting) for setting in itertools.product(NETS_ITERATIONS, NETS_SCALES))
        header = "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nElementType = MET_UCHAR\n"
        header += f"DimSize = {' '.join(map(str, inside.shape))}\nElementSpacing = {' '.join(map(str, spacing))}\n"
        header += "ElementDataFile = LOCAL\n"
        labels = self.folder / "labels.mha"
        labels.write_bytes(header.encode() + inside.tobytes(order="F"))
        output = self.folder / "smooth.vtp"
        self.run("denoise", labels, "-o", output, "--method", "labels")
        return sinc, default, nets, self.measure(output)


def text_of(values):
    return f"{values[0]:.2f}, {values[1]:.3f}, {values[2]:.3f}"


def print_row(name, row):
    sinc, default, nets, own = row
    ratios = [own / sinc, own / nets]
    cells = [name, *map(text_of, row), *(", ".join(f"{x:.2f}" for x in ratio) for ratio in ratios)]
    print("| " + " | ".join(cells) + " |", flush=True)


def shapes(options):
    """The voxels whose centers are inside, on a grid that no face of a shape is in a plane of."""
    for name in options.words or SHAPES:
        truth = options.folder / "true.vtp"
        comparison = Comparison(options.program, options.folder, truth)
        noisy = options.folder / "noisy.vtp"
        comparison.run("synthesize", "--shape", name, "--size", 12, "--edge-length", 0.3, "-o", noisy, "--output-true", truth)
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(truth))
        reader.Update()
        surface = reader.GetOutput()
        bounds = np.array(surface.GetBounds()).reshape(3, 2)
        low = np.floor(bounds[:, 0]) - MARGIN + (0.13, 0.31, 0.22)
        shape = (np.ceil(bounds[:, 1] - low) + MARGIN).astype(int)
        # The surface goes to where the voxels are, so that the first one is at 0.
        moved = vtk.vtkPolyData()
        moved.DeepCopy(surface)
        points = np.array([surface.GetPoint(i) for i in range(surface.GetNumberOfPoints())]) - low
        moved.GetPoints().SetData(numpy_to_vtk(points, deep=1))
        write_surface(moved, truth)
        stencil = vtk.vtkPolyDataToImageStencil()
        stencil.SetInputData(moved)
        stencil.SetOutputWholeExtent(0, shape[0] - 1, 0, shape[1] - 1, 0, shape[2] - 1)
        cut = vtk.vtkImageStencil()
        cut.SetInputData(image_of(np.ones(shape, np.uint8), (1, 1, 1)))
        cut.SetStencilConnection(stencil.GetOutputPort())
        cut.SetBackgroundValue(0)
        cut.Update()
        scalars = cut.GetOutput().GetPointData().GetScalars()
        inside = np.frombuffer(scalars, np.uint8).reshape(shape, order="F")
        print_row(name, comparison.row(np.ascontiguousarray(inside), (1.0, 1.0, 1.0)))


def labels_of(image, words):
    return [int(word) for word in words] or [int(label) for label in np.unique(image) if label != 0]


def boxed(insides):
    """The box of all of the masks, with a margin, which may be beyond the image."""
    padded = [np.pad(inside, MARGIN) for inside in insides]
    places = np.argwhere(np.logical_or.reduce(padded))
    box = tuple(slice(low - MARGIN, high + MARGIN + 1) for low, high in zip(places.min(0), places.max(0)))
    return [np.ascontiguousarray(one[box].astype(np.uint8)) for one in padded]


def pair(options):
    noisy, affine = nifti.read(options.words[0])
    true = nifti.read(options.words[1])[0]
    spacing = np.linalg.norm(affine[:3, :3], axis=0).round(6)
    for label in labels_of(true, options.words[2:]):
        inside, truth = boxed([noisy == label, true == label])
        if not inside.any() or not truth.any():
            continue
        path = write_surface(marching_cubes(image_of(truth, spacing)), options.folder / "true.vtp")
        print_row(f"label {label}", Comparison(options.program, options.folder, path).row(inside, spacing))


def coarse(options):
    labels, affine = nifti.read(options.words[0])
    spacing = np.linalg.norm(affine[:3, :3], axis=0).round(6)
    for label in labels_of(labels, options.words[1:]):
        (truth,) = boxed([labels == label])
        path = write_surface(marching_cubes(image_of(truth, spacing)), options.folder / "true.vtp")
        inside = np.ascontiguousarray(truth[::2, ::2, ::2])
        print_row(f"label {label}", Comparison(options.program, options.folder, path).row(inside, 2 * spacing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("case", choices=("shapes", "pair", "coarse"))
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print(f"VTK {vtk.VTK_VERSION}. Each: mean angle in degrees, mean and RMS distance in mm; the last two columns: this over the rival.\n")
    print("| label | best sinc | SurfaceNets | best SurfaceNets | this | over sinc | over SurfaceNets |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    {"shapes": shapes, "pair": pair, "coarse": coarse}[options.case](options)


if __name__ == "__main__":
    main()
