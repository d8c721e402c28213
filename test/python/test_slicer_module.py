# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the logic of the scripted module of examples/slicer without Slicer.

What it needs of Slicer is here in small: volume nodes, the functions of slicer.util that it calls, and a progress dialog.
Each does what Slicer's does, with arrays of NumPy below.
"""

import importlib.util
import pathlib
import sys
import types
import unittest

import itk
import numpy as np

MODULE = pathlib.Path(__file__).resolve().parents[2] / "examples/slicer/CudaNeuroDenoise/CudaNeuroDenoise.py"


class Matrix4x4:
    """vtkMatrix4x4."""

    def __init__(self):
        self.elements = np.eye(4)

    def GetElement(self, row, column):
        return self.elements[row, column]

    def SetElement(self, row, column, value):
        self.elements[row, column] = value

    def DeepCopy(self, other):
        self.elements = other.elements.copy()


class VolumeNode:
    """vtkMRMLScalarVolumeNode: voxels indexed [k, j, i], and a map from (i, j, k) to RAS."""

    def __init__(self, voxels=None, ijkToRas=None):
        self.voxels = voxels
        self.ijkToRas = np.eye(4) if ijkToRas is None else np.array(ijkToRas, dtype=float)
        self.transformId = None
        self.timesModified = 0

    def GetIJKToRASMatrix(self, matrix):
        for row in range(4):
            for column in range(4):
                matrix.SetElement(row, column, self.ijkToRas[row, column])

    def SetIJKToRASMatrix(self, matrix):
        self.ijkToRas = np.array([[matrix.GetElement(row, column) for column in range(4)] for row in range(4)])

    def GetTransformNodeID(self):
        return self.transformId

    def SetAndObserveTransformNodeID(self, identity):
        self.transformId = identity


class ProgressDialog:
    """QProgressDialog in PythonQt, where value and wasCanceled are attributes. Its user cancels at a value."""

    def __init__(self, cancelAt=1000):
        self.values = []
        self.cancelAt = cancelAt

    def __setattr__(self, name, value):
        if name == "value":
            if not isinstance(value, int):
                raise ValueError("QProgressDialog takes an int")
            self.values.append(value)
        else:
            super().__setattr__(name, value)

    @property
    def wasCanceled(self):
        return bool(self.values) and max(self.values) >= self.cancelAt


def update_volume_from_array(volume, array):
    volume.voxels = array.copy()
    volume.timesModified += 1


def matrix_from_array(array):
    matrix = Matrix4x4()
    for row in range(4):
        for column in range(4):
            matrix.SetElement(row, column, array[row, column])
    return matrix


def make_slicer():
    """The modules that a scripted module imports."""
    slicer = types.ModuleType("slicer")
    slicer.installed = []
    slicer.events = 0

    def process_events():
        slicer.events += 1

    slicer.app = types.SimpleNamespace(processEvents=process_events)
    slicer.util = types.SimpleNamespace(
        arrayFromVolume=lambda volume: volume.voxels,
        updateVolumeFromArray=update_volume_from_array,
        arrayFromVTKMatrix=lambda matrix: matrix.elements.copy(),
        vtkMatrixFromArray=matrix_from_array,
        pip_install=slicer.installed.append,
    )
    scripted = types.ModuleType("slicer.ScriptedLoadableModule")
    for name in ("ScriptedLoadableModule", "ScriptedLoadableModuleWidget", "ScriptedLoadableModuleLogic"):
        setattr(scripted, name, type(name, (), {"__init__": lambda self, parent=None: None}))
    vtk = types.ModuleType("vtk")
    vtk.vtkMatrix4x4 = Matrix4x4
    return {"slicer": slicer, "slicer.ScriptedLoadableModule": scripted, "vtk": vtk}


def rotation(degrees):
    """About the third axis."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


