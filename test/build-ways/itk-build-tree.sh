#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Builds and tests the module against an ITK build tree: itk-build-tree.sh BUILD_FOLDER [CMAKE_ARGUMENT...]

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

build_dir=$1
cudaneuro_configure "$root" "$build_dir" -DITK_DIR="$cache/build" -DBUILD_TESTING=ON -DCMAKE_BUILD_TYPE=Release \
  -DITK_USE_KWSTYLE=OFF -DITK_USE_CLANGFORMAT=OFF -DITK_USE_CLANG_FORMAT=OFF \
  -DPython3_EXECUTABLE=/usr/bin/python3 "${@:2}"
cudaneuro_build "$build_dir"
ctest --test-dir "$build_dir" --output-on-failure

# A consumer finds the module as a component of ITK, and the module installs.
cudaneuro_configure "$root/test/consumer" "$build_dir/consumer" -DITK_DIR="$cache/build" -DAS_ITK_MODULE=ON
cudaneuro_build "$build_dir/consumer"
"$build_dir/consumer/consumer"
cmake --install "$build_dir" --prefix "$build_dir/prefix" > "$build_dir/install.log"
