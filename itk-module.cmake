# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set(DOCUMENTATION
    "Denoising and image comparison of computational neuroanatomy, on NVIDIA GPUs and on the CPU. See README.md."
)

itk_module(
  CudaNeuro
  DEPENDS
    ITKCommon
  TEST_DEPENDS
    ITKGoogleTest
  DESCRIPTION "${DOCUMENTATION}"
  EXCLUDE_FROM_DEFAULT
  ENABLE_SHARED
)
