#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Makes what the tests of two ways to build and of Python need, outside the work tree, and keeps it for the next run:
#   source        ITK's source tree, from Debian's source package, with less wrapping
#   build         an ITK build tree of it with Python, with the modules that this one needs
#   brainweb      three simulated brains that the source package carries, and one of them deformed, with the field
# in the folder that itk-cache.sh names: prepare-itk.sh [--source-only]

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

# Leaves these files of a module's wrapping, and in its list of what comes first: keep_wrapping MODULE NAME...
keep_wrapping() {
  local folder=Modules/$1/wrapping name
  shift
  for name in "$folder"/*.wrap; do
    name=$(basename "$name" .wrap)
    if [[ " $* " != *" $name "* ]]; then
      rm "$folder/$name.wrap"
      sed -i "/^ *$name\$/d" "$folder/CMakeLists.txt"
    fi
  done
}

# Leaves the wrapping that Python tests of this module need: all of it would take twice as long to build.
trim_wrapping() {
  local folder name
  # NumPy 1.24 has no np.bool; and there are no readers of meshes and of series without their wrapping.
  sed -i 's/np\.bool)/np.bool_)/' Wrapping/Generators/Python/itk/support/types.py
  sed -i '/^ *itk\.\(MeshFileReader\|ImageSeriesReader\),$/d' Wrapping/Generators/Python/itk/support/extras.py
  rm Modules/IO/ImageBase/wrapping/itkImageSeries{Reader,Writer}.wrap
  for folder in Modules/*/*/wrapping; do
    case $folder in
      */Core/Common/* | */Core/SpatialObjects/* | */Core/Transform/* | */ImageFilterBase/* | */NumPy/*) ;;
      */IO/ImageBase/* | */IO/Meta/* | */IO/NIFTI/* | */IO/NRRD/*) ;;
      */Numerics/Optimizers/* | */Optimizersv4/* | */Metricsv4/* | */RegistrationMethodsv4/*) ;;
      *) rm -r "$folder" ;;
    esac
  done
  keep_wrapping Filtering/ImageFilterBase itkCastImageFilter itkUnaryGeneratorImageFilter
  keep_wrapping Core/Transform itkTransformBase itkMatrixOffsetTransformBase itkAffineTransform itkCompositeTransform \
    itkEuler2DTransform itkEuler3DTransform itkMultiTransform itkRigid2DTransform itkRigid3DTransform \
    itkSimilarity2DTransform itkSimilarity3DTransform itkTranslationTransform itkVersorRigid3DTransform itkVersorTransform
  # Registration in ITK's framework: of images of float, and parameters of double.
  keep_wrapping Core/SpatialObjects itkSpatialObjectProperty itkSpatialObjectBase itkImageSpatialObject itkImageMaskSpatialObject
  keep_wrapping Numerics/Optimizers itkCostFunction
  keep_wrapping Numerics/Optimizersv4 itkGradientDescentOptimizerBasev4 itkGradientDescentOptimizerv4 \
    itkObjectToObjectMetricBase itkObjectToObjectOptimizerBase itkOptimizerParameterScalesEstimator \
    itkRegularStepGradientDescentOptimizerv4 itkSingleValuedCostFunctionv4
  keep_wrapping Registration/Metricsv4 itkImageToImageMetricv4
  # Their wrapping refers to that of these modules, which it else has by modules that are left out here.
  sed -i 's/^    ITKStatistics$/    ITKCommon\n&/' Modules/Numerics/Optimizers/itk-module.cmake
  sed -i '0,/^    ITKOptimizersv4$/s//&\n    ITKSpatialObjects\n    ITKTransform/' Modules/Registration/Metricsv4/itk-module.cmake
  sed -i 's/\(D;\)\?${WRAP_ITK_REAL}\(;D\)\?/D/' Modules/Numerics/Optimizers{,v4}/wrapping/*.wrap
  sed -i 's/${WRAP_ITK_REAL}/F/' Modules/Registration/{Metricsv4,RegistrationMethodsv4}/wrapping/*.wrap
  sed -i 's/;${WRAP_ITK_SCALAR}//' Modules/Core/SpatialObjects/wrapping/itkImageSpatialObject.wrap
  for name in AnnulusOperator BackwardDifferenceOperator ForwardDifferenceOperator DerivativeOperator \
    GaussianDerivativeOperator GaussianOperator LaplacianOperator SobelOperator ImageKernelOperator \
    NeighborhoodOperator BSplineInterpolationWeightFunction KernelFunctionBase FloatingPointExceptions \
    MinimumMaximumImageCalculator PointSetToImageFilter SpatialFunction ExtractImageFilter StreamingImageFilter ImageSink; do
    rm "Modules/Core/Common/wrapping/itk$name.wrap"
  done
}

# Copies the brains out of the source tree, where they are named by their checksums.
copy_brainweb() {
  local link
  mkdir -p "$cache/brainweb"
  for link in "$1"/Examples/Data/BrainWeb/brainweb{165a10f17{,ThinPlateSplined{,Field}},1e5a10f17,1e1a10f20}.mha.md5; do
    cp "$1/.ExternalData/MD5/$(cat "$link")" "$cache/brainweb/$(basename "$link" .md5)"
  done
}

fetch_source() {
  cudaneuro_install_packages "${cudaneuro_itk_source_packages[@]}"
  work=$cache/fetch
  rm -rf "$work" "$cache/source" "$cache/brainweb"
  mkdir -p "$work"
  cd "$work"
  echo "Fetching ITK's source package (283 MB) ..."
  if ! { private_apt_get update && private_apt_get source --download-only insighttoolkit5; } > apt.log 2>&1; then
    tail -n 20 apt.log >&2
    return 1
  fi
  sha256sum --check --quiet <<< "$orig_sha256  insighttoolkit5_5.2.1.orig.tar.xz"
  dpkg-source --no-check --extract ./*.dsc source > extract.log
  copy_brainweb source
  rm -rf source/.ExternalData
  (cd source && trim_wrapping)
  mv source "$cache/source"
  cd "$cache"
  rm -rf "$work"
}

mkdir -p "$cache"
# All is made anew when the recipe or the tools change.
cudaneuro_install_packages "${cudaneuro_wrapping_packages[@]}"
source_recipe=$(sha256sum < "$root/test/build-ways/prepare-itk.sh")
if [ "$(cat "$cache/source/recipe" 2> /dev/null)" != "$source_recipe" ]; then
  fetch_source
  echo "$source_recipe" > "$cache/source/recipe"
fi
if [ "${1:-}" = --source-only ]; then
  exit
fi
recipe=$({
  cat "$root"/test/build-ways/{itk-cache,prepare-itk}.sh
  c++ --version
  cmake --version
  castxml --version
  swig -version
  /usr/bin/python3 --version
} | sha256sum)
if [ "$(cat "$cache/build/recipe" 2> /dev/null)" != "$recipe" ]; then
  echo "Building the modules of ITK that the tests need, with Python; some 10 minutes on two cores ..."
  rm -rf "$cache/build" "$cache/build-inside"
  cudaneuro_configure "$cache/source" "$cache/build" "${itk_options[@]}" "${itk_wrapping_options[@]}" \
    "${itk_modules[@]}" -DBUILD_TESTING=OFF
  cudaneuro_build "$cache/build"
  echo "$recipe" > "$cache/build/recipe"
fi
