#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Builds ITK by MinGW for Windows, or by Clang with libc++, static and without tests, with the modules that this one, its
# programs and its tests need: prepare-itk.sh windows|libcxx
# It takes the source tree that test/build-ways/prepare-itk.sh keeps, and installs into the folder beside that tree that has the name
# of the platform. It is made anew when the recipe or the compiler changes.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"
# shellcheck source=../build-ways/itk-cache.sh
source "$root/test/build-ways/itk-cache.sh"

kind=$1
case $kind in
  windows) compiler=x86_64-w64-mingw32-g++-posix ;;
  libcxx) compiler=clang++ ;;
  *)
    echo "ITK is not built for the platform $kind, but for windows and libcxx." >&2
    exit 2
    ;;
esac
toolchain=$root/test/platforms/$kind.cmake
prefix=$cache/$kind
build=$cache/build-$kind
# The last modules are what tests need beside those that itk-module.cmake names.
modules=$(cat "$root"/{files,apps}/ItkModules.cmake "$root/itk-module.cmake" | grep -ow 'ITK[A-Z][A-Za-z0-9]*' | sort -u |
  grep -vx -e ITKGoogleTest -e ITKCudaNeuro)
modules+=' ITKIOImageBase ITKQuadEdgeMesh'
recipe=$({
  cat "$root"/test/platforms/{prepare-itk.sh,UnityCompilation.cmake,BigObjects.cmake} "$toolchain" "$root/test/build-ways/prepare-itk.sh"
  echo "$modules"
  "$compiler" --version
} | sha256sum)
if [ "$(cat "$prefix/recipe" 2> /dev/null)" = "$recipe" ]; then
  exit
fi

bash "$root/test/build-ways/prepare-itk.sh" --source-only
echo "Building the modules of ITK that are needed, for $kind; some 10 minutes on two cores ..."
rm -rf "$prefix" "$build"
options=(
  --toolchain "$toolchain" "-DCMAKE_INSTALL_PREFIX=$prefix" -DBUILD_TESTING=OFF
  "${itk_options[@]}" -DBUILD_SHARED_LIBS=OFF
  # Compiling takes longer than all that tests do with it.
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"
)
options+=("-DCMAKE_PROJECT_ITKTransformFactory_INCLUDE=$root/test/platforms/BigObjects.cmake")
for project in vnl ITKCommon ITKIOImageBase ITKOptimizers ITKOptimizersv4 ITKSpatialObjects ITKStatistics; do
  options+=("-DCMAKE_PROJECT_${project}_INCLUDE=$root/test/platforms/UnityCompilation.cmake")
done
for module in $modules; do
  options+=("-DModule_$module=ON")
done
# ITK configures Eigen in a CMake of its own, to which it hands the compilers but not the system. One that is there already keeps its own.
cudaneuro_configure "$cache/source/Modules/ThirdParty/Eigen3/src/itkeigen" "$build/ITKInternalEigen3-build" \
  --toolchain "$toolchain"
cudaneuro_configure "$cache/source" "$build" "${options[@]}"
cudaneuro_build "$build"
cmake --install "$build" > "$build/install.log"
rm -rf "$build"
echo "$recipe" > "$prefix/recipe"
