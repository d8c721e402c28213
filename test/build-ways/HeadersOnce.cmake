# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# For CMAKE_PROJECT_CudaNeuro_INCLUDE: has headers of ITK, CLI11 and GoogleTest parsed once for several sources, which takes half of
# the time that programs and tests need to compile. Several sources of a program are compiled as one, and a driver of tests has its
# headers compiled first. A source that does not include what it uses is noticed by builds without this file: the tests of what is
# installed build cudaneuro-denoise with the library of files so, and tools/build.sh all programs.

include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

# Sources that are compiled each by itself, like those of the benchmark: libraries of drawings and headers of Windows have macros
# with common names, a few sources have functions of one name, and types without a linkage must not come from another source.
set(CudaNeuro_SEPARATE_SOURCES
    "^Windows|^AffineMean|^DenoiseLevelSet|^DenoiseNormals|^AtlasOutputs|Figure|Picture|^RenderWindow|^MpiProcessGroup"
)

function(cudaneuro_join_sources target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    if(name MATCHES "${CudaNeuro_SEPARATE_SOURCES}" OR source MATCHES "^${CudaNeuro_SOURCE_DIR}/benchmark/")
      set_property(SOURCE "${source}" DIRECTORY "${directory}" PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
endfunction()

function(cudaneuro_parse_headers_once directory)
  cudaneuro_get_targets(targets "${directory}")
  foreach(target IN LISTS targets)
    if(target MATCHES "^cudaneuro-(programs|denoise|register|atlas|landmarks|transform|surface|files|surface-files|benchmark)$")
      cudaneuro_join_sources(${target})
    elseif(target STREQUAL "CudaNeuroGTestDriver")
      target_precompile_headers(
        ${target} PRIVATE <gtest/gtest.h> <itkImageToImageFilter.h> <itkCompositeTransform.h> <itkAffineTransform.h> <itkMesh.h>
      )
    elseif(target MATCHES "^CudaNeuro(Engine|Internal)GTestDriver$|^CudaNeuroTestSupport$")
      target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <algorithm> <functional> <random>)
    endif()
  endforeach()
endfunction()

cmake_language(DEFER CALL cudaneuro_parse_headers_once "${CMAKE_CURRENT_SOURCE_DIR}")
