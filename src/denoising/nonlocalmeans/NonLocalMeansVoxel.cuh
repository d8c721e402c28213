// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansVoxel_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansVoxel_cuh

#include "denoising/nonlocalmeans/NonLocalMeansArguments.cuh"
#include "images/noise/NoiseValues.h"

#include <cstdint>

namespace cudaneuro::gpu
{

/** Marks an excluded voxel. Its square is infinite, and so is the square of its difference d from any voxel that is not
 * excluded: the weight 2^(-d^2) of the pair is exactly 0. */
constexpr float nonLocalMeansExcluded = 1.2676506e30f; // 2^100
/** A limit above the magnitude of any voxel that is not excluded and above the difference of two of them. */
constexpr float nonLocalMeansExcludedLimit = 6.1897002e26f; // 2^89
static_assert(largestScaledIntensity < nonLocalMeansExcludedLimit, "voxels at the limit are not excluded ones");

__device__ __forceinline__ bool
TakesPart(float tileValue)
{
  return fabsf(tileValue) < nonLocalMeansExcludedLimit;
}

/** Returns the scaled intensity of voxel (x, y, z), or nonLocalMeansExcluded. */
template <bool VMap>
__device__ __forceinline__ float
LoadNonLocalMeansVoxel(const NonLocalMeansArguments & a, int x, int y, int z)
{
  if (x < 0 || x >= a.size.x || y < 0 || y >= a.size.y || z < 0 || z >= a.size.z)
  {
    return nonLocalMeansExcluded;
  }
  const std::int64_t voxel = (static_cast<std::int64_t>(z) * a.size.y + y) * a.size.x + x;
  const float        pixel = a.input[voxel];
  const bool         isKnown = !VMap || a.noise[voxel] > 0.0f;
  const bool         takesPart = IsFinite(pixel) && (a.mask == nullptr || a.mask[voxel] != 0) && isKnown;
  return takesPart ? ScaledIntensity(a.intensity, pixel) : nonLocalMeansExcluded;
}

/** Flips the sign of nonLocalMeansExcluded. Pairs are compared by their difference; with one end flipped, the
 * difference of two excluded voxels, even of a voxel and itself, shows that they are excluded. */
__device__ __forceinline__ float
FlipExcluded(float tileValue)
{
  return TakesPart(tileValue) ? tileValue : -nonLocalMeansExcluded;
}

/** Returns the value to be averaged: the scaled intensity x, or scaled V^2 - reference^2 for the Rician correction. */
template <bool VRician>
__device__ __forceinline__ float
ValueToAverage(const NonLocalMeansArguments & a, float x)
{
  return VRician ? x * (x + a.rician.twiceReference) : x;
}

/** Returns whether a voxel is not excluded and its scaled intensity is below the limit. */
__device__ __forceinline__ bool
IsDenoised(float tileValue)
{
  return fabsf(tileValue) < largestScaledIntensity;
}

/** Returns the output of a voxel that is not denoised. */
template <bool VRician>
__device__ __forceinline__ float
KeptIntensity(float tileValue, float pixel)
{
  return VRician && TakesPart(tileValue) ? fabsf(pixel) : pixel;
}

/** Returns RelativePrecision() of a voxel, 1 without a map. */
template <bool VMap>
__device__ __forceinline__ float
PrecisionOfVoxel(const NonLocalMeansArguments & a, std::int64_t voxel)
{
  return VMap ? RelativePrecision(a.largestNoise, a.noise[voxel]) : 1.0f;
}

/** Returns the denoised intensity. \param precision precision of the voxel */
template <bool VRician, bool VMap>
__device__ __forceinline__ float
NonLocalMeansResult(const NonLocalMeansArguments & a, float weightedSum, float weightSum, float precision)
{
  const float mean = weightedSum / weightSum;
  if constexpr (VRician && VMap)
  {
    return RicianCorrected(a.intensity.reference, mean, WithPrecision(a.rician, precision));
  }
  return VRician ? RicianCorrected(a.intensity.reference, mean, a.rician)
                 : fmaf(mean, a.rician.inverseScale, a.intensity.reference);
}

} // namespace cudaneuro::gpu

#endif
