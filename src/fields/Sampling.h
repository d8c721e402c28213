// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_Sampling_h
#define cudaneuro_fields_Sampling_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"
#include "core/SoAField.h"

#include <cmath>

/** Linear interpolation between voxels, for both compilers. Positions are continuous indices. */
namespace cudaneuro
{

/** Returns whether the indices of a grid fit into 32 bits, and its positions can be split without slow conversions.
 * Functions below take std::uint32_t as TIndex for such grids, and std::int64_t for any grid. */
inline bool
IsSmall(const Extent & extent)
{
  constexpr int          longestAxis = 1 << 21;
  constexpr std::int64_t mostVoxels = std::int64_t{ 1 } << 31;
  return extent.x <= longestAxis && extent.y <= longestAxis && extent.z <= longestAxis &&
         NumberOfVoxels(extent) < mostVoxels;
}

/** Returns the largest integer <= \p x, also as a float in \p whole. With TIndex of 32 bits, |x| must be <= 2^22. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE int
Floor(float x, float & whole)
{
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(TIndex) == 4)
  {
    // The sum with 1.5 * 2^23, rounded down, has no bits for a fraction. Conversion instructions would be slower.
    const float shifted = __fadd_rd(x, roundingShift);
    whole = shifted - roundingShift;
    return __float_as_int(shifted) - 0x4B400000;
  }
#endif
  whole = std::floor(x);
  return static_cast<int>(whole);
}

/** The two voxels on either side of a position along one axis; outside the grid both are the outermost voxel. */
struct SamplePair
{
  int   lower;
  int   upper;
  float fraction; // weight of upper
};

/** A position as a voxel plus a rest, which is small and so keeps its precision far from the grid's first voxel. */
struct SplitPosition
{
  int   x;
  int   y;
  int   z;
  float restX;
  float restY;
  float restZ;
};

/** Returns \p x clamped to [lower, upper]; NaN becomes lower. */
CUDANEURO_HOST_DEVICE float
Bounded(float x, float lower, float upper)
{
#if defined(__CUDA_ARCH__)
  return fminf(fmaxf(x, lower), upper);
#else
  return x > lower ? (x < upper ? x : upper) : lower;
#endif
}

/** Returns the voxels around the position voxel + rest. NaN counts as a position before the grid. With TIndex of 32
 * bits, |voxel| must be at most 2^21. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE SamplePair
SamplePairAt(int voxel, float rest, int length)
{
  const float first = -static_cast<float>(voxel);
  const float last = static_cast<float>(length - 1) + first;
  const float bounded = Bounded(rest, first, last);
  float       whole = 0.0f;
  int         lower = voxel + Floor<TIndex>(bounded, whole);
  if constexpr (sizeof(TIndex) > 4)
  {
    // The bounds are rounded on very long axes.
    lower = lower > 0 ? (lower < length ? lower : length - 1) : 0;
  }
  return { lower, lower + 1 < length && rest >= first ? lower + 1 : lower, bounded - whole };
}

/** Returns whether a position is on the grid as itk::ImageFunction::IsInsideBuffer defines it: from half a voxel before
 * the center of the first voxel to less than half a voxel after that of the last one. False for NaN. */
CUDANEURO_HOST_DEVICE bool
IsInside(int voxel, float rest, int length)
{
  return rest >= -0.5f - static_cast<float>(voxel) && rest < static_cast<float>(length - voxel) - 0.5f;
}

CUDANEURO_HOST_DEVICE bool
IsInside(const SplitPosition & position, const Extent & extent)
{
  return IsInside(position.x, position.restX, extent.x) && IsInside(position.y, position.restY, extent.y) &&
         IsInside(position.z, position.restZ, extent.z);
}

/** The eight voxels around a position, for linear interpolation between them. */
template <typename TIndex>
struct SampleCellOf
{
  SamplePair x;
  SamplePair y;
  SamplePair z;
  TIndex     rows[4]; // first voxels of rows (y lower, z lower), (upper, lower), (lower, upper), (upper, upper)

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): the other constructor initializes all.
  CUDANEURO_HOST_DEVICE
  SampleCellOf(float positionX, float positionY, float positionZ, const Extent & extent)
    : SampleCellOf(SplitPosition{ 0, 0, 0, positionX, positionY, positionZ }, extent)
  {}

