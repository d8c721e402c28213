# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Sets CudaNeuro_CUDA_FOUND, and CMAKE_CUDA_COMPILER where CMake itself would not look.
set(CudaNeuro_CUDA_FOUND OFF)
if(CMAKE_CUDA_COMPILER OR DEFINED ENV{CUDACXX})
  set(CudaNeuro_CUDA_FOUND ON)
else()
  find_program(
    CudaNeuro_NVCC nvcc
    HINTS ENV CUDA_PATH ENV CUDA_HOME
    PATHS /usr/local/cuda /opt/cuda
    PATH_SUFFIXES bin
  )
  mark_as_advanced(CudaNeuro_NVCC)
  if(CudaNeuro_NVCC)
    set(CMAKE_CUDA_COMPILER "${CudaNeuro_NVCC}")
    set(CudaNeuro_CUDA_FOUND ON)
  endif()
endif()

# Gives CMAKE_CUDA_ARCHITECTURES, unless the user has, code for every GPU from Turing to Blackwell that the toolkit knows:
# code for x.0 runs on every x.y, and the PTX of the list's newest entries on what is newer. It must be set before the
# language is enabled, because CMake would set its own default, which suits one old GPU only.
macro(cudaneuro_choose_cuda_architectures)
  set(_cudaneuro_nvcc "${CMAKE_CUDA_COMPILER}")
  if(NOT _cudaneuro_nvcc)
    set(_cudaneuro_nvcc "$ENV{CUDACXX}")
  endif()
  execute_process(
    COMMAND "${_cudaneuro_nvcc}" --version
    OUTPUT_VARIABLE _cudaneuro_nvcc_version
    ERROR_QUIET
  )
  if(_cudaneuro_nvcc_version MATCHES "release ([0-9]+\\.[0-9]+)")
    if(CMAKE_MATCH_1 VERSION_GREATER_EQUAL 14)
      set(CudaNeuro_DEFAULT_ARCHITECTURES all-major)
    elseif(CMAKE_MATCH_1 VERSION_GREATER_EQUAL 12.8)
      set(CudaNeuro_DEFAULT_ARCHITECTURES 75-real 80-real 90-real 100 120)
    elseif(CMAKE_MATCH_1 VERSION_GREATER_EQUAL 11.8)
      set(CudaNeuro_DEFAULT_ARCHITECTURES 75-real 80-real 90)
    else()
      set(CudaNeuro_DEFAULT_ARCHITECTURES 75-real 80)
    endif()
    if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES
          "${CudaNeuro_DEFAULT_ARCHITECTURES}"
          CACHE STRING "GPU architectures to build for"
      )
    endif()
  endif()
endmacro()
