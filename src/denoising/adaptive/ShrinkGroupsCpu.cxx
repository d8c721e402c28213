// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/VectorDispatch.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"
#include "denoising/adaptive/BlockTileCpu.h"
#include "denoising/adaptive/BlockTransform.h"
#include "system/FloatLanes.h"

#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** One number for each member of a group, computed in SIMD lanes. */
using Members = FloatLanes<groupSize>;

CUDANEURO_ALWAYS_INLINE void
ReadMembers(const float (&from)[groupSize], Members & to)
{
  std::memcpy(&to, from, sizeof(from));
}

/** Returns the sum over the members, added in the order of the kernel's lanes for equal bits. */
CUDANEURO_ALWAYS_INLINE float
SumOfMembers(const Members & members)
{
  float values[groupSize];
  WriteLanes<groupSize>(members, values);
  for (int distance = groupSize / 2; distance > 0; distance /= 2)
  {
    for (int i = 0; i < distance; ++i)
    {
      values[i] += values[i + distance];
    }
  }
  return values[0];
}

/** The places of a group's blocks in the tile, and 1 for each member that exists. */
struct Group
{
  std::int64_t places[groupSize]{};
  float        isThere[groupSize]{};
  int          count = 0;

  template <typename TShape>
  CUDANEURO_ALWAYS_INLINE
  Group(const BlockTile<TShape> & tile, std::int64_t window, const std::uint16_t * members)
  {
    for (int k = 0; k < groupSize; ++k)
    {
      const bool there = members[k] != noMember;
      places[k] = tile.Place(window, there ? members[k] : members[0]);
      isThere[k] = there ? 1.0f : 0.0f;
      count += there ? 1 : 0;
    }
  }
};

/** The transformed blocks of a group: the means of their coefficients, and the deviations from these. */
template <typename TShape>
struct Coefficients
{
  Members values[TShape::voxels];
  float   means[TShape::voxels];
  float   deviations[TShape::voxels]; // mean squares

  CUDANEURO_ALWAYS_INLINE
  Coefficients(const BlockTile<TShape> & tile, const Group & group, const float * volume)
  {
    for (int i = 0; i < TShape::voxels; ++i)
    {
      const std::int64_t offset = OffsetOf(tile, i);
      float              voxels[groupSize];
      for (int k = 0; k < groupSize; ++k)
      {
        voxels[k] = volume[group.places[k] + offset];
      }
      ReadMembers(voxels, values[i]);
    }
    TransformBlock(values);
    Members isThere;
    ReadMembers(group.isThere, isThere);
    const auto count = static_cast<float>(group.count);
    for (int i = 0; i < TShape::voxels; ++i)
    {
      means[i] = SumOfMembers(values[i] * isThere) / count;
      values[i] = (values[i] - means[i]) * isThere;
      deviations[i] = SumOfMembers(values[i] * values[i]) / count;
    }
  }

  static CUDANEURO_ALWAYS_INLINE std::int64_t
                                 OffsetOf(const BlockTile<TShape> & tile, int voxel)
  {
    return std::int64_t{ voxel / (blockEdge * blockEdge) } * tile.PlaneStride() +
           voxel / blockEdge % blockEdge * tile.RowStride() + voxel % blockEdge;
  }
};

/** The sums and counts that the groups of a task add to the voxels of its tile. */
struct TileResiduals
{
  std::vector<std::int32_t> sums;
  std::vector<std::int32_t> counts;
};

