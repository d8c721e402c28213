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
    REGEX "bignum|rational|long_double|complex_(float|double)\\.allsizes|fixed\\+(ushort|sshort|uchar|uint|[su]longlong)|Templates/vnl_(c_na|file|hungarian|matlab_print2|matlab_print\\+u?int|sparse_matrix\\+(complex|int))"
  )
  set_source_files_properties(${unused} PROPERTIES HEADER_FILE_ONLY ON)
  # Some would not find functions that are declared after the first use of a header. Those of all sizes have tens of thousands
  # of sections together, for which the archiver takes minutes.
  list(FILTER alone INCLUDE REGEX "allsizes|vnl_vector\\+|vnl_(matrix|c_vector)\\+.*complex|Templates/vnl_(fortran|matlab|sparse)")
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # One source has all kinds of numbers, those that are left out among them.
  set(references "${CMAKE_CURRENT_SOURCE_DIR}/Templates/vnl_vector_ref+alltypes.cxx")
  file(READ "${references}" text)
  string(REGEX REPLACE "[^\n]*(long double|bignum|rational)[^\n]*\n" "" text "${text}")
  file(CONFIGURE OUTPUT vnl_vector_ref.cxx CONTENT "${text}" @ONLY)
  set_source_files_properties("${references}" PROPERTIES HEADER_FILE_ONLY ON)
  target_sources(itkvnl PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/vnl_vector_ref.cxx")
  # Its constants have the names of another source's.
  set_source_files_properties(
    "${CMAKE_CURRENT_SOURCE_DIR}/algo/vnl_brent_minimizer.cxx" TARGET_DIRECTORY itkvnl_algo PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  )
endfunction()
if(PROJECT_NAME STREQUAL vnl)
  # Functions that are inlined have no sections.
  add_compile_options(-O1)
  cmake_language(DEFER CALL cudaneuro_trim_matrices)
endif()
