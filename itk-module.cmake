# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set(DOCUMENTATION
    "Denoising and registration of images, and matching of landmarks, in computational neuroanatomy, on NVIDIA GPUs and on the CPU. See README.md."
)

itk_module(
  CudaNeuro
  DEPENDS
    ITKCommon
    ITKTransform
  # Headers alone, for the metric of ITK's registration framework and the filters of meshes.
  COMPILE_DEPENDS
    ITKMesh
    ITKMetricsv4
  TEST_DEPENDS
    ITKDisplacementField
    ITKGoogleTest
    ITKImageFilterBase
    ITKImageFunction
    ITKImageGradient
    ITKImageGrid
    ITKImageStatistics
    ITKMesh
    ITKOptimizersv4
    ITKRegistrationCommon
    ITKRegistrationMethodsv4
    ITKSmoothing
    ITKSpatialObjects
  DESCRIPTION "${DOCUMENTATION}"
  EXCLUDE_FROM_DEFAULT
  ENABLE_SHARED
)
