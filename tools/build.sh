#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

usage() {
  cat << 'TEXT'
Usage: bash tools/build.sh [--build-dir DIR] [--tests] [--target TARGET]... [-- CMAKE_ARGUMENT...]

Installs the packages that are missing (Debian, Ubuntu), configures and builds CudaNeuro against the installed ITK,
with CUDA where there is a CUDA compiler.

  --build-dir DIR   the build folder (build)
  --tests           build the tests too
  --target TARGET   build this target only; may be repeated
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=functions.sh
source "$root/tools/functions.sh"

build_dir=$root/build
tests=OFF
targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --build-dir) build_dir=$2 && shift ;;
    --tests) tests=ON ;;
    --target) targets+=(--target "$2") && shift ;;
    --help) usage && exit ;;
    --) shift && break ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done

packages=("${cudaneuro_build_packages[@]}")
if [ "$tests" = ON ]; then
  packages+=("${cudaneuro_test_packages[@]}")
fi
cudaneuro_install_packages "${packages[@]}"

echo "Configuring in $build_dir ..."
cudaneuro_configure "$root" "$build_dir" -DBUILD_TESTING="$tests" "$@"
cudaneuro_build "$build_dir" "${targets[@]}"
