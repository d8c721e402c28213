#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Has Clang parse the sources and headers of the engine, but for kernels, and those of files/system as Microsoft's compiler
# would: with its extensions and without GNU's, with its rules for long and for what a DLL exports, and with the branches
# that are meant for it. Nothing is compiled or linked, and the headers of C++ and of Windows are those of MinGW.
#   msvc-dialect.sh BUILD_DIR

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"

work=$1/msvc-dialect
cudaneuro_install_packages clang:clang++ g++-mingw-w64-x86-64-posix:-
rm -rf "$work"
mkdir -p "$work/include"
# What CMake writes where the compiler is Microsoft's.
cat > "$work/include/CudaNeuroExport.h" << 'TEXT'
#pragma once
#define CudaNeuro_EXPORT __declspec(dllexport)
#define CudaNeuro_HIDDEN
TEXT

gcc=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-libgcc-file-name)")
options=(
  --target=x86_64-pc-windows-msvc -std=c++17 -fms-extensions -fms-compatibility -fms-compatibility-version=19.30
  -fno-delayed-template-parsing -fcxx-exceptions -fexceptions -Wno-builtin-macro-redefined
  -nostdinc -isystem "$gcc/include/c++" -isystem "$gcc/include/c++/x86_64-w64-mingw32"
  -isystem "$(clang++ -print-resource-dir)/include" -isystem /usr/x86_64-w64-mingw32/include
)
# Clang does not know Microsoft's own pragmas; Microsoft's compiler does not look for private members that are not used.
warnings=(-Wall -Wextra -Wpedantic -Werror -Wno-unknown-pragmas -Wno-unused-private-field)
own=(
  -DCUDANEURO_USE_CUDA=0 -DCudaNeuro_EXPORTS '-DCUDANEURO_VERSION="0"'
  "-I$work/include" "-I$root/include" "-I$root/src" "-I$root"
)
clang++ "${options[@]}" -x c++-header "$root/test/platforms/msvc-headers.h" -o "$work/plain.pch"
clang++ "${options[@]}" -DCUDANEURO_WITH_WINDOWS -x c++-header "$root/test/platforms/msvc-headers.h" -o "$work/windows.pch"

# Parses a text that includes a file, with the headers of C++, and those of Windows where the file wants them: FILE
parse() {
  local headers=plain defined=()
  if grep -qE 'include "(system|files/system)/Windows\.h"|include <windows\.h>' "$1"; then
    headers=windows
    defined=(-DCUDANEURO_WITH_WINDOWS)
  fi
  clang++ "${options[@]}" "${defined[@]}" "${warnings[@]}" "${own[@]}" -include-pch "$work/$headers.pch" \
    -fsyntax-only -x c++ - <<< "#include \"$1\""
}

cd "$root"
mapfile -t rooms < <(sed -n 's/^\([a-z][a-z/]*\) .*/\1/p' src/rooms.txt | grep -vx itk)
mapfile -t files < <(find include/cudaneuro -name '*.h' && find "${rooms[@]/#/src/}" files/system -maxdepth 1 -name '*.cxx')
failures=0
for file in "${files[@]}"; do
  if ! parse "$file"; then
    failures=$((failures + 1))
  fi
done
echo "== ${#files[@]} files parsed in Microsoft's dialect, $failures with errors or warnings"
[ $failures -eq 0 ]
