# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# For CMAKE_PROJECT_CudaNeuro_INCLUDE: the engine's objects in a static library are those of the DLL, which exports functions. They
# are compiled once then, and taken from the compiler cache for the other.
include("${CMAKE_CURRENT_LIST_DIR}/../build-ways/HeadersOnce.cmake")

function(cudaneuro_export_from_objects)
  target_compile_definitions(CudaNeuroEngine PRIVATE "CudaNeuro_EXPORT=__declspec(dllexport)")
endfunction()
cmake_language(DEFER CALL cudaneuro_export_from_objects)
