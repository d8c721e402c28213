#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Builds and tests the module against an ITK build tree, with Python if that has it:
#   itk-build-tree.sh BUILD_FOLDER ITK_DIR [CMAKE_ARGUMENT...]

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"

build_dir=$1
itk_dir=$2
mapfile -t options < <(cudaneuro_module_options "$root" "$itk_dir")
cudaneuro_configure "$root" "$build_dir" "${options[@]}" -DBUILD_TESTING=ON \
  -DCMAKE_BUILD_TYPE="$cudaneuro_test_build_type" "${@:3}"
cudaneuro_build "$build_dir"
ctest --test-dir "$build_dir" --output-on-failure --parallel 2

# Examples and experiments find the module as a component of ITK, and the module installs.
for programs in examples experiments; do
  cudaneuro_configure "$root/$programs" "$build_dir/$programs" -DITK_DIR="$itk_dir"
  cudaneuro_build "$build_dir/$programs"
  python3 "$root/test/consumer/test_$programs.py" "$build_dir/$programs"
done
cmake --install "$build_dir" --prefix "$build_dir/prefix" > "$build_dir/install.log"
