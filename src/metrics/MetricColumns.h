// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricColumns_h
#define cudaneuro_metrics_MetricColumns_h

#include "core/HostDevice.h"
#include "core/IntegerMath.h"
#include "core/SoAField.h"

#include <array>
#include <cstddef>
#include <utility>

/** The order in which kernels of metrics traverse the voxels of the fixed grid. It depends on the grid and on the
 * map only. */
namespace cudaneuro::gpu
{

constexpr int lanesOfTile = 32;
/** The number of voxels of a column that are stored together, and read by one instruction. */
constexpr int voxelsOfPack = 4;
/** The number of orders of the fixed grid's axes; see OrderedAxes. */
constexpr int numberOfOrders = 3;

/** The grid in tiles; x, y and z are its axes in an order of OrderedAxes. A warp processes a tile: 32 columns
 * beside each other in x and y, one per lane, which extend along z for a few voxels. Tiles at the grid's ends extend
 * beyond it.
 *
 * Copies of the fixed image for these kernels are stored as tile, pack of the column, lane, voxel of the pack. */
struct MetricColumns
{
  int extentX = 1;
  int extentY = 1;
  int extentZ = 1;
  /** Columns of a tile along x, a power of 2; it has 32 / width along y. A warp whose columns are near each other in
   * both directions reads few cache lines even if the moving image is rotated. */
  int width = 8;
  /** Packs of a column. Columns are short, because the position is recomputed at their first voxel, and so that small
   * grids have many. */
  int packs = 8;
  int tilesX = 1;
  int tilesY = 1;
  /** The number of tiles of the whole grid. */
  int tiles = 1;

  MetricColumns() = default;
  MetricColumns(const Extent & extent, int widthOfTile, int packsOfColumn)
    : extentX(extent.x)
    , extentY(extent.y)
    , extentZ(extent.z)
    , width(widthOfTile)
    , packs(packsOfColumn)
    , tilesX(DivideUp(extent.x, widthOfTile))
    , tilesY(DivideUp(extent.y, lanesOfTile / widthOfTile))
    , tiles(tilesX * tilesY * DivideUp(extent.z, packsOfColumn * voxelsOfPack))
  {}

  CUDANEURO_HOST_DEVICE int
  VoxelsOfColumn() const
  {
    return packs * voxelsOfPack;
  }

  std::size_t
  NumberOfPacks() const
  {
    return static_cast<std::size_t>(tiles) * static_cast<std::size_t>(packs) * lanesOfTile;
  }
};

/** The first voxel of a lane's column. */
struct ColumnStart
{
  int x;
  int y;
  int z;
};

CUDANEURO_HOST_DEVICE ColumnStart
StartOfColumn(const MetricColumns & columns, int tile, int lane)
{
  const int row = tile / columns.tilesX;
  const int run = row / columns.tilesY;
  const int y = lane / columns.width;
  return { (tile - row * columns.tilesX) * columns.width + (lane - y * columns.width),
           (row - run * columns.tilesY) * (lanesOfTile / columns.width) + y,
           run * columns.VoxelsOfColumn() };
}

/** Returns the axes of the fixed grid that kernels see as x, y and z: the first is number \p order. Columns never run
 * along an axis of length 1, such as a plane's z. */
inline std::array<int, 3>
OrderedAxes(const Extent & extent, int order)
{
  std::array<int, 3> axes{ 0, 1, 2 };
  std::swap(axes[0], axes[static_cast<std::size_t>(order)]);
  if (extent.z == 1)
  {
    std::swap(axes[1], axes[2]);
  }
  return axes;
}

inline Extent
OrderedExtent(const Extent & extent, int order)
{
  const int                lengths[3] = { extent.x, extent.y, extent.z };
  const std::array<int, 3> axes = OrderedAxes(extent, order);
  return { lengths[axes[0]], lengths[axes[1]], lengths[axes[2]] };
}

/** Returns the tiles for a grid of OrderedExtent.
 * \param width 0 for the width that is best for most maps. */
inline MetricColumns
ColumnsOf(const Extent & extent, int width = 0, int packs = 0)
{
  constexpr std::int64_t fewVoxels = std::int64_t{ 1 } << 20;
  constexpr std::int64_t manyVoxels = std::int64_t{ 1 } << 23;
  const std::int64_t     voxels = NumberOfVoxels(extent);
  // A search over all rotations uses small grids; maps of large grids are near the best one, and rotate less.
  const int usualWidth = voxels <= fewVoxels ? 8 : 16;
  const int usualPacks = voxels <= fewVoxels ? 2 : (voxels <= manyVoxels ? 4 : 8);
  return { extent, width > 0 ? width : (extent.y == 1 ? lanesOfTile : usualWidth), packs > 0 ? packs : usualPacks };
}

} // namespace cudaneuro::gpu

#endif
