# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# For CMAKE_PROJECT_CudaNeuro_INCLUDE, where MinGW compiles everything into static libraries.
include("${CMAKE_CURRENT_LIST_DIR}/../build-ways/HeadersOnce.cmake")

function(cudaneuro_compile_for_windows)
  # The engine's objects are those of the DLL, which exports functions.
  target_compile_definitions(CudaNeuroEngine PRIVATE "CudaNeuro_EXPORT=__declspec(dllexport)")
  # Each function of a template that is not inlined has three sections, of which an object would have 30 thousand, and the linker
  # take seven minutes.
  if(TARGET CudaNeuroGTestDriver)
    target_compile_options(CudaNeuroGTestDriver PRIVATE -O1)
  endif()
endfunction()
cmake_language(DEFER CALL cudaneuro_compile_for_windows)
