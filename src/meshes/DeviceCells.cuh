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
  /** Where the points of each cell begin; one more for the end. */
  const int * first;

  /** Calls body(point, offset from \p from, squared distance) for those within a radius, until it returns
   * false. */
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
        if (squared <= squaredRadius && !body(__float_as_int(other.w), offset, squared))
        {
          return false;
        }
      }
      return true;
    });
  }
};

/** Neighbors of triangles: those of triangle i begin at first[i]; (number, weight of the distance). */
struct DevicePairs
{
  const std::int64_t * first;
  int *                counts;
  int2 *               neighbors;
};

} // namespace cudaneuro::gpu

#endif
