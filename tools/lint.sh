#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Shows what clang-format, clang-tidy and shellcheck would change: bash tools/lint.sh [BUILD_FOLDER [FILE...]]
# The build folder is one configured with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build_dir=${1:-build}
if [ $# -gt 1 ]; then
  sources=("${@:2}")
else
  mapfile -t sources < <(find src include files test apps examples experiments benchmark vtk -name '*.cxx' -o -name '*.cu*' -o -name '*.h*' | sort)
fi

for file in "${sources[@]}"; do
  diff -u --label "$file" --label formatted "$file" <(clang-format "$file") || true
done
mapfile -t units < <(printf '%s\n' "${sources[@]}" | grep '\.cxx$')
# ITK 5.2's header of compiler features knows only the compiler that built ITK.
clang-tidy -p "$build_dir" --quiet --extra-arg=-DITK_COMPILER_DETECTION_H --extra-arg=-DITK_NOEXCEPT=noexcept "${units[@]}"
for folder in src files apps; do
  bash tools/check-includes.sh "$folder"
done
shellcheck .ci/run tools/*.sh test/*.sh test/*/*.sh test/*/*/*.sh examples/*.sh experiments/*/*.sh
