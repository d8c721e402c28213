# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# CUDA has to be enabled in the scope of the whole project: ITK includes this file in its top-level scope, and
# CMakeLists.txt includes it when built outside ITK.
include("${CMAKE_CURRENT_LIST_DIR}/cmake/CudaNeuroFindCuda.cmake")

option(CudaNeuro_USE_CUDA "Build the CUDA implementation beside the one for the CPU" ${CudaNeuro_CUDA_FOUND})
if(CudaNeuro_USE_CUDA)
  if(NOT CudaNeuro_CUDA_FOUND)
    message(FATAL_ERROR "CudaNeuro_USE_CUDA is ON and no CUDA compiler was found: set CMAKE_CUDA_COMPILER.")
  endif()
  cudaneuro_choose_cuda_architectures()
  enable_language(CUDA)
endif()
