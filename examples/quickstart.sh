#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

usage() {
  cat << 'TEXT'
Usage: bash examples/quickstart.sh [--build-dir DIR] [--output DIR]

Denoises a real T1 volume with all filters. Installs what is missing (Debian, Ubuntu; Python packages go to a virtual
environment in the build folder), builds, adds Rician noise to the MNI152 template, denoises it on a GPU if there is one,
and leaves the volumes, report.md, report.json and figure.png in quickstart-output/ of this repository. Exits with 0 only
if every filter brought every noisy volume closer to the clean one.

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

# Makes the virtual environment unless there is a complete one with this list of packages.
make_virtual_environment() {
  local python=/usr/bin/python3 packages=$root/examples/quickstart/requirements.txt
  if [ -e "$venv/complete" ] && cmp --silent "$packages" "$venv/complete"; then
    return
  fi
  echo "Making a virtual environment with nilearn in $venv ..."
  rm -rf "$venv"
  [ -x "$python" ] || python=python3
  "$python" -m venv "$venv"
  "$venv/bin/pip" --quiet --disable-pip-version-check install --requirement "$packages"
  cp "$packages" "$venv/complete"
}

printf '== Build\n'
cuda=$(cuda_arguments)
bash "$root/tools/build.sh" --build-dir "$build_dir" --target cudaneuro-denoise -- "$cuda" -DCudaNeuro_BUILD_BENCHMARK=OFF

printf '\n== Python\n'
venv=$build_dir/quickstart-venv
cudaneuro_install_packages python3:python3 python3-venv:-
make_virtual_environment

printf '\n== Denoise\n'
exec "$venv/bin/python" "$root/examples/quickstart/quickstart.py" "$build_dir/bin/cudaneuro-denoise" "$output_dir"
