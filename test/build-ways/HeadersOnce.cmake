# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# For CMAKE_PROJECT_CudaNeuro_INCLUDE: has headers of ITK, CLI11 and GoogleTest parsed, and templates instantiated, once for several
# sources, which takes half of the time that programs and tests need to compile, or less. Several sources of a program or of a driver
# of tests are compiled as one, and a driver has its headers compiled first. A source that does not include what it uses is noticed by builds without this file: the tests of what is
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

# cudaneuro_write_joined_source(<file> <sources...>) writes a source that includes others. Tests in different sources may have
# helpers with the same name, so each source is included within a namespace of its own, after the headers of all of them.
function(cudaneuro_write_joined_source file)
  set(headers)
  set(bodies)
  set(unit 0)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    file(STRINGS "${source}" includes REGEX "^#include")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include *[<\"](.*)[>\"].*" "\\1" header "${include}")
      if(EXISTS "${folder}/${header}")
        set(include "#include \"${folder}/${header}\"")
      endif()
      list(APPEND headers "${include}")
    endforeach()
    string(APPEND bodies "namespace unit${unit}\n{\n#include \"${source}\"\n}\n")
    math(EXPR unit "${unit} + 1")
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(JOIN headers "\n" headers)
  # GCC warns of tests of a fixture in a namespace without a name, except in a source that is not included.
  set(pragma "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif")
  file(CONFIGURE OUTPUT "${file}" CONTENT "${headers}\n${pragma}\n${bodies}" @ONLY)
endfunction()

# cudaneuro_join_tests(<target>) compiles the tests of a driver, folder by folder, six sources as one. Sources with macros, conditions
# or named namespaces are compiled each by itself, and those that include headers of ITK's which may not be included twice.
function(cudaneuro_join_tests target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "GTest\\.cxx$")
  set(folders)
  foreach(source IN LISTS sources)
    set(path "${directory}/${source}")
    file(STRINGS "${path}" special REGEX "^# *(if|define)|^namespace [a-z]|itkTransformFile")
    get_source_file_property(definitions "${path}" DIRECTORY "${directory}" COMPILE_DEFINITIONS)
    if(NOT special AND NOT definitions)
      get_filename_component(folder "${source}" DIRECTORY)
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      list(APPEND folders ${folder})
      list(APPEND sources_${folder} "${path}")
      set_property(SOURCE "${path}" DIRECTORY "${directory}" PROPERTY HEADER_FILE_ONLY ON)
      # A header that a source includes from now on must come before the namespaces.
      set_property(DIRECTORY "${CudaNeuro_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(number 0)
    while(sources_${folder})
      list(SUBLIST sources_${folder} 0 6 batch)
      list(REMOVE_ITEM sources_${folder} ${batch})
      set(joined "${CMAKE_CURRENT_BINARY_DIR}/joined/${target}-${folder}-${number}.cxx")
      cudaneuro_write_joined_source("${joined}" ${batch})
      target_sources(${target} PRIVATE "${joined}")
      math(EXPR number "${number} + 1")
    endwhile()
  endforeach()
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
      cudaneuro_join_tests(${target})
    elseif(target MATCHES "^CudaNeuro(Engine|Internal)GTestDriver$|^CudaNeuroTestSupport$")
      target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <algorithm> <functional> <random>)
      cudaneuro_join_tests(${target})
    endif()
  endforeach()
endfunction()

cmake_language(DEFER CALL cudaneuro_parse_headers_once "${CMAKE_CURRENT_SOURCE_DIR}")
