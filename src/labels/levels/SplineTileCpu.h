// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineTileCpu_h
#define cudaneuro_labels_levels_SplineTileCpu_h

#include "core/VectorDispatch.h"
#include "labels/levels/SplineBand.h"
#include "labels/levels/LabelLevels.h"
#include "system/FloatLanes.h"

#include <algorithm>

namespace cudaneuro::cpu
{

/** A tile of voxels, with four numbers per voxel, and its nodes. Numbers of a row along x are side by side. */
struct SplineTile
{
  static constexpr int row = tileSide * versions;
  static constexpr int nodeRow = tileNodeSide * versions;
  /** Numbers along z, y, x: at the nodes, at intermediate stages, and at the voxels. */
  float nodes[tileNodeSide][tileNodeSide][nodeRow];
  float alongZ[tileSide][tileNodeSide][nodeRow];
  float alongY[tileSide][tileSide][nodeRow];
  float voxels[tileSide][tileSide][row];
  /** Numbers of the voxels in the band, -1 for voxels outside it. */
  std::int32_t numbers[tileSide][tileSide][tileSide];

  /** Calls body(number of the node, its four numbers here). */
  template <typename TBody>
  CUDANEURO_ALWAYS_INLINE void
  ForEachNodeOf(const SplineBand & spline, const std::array<int, 3> & tile, const TBody & body)
  {
    const Extent & extent = spline.extent;
    for (int k = 0; k < tileNodeSide; ++k)
    {
      for (int j = 0; j < tileNodeSide; ++j)
      {
        const int z = FirstNodeOfTile(tile[2]) + k;
        const int y = FirstNodeOfTile(tile[1]) + j;
        for (int i = 0; i < tileNodeSide; ++i)
        {
          const int    x = FirstNodeOfTile(tile[0]) + i;
          const bool   isInBox = x >= 0 && y >= 0 && z >= 0 && x < extent.x && y < extent.y && z < extent.z;
          std::int32_t number = -1;
          if (isInBox)
          {
            number = spline.nodes.numbers[static_cast<std::size_t>((std::int64_t{ z } * extent.y + y) * extent.x + x)];
          }
          body(number, nodes[k][j] + versions * i);
        }
      }
    }
  }

  /** Adds \p factor times \p from to \p to. */
  template <int VCount>
  CUDANEURO_ALWAYS_INLINE static void
  AddTo(float * to, float factor, const float * from)
  {
    if constexpr (VCount == versions)
    {
      WriteLanes<versions>(ReadLanes<versions>(to) + factor * ReadLanes<versions>(from), to);
    }
    else
    {
      for (int i = 0; i < VCount; ++i)
      {
        to[i] += factor * from[i];
      }
    }
  }

  /** Interpolates the voxels' numbers from the nodes' numbers. */
  CUDANEURO_ALWAYS_INLINE void
  Interpolate()
  {
    std::fill_n(&alongZ[0][0][0], tileSide * tileNodeSide * nodeRow, 0.0f);
    std::fill_n(&alongY[0][0][0], tileSide * tileSide * nodeRow, 0.0f);
    std::fill_n(&voxels[0][0][0], tileSide * tileSide * row, 0.0f);
    for (int z = 0; z < tileSide; ++z)
    {
      ForEachTileNode(z, [&](int k, float w) { AddTo<tileNodeSide * nodeRow>(&alongZ[z][0][0], w, &nodes[k][0][0]); });
      for (int y = 0; y < tileSide; ++y)
      {
        ForEachTileNode(y, [&](int j, float w) { AddTo<nodeRow>(alongY[z][y], w, alongZ[z][j]); });
        for (int x = 0; x < tileSide; ++x)
        {
          ForEachTileNode(
            x, [&](int i, float w) { AddTo<versions>(voxels[z][y] + versions * x, w, alongY[z][y] + versions * i); });
        }
      }
    }
  }

