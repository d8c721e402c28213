#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Builds for another system, without CUDA, and runs the tests that need no GPU:
#   run.sh windows|arm64|libcxx|msvc BUILD_DIR [CMAKE_ARGUMENT...]
#   windows   MinGW and Wine: the engine, the ITK classes and the programs
#   libcxx    Clang with libc++, the library of macOS, and without extensions of GNU's: the same
#   arm64     GCC for ARM with 64 bits, and QEMU: the engine alone
#   msvc      Clang's parser with the dialect of Microsoft's compiler, of the engine: msvc-dialect.sh
# left-out-KIND.txt has the tests that are not run there, with the reason: a pattern of GoogleTest's, or of script, class and
# function of a test in Python, then what it is for.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=../build-ways/itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

kind=$1
build_dir=$2
shift 2
# Nothing is built there, but only parsed.
if [ "$kind" = msvc ]; then
  exec bash "$root/test/platforms/msvc-dialect.sh" "$build_dir"
fi
options=(-DCudaNeuro_USE_CUDA=OFF -DBUILD_TESTING=ON -DCudaNeuro_WARNINGS_AS_ERRORS=ON
  -DCudaNeuro_GTEST_SOURCE=/usr/src/googletest/googletest
  "-DCMAKE_PROJECT_CudaNeuro_INCLUDE=$root/test/build-ways/HeadersOnce.cmake")
drivers=(CudaNeuroEngineGTestDriver CudaNeuroInternalGTestDriver)
programs=()
packages=(cmake:cmake ninja-build:ninja googletest:-)
emulator=()
suffix=
# An ITK is built for these, static, without VTK and without the benchmark.
itk_dir=
case $kind in
  windows | libcxx)
    itk_dir=$cache/$kind/lib/cmake/ITK-5.2
    options+=("-DITK_DIR=$itk_dir" -DBUILD_SHARED_LIBS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_VTK=ON -DCudaNeuro_BUILD_BENCHMARK=OFF)
    drivers+=(CudaNeuroGTestDriver CudaNeuroProgramsGTestDriver)
    programs=(cudaneuro-denoise cudaneuro-register cudaneuro-atlas cudaneuro-landmarks cudaneuro-transform
      CheckTransformFile MoveSeriesFile)
    packages+=(libcli11-dev:- nlohmann-json3-dev:- python3:-)
    ;;
esac
case $kind in
  windows)
    packages+=(g++-mingw-w64-x86-64-posix:- wine:wine wine64:-)
    # There are neither PLplot nor MPI for it in Debian, and their packages for this system are not to be found.
    options+=(--toolchain "$root/test/platforms/windows.cmake" "-DCudaNeuro_WINDOWS_PREFIX=$cache/windows"
      "-DCMAKE_PROJECT_CudaNeuro_INCLUDE=$root/test/platforms/MinGW.cmake"
      -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON)
    emulator=("$root/test/platforms/wine.sh")
    suffix=.exe
    ;;
  arm64)
    packages+=(g++-aarch64-linux-gnu:- qemu-user:qemu-aarch64)
    options+=(--toolchain "$root/test/platforms/arm64.cmake" -DCudaNeuro_ENGINE_ONLY=ON)
    emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
    ;;
  libcxx)
    packages+=(clang:clang++ libc++-dev:- libc++abi-dev:- libdeflate-dev:-)
    # ITK's macros are written with a semicolon, which not all of them need. That a loop has no vectors is no fault.
    options+=(--toolchain "$root/test/platforms/libcxx.cmake"
      "-DCMAKE_CXX_FLAGS=-stdlib=libc++ -Wpedantic -Wno-gnu-zero-variadic-macro-arguments -Wno-extra-semi -Wno-pass-failed")
    ;;
  *)
    echo "There is no platform $kind: windows, arm64, libcxx and msvc are." >&2
    exit 2
    ;;
esac

# Wine's own processes start with the first program and end with the last: without this, each program would start them, those that
# ITK's configuration tries among them. They keep what the first program has for its output: a pipe would not end.
start_wine() {
  # shellcheck source=wine-settings.sh
  (source "$root/test/platforms/wine-settings.sh" && mkdir -p "$WINEPREFIX" && wineserver --persistent=600 && wineboot) \
    < /dev/null > /dev/null 2>&1 || true
}

cudaneuro_install_packages "${packages[@]}"
TIMEFORMAT='== That took %R s, and %U + %S s of processors'
if [ "$kind" = windows ]; then
  start_wine
fi
if [ -n "$itk_dir" ]; then
  mkdir -p "$cache"
  exec 9> "$cache/lock"
  flock 9
  time bash "$root/test/platforms/prepare-itk.sh" "$kind"
  if [ "$kind" = windows ]; then
    bash "$root/test/platforms/prepare-libraries-windows.sh"
  fi
  exec 9>&-
fi
cudaneuro_configure "$root" "$build_dir" "${options[@]}" "$@"
targets=("${drivers[@]}" "${programs[@]}")
time cudaneuro_build "$build_dir" "${targets[@]/#/--target=}"
if [ "$kind" = windows ]; then
  start_wine
fi

if [ "$kind" = arm64 ]; then
  # Loops over voxels and points are compiled for vectors of NEON: four numbers of single precision are multiplied at once.
  # Those that read where a map leads, as warps do, are not: NEON has no instruction for that.
  for name in denoising/bilateral/BilateralCpu metrics/MeanSquaresCpu images/smoothing/GaussianSmoothingCpu landmarks/FlowCpu; do
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

# Runs the tests of the programs, and prints what did not pass: LOG. Their scripts say which of their tests are left out.
run_program_tests() {
  local result=0
  (cd "$build_dir" && ctest --tests-regex '^cudaneuro-' --verbose --timeout 1800 --parallel "$(nproc)") > "$1" 2>&1 || result=1
  grep -E '(Passed|Failed|Not Run|Timeout|Exception|Skipped)[^:]* +[0-9.]+ sec' "$1" | grep -v ' Passed ' || true
  grep -A 30 -E '^[0-9]+: (FAIL|ERROR|FAILED): ' "$1" || true
  sed -n 's/^[0-9]*: [.sFE]*left out: /Left out: /p' "$1"
  return $result
}

# Prints the sum of the numbers that follow a word in the log of the tests of programs: LOG WORD.
sum_of() {
  sed -n "s/^[0-9]*: .*$2\([0-9]\+\).*/\1/p" "$1" | awk '{ sum += $1 } END { print sum + 0 }'
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
if [ ${#programs[@]} -gt 0 ]; then
  log=$build_dir/programs.log
  echo "== Tests of the programs"
  time run_program_tests "$log" || failures=$((failures + 1))
  left_of_programs=$(grep -c '^[0-9]*: [.sFE]*left out: ' "$log" || true)
  tests=$(sum_of "$log" 'Ran ')
  all=$((all + tests))
  left=$((left + left_of_programs))
  echo "== $tests tests in Python, of which $(sum_of "$log" 'failures=') failed, $(sum_of "$log" 'errors=') ended with an error" \
    "and $(sum_of "$log" 'skipped=') were skipped, $left_of_programs of them as left out here"
fi
echo "== Left out on $kind: $left of $all tests that need no GPU"
grep -v '^#' "$left_out" || true
if [ $((100 * left)) -gt $((3 * all)) ]; then
  echo "More than 3 % are left out." >&2
  failures=$((failures + 1))
fi
[ $failures -eq 0 ]
