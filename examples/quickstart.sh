#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

usage() {
  cat << 'TEXT'
Usage: bash examples/quickstart.sh [--build-dir DIR] [--output DIR]

Shows each topic on data whose true answer is known: denoising, alignment, registration, an atlas, landmarks, a surface.
Installs what is missing (Debian, Ubuntu; Python packages go to a virtual environment in the build folder), builds, computes
on a GPU if there is one, and leaves report.md with a picture a topic, report.json, and a folder a topic with its files in
quickstart-output/ of this repository. Exits with 0 only if every number of the report keeps its bound.

  --build-dir DIR   the build folder (build-quickstart)
  --output DIR      where to leave the results (quickstart-output)
The environment variable CUDANEURO_DEVICE chooses the device: auto, cpu, cuda:N.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../tools/functions.sh
source "$root/tools/functions.sh"

build_dir=$root/build-quickstart
output_dir=$root/quickstart-output
while [ $# -gt 0 ]; do
  case $1 in
    --build-dir) build_dir=$2 && shift ;;
    --output) output_dir=$2 && shift ;;
    --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done

# Prints CMake's arguments for CUDA: code for the GPU of this machine only, which builds fastest.
cuda_arguments() {
  local capability
  if capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | sort --unique) &&
    [[ $capability =~ ^[0-9]+\.[0-9]+ ]]; then
    tr -d . <<< "$capability" | paste --serial --delimiters=';' | sed 's/^/-DCMAKE_CUDA_ARCHITECTURES=/'
  else
    echo -DCudaNeuro_USE_CUDA=OFF
  fi
}

printf '== Build\n'
cuda=$(cuda_arguments)
programs=()
for name in denoise register atlas landmarks surface; do
  programs+=(--target "cudaneuro-$name")
done
# Surfaces need VTK.
cudaneuro_install_packages libvtk9-dev:-
bash "$root/tools/build.sh" --build-dir "$build_dir" "${programs[@]}" -- "$cuda" -DCudaNeuro_BUILD_BENCHMARK=OFF -DCudaNeuro_USE_VTK=ON

printf '\n== Python\n'
venv=$build_dir/quickstart-venv
cudaneuro_install_packages python3:python3 python3-venv:-
cudaneuro_make_python "$venv" "$root/examples/quickstart/requirements.txt"

printf '\n== Topics\n'
exec "$venv/bin/python" "$root/examples/quickstart/quickstart.py" "$build_dir/bin" "$output_dir"
