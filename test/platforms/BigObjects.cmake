# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Read by CMake in folders of ITK whose sources have all kinds of transforms: each function of a template is a section of its own, and
# objects for Windows have numbers for 32 thousand. Functions that are inlined have none.
if(MINGW)
  add_compile_options(-O1 -Wa,-mbig-obj)
endif()
