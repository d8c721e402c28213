#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Makes what the tests of two ways to build need, outside the work tree, and keeps it for the next run:
#   source        ITK's source tree, from Debian's source package
#   build         an ITK build tree of it, with the modules that this one needs
# in the folder that itk-cache.sh names.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

readonly orig_sha256=a267fe9b37921cecbe85aa3f6ca64185c602d7a8ca3f148a705a4971f1b88202

# apt-get with package lists of its own, so that the machine's configuration stays as it is.
private_apt_get() {
  mkdir -p "$work/lists/partial"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
${CUDANEURO_DEBIAN_MIRROR:-http://deb.debian.org/debian} bookworm main" > "$work/sources.list"
  cat > "$work/apt.conf" << TEXT
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$work/lists";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Sandbox::User "";
Acquire::Retries "3";
TEXT
  APT_CONFIG=$work/apt.conf apt-get --quiet "$@"
}

fetch_source() {
  cudaneuro_install_packages "${cudaneuro_itk_source_packages[@]}"
  work=$cache/fetch
  rm -rf "$work" "$cache/source"
  mkdir -p "$work"
  cd "$work"
  echo "Fetching ITK's source package (283 MB) ..."
  if ! { private_apt_get update && private_apt_get source --download-only insighttoolkit5; } > apt.log 2>&1; then
    tail -n 20 apt.log >&2
    return 1
  fi
  sha256sum --check --quiet <<< "$orig_sha256  insighttoolkit5_5.2.1.orig.tar.xz"
  dpkg-source --no-check --extract ./*.dsc source > extract.log
  rm -rf source/.ExternalData
  mv source "$cache/source"
  cd "$cache"
  rm -rf "$work"
}

mkdir -p "$cache"
if [ ! -d "$cache/source" ]; then
  fetch_source
fi
# The build trees are made anew when the recipe or the tools change.
recipe=$({
  cat "$root"/test/build-ways/{itk-cache,prepare-itk}.sh
  c++ --version
  cmake --version
} | sha256sum)
if [ "$(cat "$cache/build/recipe" 2> /dev/null)" != "$recipe" ]; then
  echo "Building the modules of ITK that the tests need ..."
  rm -rf "$cache/build" "$cache/build-inside"
  cudaneuro_configure "$cache/source" "$cache/build" "${itk_options[@]}" \
    -DBUILD_TESTING=OFF -DModule_ITKCommon=ON -DModule_ITKGoogleTest=ON
  cudaneuro_build "$cache/build"
  echo "$recipe" > "$cache/build/recipe"
fi
