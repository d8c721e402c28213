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

/** The properties of a noise map that filters need before they start; initially of no values. */
struct NoiseValues
{
  float largest = 0.0f;
  /** The smallest of the values above 0. */
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

/** Reads all values of a noise map inside a mask, and requires that they are finite and not negative, and that one is
 * above 0. Values outside the mask are arbitrary: no filter uses them. For a mask without voxels, 1 is the only value.
 * \param mask may be absent
 * \throws InvalidParameterError with the value and the voxel; Error, Aborted */
NoiseValues
RequireNoiseMap(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask);

/** Returns the map, or nothing if it has one value inside the mask: filters then compute as with that number and return
 * its bits, which compilers do not guarantee for products with 1. */
ConstVolume
NoiseThatVaries(const ConstVolume & noise, const NoiseValues & values);

/** Returns \p factor times the largest noise: a parameter given in units of the noise, as an intensity.
 * \throws InvalidParameterError with the product if it is outside intensityScaleRange */
double
WhereNoiseIsLargest(const char * name, double factor, const NoiseValues & values);

/** Noise that is smaller than the largest by a larger ratio than this, 2^30, counts as if it had this ratio. */
constexpr float largestNoiseRatio = 1073741824.0f;

/** Returns the noise at a voxel over the largest noise, in [2^-30, 1]. Outside a mask, where the map is arbitrary, the
 * result is meaningless but in this range, too. */
CUDANEURO_HOST_DEVICE float
RelativeNoise(float largestNoise, float noise)
{
  constexpr float least = 1.0f / largestNoiseRatio;
  const float     ratio = noise < largestNoise ? noise / largestNoise : 1.0f;
  return ratio > least ? ratio : least;
}

/** Returns the largest noise over the noise at a voxel, in [1, 2^30]. It is 1 where the map is 0, NaN or larger than
 * \p largestNoise, because such voxels are excluded. It is exactly 1 everywhere if the map has only one
 * value. */
CUDANEURO_HOST_DEVICE float
RelativeInverseNoise(float largestNoise, float noise)
{
  const float ratio = noise > 0.0f && noise < largestNoise ? largestNoise / noise : 1.0f;
  return ratio < largestNoiseRatio ? ratio : largestNoiseRatio;
}

/** Returns the inverse variance of the noise, the square of RelativeInverseNoise(), in [1, 2^60]. */
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
  /** \param mask may be null; \param noise may be null: the mask is then used unchanged */
  MaskOfKnownNoise(const Grid & grid, const ConstVolume & mask, const float * noise);

  /** Returns null if no voxel is excluded. */
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
/** Reads the values of a map inside a mask, on the device.
 * \throws Error */
NoiseValues
LookAtNoise(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask);
} // namespace gpu

} // namespace cudaneuro

#endif
