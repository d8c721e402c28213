# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Read by CMake in folders of ITK with many small sources that include the same headers: eight of them are compiled as one, which
# takes a third of the time.
set(CMAKE_UNITY_BUILD ON)
if(MINGW)
  add_compile_options(-Wa,-mbig-obj)
endif()

# The library of matrices has its templates compiled for all kinds of numbers. Those that nothing here uses are left out.
function(cudaneuro_trim_matrices)
  file(GLOB unused "${CMAKE_CURRENT_SOURCE_DIR}/Templates/*.cxx" "${CMAKE_CURRENT_SOURCE_DIR}/*.cxx")
  set(alone ${unused})
  list(
    FILTER unused INCLUDE
    REGEX "bignum|rational|long_double|longlong|complex_(float|double)\\.allsizes|fixed\\+(ushort|sshort|uchar|uint)|Templates/vnl_(c_na|file|fortran|hungarian|matlab|sparse)"
  )
  set_source_files_properties(${unused} PROPERTIES HEADER_FILE_ONLY ON)
  # These would not find functions that are declared after the first use of a header.
  list(FILTER alone INCLUDE REGEX "vnl_vector\\+|vnl_(matrix|c_vector)\\+.*complex")
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # Its constants have the names of another source's.
  set_source_files_properties(
    "${CMAKE_CURRENT_SOURCE_DIR}/algo/vnl_brent_minimizer.cxx" TARGET_DIRECTORY itkvnl_algo PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  )
endfunction()
if(PROJECT_NAME STREQUAL vnl)
  cmake_language(DEFER CALL cudaneuro_trim_matrices)
endif()
