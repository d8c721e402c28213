// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_ColumnVoxels_cuh
#define cudaneuro_metrics_ColumnVoxels_cuh

#include "metrics/ColumnWalk.cuh"

namespace cudaneuro::gpu
{

/** A copy of the fixed image. TPack has four voxels of a column. */
template <typename TPack>
struct FixedImage
{
  MetricColumns columns;
  const TPack * packs = nullptr; // null if no map has this order
};

/** The images in the form of kernel arguments. */
template <typename TPack>
struct ComparedImages
{
  FixedImage<TPack> fixed[numberOfOrders];
  MovingImage       moving;
};

/** Calls body(fixed, sample, voxel) for the included voxels of a lane's column.
 *
 * \param count number of packs, at least 1
 * \tparam VInterior whether all columns of the warp are in the interior of the moving image.
 * \tparam VVoxels number of voxels that are sampled before body is called for the first of them, so that loads do not
 * wait for each other.
 * \param sample returns the sample of a cell, which body receives. */
template <bool VInterior, bool VMask, int VVoxels, typename TPack, typename TSample, typename TBody>
__device__ __forceinline__ void
ForVoxelsOfColumn(const MovingImage & moving,
                  const ColumnWalk &  walk,
                  const TPack *       packs,
                  int                 count,
                  const TSample &     sample,
                  const TBody &       body)
{
  // A pack is loaded while the previous one is processed.
  TPack next = packs[0];
#pragma unroll 1
  for (int k = 0; k < count; ++k)
  {
    const TPack pack = next;
    packs += lanesOfTile;
    if (k + 1 < count)
    {
      next = packs[0];
    }
    if (__all_sync(0xffffffffu, pack.IsEmpty()))
    {
      continue;
    }
    // There is one conversion per pack, because conversions are slow.
    const auto begin = static_cast<float>(k * voxelsOfPack);
#pragma unroll
    for (int first = 0; first < voxelsOfPack; first += VVoxels)
    {
      decltype(sample(MovingCell{})) samples[VVoxels];
      bool                           takesPart[VVoxels];
#pragma unroll
      for (int i = 0; i < VVoxels; ++i)
      {
        const MovingCell cell = walk.At<VInterior>(moving, begin + static_cast<float>(first + i));
        takesPart[i] = pack.Has(first + i) && cell.IsInside();
        if constexpr (VMask)
        {
          takesPart[i] = takesPart[i] && IsInMask(moving, cell);
        }
        samples[i] = sample(cell);
      }
#pragma unroll
      for (int i = 0; i < VVoxels; ++i)
      {
        if (takesPart[i])
        {
          body(pack.Value(first + i), samples[i], begin + static_cast<float>(first + i));
        }
      }
    }
  }
}

/** Does the same for a tile, by a whole warp.
 * \param start of the lane's column */
template <bool VMask, int VVoxels, typename TPack, typename TSample, typename TBody>
__device__ __forceinline__ void
ForVoxelsOfTile(const FixedImage<TPack> & fixed,
                const MovingImage &       moving,
                const IndexTransform &    map,
                int                       tile,
                const ColumnStart &       start,
                const TSample &           sample,
                const TBody &             body)
{
  const int           lane = static_cast<int>(threadIdx.x) % lanesOfTile;
  const int           count = fixed.columns.packs;
  const TPack * const packs = fixed.packs + static_cast<std::int64_t>(tile) * (count * lanesOfTile) + lane;
  const ColumnWalk    walk(moving, map, start);
  if (__all_sync(0xffffffffu, walk.IsInterior(fixed.columns.VoxelsOfColumn())))
  {
    ForVoxelsOfColumn<true, VMask, VVoxels>(moving, walk, packs, count, sample, body);
  }
  else
  {
    // Few columns are at the ends of the grid, and cells there need more registers.
    ForVoxelsOfColumn<false, VMask, 1>(moving, walk, packs, count, sample, body);
  }
}

} // namespace cudaneuro::gpu

#endif
