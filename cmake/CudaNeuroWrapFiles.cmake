# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The functions of the Python package itk_cudaneuro that read and write files. They need what the library of files needs, which
# is more than the module needs: without it the functions say so.

# cudaneuro_can_wrap_files(<result>): whether what the library of files needs is there.
function(cudaneuro_can_wrap_files result)
  include("${CudaNeuro_SOURCE_DIR}/files/ItkModules.cmake")
  set(${result} ON PARENT_SCOPE)
  foreach(module IN LISTS CudaNeuro_FILES_MODULES)
    if(NOT EXISTS "${ITK_MODULES_DIR}/${module}.cmake")
      set(${result} OFF PARENT_SCOPE)
    endif()
  endforeach()
  find_package(nlohmann_json QUIET)
  find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h)
  find_library(CudaNeuro_LIBDEFLATE NAMES deflate deflatestatic libdeflate.a)
  mark_as_advanced(CudaNeuro_LIBDEFLATE)
  if(NOT nlohmann_json_FOUND OR NOT LIBDEFLATE_INCLUDE_DIR OR NOT CudaNeuro_LIBDEFLATE)
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# cudaneuro_add_files_to_wrapping(): once the module's wrapping is there, which declares the classes.
function(cudaneuro_add_files_to_wrapping)
  set(_library CudaNeuro)
  add_subdirectory("${CudaNeuro_SOURCE_DIR}/files" "${CudaNeuro_BINARY_DIR}/files")
  add_library(cudaneuro-files-python STATIC)
  target_include_directories(cudaneuro-files-python PUBLIC "${CudaNeuro_SOURCE_DIR}/wrapping/files")
  target_link_libraries(cudaneuro-files-python PUBLIC cudaneuro-files)
  foreach(source IN ITEMS CudaNeuroFiles CudaNeuroPointFile CudaNeuroTransforms FileWarnings)
    target_sources(cudaneuro-files-python PRIVATE "${CudaNeuro_SOURCE_DIR}/wrapping/files/${source}.cxx")
  endforeach()
  cudaneuro_target_settings(cudaneuro-files-python)
  # The signature is that of ITK's wrapping.
  target_link_libraries(CudaNeuroPython LINK_PRIVATE cudaneuro-files-python)
endfunction()
