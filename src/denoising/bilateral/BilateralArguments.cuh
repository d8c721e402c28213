// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralArguments_cuh
#define cudaneuro_denoising_bilateral_BilateralArguments_cuh

#include "core/SoAField.h"
#include "cuda/QuadAlignment.h"
#include "denoising/bilateral/BilateralFormulas.h"
#include "images/noise/NoiseValues.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>

namespace cudaneuro::gpu
{

/** Arguments of a bilateral kernel, which computes planes [zBegin, zEnd) of the output from the whole input. */
struct BilateralArguments
{
  const float *         input;
  const unsigned char * mask; // null: all voxels are inside
  float *               output;
  bool                  isQuadAligned; // rows of input and output are whole, aligned quads
  Extent                size;
  int                   zBegin;
  int                   zEnd;
  int                   radius[3];
  float                 rangeScale;
  float                 inverseRangeScale;
  float                 unitExponent[3]; // BilateralSpatialExponent of one voxel; that of n voxels is n^2 times it
  // Kernels with a map read the standard deviation of the noise at each voxel; null for the other kernels.
  const float * noise;
  float         largestNoise;
};

/** Sets everything except volumes and planes. */
inline BilateralArguments
MakeBilateralArguments(const BilateralParameters & parameters, const Grid & grid)
{
  BilateralArguments arguments{};
  arguments.size = ExtentOf(grid);
  for (int axis = 0; axis < 3; ++axis)
  {
    const double spacing = parameters.useImageSpacing ? grid.spacing[axis] : 1.0;
    // A larger radius would add no neighbors inside the image.
    arguments.radius[axis] = static_cast<int>(std::min<std::int64_t>(parameters.radius[axis], grid.size[axis] - 1));
    arguments.unitExponent[axis] =
      static_cast<float>(BilateralSpatialExponent(1, spacing, parameters.domainSigma[axis]));
  }
  const double scale = BilateralRangeScale(parameters.rangeSigma);
  arguments.rangeScale = static_cast<float>(scale);
  arguments.inverseRangeScale = static_cast<float>(1.0 / scale);
  return arguments;
}

inline void
SetBilateralVolumes(BilateralArguments & arguments, const float * input, const unsigned char * mask, float * output)
{
  arguments.input = input;
  arguments.mask = mask;
  arguments.output = output;
  arguments.isQuadAligned = IsQuadAligned(input, arguments.size.x) && IsQuadAligned(output, arguments.size.x);
}

/** Marks an excluded voxel. Its difference from any scaled intensity is finite and has an infinite square, so that its
 * weight and its term are exactly 0 without a branch. */
constexpr float bilateralExcluded = 1.7e38f;
/** Voxels with larger scaled intensities are excluded, like those that are not finite. */
constexpr float bilateralLargestScaled = 1.0e38f;

constexpr float bilateralNan = std::numeric_limits<float>::quiet_NaN();

/** Returns the scaled intensity, or bilateralExcluded. */
__device__ __forceinline__ float
ScaleBilateralIntensity(const BilateralArguments & a, float intensity)
{
  const float scaled = intensity * a.rangeScale;
  return fabsf(scaled) <= bilateralLargestScaled ? scaled : bilateralExcluded;
}

__device__ __forceinline__ float4
ScaleBilateralQuad(const BilateralArguments & a, float4 v)
{
  return make_float4(ScaleBilateralIntensity(a, v.x),
                     ScaleBilateralIntensity(a, v.y),
                     ScaleBilateralIntensity(a, v.z),
                     ScaleBilateralIntensity(a, v.w));
}

/** Returns the intensity at \p index, or NaN where the mask or, with VMap, unknown noise excludes the voxel. */
template <bool VMap = false>
__device__ __forceinline__ float
LoadBilateralIntensity(const BilateralArguments & a, std::int64_t index)
{
  const bool isKnown = !VMap || __ldg(a.noise + index) > 0.0f;
  const bool selected = (a.mask == nullptr || __ldg(a.mask + index) != 0) && isKnown;
  return selected ? __ldg(a.input + index) : bilateralNan;
}

/** Returns the intensities of the 4 voxels from x on in a row of the image, the first of which is element \p index.
 * They are NaN beyond the row and wherever LoadBilateralIntensity() returns NaN. */
template <bool VMap = false>
__device__ __forceinline__ float4
LoadBilateralQuad(const BilateralArguments & a, int x, std::int64_t index)
{
  if (a.isQuadAligned && a.mask == nullptr)
  {
    const float4 quad = __ldg(reinterpret_cast<const float4 *>(a.input + index));
    if constexpr (!VMap)
    {
      return quad;
    }
    // The map's rows are as long as the image's, but need not be aligned.
    const auto known = [&](int i, float v) { return __ldg(a.noise + index + i) > 0.0f ? v : bilateralNan; };
    return make_float4(known(0, quad.x), known(1, quad.y), known(2, quad.z), known(3, quad.w));
  }
  const auto load = [&](int i) {
    return x + i >= 0 && x + i < a.size.x ? LoadBilateralIntensity<VMap>(a, index + i) : bilateralNan;
  };
  return make_float4(load(0), load(1), load(2), load(3));
}

/** Returns RelativePrecision() of the voxel at \p index, 1 without a map. */
template <bool VMap>
__device__ __forceinline__ float
LoadBilateralPrecision(const BilateralArguments & a, std::int64_t index)
{
  return VMap ? RelativePrecision(a.largestNoise, __ldg(a.noise + index)) : 1.0f;
}

} // namespace cudaneuro::gpu

#endif
