// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_DeviceCells_cuh
#define cudaneuro_meshes_DeviceCells_cuh

#include "meshes/PointGrid.h"
#include "meshes/DeviceMesh.cuh"

namespace cudaneuro::gpu
{

/** Points sorted into cells: (x, y, z, bits of the point's number). */
struct DeviceCells
{
  PointGrid      grid;
  const float4 * points;
  /** Index of the first point of each cell, and the total number at the end. */
  const int * first;

  /** Calls body(number of the point, its position, offset from \p from) for the points within a radius, until it
   * returns false. */
  template <typename TBody>
  __device__ __forceinline__ void
  ForEachNear(const Vector3 & from, float squaredRadius, const TBody & body) const
  {
    grid.ForEachRowNear(from, sqrtf(squaredRadius), [&](int firstCell, int lastCell) {
      const int end = first[lastCell + 1];
      for (int i = first[firstCell]; i < end; ++i)
      {
        const float4  other = points[i];
        const Vector3 offset = VectorOf(other) - from;
        const float   squared = Dot(offset, offset);
        if (squared <= squaredRadius && !body(__float_as_int(other.w), VectorOf(other), offset))
        {
          return false;
        }
      }
      return true;
    });
  }
};

/** Number of consecutive triangles that share a list of neighbors. They are mostly adjacent, and passes over neighbors
 * are bound by reading the lists. */
constexpr int trianglesPerTile = 4;

/** Neighbors of the tiles' triangles: the counts[i] neighbors of tile i begin at first[trianglesPerTile * i]. Each has
 * its CenterExponent for each triangle of the tile, or notNear. */
struct DeviceTiles
{
  const std::int64_t * first;
  int *                counts;
  int *                neighbors;
  float4 *             exponents;
};

/** An exponent of 2 that makes a weight 0. */
constexpr float notNear = -1e30f;

__device__ __forceinline__ std::int64_t
                           FirstOfTile(const DeviceTiles & tiles, std::int64_t tile)
{
  return tiles.first[tile * trianglesPerTile];
}

} // namespace cudaneuro::gpu

#endif
