// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_TrianglePairsKernel_cuh
#define cudaneuro_meshes_TrianglePairsKernel_cuh

#include "meshes/DeviceCells.cuh"

/** Kernels that find points near each other. Points are sorted by the cells in which they are. */
namespace cudaneuro::gpu
{

/** Writes the cell of each point, and its number; counts the points of each cell. */
__global__ void
__launch_bounds__(meshThreads) CellKernel(const __grid_constant__ PointGrid grid,
                                          std::int32_t                      count,
                                          const float4 *                    points,
                                          unsigned int *                    cells,
                                          std::int32_t *                    numbers,
                                          int *                             counts)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    const int cell = grid.CellOf(VectorOf(points[i]));
    cells[i] = static_cast<unsigned int>(cell);
    numbers[i] = static_cast<std::int32_t>(i);
    atomicAdd(counts + cell, 1);
  }
}

/** Writes points in the order of cells. */
__global__ void
__launch_bounds__(meshThreads)
  CellOrderKernel(std::int32_t count, const std::int32_t * numbers, const float4 * points, float4 * sorted)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    const std::int32_t number = numbers[i];
    sorted[i] = WithNumber(VectorOf(points[number]), __int_as_float(number));
  }
}

/** The triangles that precede a triangle in its tile, with the squared radii of their neighborhoods. */
class TrianglesBefore
{
public:
  __device__
  TrianglesBefore(std::int64_t triangle, const float4 * centers, const float * squaredRadii)
    : m_Count(static_cast<int>(triangle % trianglesPerTile))
  {
#pragma unroll
    for (int k = 0; k < trianglesPerTile - 1; ++k)
    {
      // The tile may end with this triangle.
      m_Centers[k] = VectorOf(centers[triangle - m_Count + min(k, m_Count)]);
      m_SquaredRadii[k] = k < m_Count ? squaredRadii[triangle - m_Count + k] : -1.0f;
    }
  }

  /** Whether a point is a neighbor of one of these triangles, and therefore in the list. */
  __device__ bool
  Have(const Vector3 & point) const
  {
    bool isNear = false;
#pragma unroll
    for (int k = 0; k < trianglesPerTile - 1; ++k)
    {
      isNear = isNear || SquaredDistance(m_Centers[k], point) <= m_SquaredRadii[k];
    }
    return isNear;
  }

private:
  int     m_Count;
  Vector3 m_Centers[trianglesPerTile - 1];
  float   m_SquaredRadii[trianglesPerTile - 1];
};

/** Writes the squared radius within which each triangle has at most mostNeighbors. */
__global__ void
__launch_bounds__(meshThreads) RadiusKernel(const __grid_constant__ DeviceCells cells,
                                            std::int32_t                        count,
                                            const float4 *                      centers,
                                            float                               radius,
                                            float *                             squaredRadii)
{
  const std::int64_t i = ThreadItem();
  if (i >= count)
  {
    return;
  }
  const Vector3 center = VectorOf(centers[i]);
  float         squared = radius * radius;
  int           found = mostNeighbors + 1;
  for (int attempt = 0; attempt < mostAttempts && found > mostNeighbors; ++attempt)
  {
    found = 0;
    squaredRadii[i] = squared;
    cells.ForEachNear(center, squared, [&](int, const Vector3 &, const Vector3 &) { return ++found <= mostNeighbors; });
    squared *= shrinkage;
  }
}

/** Writes the number of neighbors that each triangle adds to the list of its tile. */
__global__ void
__launch_bounds__(meshThreads) CountPairsKernel(const __grid_constant__ DeviceCells cells,
                                                std::int32_t                        count,
                                                const float4 *                      centers,
                                                const float *                       squaredRadii,
                                                int *                               counts)
{
  const std::int64_t i = ThreadItem();
  if (i >= count)
  {
    return;
  }
  const Vector3         center = VectorOf(centers[i]);
  const TrianglesBefore before(i, centers, squaredRadii);
  int                   added = 0;
  cells.ForEachNear(center, squaredRadii[i], [&](int, const Vector3 & point, const Vector3 &) {
    added += before.Have(point) ? 0 : 1;
    return added < mostNeighbors;
  });
  counts[i] = added;
}

