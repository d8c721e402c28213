# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Functions of the shell commands: to install what a build needs on Debian and Ubuntu, and to build. To be sourced.
# shellcheck disable=SC2034

# A program stands for its package where it may have come from somewhere else; "-" asks for the package itself.
cudaneuro_build_packages=(
  g++:g++ cmake:cmake ninja-build:ninja libinsighttoolkit5-dev:- libcli11-dev:- nlohmann-json3-dev:- libdeflate-dev:-
  pkg-config:pkg-config libplplot-dev:- plplot-driver-cairo:- libopenmpi-dev:- openmpi-bin:-
)
# VTK, some 115 MB to fetch, and a display for it that is not shown, which most machines for tests lack.
cudaneuro_test_packages=(libgtest-dev:- python3:- python3-venv:- libvtk9-dev:- xvfb:- xauth:-)
cudaneuro_wrapping_packages=(
  castxml:castxml swig:- doxygen:doxygen python3-dev:- python3-numpy:- python3-venv:-
)
# The site of the documentation.
cudaneuro_site_packages=(doxygen:doxygen python3:python3 python3-venv:-)
cudaneuro_itk_source_packages=(ca-certificates:- dpkg-dev:dpkg-source xz-utils:xz)

# Prints those of "package:program" arguments that are missing.
cudaneuro_missing_packages() {
  local entry package program
  for entry in "$@"; do
    package=${entry%%:*}
    program=${entry#*:}
    if [ "$program" != - ]; then
      command -v "$program" > /dev/null && continue
    fi
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed && continue
    echo "$package"
  done
}

cudaneuro_apt_get() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo --non-interactive)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get --quiet --yes --option DPkg::Lock::Timeout=300 --option Acquire::Retries=3 "$@"
}

# Installs what is missing of "package:program" arguments, and says nothing when nothing is.
cudaneuro_install_packages() {
  local missing log
  mapfile -t missing < <(cudaneuro_missing_packages "$@")
  if [ "${#missing[@]}" -eq 0 ]; then
    return 0
  fi
  if ! command -v apt-get > /dev/null; then
    echo "Please install what Debian calls: ${missing[*]}" >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ] && ! sudo --non-interactive true 2> /dev/null; then
    echo "Please run as root: apt-get install ${missing[*]}" >&2
    return 1
  fi
  log=$(mktemp)
  echo "Installing ${missing[*]} ..."
  # The package lists may be absent, or too old to install from.
  if ! { cudaneuro_apt_get install --no-install-recommends "${missing[@]}" > "$log" 2>&1 ||
    { cudaneuro_apt_get update && cudaneuro_apt_get install --no-install-recommends "${missing[@]}"; } >> "$log" 2>&1; }; then
    tail -n 20 "$log" >&2
    echo "The packages could not be installed; all of apt-get's output is in $log" >&2
    return 1
  fi
  rm -f "$log"
}

# Makes a virtual environment with a list of packages, unless it is there and complete: FOLDER LIST.
cudaneuro_make_python() {
  local python=/usr/bin/python3
  if [ -e "$1/complete" ] && cmp --silent "$2" "$1/complete"; then
    return
  fi
  echo "Making a virtual environment in $1 ..."
  rm -rf "$1"
  [ -x "$python" ] || python=python3
  "$python" -m venv "$1"
  "$1/bin/pip" --quiet --disable-pip-version-check install --requirement "$2"
  cp "$2" "$1/complete"
}

# Prints the number of compilers to run at once, each of which may take 2 GB.
cudaneuro_jobs() {
  local by_memory cores
  cores=$(nproc)
  by_memory=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 2000000))
  echo $((by_memory < 1 ? 1 : by_memory > cores ? cores : by_memory))
}

# Configures with CMake, with its output in configure.log of the build folder: SOURCE BUILD CMAKE_ARGUMENT...
cudaneuro_configure() {
  local source_dir=$1 build_dir=$2
  shift 2
  mkdir -p "$build_dir"
  if ! cmake -S "$source_dir" -B "$build_dir" -G Ninja -Wno-dev "$@" > "$build_dir/configure.log" 2>&1; then
    grep -A 20 'CMake Error' "$build_dir/configure.log" >&2
    echo "Configuring failed; all of CMake's output is in $build_dir/configure.log" >&2
    return 1
  fi
  sed -n 's/^-- \(CudaNeuro [0-9].*\)/\1/p' "$build_dir/configure.log"
}

# Prints a value of a build folder's CMake cache: BUILD NAME.
cudaneuro_cache_value() {
  sed -n "s/^$2:[^=]*=//p" "$1/CMakeCache.txt"
}

# Prints the options that make CMake build the module against an ITK build tree with the tools that ITK was wrapped with,
# one a line: ROOT ITK_DIR. Nothing is to be downloaded. The options are for $cudaneuro_test_build_type: ITK links wrapping of
# release builds with an optimization that takes long. The flags are those of a release build, for which the compiler cache
# has the engine.
cudaneuro_test_build_type=MinSizeRel
cudaneuro_module_options() {
  local name value
  echo "-DITK_DIR=$2"
  for name in Python3_EXECUTABLE SWIG_EXECUTABLE CASTXML_EXECUTABLE; do
    value=$(cudaneuro_cache_value "$2" $name)
    if [ -n "$value" ]; then
      echo "-D$name=$value"
    fi
  done
  printf '%s\n' "-DCMAKE_CXX_FLAGS_MINSIZEREL=-O3 -DNDEBUG" "-DCMAKE_CUDA_FLAGS_MINSIZEREL=-O3 -DNDEBUG" \
    "-DCMAKE_PROJECT_CudaNeuro_INCLUDE=$1/test/build-ways/QuickCompilation.cmake" \
    -DITK_USE_SYSTEM_CASTXML=ON -DITK_USE_SYSTEM_SWIG=ON \
    -DITK_USE_KWSTYLE=OFF -DITK_USE_CLANGFORMAT=OFF -DITK_USE_CLANG_FORMAT=OFF
}

# Has all compilers look first into ccache's folder for what they have compiled before, wherever the work tree was then: ROOT.
cudaneuro_use_compiler_cache() {
  local language
  cudaneuro_install_packages ccache:ccache
  for language in C CXX CUDA; do
    export CMAKE_${language}_COMPILER_LAUNCHER=ccache
  done
  export CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
}

# Lets GCC take half a gigabyte before it looks for what it no longer needs: that is 7 % of the time that it takes otherwise.
cudaneuro_give_compiler_memory() {
  if "${CXX:-c++}" --version 2> /dev/null | grep -q 'Free Software Foundation'; then
    export CXXFLAGS="--param=ggc-min-expand=400 --param=ggc-min-heapsize=524288 ${CXXFLAGS:-}"
  fi
}

# Builds: BUILD [--target TARGET]...
cudaneuro_build() {
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build "$1" --parallel "$(cudaneuro_jobs)" "${@:2}"
}