  /** Computes the weighted sums of the voxels' numbers at the nodes. */
  CUDANEURO_ALWAYS_INLINE void
  Sum()
  {
    std::fill_n(&nodes[0][0][0], tileNodeSide * tileNodeSide * nodeRow, 0.0f);
    std::fill_n(&alongZ[0][0][0], tileSide * tileNodeSide * nodeRow, 0.0f);
    std::fill_n(&alongY[0][0][0], tileSide * tileSide * nodeRow, 0.0f);
    for (int z = 0; z < tileSide; ++z)
    {
      for (int y = 0; y < tileSide; ++y)
      {
        for (int x = 0; x < tileSide; ++x)
        {
          ForEachTileNode(
            x, [&](int i, float w) { AddTo<versions>(alongY[z][y] + versions * i, w, voxels[z][y] + versions * x); });
        }
        ForEachTileNode(y, [&](int j, float w) { AddTo<nodeRow>(alongZ[z][j], w, alongY[z][y]); });
      }
      ForEachTileNode(z, [&](int k, float w) { AddTo<tileNodeSide * nodeRow>(&nodes[k][0][0], w, &alongZ[z][0][0]); });
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  FindNumbers(const SplineDomain & domain, const std::array<int, 3> & tile)
  {
    const Extent & box = domain.box;
    for (int z = 0; z < tileSide; ++z)
    {
      for (int y = 0; y < tileSide; ++y)
      {
        const int first = tileSide * tile[0];
        const int boxY = tileSide * tile[1] + y;
        const int boxZ = tileSide * tile[2] + z;
        for (int x = 0; x < tileSide; ++x)
        {
          const bool isInBox = first + x < box.x && boxY < box.y && boxZ < box.z;
          numbers[z][y][x] =
            isInBox
              ? domain.band.numbers[static_cast<std::size_t>((std::int64_t{ boxZ } * box.y + boxY) * box.x + first + x)]
              : -1;
        }
      }
    }
  }
};

/** Writes the means at the nodes of \p source, which is evaluated for each row of a tile: source(numbers of the voxels,
 * their values) replaces the values, by 0 for voxels without a number. They are initially those of \p field, which is
 * given at the nodes, or 0 if it is null.
 *
 * Must be compiled within a VectorDispatch. */
template <typename TSource>
CUDANEURO_ALWAYS_INLINE void
MeansAtNodes(const SplineDomain & domain, const VersionValues * field, const TSource & source, VersionValues & means)
{
  const SplineTiles & tiles = domain.spline.tiles;
  SplineTile          own;
  VersionValues       sums(means.size(), 0.0f);
  for (const std::int32_t place : tiles.places)
  {
    const std::array<int, 3> tile{ place % tiles.extent.x,
                                   place / tiles.extent.x % tiles.extent.y,
                                   place / tiles.extent.x / tiles.extent.y };
    own.FindNumbers(domain, tile);
    if (field != nullptr)
    {
      own.ForEachNodeOf(domain.spline, tile, [&](std::int32_t number, float * values) {
        WriteLanes<versions>(number < 0 ? FloatLanes<versions>{}
                                        : ReadLanes<versions>(field->data() + std::int64_t{ versions } * number),
                             values);
      });
      own.Interpolate();
    }
    for (int z = 0; z < tileSide; ++z)
    {
      for (int y = 0; y < tileSide; ++y)
      {
        source(own.numbers[z][y], own.voxels[z][y]);
      }
    }
    own.Sum();
    own.ForEachNodeOf(domain.spline, tile, [&](std::int32_t number, const float * values) {
      if (number >= 0)
      {
        SplineTile::AddTo<versions>(sums.data() + std::int64_t{ versions } * number, 1.0f, values);
      }
    });
  }
  for (std::size_t i = 0; i < means.size(); ++i)
  {
    means[i] = domain.spline.inverseWeights[i / versions] * sums[i];
  }
}

/** Reads the numbers of a row's voxels; 0 for voxels outside the band. */
CUDANEURO_ALWAYS_INLINE void
ReadTileRow(const std::int32_t * numbers, const VersionValues & values, float * row)
{
  for (int x = 0; x < tileSide; ++x)
  {
    WriteLanes<versions>(numbers[x] < 0 ? FloatLanes<versions>{}
                                        : ReadLanes<versions>(values.data() + std::int64_t{ versions } * numbers[x]),
                         row + versions * x);
  }
}

} // namespace cudaneuro::cpu

#endif
