#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Builds and tests the module inside ITK's source tree: inside-itk.sh [CMAKE_ARGUMENT...]

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

# ITK looks for modules in folders, not behind links. ITK's own kind of description goes with it; it fetches nothing.
module=$cache/source/Modules/External/CudaNeuro
description=$cache/source/Modules/Remote/CudaNeuro.remote.cmake
build_dir=$cache/build-inside
trap 'rm -rf "$module" "$description"' EXIT
rm -rf "$module"
mkdir -p "$module"
cp -a "$root"/{CMakeLists.txt,itk-module.cmake,itk-module-init.cmake,README.md,LICENSE,cmake,include,src,test} "$module/"
cp "$root/CudaNeuro.remote.cmake" "$description"

cudaneuro_configure "$cache/source" "$build_dir" "${itk_options[@]}" "${itk_plain_options[@]}" -DBUILD_TESTING=ON -DModule_CudaNeuro=ON \
  "-DCMAKE_PROJECT_CudaNeuro_INCLUDE=$root/test/build-ways/HeadersOnce.cmake" "$@"
cudaneuro_build "$build_dir" --target CudaNeuro-all
ctest --test-dir "$build_dir" --output-on-failure --parallel 2 --label-regex CudaNeuro
