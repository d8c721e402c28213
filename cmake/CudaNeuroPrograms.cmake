# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The programs, on by default where the module stands by itself.
option(CudaNeuro_BUILD_BENCHMARK "Build the benchmark program" ${CudaNeuro_PLAIN})
if(CudaNeuro_BUILD_BENCHMARK)
  add_subdirectory(benchmark)
endif()
# Inside ITK, the modules that read and write files are configured after this one: build apps/ as a project there.
if(NOT ITK_SOURCE_DIR)
  set(_programs_default ${CudaNeuro_PLAIN})
  if(SKBUILD)
    # A wheel has them where the ITK that it is built against reads and writes all files of theirs, and their libraries are there.
    include("${CudaNeuro_SOURCE_DIR}/apps/ItkModules.cmake")
    find_package(CLI11 QUIET)
    find_package(nlohmann_json QUIET)
    find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h)
    set(_programs_default OFF)
    if(CLI11_FOUND AND nlohmann_json_FOUND AND LIBDEFLATE_INCLUDE_DIR)
      set(_programs_default ON)
    endif()
    foreach(_module IN LISTS CudaNeuro_PROGRAM_MODULES)
      if(NOT EXISTS "${ITK_MODULES_DIR}/${_module}.cmake")
        set(_programs_default OFF)
      endif()
    endforeach()
  endif()
  option(CudaNeuro_BUILD_PROGRAMS "Build the command-line programs" ${_programs_default})
  if(CudaNeuro_BUILD_PROGRAMS)
    add_subdirectory(apps)
    # The library of files is built, and installed, with the programs.
    if(BUILD_TESTING AND CudaNeuro_PLAIN AND NOT CudaNeuro_SANITIZE)
      set(_folder "${CudaNeuro_BINARY_DIR}/package-test/files")
      cudaneuro_add_package_test(
        CudaNeuroPackage.FilesRun "${CudaNeuro_SOURCE_DIR}/test/consumer/files" "${_folder}" TEST_COMMAND
        "${_folder}/copy-files" "${_folder}/copies"
      )
    endif()
  endif()
endif()
if(BUILD_TESTING AND CudaNeuro_PLAIN AND UNIX AND NOT CudaNeuro_SANITIZE)
  add_subdirectory(test/pages)
endif()
