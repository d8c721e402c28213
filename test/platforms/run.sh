#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Builds the engine without ITK and CUDA for another system, and runs its tests as far as they need no GPU:
#   run.sh windows|arm64|libcxx BUILD_DIR [CMAKE_ARGUMENT...]
#   windows   MinGW and Wine
#   arm64     GCC for ARM with 64 bits, and QEMU
#   libcxx    Clang with libc++, the library of macOS, and without extensions of GNU's
# left-out-KIND.txt has the tests that are not run there, with the reason: a pattern of GoogleTest's, then what it is for.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"

kind=$1
build_dir=$2
shift 2
# Nothing is built there, but only parsed.
if [ "$kind" = msvc ]; then
  exec bash "$root/test/platforms/msvc-dialect.sh" "$build_dir"
fi
options=(-DCudaNeuro_ENGINE_ONLY=ON -DCudaNeuro_USE_CUDA=OFF -DBUILD_TESTING=ON -DCudaNeuro_WARNINGS_AS_ERRORS=ON
  -DCudaNeuro_GTEST_SOURCE=/usr/src/googletest/googletest)
packages=(cmake:cmake ninja-build:ninja googletest:-)
emulator=()
suffix=
case $kind in
  windows)
    packages+=(g++-mingw-w64-x86-64-posix:- wine:wine wine64:-)
    options+=(--toolchain "$root/test/platforms/windows.cmake")
    emulator=("$root/test/platforms/wine.sh")
    suffix=.exe
    ;;
  arm64)
    packages+=(g++-aarch64-linux-gnu:- qemu-user:qemu-aarch64)
    options+=(--toolchain "$root/test/platforms/arm64.cmake")
    emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
    ;;
  libcxx)
    packages+=(clang:clang++ libc++-dev:- libc++abi-dev:-)
    options+=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
      "-DCMAKE_CXX_FLAGS=-stdlib=libc++ -Wpedantic -Wno-gnu-zero-variadic-macro-arguments")
    ;;
  *)
    echo "There is no platform $kind: windows, arm64, libcxx and msvc are." >&2
    exit 2
    ;;
esac

cudaneuro_install_packages "${packages[@]}"
cudaneuro_configure "$root" "$build_dir" "${options[@]}" "$@"
drivers=(CudaNeuroEngineGTestDriver CudaNeuroInternalGTestDriver)
TIMEFORMAT='== That took %R s, and %U + %S s of processors'
time cudaneuro_build "$build_dir" "${drivers[@]/#/--target=}"

if [ "$kind" = arm64 ]; then
  # Loops over voxels and points are compiled for vectors of NEON: four numbers of single precision are multiplied at once.
  # Those that read where a map leads, as warps do, are not: NEON has no instruction for that.
  for name in denoising/bilateral/BilateralCpu metrics/MeanSquaresCpu images/GaussianSmoothingCpu landmarks/FlowCpu; do
    object=$build_dir/src/CMakeFiles/CudaNeuroEngine.dir/$name.cxx.o
    if ! aarch64-linux-gnu-objdump -d "$object" | grep -E '\bf(mla|mul)\s+v[0-9]+\.4s' > /dev/null; then
      echo "$name has no vector instructions of NEON" >&2
      exit 1
    fi
  done
fi

left_out=$root/test/platforms/left-out-$kind.txt
pattern=$(sed -n 's/^\([^# ][^ ]*\) .*/\1/p' "$left_out" | paste -sd:)
failures=0
all=0
left=0

# Prints how many tests of a driver a filter of GoogleTest's takes, but for disabled ones, which are listed too: DRIVER FILTER.
count_tests() {
  "${emulator[@]}" "$1" --gtest_list_tests --gtest_filter="$2" | tr -d '\r' | grep '^  ' | grep -vc DISABLED_ || true
}

# Runs the tests of a driver that a filter takes, in parts, as many at once as there are processors, and prints what did not
# pass: DRIVER FILTER LOG. Parts are many more, so that none is much behind; that of number N writes to LOG.N.
run_tests() {
  local parts=$((8 * $(nproc))) result=0
  rm -f "$3".*
  # shellcheck disable=SC2016
  seq 0 $((parts - 1)) | GTEST_TOTAL_SHARDS=$parts xargs -P "$(nproc)" -I '{}' \
    bash -c 'GTEST_SHARD_INDEX={} "${@:2}" > "$1.{}" 2>&1 || { echo "Part {} ended with $?" >> "$1.{}"; exit 1; }' \
    part "$3" "${emulator[@]}" "$1" --gtest_filter="$2" || result=1
  cat "$3".* | tr -d '\r' > "$3" && rm -f "$3".*
  # A test says what is wrong between the lines that it runs and that it failed; one that ended the program has no second.
  awk '/^\[ RUN / { text = "" } { text = text $0 "\n" }
    /^\[  FAILED  \].* ms\)$/ || /^Part .* ended/ { printf "%s", text; text = "" }' "$3"
  awk '/^\[       OK \]/ { passed++ } /^\[  SKIPPED \].* ms\)$/ { skipped++ } /^\[  FAILED  \].* ms\)$/ { failed++ }
    END { printf "== %d passed, %d skipped themselves, %d failed\n", passed, skipped, failed }' "$3"
  return $result
}

for driver in "${drivers[@]}"; do
  program=$build_dir/bin/$driver$suffix
  without_gpu=$(count_tests "$program" '-*Cuda0*')
  run=$(count_tests "$program" "-*Cuda0*:$pattern")
  all=$((all + without_gpu))
  left=$((left + without_gpu - run))
  echo "== $driver: $run of $without_gpu tests"
  time run_tests "$program" "-*Cuda0*:$pattern" "$build_dir/$driver.log" || failures=$((failures + 1))
done
echo "== Left out on $kind: $left of $all tests that need no GPU"
grep -v '^#' "$left_out" || true
if [ $((100 * left)) -gt $((3 * all)) ]; then
  echo "More than 3 % are left out." >&2
  failures=$((failures + 1))
fi
[ $failures -eq 0 ]
