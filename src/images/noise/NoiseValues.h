// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseValues_h
#define cudaneuro_images_noise_NoiseValues_h

#include "core/HostDevice.h"
#include "cudaneuro/Context.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace cudaneuro
{

/** What filters have to know of a noise map before they begin; of no values at first. */
struct NoiseValues
{
  float largest = 0.0f;
  /** Of those above 0. */
  float        smallest = std::numeric_limits<float>::max();
  std::int64_t zeros = 0;
  /** The first voxel whose value is negative, infinite or NaN. */
  std::int64_t firstBad = std::numeric_limits<std::int64_t>::max();

  void
  Include(const NoiseValues & other)
  {
    largest = std::max(largest, other.largest);
    smallest = std::min(smallest, other.smallest);
    zeros += other.zeros;
    firstBad = std::min(firstBad, other.firstBad);
  }
};

/** Looks at all values of a noise map inside a mask, and requires that they are finite and not negative, and that one is
 * above 0. Outside the mask there may be anything: no filter uses it. Of a mask without voxels, 1 is the only value.
 * \param mask may be absent
 * \throws InvalidParameterError with the value and the voxel; Error, Aborted */
NoiseValues
RequireNoiseMap(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask);

/** Returns the map, or nothing where it has one value inside the mask: filters then compute as with that number and give
 * its bits, which compilers do not promise of products with 1. */
ConstVolume
NoiseThatVaries(const ConstVolume & noise, const NoiseValues & values);

/** Returns \p factor times the largest noise: an intensity that is a multiple of the noise, where the noise is largest.
 * \throws InvalidParameterError with the product where it is outside intensityScaleRange */
double
WhereNoiseIsLargest(const char * name, double factor, const NoiseValues & values);

/** Noise less than the largest by more than this counts as if it were less by this: 2^30. */
constexpr float largestNoiseRatio = 1073741824.0f;

/** The noise at a voxel, relative to where it is largest: 1 there, and elsewhere less, at least 2^-30. Outside a mask,
 * where the map may have anything, it has no meaning but is from 2^-30 to 1, too. */
CUDANEURO_HOST_DEVICE float
RelativeNoise(float largestNoise, float noise)
{
  constexpr float least = 1.0f / largestNoiseRatio;
  const float     ratio = noise < largestNoise ? noise / largestNoise : 1.0f;
  return ratio > least ? ratio : least;
}

/** The inverse of the noise at a voxel, relative to where the noise is largest: 1 there, and elsewhere more, at most
 * 2^30. It is 1 for what is 0, NaN or larger, since such voxels take no part. Exactly 1 everywhere if the map has one
 * value. */
CUDANEURO_HOST_DEVICE float
RelativeInverseNoise(float largestNoise, float noise)
{
  const float ratio = noise > 0.0f && noise < largestNoise ? largestNoise / noise : 1.0f;
  return ratio < largestNoiseRatio ? ratio : largestNoiseRatio;
}

/** The inverse variance of the noise, the square of RelativeInverseNoise(): from 1 to 2^60. */
CUDANEURO_HOST_DEVICE float
RelativePrecision(float largestNoise, float noise)
{
  const float inverse = RelativeInverseNoise(largestNoise, noise);
  return inverse * inverse;
}

/** A mask in host memory without the voxels where a noise map is 0. */
class MaskOfKnownNoise
{
public:
  /** \param mask may be null, and so may \p noise: the mask is then taken as it is */
  MaskOfKnownNoise(const Grid & grid, const ConstVolume & mask, const float * noise);

  /** Null where all voxels take part. */
  const unsigned char *
  Data() const
  {
    return m_Known.empty() ? m_Mask : m_Known.data();
  }

private:
  const unsigned char *      m_Mask;
  std::vector<unsigned char> m_Known;
};

namespace gpu
{
/** Looks at the values of a map inside a mask, on the device.
 * \throws Error */
NoiseValues
LookAtNoise(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask);
} // namespace gpu

} // namespace cudaneuro

#endif
