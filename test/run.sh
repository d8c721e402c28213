#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

usage() {
  cat << 'TEXT'
Usage: bash test/run.sh [--build-dir DIR] [--quick] [--itk-dir DIR] [-- CMAKE_ARGUMENT...]
       bash test/run.sh --sanitize address|thread [--build-dir DIR] [-- CMAKE_ARGUMENT...]
       bash test/run.sh --platform windows|arm64|libcxx|msvc [--build-dir DIR] [-- CMAKE_ARGUMENT...]

Installs what is missing (Debian, Ubuntu), builds CudaNeuro in each of the three ways, and runs all tests:
  1. against the installed ITK, with CUDA where there is a CUDA compiler: every test, and what is installed;
  2. against an ITK build tree, with ITKModuleExternal: a few tests that look at every ITK class, one in Python, and all of those
     in Python from a wheel in a clean virtual environment;
  3. inside an ITK source tree, without CUDA: the same few tests.
It makes the site of the documentation, too, in site/html of the build folder.
Tests that need a GPU are reported as skipped where there is none. Exits with 0 only if everything passed.

  --build-dir DIR   the build folder (build; build-asan, build-tsan with --sanitize; build-KIND with --platform)
  --quick           the first way only
  --sanitize KIND   the first way only, without CUDA, and compiled with a sanitizer: "address" (with that of undefined
                    behavior) for all tests but those of what is installed, "thread" for those of the engine
  --platform KIND   without CUDA: the engine, the ITK classes and the programs, "windows" by MinGW and Wine and "libcxx" by Clang
                    with the library of macOS; the engine alone "arm64" by a cross compiler and QEMU; "msvc" parses the
                    engine as Microsoft's compiler would, and builds and runs nothing
  --itk-dir DIR     an ITK build tree for the second way, with Python and the modules of apps/ItkModules.cmake
Otherwise the ITK of ways 2 and 3, and those for Windows and libc++, are built from Debian's source package in
${XDG_CACHE_HOME:-~/.cache}, some 10 minutes on two cores, and kept there. What compilers make is kept by ccache, which makes later runs several times as fast.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=build-ways/itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

build_dir=
quick=no
itk_dir=
sanitize=
platform=
while [ $# -gt 0 ]; do
  case $1 in
    --build-dir) build_dir=$2 && shift ;;
    --quick) quick=yes ;;
    --sanitize) sanitize=$2 && shift ;;
    --platform) platform=$2 && shift ;;
    --itk-dir) itk_dir=$2 && shift ;;
    --help) usage && exit ;;
    --) shift && break ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
case $sanitize in
  '') build_dir=${build_dir:-$root/build${platform:+-$platform}} ;;
  address) build_dir=${build_dir:-$root/build-asan} ;;
  thread) build_dir=${build_dir:-$root/build-tsan} ;;
  *) usage >&2 && exit 2 ;;
esac

results=()
failures=0
rm -f "$build_dir/ctest.log"

# Runs a step, and notes its name, result and time: NAME COMMAND...
step() {
  local name=$1 start=$SECONDS result=passed
  shift
  printf '\n== %s\n' "$name"
  if ! "$@"; then
    result=FAILED
    failures=$((failures + 1))
  fi
  results+=("$(printf '%-7s %5d s  %s' "$result" $((SECONDS - start)) "$name")")
  [ "$result" = passed ]
}

run_ctest() {
  ctest --test-dir "$1" --output-on-failure --parallel 2 2>&1 | tee "$1/ctest.log"
}

# The library must load where there is no driver: nothing of CUDA may be among the libraries that it needs.
check_library() {
  local needed
  needed=$(readelf --dynamic "$build_dir"/lib/libCudaNeuro.so)
  if grep -E 'NEEDED.*(libcuda|libcudart|libnv)' <<< "$needed"; then
    echo "The library needs CUDA libraries to load." >&2
    return 1
  fi
}

# Code for one GPU architecture is compiled: that of the machine's GPU, or the oldest one, which then never runs and is not optimized,
# nor is what starts it.
if nvidia-smi --list-gpus > /dev/null 2>&1; then
  options=(-DCMAKE_CUDA_ARCHITECTURES=native)