  CUDANEURO_HOST_DEVICE
  SampleCellOf(const SplitPosition & position, const Extent & extent)
    : x(SamplePairAt<TIndex>(position.x, position.restX, extent.x))
    , y(SamplePairAt<TIndex>(position.y, position.restY, extent.y))
    , z(SamplePairAt<TIndex>(position.z, position.restZ, extent.z))
  {
    const TIndex stepY = y.upper > y.lower ? extent.x : 0;
    const TIndex stepZ = z.upper > z.lower ? static_cast<TIndex>(extent.x) * extent.y : 0;
    rows[0] = (static_cast<TIndex>(z.lower) * extent.y + y.lower) * extent.x;
    rows[1] = rows[0] + stepY;
    rows[2] = rows[0] + stepZ;
    rows[3] = rows[1] + stepZ;
  }

  CUDANEURO_HOST_DEVICE float
  Interpolate(const float * volume) const
  {
    const float v00 = Along(x.fraction, volume[rows[0] + x.lower], volume[rows[0] + x.upper]);
    const float v10 = Along(x.fraction, volume[rows[1] + x.lower], volume[rows[1] + x.upper]);
    const float v01 = Along(x.fraction, volume[rows[2] + x.lower], volume[rows[2] + x.upper]);
    const float v11 = Along(x.fraction, volume[rows[3] + x.lower], volume[rows[3] + x.upper]);
    return Along(z.fraction, Along(y.fraction, v00, v10), Along(y.fraction, v01, v11));
  }

  CUDANEURO_HOST_DEVICE static float
  Along(float fraction, float lower, float upper)
  {
    return std::fma(fraction, upper - lower, lower);
  }
};

/** A cell of any grid. */
using SampleCell = SampleCellOf<std::int64_t>;

/** A value with its derivatives along the axes of the grid, per voxel. */
struct ValueAndGradient
{
  float value;
  float x;
  float y;
  float z;
};

/** Returns the interpolated value and its exact derivative, which is 0 along an axis if the position is outside. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE ValueAndGradient
SampleWithGradient(const SampleCellOf<TIndex> & cell, const float * volume)
{
  const float v000 = volume[cell.rows[0] + cell.x.lower];
  const float v100 = volume[cell.rows[0] + cell.x.upper];
  const float v010 = volume[cell.rows[1] + cell.x.lower];
  const float v110 = volume[cell.rows[1] + cell.x.upper];
  const float v001 = volume[cell.rows[2] + cell.x.lower];
  const float v101 = volume[cell.rows[2] + cell.x.upper];
  const float v011 = volume[cell.rows[3] + cell.x.lower];
  const float v111 = volume[cell.rows[3] + cell.x.upper];
  const auto  along = SampleCellOf<TIndex>::Along;
  const float v00 = along(cell.x.fraction, v000, v100);
  const float v10 = along(cell.x.fraction, v010, v110);
  const float v01 = along(cell.x.fraction, v001, v101);
  const float v11 = along(cell.x.fraction, v011, v111);
  const float v0 = along(cell.y.fraction, v00, v10);
  const float v1 = along(cell.y.fraction, v01, v11);
  const float dx0 = along(cell.y.fraction, v100 - v000, v110 - v010);
  const float dx1 = along(cell.y.fraction, v101 - v001, v111 - v011);
  return { along(cell.z.fraction, v0, v1),
           along(cell.z.fraction, dx0, dx1),
           along(cell.z.fraction, v10 - v00, v11 - v01),
           v1 - v0 };
}

} // namespace cudaneuro

#endif
