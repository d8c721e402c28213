# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The modules of ITK that the command-line programs use.
include("${CMAKE_CURRENT_LIST_DIR}/../files/ItkModules.cmake")
set(CudaNeuro_PROGRAM_MODULES ${CudaNeuro_FILES_MODULES} ITKImageGrid)
