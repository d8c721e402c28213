// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineTiles_h
#define cudaneuro_labels_levels_SplineTiles_h

#include "core/HostDevice.h"
#include "cudaneuro/Context.h"
#include "labels/levels/SplineFormulas.h"

#include <cstdint>
#include <vector>

/** Cubes of voxels with their nodes. Transfers between voxels and nodes go tile by tile, because each number is read
 * about 16 times, from the tile's copy. */
namespace cudaneuro
{

/** The length of a tile's sides in voxels, and in nodes. */
constexpr int tileSide = 8;
constexpr int tileNodeSide = tileSide / 2 + 2;
constexpr int tileNodes = tileNodeSide * tileNodeSide * tileNodeSide;

/** Calls body(node, weight) for the nodes of a voxel along an axis. Both are counted from the tile's first ones. */
template <typename TBody>
CUDANEURO_HOST_DEVICE void
ForEachTileNode(int voxel, const TBody & body)
{
  for (int i = 0; i < 3; ++i)
  {
    const int node = (voxel + 1) / 2 + i;
    const int distance = voxel - 2 * (node - 1);
    if (distance >= -2)
    {
      body(node, SplineWeight(distance));
    }
  }
}

/** The first node of a tile along an axis; may be -1, which does not exist. */
CUDANEURO_HOST_DEVICE int
FirstNodeOfTile(int tile)
{
  return tileSide / 2 * tile - 1;
}

/** The tiles of a box that have voxels of a band. */
struct SplineTiles
{
  /** Numbers of tiles along the axes of the box. */
  Extent extent;
  /** The indices of these tiles among those of the box. */
  std::vector<std::int32_t> places;
  /** For each tile of the box its number among these tiles, -1 without voxels. */
  std::vector<std::int32_t> numbers;
};

/** \param numbers of the box's voxels in the band, -1 for voxels outside it */
SplineTiles
MakeSplineTiles(Context & context, const Extent & box, const std::vector<std::int32_t> & numbers);

} // namespace cudaneuro

#endif
