// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_ImageSums_h
#define cudaneuro_atlas_means_ImageSums_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

/** Sums of volumes over the images of an atlas, in memory of the context's device. On a GPU, these functions enqueue on
 * the compute stream. */
namespace cudaneuro
{

/** Voxels in [begin, end) along each axis. */
struct VoxelBox
{
  int begin[3] = { 0, 0, 0 };
  int end[3] = { 0, 0, 0 };

  static VoxelBox
  Whole(const Extent & extent)
  {
    return { { 0, 0, 0 }, { extent.x, extent.y, extent.z } };
  }
  /** Whether the box has no voxels. Empty boxes change no union. */
  bool
  IsEmpty() const
  {
    return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2];
  }
  Extent
  GetExtent() const
  {
    return this->IsEmpty() ? Extent{ 0, 0, 0 } : Extent{ end[0] - begin[0], end[1] - begin[1], end[2] - begin[2] };
  }
  void
  Include(const VoxelBox & other)
  {
    if (other.IsEmpty())
    {
      return;
    }
    if (this->IsEmpty())
    {
      *this = other;
      return;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
      begin[axis] = std::min(begin[axis], other.begin[axis]);
      end[axis] = std::max(end[axis], other.end[axis]);
    }
  }
};

/** Maximum number of volumes that are added in one pass over memory. */
constexpr int mostAddends = 12;

/** Adds volumes on a grid to sums, which hold only the voxels of a box, x fastest. NaN is excluded. */
struct SumOfVolumes
{
  Extent   extent;
  VoxelBox box;
  int      count = 0; // number of the arrays' elements in use
  /** Volumes on the grid. */
  const float * volumes[mostAddends] = {};
  /** weight * scale, see FixedPoint.h. */
  double       factors[mostAddends] = {};
  std::int32_t weights[mostAddends] = {};
  /** Whether sums start from 0 instead of their present values. */
  bool           isFirst = false;
  std::int64_t * sums = nullptr;
  /** Sums of the weights of values other than NaN; may be null. */
  std::int32_t * sumsOfWeights = nullptr;
};

CUDANEURO_DISPATCHED(void AddVolumes(Context & context, const SumOfVolumes & sum));

/** Number of 64-bit integers for the sums of a box and, directly behind them, the sums of weights, of which two share
 * an integer. Both can be added as integers of 64 bits, because sums of weights stay below 2^31. */
inline std::size_t
SumValues(const VoxelBox & box)
{
  const auto voxels = static_cast<std::size_t>(NumberOfVoxels(box.GetExtent()));
  return voxels + (voxels + 1) / 2;
}
inline std::int32_t *
WeightsBehind(std::int64_t * sums, const VoxelBox & box)
{
  return reinterpret_cast<std::int32_t *>(sums + NumberOfVoxels(box.GetExtent()));
}

/** mean = sum / sum of weights in the box, NaN where that is 0; \p outside elsewhere on the grid. */
struct MeanOfSums
{
  Extent               extent;
  VoxelBox             box;
  const std::int64_t * sums = nullptr;
  /** Null where all voxels have \c weight. */
  const std::int32_t * sumsOfWeights = nullptr;
  double               weight = 0.0;
  double               inverseScale = 1.0;
  float                outside = 0.0f;
  float *              mean = nullptr;
};

CUDANEURO_DISPATCHED(void DivideSums(Context & context, const MeanOfSums & mean));

} // namespace cudaneuro

#endif
