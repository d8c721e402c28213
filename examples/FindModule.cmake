# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Finds the module and ITK with the modules that the list itk_modules names, and sets libraries to what programs link.
set(libraries CudaNeuro::CudaNeuro)
find_package(CudaNeuro QUIET)
if(NOT CudaNeuro_FOUND)
  # The module was built with ITK's module macros and is a component of ITK.
  set(libraries "")
  list(APPEND itk_modules CudaNeuro)
endif()
find_package(ITK REQUIRED COMPONENTS ${itk_modules})

# Registers the readers and writers of the formats named above.
if(ITK_VERSION_MAJOR LESS 6)
  include(${ITK_USE_FILE})
  list(APPEND libraries ${ITK_LIBRARIES})
else()
  itk_generate_factory_registration()
  list(APPEND libraries ${ITK_INTERFACE_LIBRARIES})
endif()
