# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# For a compiler, a library of C++ or a system for which GoogleTest is not installed.
set(CudaNeuro_GTEST_SOURCE "" CACHE PATH "A source tree of GoogleTest to build instead of one that is installed")
if(CudaNeuro_GTEST_SOURCE AND NOT TARGET gtest_main)
  set(gtest_force_shared_crt ON CACHE BOOL "As this module's own targets have it, on Windows")
  set(_shared ${BUILD_SHARED_LIBS})
  set(BUILD_SHARED_LIBS OFF)
  add_subdirectory("${CudaNeuro_GTEST_SOURCE}" "${CMAKE_CURRENT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
  set(BUILD_SHARED_LIBS ${_shared})
elseif(NOT TARGET GTest::gtest_main AND NOT TARGET GTest::Main)
  find_package(GTest REQUIRED)
endif()
if(TARGET GTest::gtest_main)
  set(CudaNeuro_GTEST GTest::gtest GTest::gtest_main)
else()
  set(CudaNeuro_GTEST GTest::GTest GTest::Main)
endif()

# cudaneuro_add_gtest_driver(<name> [INTERNAL] OPTIMIZE <-O0|-O1> <sources...>)
#
# Adds the program <name>GTestDriver and its tests to CTest. The program is asked for its tests when CTest runs, not when
# it is built. Tests with Cuda0 in their names need a GPU. The program has the ITK modules that itk-module.cmake names as
# TEST_DEPENDS. With INTERNAL, it has the engine's objects instead of the library and sees what the library keeps to
# itself, and has nothing of ITK. Compiling tests takes longer than running them: OPTIMIZE as little as
# will do, -O0 for templates of many image types.
function(cudaneuro_add_gtest_driver name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERNAL" "OPTIMIZE" "")
  set(driver ${name}GTestDriver)
  add_executable(${driver} ${arg_UNPARSED_ARGUMENTS})
  cudaneuro_target_settings(${driver})
  itk_module_target_label(${driver})
  if(arg_INTERNAL)
    target_link_libraries(${driver} PRIVATE CudaNeuroEngine ${CudaNeuro_GTEST} ${CMAKE_DL_LIBS})
    target_include_directories(${driver} PRIVATE "${CudaNeuro_SOURCE_DIR}/test")
    if(WIN32)
      # The objects are within, not in a library from which names are imported.
      target_compile_definitions(${driver} PRIVATE CudaNeuro_EXPORTS)
    endif()
    if(CudaNeuro_USE_CUDA)
      find_package(CUDAToolkit REQUIRED)
      target_link_libraries(${driver} PRIVATE CUDA::cudart_static)
    endif()
    set_target_properties(${driver} PROPERTIES LINKER_LANGUAGE CXX)
  else()
    if(NOT CudaNeuro_ENGINE_ONLY)
      # Which ITK's macros do up to ITK 5 only. The module itself and GoogleTest come with CudaNeuroTestSupport.
      set(itk_modules ${ITK_MODULE_CudaNeuro-Test_DEPENDS})
      list(REMOVE_ITEM itk_modules CudaNeuro ITKGoogleTest)
      cudaneuro_link_itk(${driver} ${itk_modules})
    endif()
    target_link_libraries(${driver} PRIVATE CudaNeuroTestSupport)
  endif()
  if(CudaNeuro_HAS_GNU_OPTIONS)
    set(is_optimized $<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>)
    target_compile_options(${driver} PRIVATE $<${is_optimized}:${arg_OPTIMIZE}>)
  endif()
  set(discovery NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  gtest_discover_tests(${driver} ${discovery} TEST_FILTER "-*Cuda0*" PROPERTIES LABELS CudaNeuro)
  gtest_discover_tests(
    ${driver} ${discovery} TEST_FILTER "*Cuda0*" PROPERTIES LABELS CudaNeuro LABELS REQUIRES_GPU
  )
endfunction()

# Compiles each public header by itself.
function(cudaneuro_add_header_tests)
  set(folder "${CudaNeuro_SOURCE_DIR}/include")
  file(GLOB headers RELATIVE "${folder}" CONFIGURE_DEPENDS "${folder}/*.h" "${folder}/cudaneuro/*.h")
  set(sources "")
  foreach(name IN LISTS headers)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cxx")
    set(header_to_test "${name}")
    string(REGEX REPLACE "\\.h$" ".hxx" definitions_to_test "${name}")
    configure_file("${CudaNeuro_SOURCE_DIR}/cmake/HeaderTest.cxx.in" "${source}")
    list(APPEND sources "${source}")
  endforeach()
  add_library(CudaNeuroHeaderTest OBJECT ${sources})
  cudaneuro_target_settings(CudaNeuroHeaderTest)
  target_link_libraries(CudaNeuroHeaderTest PRIVATE CudaNeuro)
endfunction()

# Compiles one source that includes every header of the engine, so that no name is given twice. Some need CUDA's headers.
function(cudaneuro_add_engine_headers_test)
  if(NOT CudaNeuro_USE_CUDA)
    return()
  endif()
  file(
    GLOB_RECURSE headers CONFIGURE_DEPENDS "${CudaNeuro_SOURCE_DIR}/include/cudaneuro/*.h" "${CudaNeuro_SOURCE_DIR}/src/*.h"
  )
  set(includes "")
  foreach(header IN LISTS headers)
    string(APPEND includes "#include \"${header}\"\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/AllOfTheEngine.cxx")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${includes}" @ONLY)
  find_package(CUDAToolkit REQUIRED)
  add_library(CudaNeuroEngineHeadersTest OBJECT "${source}")
  cudaneuro_target_settings(CudaNeuroEngineHeadersTest)
  target_link_libraries(CudaNeuroEngineHeadersTest PRIVATE CudaNeuroEngine CUDA::cudart_static)
endfunction()

# Tests that a project builds with what a plain build installs: cudaneuro_add_package_test(<name> <source> <build>
# [--build-target <target>] [TEST_COMMAND <command>])
function(cudaneuro_add_package_test name source build)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "TEST_COMMAND")
  set(test_command "")
  if(arg_TEST_COMMAND)
    set(test_command --test-command ${arg_TEST_COMMAND})
  endif()
  add_test(
    NAME ${name}
    COMMAND
      "${CMAKE_CTEST_COMMAND}" --build-and-test "${source}" "${build}" ${arg_UNPARSED_ARGUMENTS} --build-generator
      "${CMAKE_GENERATOR}" --build-options
      "-DCMAKE_PREFIX_PATH=${CudaNeuro_BINARY_DIR}/package-test/prefix;${CMAKE_PREFIX_PATH}" "-DITK_DIR=${ITK_DIR}"
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= ${test_command}
  )
  # They compile, and begin first.
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED CudaNeuroPackage TIMEOUT 1800 COST 100)
endfunction()

# Tests of what a plain build installs: that the examples and experiments build with it and run, and that a program builds in
# a project of its own.
function(cudaneuro_add_package_tests)
  set(folder "${CudaNeuro_BINARY_DIR}/package-test")
  add_test(
    NAME CudaNeuroPackage.Installs
    COMMAND "${CMAKE_COMMAND}" "-DBUILD_DIR=${CudaNeuro_BINARY_DIR}" "-DPREFIX=${folder}/prefix" -P
            "${CudaNeuro_SOURCE_DIR}/test/consumer/InstallPackage.cmake"
  )
  set_tests_properties(CudaNeuroPackage.Installs PROPERTIES FIXTURES_SETUP CudaNeuroPackage)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  cudaneuro_add_package_test(
    CudaNeuroPackage.ExamplesRun "${CudaNeuro_SOURCE_DIR}/examples" "${folder}/examples" TEST_COMMAND
    "${Python3_EXECUTABLE}" "${CudaNeuro_SOURCE_DIR}/test/consumer/test_examples.py" "${folder}/examples"
  )
  cudaneuro_add_package_test(
    CudaNeuroPackage.ExperimentsRun "${CudaNeuro_SOURCE_DIR}/experiments" "${folder}/experiments" TEST_COMMAND
    "${Python3_EXECUTABLE}" "${CudaNeuro_SOURCE_DIR}/test/consumer/test_experiments.py" "${folder}/experiments"
  )
  cudaneuro_add_package_test(
    CudaNeuroPackage.ProgramsBuild "${CudaNeuro_SOURCE_DIR}/apps" "${folder}/apps" --build-target
    cudaneuro-denoise
  )
  if(TARGET CudaNeuroVtk)
    cudaneuro_add_package_test(
      CudaNeuroPackage.VtkRuns "${CudaNeuro_SOURCE_DIR}/test/consumer/vtk" "${folder}/vtk" TEST_COMMAND
      "${folder}/vtk/denoise-surface" "${folder}/vtk/sphere.vtp"
    )
  endif()
endfunction()
