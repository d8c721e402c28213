# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
include_guard()

# cudaneuro_get_targets(<variable> <folder>) lists the targets of a folder and of those that it adds.
function(cudaneuro_get_targets variable directory)
  get_property(all DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    cudaneuro_get_targets(targets "${subdirectory}")
    list(APPEND all ${targets})
  endforeach()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()
