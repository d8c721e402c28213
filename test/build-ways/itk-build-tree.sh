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
# Of Python's tests one is run here, which says that the package in the build tree works; the wheel runs all of them.
ctest --test-dir "$build_dir" --output-on-failure --parallel 2 --exclude-regex '^CudaNeuroPython\.'
ctest --test-dir "$build_dir" --output-on-failure --tests-regex '^CudaNeuroPython\.filters$'

# The examples find the module as a component of ITK, as the experiments would, and the module installs.
cudaneuro_configure "$root/examples" "$build_dir/examples" -DITK_DIR="$itk_dir"
cudaneuro_build "$build_dir/examples"
python3 "$root/test/consumer/test_examples.py" "$build_dir/examples"
cmake --install "$build_dir" --prefix "$build_dir/prefix" > "$build_dir/install.log"
