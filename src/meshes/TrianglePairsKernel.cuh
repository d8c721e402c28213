// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_TrianglePairsKernel_cuh
#define cudaneuro_meshes_TrianglePairsKernel_cuh

#include "meshes/DeviceCells.cuh"

/** Kernels that find points near each other. Points are in the order of the cells that they are in. */
namespace cudaneuro::gpu
{

/** Writes the cell of each point, and its number; counts the points of cells. */
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

/** Brings points into the order of cells. */
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

/** Writes how many neighbors each triangle has, and the squared radius that they are within. A thread has a
 * triangle. */
__global__ void
__launch_bounds__(meshThreads) CountPairsKernel(const __grid_constant__ DeviceCells cells,
                                                std::int32_t                        count,
                                                const float4 *                      centers,
                                                float                               radius,
                                                int *                               counts,
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
    cells.ForEachNear(center, squared, [&](int, const Vector3 &, float) { return ++found <= mostNeighbors; });
    squared *= shrinkage;
  }
  counts[i] = min(found, mostNeighbors);
}

/** Writes the neighbors. */
__global__ void
__launch_bounds__(meshThreads) FillPairsKernel(const __grid_constant__ DeviceCells cells,
                                               std::int32_t                        count,
                                               const float4 *                      centers,
                                               const float *                       squaredRadii,
                                               const __grid_constant__ DevicePairs pairs)
{
  const std::int64_t i = ThreadItem();
  if (i >= count)
  {
    return;
  }
  const int    places = pairs.counts[i];
  int2 * const neighbors = pairs.neighbors + pairs.first[i];
  int          found = 0;
  cells.ForEachNear(VectorOf(centers[i]), squaredRadii[i], [&](int other, const Vector3 &, float) {
    neighbors[found++] = make_int2(other, 0);
    return found < places;
  });
}

/** Keeps the neighbors within a radius, in their order, and writes the weights of their distances. A warp has a
 * triangle. */
__global__ void
__launch_bounds__(meshThreads) WeighPairsKernel(std::int32_t                        count,
                                                const float4 *                      centers,
                                                float                               squaredRadius,
                                                float                               exponent,
                                                const __grid_constant__ DevicePairs pairs)
{
  const std::int64_t i = ThreadItem() / 32;
  const int          lane = static_cast<int>(threadIdx.x % 32);
  if (i >= count)
  {
    return;
  }
  const Vector3 center = VectorOf(centers[i]);
  const int     found = pairs.counts[i];
  int2 * const  neighbors = pairs.neighbors + pairs.first[i];
  int           kept = 0;
  for (int begin = 0; begin < found; begin += 32)
  {
    const int   place = begin + lane;
    const int   other = neighbors[min(place, found - 1)].x;
    const float squared = SquaredDistance(center, VectorOf(centers[other]));
    const bool  isNear = place < found && squared <= squaredRadius;
    // What is kept moves to the front, where all lanes have read.
    const unsigned int near = __ballot_sync(0xffffffffu, isNear);
    if (isNear)
    {
      const float weight = Exp2(exponent * squared);
      neighbors[kept + __popc(near & ((1u << lane) - 1))] = make_int2(other, __float_as_int(weight));
    }
    kept += __popc(near);
    __syncwarp();
  }
  if (lane == 0)
  {
    pairs.counts[i] = kept;
  }
}

} // namespace cudaneuro::gpu

#endif
