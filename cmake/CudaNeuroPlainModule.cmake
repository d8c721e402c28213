# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Builds the module against an installed ITK, which has no module macros. Those that src/CMakeLists.txt and
# test/CMakeLists.txt call are defined here with the meaning they have in ITK, and the result is a CMake package of its own.
option(BUILD_TESTING "Build the tests, which need GoogleTest and Python" OFF)
include(CMakePackageConfigHelpers)
include(CTest)
include(CudaNeuroSanitize)
include(GenerateExportHeader)
include(GNUInstallDirs)

set(itk-module CudaNeuro)
set(CudaNeuro_INSTALL_INCLUDE_DIR "${CMAKE_INSTALL_INCLUDEDIR}/CudaNeuro")
set(CudaNeuro_INSTALL_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/CudaNeuro")
option(BUILD_SHARED_LIBS "Build shared libraries" ON)
cudaneuro_set_find_code(${BUILD_SHARED_LIBS})
foreach(_kind RUNTIME LIBRARY ARCHIVE)
  if(NOT CMAKE_${_kind}_OUTPUT_DIRECTORY)
    set(CMAKE_${_kind}_OUTPUT_DIRECTORY "${CudaNeuro_BINARY_DIR}/$<IF:$<STREQUAL:${_kind},RUNTIME>,bin,lib>")
  endif()
endforeach()

macro(itk_module name)
  cmake_parse_arguments(
    ITK_MODULE_${name} "EXCLUDE_FROM_DEFAULT;ENABLE_SHARED" "DESCRIPTION" "DEPENDS;COMPILE_DEPENDS;TEST_DEPENDS" ${ARGN}
  )
  set(ITK_MODULE_${name}-Test_DEPENDS ${name} ${ITK_MODULE_${name}_COMPILE_DEPENDS} ${ITK_MODULE_${name}_TEST_DEPENDS})
endmacro()

macro(itk_module_add_library name)
  add_library(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES VERSION ${CudaNeuro_VERSION} SOVERSION ${CudaNeuro_VERSION_MAJOR})
  install(
    TARGETS ${name}
    EXPORT CudaNeuroTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT RuntimeLibraries
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT RuntimeLibraries NAMELINK_COMPONENT Development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
  )
endmacro()

macro(itk_module_test)
endmacro()

macro(itk_module_target_label target)
  set_property(TARGET ${target} PROPERTY LABELS CudaNeuro)
endmacro()

include("${CudaNeuro_SOURCE_DIR}/itk-module.cmake")
add_subdirectory(src)
generate_export_header(
  CudaNeuro
  EXPORT_FILE_NAME "${CudaNeuro_BINARY_DIR}/include/CudaNeuroExport.h"
  EXPORT_MACRO_NAME CudaNeuro_EXPORT
  NO_EXPORT_MACRO_NAME CudaNeuro_HIDDEN
  STATIC_DEFINE ITK_STATIC
)
if(CudaNeuro_ENGINE_ONLY)
  if(BUILD_TESTING)
    add_subdirectory(test)
  endif()
  return()
endif()

include(CudaNeuroFindVtk)
if(CudaNeuro_USE_VTK)
  add_subdirectory(vtk)
endif()

configure_package_config_file(
  cmake/CudaNeuroConfig.cmake.in "${CudaNeuro_BINARY_DIR}/CudaNeuroConfig.cmake"
  INSTALL_DESTINATION "${CudaNeuro_INSTALL_PACKAGE_DIR}"
)
write_basic_package_version_file(
  "${CudaNeuro_BINARY_DIR}/CudaNeuroConfigVersion.cmake" COMPATIBILITY SameMinorVersion
)
install(
  DIRECTORY include/ "${CudaNeuro_BINARY_DIR}/include/"
  DESTINATION "${CudaNeuro_INSTALL_INCLUDE_DIR}"
  COMPONENT Development
)
install(
  FILES "${CudaNeuro_BINARY_DIR}/CudaNeuroConfig.cmake" "${CudaNeuro_BINARY_DIR}/CudaNeuroConfigVersion.cmake"
  DESTINATION "${CudaNeuro_INSTALL_PACKAGE_DIR}"
  COMPONENT Development
)
install(
  EXPORT CudaNeuroTargets
  NAMESPACE CudaNeuro::
  DESTINATION "${CudaNeuro_INSTALL_PACKAGE_DIR}"
  COMPONENT Development
)
export(EXPORT CudaNeuroTargets NAMESPACE CudaNeuro::)

if(BUILD_TESTING)
  add_subdirectory(test)
endif()