/** Shrinks a group, and adds the residuals of its members. \param guide null in the first pass */
template <typename TShape>
CUDANEURO_ALWAYS_INLINE void
ShrinkGroup(const BlockTile<TShape> & tile,
            const Group &             group,
            float                     variance,
            const float *             noisy,
            const float *             guide,
            TileResiduals &           residuals)
{
  const auto   count = static_cast<float>(group.count);
  Coefficients y(tile, group, noisy);
  Shrinkage    shrinkages[TShape::voxels];
  if (guide != nullptr)
  {
    const Coefficients g(tile, group, guide);
    for (int i = 0; i < TShape::voxels; ++i)
    {
      shrinkages[i] = SecondShrinkage(i == 0, y.means[i], g.means[i], g.deviations[i], variance, count);
    }
  }
  else
  {
    for (int i = 0; i < TShape::voxels; ++i)
    {
      shrinkages[i] = FirstShrinkage(i == 0, y.means[i], y.deviations[i], variance, count);
    }
  }
  for (int i = 0; i < TShape::voxels; ++i)
  {
    y.values[i] = shrinkages[i].slope * y.values[i] + shrinkages[i].shift;
  }
  InvertBlock(y.values);
  for (int i = 0; i < TShape::voxels; ++i)
  {
    const std::int64_t offset = Coefficients<TShape>::OffsetOf(tile, i);
    float              values[groupSize];
    WriteLanes<groupSize>(y.values[i], values);
    for (int k = 0; k < group.count; ++k)
    {
      residuals.sums[group.places[k] + offset] +=
        static_cast<std::int32_t>(std::nearbyint(residualsPerNoise * values[k]));
    }
  }
  for (int k = 0; k < group.count; ++k)
  {
    ++residuals.counts[group.places[k]];
  }
}

template <typename TShape>
CUDANEURO_ALWAYS_INLINE void
ShrinkRows(const BlockImage &        image,
           const BlockTile<TShape> & tile,
           const float *             noisy,
           const float *             guide,
           const BlockGroups &       groups,
           TileResiduals &           residuals)
{
  for (int row = tile.FirstRow(); row < tile.EndRow(); ++row)
  {
    for (int i = 0; i < image.references.x; ++i)
    {
      const std::int64_t reference = tile.Reference(row, i);
      const float        variance = groups.variances[reference];
      if (variance > 0.0f)
      {
        const std::int64_t window = tile.WindowOfRow(row) + ReferenceX(image, i);
        const Group        group(tile, window, groups.members + groupSize * reference);
        ShrinkGroup(tile, group, variance, noisy, guide, residuals);
      }
    }
  }
}

template <typename TTile>
void
AddTile(const BlockImage & image, const TTile & tile, const TileResiduals & from, const ResidualSums & to)
{
  tile.ForRowsInside([&](std::int64_t place, std::int64_t first) {
    for (int x = 0; x < image.extent.x; ++x)
    {
      to.sums[first + x] += from.sums[place + x];
      to.counts[first + x] += from.counts[place + x];
    }
  });
}

} // namespace

void
ShrinkGroups(Context &            context,
             const BlockImage &   image,
             const float *        noisy,
             const float *        guide,
             const BlockGroups &  groups,
             const ResidualSums & residuals)
{
  std::mutex mutex;
  WithBlockShape(image.depth, [&](auto shape) {
    using Tile = BlockTile<decltype(shape)>;
    context.ParallelFor(Tile::NumberOfTasks(image), [&](std::int64_t task) {
      const Tile    tile(image, task);
      AlignedBuffer noisyTile(tile.Size());
      AlignedBuffer guideTile(guide != nullptr ? tile.Size() : 0);
      tile.Gather(noisy, noisyTile);
      if (guide != nullptr)
      {
        tile.Gather(guide, guideTile);
      }
      const auto    size = static_cast<std::size_t>(tile.Size());
      TileResiduals ofTile{ std::vector<std::int32_t>(size), std::vector<std::int32_t>(size) };
      VectorDispatch([&] {
        ShrinkRows(image, tile, noisyTile.Data(), guide != nullptr ? guideTile.Data() : nullptr, groups, ofTile);
      });
      const std::lock_guard<std::mutex> lock(mutex);
      AddTile(image, tile, ofTile, residuals);
    });
  });
}

} // namespace cudaneuro::cpu
