# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034

# Where ITK's source and build trees for the tests are, and how ITK is built. To be sourced.

itk_options=(
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"
  -DBUILD_SHARED_LIBS=ON -DBUILD_EXAMPLES=OFF -DITK_FORBID_DOWNLOADS=ON -DITK_BUILD_DEFAULT_MODULES=OFF
  -DITKGroup_Core=OFF -DITK_USE_KWSTYLE=OFF -DITK_USE_CLANGFORMAT=OFF -DITK_USE_CLANG_FORMAT=OFF
  -DPython3_EXECUTABLE=/usr/bin/python3
)

cache=${XDG_CACHE_HOME:-$HOME/.cache}/cudaneuro-itk-5.2.1
