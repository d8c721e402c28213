# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""A module of 3D Slicer that denoises a volume with the filters of ITKCudaNeuro.

The logic works on volume nodes, and can be used from other modules and from the Python console:

    logic = slicer.modules.cudaneurodenoise.widgetRepresentation().self().logic
    logic.process(inputVolume, outputVolume, "Adaptive non-local means")
"""

import numpy as np
import slicer
import vtk
from slicer.ScriptedLoadableModule import (
    ScriptedLoadableModule,
    ScriptedLoadableModuleLogic,
    ScriptedLoadableModuleWidget,
)

# What pip installs. A path of a wheel does as well.
WHEEL = "itk-cudaneuro"
METHODS = ("Adaptive non-local means", "Non-local means", "Bilateral", "Diffusion")
# Slicer's first two axes point to the right and to the front of a patient, those of ITK to the left and to the back.
RAS_TO_LPS = np.diag([-1.0, -1.0, 1.0, 1.0])


class CudaNeuroDenoise(ScriptedLoadableModule):
    def __init__(self, parent):
        super().__init__(parent)
        parent.title = "CudaNeuro Denoise"
        parent.categories = ["Filtering.Denoising"]
        parent.contributors = ["The ITKCudaNeuro Contributors"]
        parent.helpText = "Denoises a volume on an NVIDIA GPU, or on the CPU where there is none."


class CudaNeuroDenoiseWidget(ScriptedLoadableModuleWidget):
    def setup(self):
        import qt

        super().setup()
        self.logic = CudaNeuroDenoiseLogic()
        form = qt.QFormLayout()
        self.layout.addLayout(form)
        self.input = self.volumeSelector("Input volume", form)
        self.output = self.volumeSelector("Output volume", form, canAdd=True)
        self.method = qt.QComboBox()
        self.method.addItems(METHODS)
        form.addRow("Method:", self.method)
        apply = qt.QPushButton("Apply")
        apply.connect("clicked(bool)", self.onApply)
        form.addRow(apply)
        self.layout.addStretch(1)

    def volumeSelector(self, label, form, canAdd=False):
        selector = slicer.qMRMLNodeComboBox()
        selector.nodeTypes = ["vtkMRMLScalarVolumeNode"]
        selector.addEnabled = selector.renameEnabled = selector.removeEnabled = canAdd
        selector.setMRMLScene(slicer.mrmlScene)
        form.addRow(label + ":", selector)
        return selector

    def onApply(self, *_):
        with slicer.util.tryWithErrorDisplay("The volume was not denoised."):
            if not self.logic.hasFilters():
                if not slicer.util.confirmOkCancelDisplay(f"The Python package {WHEEL} will be installed."):
                    return
                self.logic.installFilters()
            progress = slicer.util.createProgressDialog(windowTitle="Denoising", labelText=self.method.currentText)
            try:
                output = self.output.currentNode()
                if self.logic.process(self.input.currentNode(), output, self.method.currentText, progress):
                    slicer.util.setSliceViewerLayers(background=output)
            finally:
                progress.close()


class CudaNeuroDenoiseLogic(ScriptedLoadableModuleLogic):
    def hasFilters(self):
        """Whether the filters are installed in Slicer's Python."""
        try:
            import itk
        except ImportError:
            return False
        return hasattr(itk, "CudaAdaptiveNonLocalMeansImageFilter")

    def installFilters(self):
        slicer.util.pip_install(WHEEL)

    def process(self, inputVolume, outputVolume, method=METHODS[0], progress=None):
        """Denoises a volume.

        :param progress: a progress dialog; its user may cancel
        :return: whether it was finished. Otherwise the output is as it was."""
        if inputVolume is None or outputVolume is None:
            raise ValueError("An input and an output volume must be selected.")
        image = self.imageFromVolume(inputVolume)
        denoise = self.makeFilter(image, method)
        if not self.update(denoise, progress):
            return False
        self.setVolumeFromImage(outputVolume, denoise.GetOutput())
        # The output is where the input is shown.
        outputVolume.SetAndObserveTransformNodeID(inputVolume.GetTransformNodeID())
        return True

    def makeFilter(self, image, method):
        """A filter whose strength follows from the noise of the image."""
        import itk

        if method == "Adaptive non-local means":
            return itk.CudaAdaptiveNonLocalMeansImageFilter.New(image)  # finds out the noise by itself
        estimate = itk.CudaNoiseEstimateImageFilter.New(image)
        estimate.Update()
        noise = max(estimate.GetNoiseStandardDeviation(), 1e-6)
        if method == "Non-local means":
            return itk.CudaNonLocalMeansImageFilter.New(image, smoothing_parameter=0.7 * noise)
        if method == "Bilateral":
            return itk.CudaBilateralImageFilter.New(image, range_sigma=3.0 * noise)
        if method == "Diffusion":
            diffusion = itk.CudaAnisotropicDiffusionImageFilter.New(image)
            diffusion.SetKappaFromNoise(noise)
            return diffusion
        raise ValueError(f"There is no method {method}; there are {', '.join(METHODS)}.")

    def update(self, process, progress):
        """Runs a filter, and ends it when the user cancels. The window lives on meanwhile."""
        import itk

        if progress is None:
            process.Update()
            return True

        def show():
            progress.value = round(100 * process.GetProgress())
            slicer.app.processEvents()
            if progress.wasCanceled:
                process.AbortGenerateDataOn()

        tag = process.AddObserver(itk.ProgressEvent(), show)
        try:
            process.Update()
        except RuntimeError:
            if progress.wasCanceled:
                return False
            raise
        finally:
            process.RemoveObserver(tag)
        return True

    def imageFromVolume(self, volume):
        """An ITK image of a volume node: both have arrays indexed [k, j, i]. Pixels become float."""
        import itk

        voxels = slicer.util.arrayFromVolume(volume)
        image = itk.image_from_array(np.ascontiguousarray(voxels, dtype=np.float32))
        matrix = vtk.vtkMatrix4x4()
        volume.GetIJKToRASMatrix(matrix)
        ijkToLps = RAS_TO_LPS @ slicer.util.arrayFromVTKMatrix(matrix)
        spacing = np.linalg.norm(ijkToLps[:3, :3], axis=0)
        image.SetSpacing([float(one) for one in spacing])
        image.SetOrigin([float(one) for one in ijkToLps[:3, 3]])
        image.SetDirection(itk.matrix_from_array(ijkToLps[:3, :3] / spacing))
        return image

    def setVolumeFromImage(self, volume, image):
        """Gives a volume node the voxels and the place of an ITK image."""
        import itk

        ijkToLps = np.eye(4)
        ijkToLps[:3, :3] = itk.array_from_matrix(image.GetDirection()) * np.array(image.GetSpacing())
        ijkToLps[:3, 3] = image.GetOrigin()
        volume.SetIJKToRASMatrix(slicer.util.vtkMatrixFromArray(RAS_TO_LPS @ ijkToLps))
        slicer.util.updateVolumeFromArray(volume, itk.array_from_image(image))
