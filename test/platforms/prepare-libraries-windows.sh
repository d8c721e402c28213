#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Puts what the programs need beside ITK into the folder of prepare-itk.sh: the headers of CLI11 and nlohmann_json as
# Debian has them, which are the same for all systems, and libdeflate, compiled by MinGW from Debian's source package.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=../build-ways/itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

readonly libdeflate_sha256=89e7df898c37c3427b0f39aadcf733731321a278771d20fc553f92da8d4808ac
prefix=$cache/windows
work=$cache/windows-libraries
recipe=$({
  cat "$root/test/platforms/prepare-libraries-windows.sh"
  dpkg-query --show libcli11-dev nlohmann-json3-dev gcc-mingw-w64-x86-64-posix
} | sha256sum)
if [ "$(cat "$prefix/libraries-recipe" 2> /dev/null)" = "$recipe" ]; then
  exit
fi

# The machine's configuration of apt stays as it is.
fetch_libdeflate() {
  cudaneuro_install_packages "${cudaneuro_itk_source_packages[@]}"
  mkdir -p lists/partial
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
${CUDANEURO_DEBIAN_MIRROR:-http://deb.debian.org/debian} bookworm main" > sources.list
  local options=(
    --quiet --option "Dir::Etc::sourcelist=$work/sources.list" --option Dir::Etc::sourceparts=/dev/null
    --option "Dir::State::lists=$work/lists" --option Dir::Cache::pkgcache= --option Dir::Cache::srcpkgcache=
    --option APT::Sandbox::User= --option Acquire::Retries=3
  )
  apt-get "${options[@]}" update
  apt-get "${options[@]}" source --download-only libdeflate
  sha256sum --check --quiet <<< "$libdeflate_sha256  libdeflate_1.14.orig.tar.gz"
  dpkg-source --no-check --extract ./*.dsc source
}

echo "Building libdeflate for Windows ..."
rm -rf "$work"
mkdir -p "$work" "$prefix"/{include,lib,share/cmake}
cd "$work"
if ! fetch_libdeflate > fetch.log 2>&1; then
  tail -n 20 fetch.log >&2
  exit 1
fi
cd source
x86_64-w64-mingw32-gcc-posix -O2 -I. -c lib/*.c lib/x86/*.c
x86_64-w64-mingw32-ar rcs "$prefix/lib/libdeflate.a" ./*.o
cp libdeflate.h "$prefix/include"
cp -r /usr/include/{CLI,nlohmann} "$prefix/include"
cp -r /usr/share/cmake/{CLI11,nlohmann_json} "$prefix/share/cmake"
rm -rf "$work"
echo "$recipe" > "$prefix/libraries-recipe"