/** Writes the neighbors that each triangle adds to the list of its tile. */
__global__ void
__launch_bounds__(meshThreads) FillPairsKernel(const __grid_constant__ DeviceCells cells,
                                               std::int32_t                        count,
                                               const float4 *                      centers,
                                               const float *                       squaredRadii,
                                               const std::int64_t *                first,
                                               int *                               neighbors)
{
  const std::int64_t i = ThreadItem();
  if (i >= count)
  {
    return;
  }
  const Vector3         center = VectorOf(centers[i]);
  const TrianglesBefore before(i, centers, squaredRadii);
  const std::int64_t    end = first[i + 1];
  std::int64_t          next = first[i];
  cells.ForEachNear(center, squaredRadii[i], [&](int other, const Vector3 & point, const Vector3 &) {
    if (next < end && !before.Have(point))
    {
      neighbors[next++] = other;
    }
    return next < end;
  });
}

/** Writes the number of neighbors of each tile. */
__global__ void
__launch_bounds__(meshThreads)
  CountTilesKernel(std::int32_t count, std::int32_t numberOfTriangles, const std::int64_t * first, int * counts)
{
  const std::int64_t tile = ThreadItem();
  if (tile < count)
  {
    const std::int64_t end = min(trianglesPerTile * (tile + 1), std::int64_t{ numberOfTriangles });
    counts[tile] = static_cast<int>(first[end] - first[trianglesPerTile * tile]);
  }
}

/** Keeps the neighbors within the radius of a triangle of their tile, in their order, and writes their exponents. A
 * warp has a tile. */
__global__ void
__launch_bounds__(meshThreads) WeighPairsKernel(std::int32_t                        count,
                                                std::int32_t                        numberOfTriangles,
                                                const float4 *                      centers,
                                                const float *                       squaredRadii,
                                                const __grid_constant__ NormalScale scale,
                                                const __grid_constant__ DeviceTiles tiles)
{
  const std::int64_t tile = ThreadItem() / 32;
  const int          lane = static_cast<int>(threadIdx.x % 32);
  if (tile >= count)
  {
    return;
  }
  Vector3 ownCenters[trianglesPerTile];
  float   ownRadii[trianglesPerTile];
#pragma unroll
  for (int k = 0; k < trianglesPerTile; ++k)
  {
    const std::int64_t triangle = tile * trianglesPerTile + k;
    const bool         isThere = triangle < numberOfTriangles;
    ownCenters[k] = isThere ? VectorOf(centers[triangle]) : Vector3{ 0.0f, 0.0f, 0.0f };
    ownRadii[k] = isThere ? fminf(squaredRadii[triangle], scale.radius * scale.radius) : -1.0f;
  }
  const int      found = tiles.counts[tile];
  int * const    neighbors = tiles.neighbors + FirstOfTile(tiles, tile);
  float4 * const exponents = tiles.exponents + FirstOfTile(tiles, tile);
  int            kept = 0;
  for (int begin = 0; begin < found; begin += 32)
  {
    const int     place = begin + lane;
    const int     other = neighbors[min(place, found - 1)];
    const Vector3 center = VectorOf(centers[other]);
    float         own[trianglesPerTile];
    bool          isNear = false;
#pragma unroll
    for (int k = 0; k < trianglesPerTile; ++k)
    {
      const float squared = SquaredDistance(ownCenters[k], center);
      const bool  isNeighbor = squared <= ownRadii[k];
      own[k] = isNeighbor ? CenterExponent(scale, squared) : notNear;
      isNear = isNear || isNeighbor;
    }
    isNear = isNear && place < found;
    // Kept neighbors move to the front, to places that all lanes have read.
    const unsigned int near = __ballot_sync(0xffffffffu, isNear);
    if (isNear)
    {
      const int to = kept + __popc(near & ((1u << lane) - 1));
      neighbors[to] = other;
      exponents[to] = make_float4(own[0], own[1], own[2], own[3]);
    }
    kept += __popc(near);
    __syncwarp();
  }
  if (lane == 0)
  {
    tiles.counts[tile] = kept;
  }
}

} // namespace cudaneuro::gpu

#endif
