# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# VTK, where there is one: for the library CudaNeuroVtk, the pictures of cudaneuro-landmarks, and cudaneuro-surface.
set(CudaNeuro_VTK_COMPONENTS
    CommonCore
    CommonDataModel
    CommonExecutionModel
    FiltersCore
    FiltersSources
    IOGeometry
    IOImage
    IOLegacy
    IOPLY
    IOXML
    RenderingAnnotation
    RenderingCore
    RenderingFreeType
    RenderingOpenGL2
)
find_package(VTK 9 QUIET COMPONENTS ${CudaNeuro_VTK_COMPONENTS})
option(CudaNeuro_USE_VTK "Build the library CudaNeuroVtk and cudaneuro-surface, and let cudaneuro-landmarks draw pictures, with VTK"
       ${VTK_FOUND}
)
if(CudaNeuro_USE_VTK)
  find_package(VTK 9 REQUIRED COMPONENTS ${CudaNeuro_VTK_COMPONENTS})
endif()
