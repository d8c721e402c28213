# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The modules of ITK that the programs use.
set(CudaNeuro_PROGRAM_MODULES
    ITKCommon
    ITKDisplacementField
    ITKGIFTI
    ITKHDF5
    ITKImageGrid
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
