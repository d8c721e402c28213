// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_VolumeReductions_h
#define cudaneuro_atlas_means_VolumeReductions_h

#include "atlas/means/ImageSums.h"
#include "core/HostDevice.h"

/** Reductions of whole volumes for the shape update and the trimming, in memory of the context's device. These
 * functions wait for their result. */
namespace cudaneuro
{

/** Moments of a displacement field d in voxels; x is an index relative to the center of the grid. */
struct FieldMoments
{
  /** Sums over the voxels of d_i, and of d_i x_j at 3 i + j. */
  double sum[3];
  double product[9];
  /** Sum and maximum of the squared length in mm. */
  double squareSum;
  double largestSquare;
};

/** Limit of displacements of maps in voxels, for which sums over maps have range. */
inline double
LongestDisplacement(const Extent & extent)
{
  return 2.0 * std::max({ extent.x, extent.y, extent.z });
}

FieldMoments
MomentsOfField(Context & context, const Extent & extent, const std::array<double, 3> & spacing, const SoAField & field);

/** The smallest box that encloses all voxels other than 0 (NaN counts as 0). */
VoxelBox
NonZeroBox(Context & context, const Extent & extent, const float * volume);

/** A partial result over some of a volume's voxels, for both compilers. */
struct MomentsPartial
{
  FieldMoments moments;

  CUDANEURO_HOST_DEVICE static MomentsPartial
  Empty()
  {
    return {};
  }
  CUDANEURO_HOST_DEVICE void
  Include(const MomentsPartial & other)
  {
    for (int i = 0; i < 3; ++i)
    {
      moments.sum[i] += other.moments.sum[i];
    }
    for (int i = 0; i < 9; ++i)
    {
      moments.product[i] += other.moments.product[i];
    }
    moments.squareSum += other.moments.squareSum;
    moments.largestSquare =
      moments.largestSquare > other.moments.largestSquare ? moments.largestSquare : other.moments.largestSquare;
  }
};

struct BoxPartial
{
  VoxelBox box;

  CUDANEURO_HOST_DEVICE static BoxPartial
  Empty()
  {
    constexpr int far = 1 << 30;
    return { { { far, far, far }, { -1, -1, -1 } } };
  }
  CUDANEURO_HOST_DEVICE void
  Include(const BoxPartial & other)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = other.box.begin[axis] < box.begin[axis] ? other.box.begin[axis] : box.begin[axis];
      box.end[axis] = other.box.end[axis] > box.end[axis] ? other.box.end[axis] : box.end[axis];
    }
  }
};

/** Includes voxel i at (x, y, z) in a partial result. */
struct MomentsOperation
{
  using Partial = MomentsPartial;
  ConstSoAField field;
  double        center[3] = {};
  double        spacing[3] = {};

  CUDANEURO_HOST_DEVICE void
  operator()(int x, int y, int z, std::int64_t i, MomentsPartial & partial) const
  {
    const double d[3] = { field.x[i], field.y[i], field.z[i] };
    const double position[3] = { x - center[0], y - center[1], z - center[2] };
    double       square = 0.0;
    for (int row = 0; row < 3; ++row)
    {
      partial.moments.sum[row] += d[row];
      for (int column = 0; column < 3; ++column)
      {
        partial.moments.product[3 * row + column] += d[row] * position[column];
      }
      square += spacing[row] * spacing[row] * d[row] * d[row];
    }
    partial.moments.squareSum += square;
    partial.moments.largestSquare = square > partial.moments.largestSquare ? square : partial.moments.largestSquare;
  }
};

struct BoxOperation
{
  using Partial = BoxPartial;
  const float * volume;

  CUDANEURO_HOST_DEVICE void
  operator()(int x, int y, int z, std::int64_t i, BoxPartial & partial) const
  {
    const float value = volume[i];
    if (value > 0.0f || value < 0.0f)
    {
      partial.Include({ { { x, y, z }, { x + 1, y + 1, z + 1 } } });
    }
  }
};

namespace cpu
{
template <typename TOperation>
typename TOperation::Partial
ReduceVoxels(Context & context, const Extent & extent, const TOperation & operation);
} // namespace cpu

namespace gpu
{
template <typename TOperation>
typename TOperation::Partial
ReduceVoxels(Context & context, const Extent & extent, const TOperation & operation);
} // namespace gpu

} // namespace cudaneuro

#endif
