// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_BandFormulas_h
#define cudaneuro_surface_BandFormulas_h

#include "core/ApproximateMath.h"
#include "surface/Band.h"

#include <cmath>

/** The voxels of a band, for both compilers. */
namespace cudaneuro
{

/** Maximum magnitude of valid distances, from which squared differences of patches do not overflow. */
constexpr float largestDistance = 1e15f;

struct BandSurvey
{
  /** An index above that of any image's voxel. */
  static constexpr std::int64_t noVoxel = INT64_MAX;

  /** Number of voxels of the band. */
  std::int64_t bandVoxels;
  /** Index of the first voxel whose value is not finite, or too large. */
  std::int64_t firstInvalid;
  /** Range of the distances where the mask is not 0, and their minimum magnitude; smallest > largest without any. */
  float smallest;
  float largest;
  float leastMagnitude;
  /** Maximum magnitude in the whole image. */
  float largestMagnitude;

  CUDANEURO_HOST_DEVICE static BandSurvey
  Empty()
  {
    return { 0, noVoxel, HUGE_VALF, -HUGE_VALF, HUGE_VALF, 0.0f };
  }

  /** Adds voxel \p i. */
  CUDANEURO_HOST_DEVICE void
  Add(const BandSearch & search, std::int64_t i)
  {
    const float value = search.distances[i];
    const float magnitude = std::fabs(value);
    if (!(magnitude <= largestDistance)) // includes NaN
    {
      firstInvalid = i < firstInvalid ? i : firstInvalid;
      return;
    }
    largestMagnitude = magnitude > largestMagnitude ? magnitude : largestMagnitude;
    if (search.mask == nullptr || search.mask[i] != 0)
    {
      bandVoxels += magnitude <= search.width ? 1 : 0;
      smallest = value < smallest ? value : smallest;
      largest = value > largest ? value : largest;
      leastMagnitude = magnitude < leastMagnitude ? magnitude : leastMagnitude;
    }
  }

  CUDANEURO_HOST_DEVICE void
  Include(const BandSurvey & other)
  {
    bandVoxels += other.bandVoxels;
    firstInvalid = other.firstInvalid < firstInvalid ? other.firstInvalid : firstInvalid;
    smallest = other.smallest < smallest ? other.smallest : smallest;
    largest = other.largest > largest ? other.largest : largest;
    leastMagnitude = other.leastMagnitude < leastMagnitude ? other.leastMagnitude : leastMagnitude;
    largestMagnitude = other.largestMagnitude > largestMagnitude ? other.largestMagnitude : largestMagnitude;
  }
};

CUDANEURO_HOST_DEVICE bool
IsInBand(const BandSearch & search, std::int64_t i)
{
  return std::fabs(search.distances[i]) <= search.width && (search.mask == nullptr || search.mask[i] != 0);
}

CUDANEURO_HOST_DEVICE BandVoxel
VoxelAt(const Extent & extent, std::int64_t i)
{
  const std::int64_t row = i / extent.x;
  const std::int64_t plane = row / extent.y;
  return { static_cast<std::int32_t>(i - row * extent.x),
           static_cast<std::int32_t>(row - plane * extent.y),
           static_cast<std::int32_t>(plane) };
}

CUDANEURO_HOST_DEVICE std::int64_t
                      IndexOf(const Extent & extent, int x, int y, int z)
{
  return (std::int64_t{ z } * extent.y + y) * extent.x + x;
}

CUDANEURO_HOST_DEVICE std::int64_t
                      IndexOf(const Extent & extent, const BandVoxel & voxel)
{
  return IndexOf(extent, voxel.x, voxel.y, voxel.z);
}

/** The index of a voxel along an axis that is nearest to \p i. */
CUDANEURO_HOST_DEVICE int
NearestIndex(int i, int size)
{
  return i < 0 ? 0 : (i < size ? i : size - 1);
}

/** The derivative along an axis at the voxel with index \p i along it. \p value points to the voxel with index 0.
 * \param inverseSpacing 1 / spacing */
CUDANEURO_HOST_DEVICE float
DerivativeAlong(const float * value, int i, int size, std::int64_t stride, float inverseSpacing)
{
  const int below = NearestIndex(i - 1, size);
  const int above = NearestIndex(i + 1, size);
  return (value[above * stride] - value[below * stride]) * inverseSpacing / static_cast<float>(above - below);
}

/** The bin of CountGradientNorms to which a voxel belongs. The image must have two voxels or more along each axis. */
CUDANEURO_HOST_DEVICE int
GradientBin(const BandView & band, const BandVoxel & voxel, const float inverseSpacing[3])
{
  const Extent &      extent = band.extent;
  const std::int64_t  plane = std::int64_t{ extent.x } * extent.y;
  const float * const d = band.distances;
  const float x = DerivativeAlong(d + IndexOf(extent, 0, voxel.y, voxel.z), voxel.x, extent.x, 1, inverseSpacing[0]);
  const float y =
    DerivativeAlong(d + IndexOf(extent, voxel.x, 0, voxel.z), voxel.y, extent.y, extent.x, inverseSpacing[1]);
  const float z =
    DerivativeAlong(d + IndexOf(extent, voxel.x, voxel.y, 0), voxel.z, extent.z, plane, inverseSpacing[2]);
  const float bin = std::sqrt(x * x + y * y + z * z) / static_cast<float>(gradientBinWidth);
  return bin < static_cast<float>(numberOfGradientBins) ? static_cast<int>(bin) : numberOfGradientBins - 1;
}

} // namespace cudaneuro

#endif
