# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The programs, on by default where the module stands by itself.
option(CudaNeuro_BUILD_BENCHMARK "Build the benchmark program" ${CudaNeuro_PLAIN})
if(CudaNeuro_BUILD_BENCHMARK)
  add_subdirectory(benchmark)
endif()
# Inside ITK, the modules that read and write files are configured after this one: build apps/ as a project there.
if(NOT ITK_SOURCE_DIR)
  option(CudaNeuro_BUILD_PROGRAMS "Build the command-line programs" ${CudaNeuro_PLAIN})
  if(CudaNeuro_BUILD_PROGRAMS)
    add_subdirectory(apps)
  endif()
endif()
if(BUILD_TESTING AND CudaNeuro_PLAIN AND UNIX AND NOT CudaNeuro_SANITIZE)
  add_subdirectory(test/pages)
endif()
