# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The modules of ITK that the library of files uses.
set(CudaNeuro_FILES_MODULES
    ITKCommon
    ITKDisplacementField
    ITKGIFTI
    ITKHDF5
    ITKIOMeta
    ITKIONIFTI
    ITKIONRRD
    ITKIOTransformBase
    ITKIOTransformHDF5
    ITKIOTransformInsightLegacy
    ITKIOTransformMatlab
    ITKTransform
    ITKTransformFactory
    ITKZLIB
)