else
  options=(-DCMAKE_CUDA_ARCHITECTURES=75-real)
  if [[ " $* " != *CMAKE_CUDA_ARCHITECTURES* ]] && grep -q -e --Ofast-compile <<< "$(nvcc --help 2> /dev/null)"; then
    options+=(-DCMAKE_CUDA_FLAGS=--Ofast-compile=max
      "-DCMAKE_CUDA_FLAGS_RELEASE=-O0 -DNDEBUG" "-DCMAKE_CUDA_FLAGS_MINSIZEREL=-O0 -DNDEBUG")
  fi
fi
options+=(-DCudaNeuro_WARNINGS_AS_ERRORS=ON)
way_1=("${options[@]}" "-DCMAKE_PROJECT_CudaNeuro_INCLUDE=$root/test/build-ways/HeadersOnce.cmake")
others=("${options[@]}" -DCudaNeuro_TEST_ENGINE=OFF)
# Beside the first one, at the same depth: the compiler cache then takes the engine of the one for that of the other.
itk_build_dir=$build_dir-itk

other_ways() {
  # One run at a time uses the folder.
  mkdir -p "$cache"
  exec 9> "$cache/lock"
  flock 9
  if step "ITK for ways 2 and 3" bash "$root/test/build-ways/prepare-itk.sh" ${itk_dir:+--source-only}; then
    itk_dir=${itk_dir:-$cache/build}
    export CUDANEURO_BRAINWEB=$cache/brainweb
    if step "Way 2: an ITK build tree, and Python" bash "$root/test/build-ways/itk-build-tree.sh" \
      "$itk_build_dir" "$itk_dir" "${others[@]}" "$@"; then
      step "Way 2: the wheel" bash "$root/test/build-ways/wheel.sh" \
        "$itk_build_dir" "$itk_dir" "${others[@]}" "$@" || true
    fi
    step "Way 3: inside ITK, without CUDA" bash "$root/test/build-ways/inside-itk.sh" "${others[@]}" "$@" \
      -DCudaNeuro_USE_CUDA=OFF || true
  fi
}

# What is found ends the test, with a nonzero status. ITK is not compiled so: of its vectors the sanitizer knows but a part, and
# memory that ITK keeps until the end is no leak of ours. Some tests ask for more memory than there is.
sanitized_tests() {
  export ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
  export TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1
  local options=(-DCudaNeuro_SANITIZE="$sanitize" -DCudaNeuro_USE_CUDA=OFF -DCudaNeuro_WARNINGS_AS_ERRORS=ON)
  if [ "$sanitize" = thread ]; then
    options+=(-DCudaNeuro_BUILD_BENCHMARK=OFF -DCudaNeuro_BUILD_PROGRAMS=OFF)
  fi
  if step "Build with the sanitizer \"$sanitize\"" \
    bash "$root/tools/build.sh" --build-dir "$build_dir" --tests -- "${options[@]}" "$@"; then
    step "Tests with the sanitizer \"$sanitize\"" run_ctest "$build_dir" || true
  fi
}

cudaneuro_use_compiler_cache "$root"
# Platforms have compilers of their own.
[ -n "$platform" ] || cudaneuro_give_compiler_memory
if [ -n "$platform" ]; then
  step "The platform \"$platform\"" bash "$root/test/platforms/run.sh" "$platform" "$build_dir" "$@" || true
elif [ -n "$sanitize" ]; then
  sanitized_tests "$@"
elif step "Way 1: build against the installed ITK" \
  bash "$root/tools/build.sh" --build-dir "$build_dir" --tests -- "${way_1[@]}" "$@"; then
  step "Way 1: the library loads without a driver" check_library || true
  step "The site of the documentation" bash "$root/test/site/build.sh" "$build_dir" || true
  if [ $quick = no ]; then
    other_ways "$@"
  fi
  # Last, so that its count ends the output.
  step "Way 1: tests" run_ctest "$build_dir" || true
fi

printf '\n== Summary\n'
printf '%s\n' "${results[@]}"
if [ -e "$build_dir/ctest.log" ]; then
  grep -E '\((Failed|Not Run|Timeout|SEGFAULT)\)' "$build_dir/ctest.log" || true
  echo "$(grep -c '(Skipped)' "$build_dir/ctest.log" || true) tests skipped, which need a GPU"
  grep -E '^[0-9]+% tests passed' "$build_dir/ctest.log"
fi
[ $failures -eq 0 ]
