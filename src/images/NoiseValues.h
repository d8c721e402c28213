// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_NoiseValues_h
#define cudaneuro_images_NoiseValues_h

#include "core/HostDevice.h"
#include "cudaneuro/Context.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cudaneuro
{

/** What filters have to know of a noise map before they begin; of no values at first. */
struct NoiseValues
{
  float        largest = 0.0f;
  std::int64_t zeros = 0;
  /** The first voxel whose value is negative, infinite or NaN. */
  std::int64_t firstBad = std::numeric_limits<std::int64_t>::max();

  void
  Include(const NoiseValues & other)
  {
    largest = std::max(largest, other.largest);
    zeros += other.zeros;
    firstBad = std::min(firstBad, other.firstBad);
  }
};

/** Looks at all values of a noise map, and requires that they are finite and not negative, and that one is above 0.
 * \throws InvalidParameterError with the value and the voxel; Error, Aborted */
NoiseValues
RequireNoiseMap(Context & context, const Grid & grid, const ConstVolume & noise);

/** The inverse variance of the noise at a voxel, relative to where the noise is largest: 1 there, and elsewhere more, at
 * most 2^60. It is 1 where the map is 0, since such voxels take no part. Exactly 1 everywhere if the map has one value. */
CUDANEURO_HOST_DEVICE float
RelativePrecision(float largestNoise, float noise)
{
  constexpr float most = 1073741824.0f; // 2^30
  const float     ratio = noise > 0.0f ? largestNoise / noise : 1.0f;
  const float     limited = ratio < most ? ratio : most;
  return limited * limited;
}

namespace gpu
{
/** Looks at the values of a map in device memory.
 * \throws Error */
NoiseValues
LookAtNoise(Context & context, std::int64_t numberOfVoxels, const ConstVolume & noise);
} // namespace gpu

} // namespace cudaneuro

#endif
