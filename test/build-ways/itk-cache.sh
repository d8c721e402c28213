# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034

# Where ITK's source and build trees for the tests are, and how ITK is built. To be sourced.

# Whatever is built of ITK here.
itk_options=(
  -DBUILD_SHARED_LIBS=ON -DBUILD_EXAMPLES=OFF -DITK_FORBID_DOWNLOADS=ON -DITK_BUILD_DEFAULT_MODULES=OFF
  -DITKGroup_Core=OFF -DITK_USE_KWSTYLE=OFF -DITK_USE_CLANGFORMAT=OFF -DITK_USE_CLANG_FORMAT=OFF
  -DPython3_EXECUTABLE=/usr/bin/python3
)
# Nothing is optimized: the tests with this ITK are few and small, and take less time than compilers would.
# Without Python; the engine inside is not optimized either.
itk_plain_options=(
  -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0 -DNDEBUG" "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -DNDEBUG"
)
# With Python, for the types that the module takes. Not a release build: that would optimize at link time, slowly.
itk_wrapping_options=(
  -DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_C_FLAGS_MINSIZEREL=-O0 -DNDEBUG" "-DCMAKE_CXX_FLAGS_MINSIZEREL=-O0 -DNDEBUG"
  -DITK_DYNAMIC_LOADING=ON -DITK_WRAP_PYTHON=ON -DITK_USE_SYSTEM_CASTXML=ON -DITK_USE_SYSTEM_SWIG=ON
  "-DITK_WRAP_IMAGE_DIMS=2;3" -DITK_WRAP_unsigned_char=ON -DITK_WRAP_signed_short=ON -DITK_WRAP_unsigned_short=ON
  -DITK_WRAP_float=ON -DITK_WRAP_double=ON -DITK_WRAP_vector_float=ON -DITK_WRAP_covariant_vector_float=ON
  -DITK_WRAP_rgb_unsigned_char=OFF -DITK_WRAP_rgba_unsigned_char=OFF -DITK_WRAP_complex_float=OFF
)
# ITKMesh for its headers, which ITKCommon's wrapping includes; the last lines for the programs (apps/ItkModules.cmake).
itk_modules=(
  -DModule_ITKCommon=ON -DModule_ITKMesh=ON -DModule_ITKGoogleTest=ON -DModule_ITKImageFilterBase=ON
  -DModule_ITKBridgeNumPy=ON -DModule_ITKIOImageBase=ON -DModule_ITKIOMeta=ON -DModule_ITKIONIFTI=ON
  -DModule_ITKIONRRD=ON -DModule_ITKTransform=ON -DModule_ITKDisplacementField=ON -DModule_ITKImageFunction=ON
  -DModule_ITKImageGradient=ON -DModule_ITKImageGrid=ON -DModule_ITKImageStatistics=ON
  -DModule_ITKMetricsv4=ON -DModule_ITKOptimizersv4=ON -DModule_ITKRegistrationCommon=ON
  -DModule_ITKRegistrationMethodsv4=ON -DModule_ITKSmoothing=ON -DModule_ITKSpatialObjects=ON
  -DModule_ITKHDF5=ON -DITK_USE_SYSTEM_HDF5=ON -DModule_ITKZLIB=ON -DModule_ITKTransformFactory=ON
  -DModule_ITKIOTransformBase=ON -DModule_ITKIOTransformHDF5=ON -DModule_ITKIOTransformInsightLegacy=ON
  -DModule_ITKIOTransformMatlab=ON -DModule_ITKGIFTI=ON
)

# Prepared here: source, build (with Python), build-inside, and brainweb, simulated brains that come with the source.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cudaneuro-itk-5.2.1
# ITK is compiled in two folders of this one: what the compiler cache has of the one is good for the other.
export CCACHE_BASEDIR=$cache