class SlicerModuleTest(unittest.TestCase):
    def setUp(self):
        fakes = make_slicer()
        kept = {name: sys.modules.get(name) for name in fakes}
        sys.modules.update(fakes)
        self.addCleanup(self.restore, kept)
        specification = importlib.util.spec_from_file_location("CudaNeuroDenoise", MODULE)
        self.module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(self.module)
        self.slicer = fakes["slicer"]
        self.logic = self.module.CudaNeuroDenoiseLogic()
        random = np.random.default_rng(1)
        # A smooth bump: in so small a volume, edges would count as noise.
        axes = [np.cos(np.linspace(-1, 1, size)) for size in (14, 24, 28)]
        clean = 1000 * axes[0][:, None, None] * axes[1][:, None] * axes[2]
        self.clean = clean
        voxels = (clean + random.normal(0, 30, clean.shape)).astype(np.int16)
        self.ijkToRas = np.eye(4)
        self.ijkToRas[:3, :3] = rotation(20) @ np.diag([-1, -1, 1]) * [0.9, 1.1, 3.0]
        self.ijkToRas[:3, 3] = [-10, 20, 30]
        self.input = VolumeNode(voxels, self.ijkToRas)
        self.output = VolumeNode()

    @staticmethod
    def restore(kept):
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module

    def error(self, voxels):
        return np.sqrt(np.mean((voxels - self.clean) ** 2))

    def test_all_methods_denoise(self):
        noisy = self.input.voxels.copy()
        self.input.transformId = "vtkMRMLTransformNode4"
        for method in self.module.METHODS:
            progress = ProgressDialog()
            self.assertTrue(self.logic.process(self.input, self.output, method, progress), method)
            self.assertLess(self.error(self.output.voxels), 0.8 * self.error(noisy), method)
            self.assertEqual(self.output.voxels.shape, noisy.shape)
            np.testing.assert_allclose(self.output.ijkToRas, self.ijkToRas, atol=1e-9)
            self.assertEqual(self.output.transformId, "vtkMRMLTransformNode4")
            self.assertEqual(progress.values, sorted(progress.values))
            self.assertGreater(len(progress.values), 0)
            self.assertEqual(progress.values[-1], 100)
        np.testing.assert_array_equal(self.input.voxels, noisy)
        self.assertEqual(self.output.timesModified, len(self.module.METHODS))
        self.assertGreater(self.slicer.events, 0)

    def test_without_a_dialog(self):
        self.assertTrue(self.logic.process(self.input, self.output))
        self.assertEqual(self.output.timesModified, 1)

    def test_output_may_be_the_input(self):
        self.assertTrue(self.logic.process(self.input, self.input, "Bilateral"))
        np.testing.assert_allclose(self.input.ijkToRas, self.ijkToRas, atol=1e-9)

    def test_cancel_leaves_the_output(self):
        self.output = VolumeNode(np.ones((2, 2, 2)))
        self.assertFalse(self.logic.process(self.input, self.output, "Non-local means", ProgressDialog(cancelAt=0)))
        np.testing.assert_array_equal(self.output.voxels, np.ones((2, 2, 2)))
        self.assertEqual(self.output.timesModified, 0)

    def test_a_point_has_one_place(self):
        # The corner (i, j, k) = (3, 2, 1), in both systems.
        image = self.logic.imageFromVolume(self.input)
        ras = self.ijkToRas @ [3, 2, 1, 1]
        np.testing.assert_allclose(image.TransformIndexToPhysicalPoint([3, 2, 1]), [-ras[0], -ras[1], ras[2]])
        self.assertEqual(image.GetPixel([3, 2, 1]), self.input.voxels[1, 2, 3])
        self.logic.setVolumeFromImage(self.output, image)
        np.testing.assert_allclose(self.output.ijkToRas, self.ijkToRas, atol=1e-9)
        np.testing.assert_array_equal(self.output.voxels, self.input.voxels)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "must be selected"):
            self.logic.process(None, self.output)
        with self.assertRaisesRegex(ValueError, "There is no method Median; there are Adaptive non-local means, Non-local means, Bilateral"):
            self.logic.process(self.input, self.output, "Median")

        class Failing:
            AddObserver = RemoveObserver = lambda self, *_: 0

            def Update(self):
                raise RuntimeError("no memory")

        # An error is no cancelling.
        with self.assertRaisesRegex(RuntimeError, "no memory"):
            self.logic.update(Failing(), ProgressDialog())

    def test_installing(self):
        self.assertTrue(self.logic.hasFilters())
        kept, sys.modules["itk"] = sys.modules["itk"], types.ModuleType("itk")
        try:
            self.assertFalse(self.logic.hasFilters())
        finally:
            sys.modules["itk"] = kept
        self.logic.installFilters()
        self.assertEqual(self.slicer.installed, ["itk-cudaneuro"])


if __name__ == "__main__":
    unittest.main()
