// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_ScanKernel_cuh
#define cudaneuro_neighbors_ScanKernel_cuh

#include "neighbors/ExactDistance.cuh"
#include "neighbors/RankKernel.cuh"

namespace cudaneuro::gpu
{

/** Number of queries that a block compares with all points at a time, of points that it processes together, one per
 * thread, and of their components in shared memory. */
constexpr int scanQueries = 8;
constexpr int scanThreads = 128;
constexpr int scanWarps = scanThreads / 32;
constexpr int scanComponents = componentGranularity;
constexpr int scanPitch = scanComponents + 4; // threads that read 4 components each use different banks
constexpr int scanListed = 128;

/** Resident blocks per multiprocessor. Shared memory limits them to this number, so registers need not be fewer. */
constexpr int scanBlocks = 4;

/** The nearest points of a query so far, sorted, followed by points that may be nearer. */
struct ScanList
{
  double       distances[2 * scanListed];
  std::int32_t indices[2 * scanListed];
  /** Distance of the last neighbor. */
  double last;
  int    pending;
};

struct alignas(16) ScanShared
{
  float    points[scanThreads * scanPitch];
  ScanList lists[scanQueries];
  /** Indices of the queries, -1 for none. */
  std::int64_t   numbers[scanQueries];
  unsigned short pairs[scanThreads * scanQueries];
  int            numberOfPairs;
};

/** Shared memory of a block in bytes: ScanShared, followed by its queries. */
inline std::size_t
ScanSharedBytes(int stride)
{
  return sizeof(ScanShared) + sizeof(float) * scanQueries * static_cast<std::size_t>(stride);
}

/** The work of a block for one group of queries. */
struct ScanBlock
{
  const NeighborSearch & search;
  ScanShared &           shared;
  /** In shared memory. */
  const float * queries;

  /** Squared distances of the queries to the thread's point of the tile, in single precision. */
  __device__ void
  Multiply(std::int64_t firstPoint, float (&sums)[scanQueries]) const
  {
    for (int begin = 0; begin < search.stride; begin += scanComponents)
    {
      __syncthreads();
      constexpr int quads = scanComponents / 4;
      for (int i = threadIdx.x; i < scanThreads * quads; i += scanThreads)
      {
        const std::int64_t point = min(firstPoint + i / quads, search.numberOfPoints - 1);
        *reinterpret_cast<float4 *>(shared.points + i / quads * scanPitch + i % quads * 4) =
          *reinterpret_cast<const float4 *>(search.points + point * search.stride + begin + i % quads * 4);
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < scanComponents; i += 4)
      {
        const float4 y = *reinterpret_cast<const float4 *>(shared.points + threadIdx.x * scanPitch + i);
#pragma unroll
        for (int query = 0; query < scanQueries; ++query)
        {
          const float4 x = *reinterpret_cast<const float4 *>(queries + query * search.stride + begin + i);
          sums[query] = fmaf(x.x - y.x, x.x - y.x, sums[query]);
          sums[query] = fmaf(x.y - y.y, x.y - y.y, sums[query]);
          sums[query] = fmaf(x.z - y.z, x.z - y.z, sums[query]);
          sums[query] = fmaf(x.w - y.w, x.w - y.w, sums[query]);
        }
      }
    }
  }

  /** Lists the pairs of query and point that may be nearer than the query's neighbors. Points come in the order of
   * their indices, so that one at the distance of the last neighbor is not nearer. */
  __device__ void
  ListPairs(std::int64_t point, const float (&sums)[scanQueries]) const
  {
    // Each term has three roundings, and the sums have as many as components.
    const float wrong = static_cast<float>(search.stride + 8) * 0x1p-23f;
#pragma unroll
    for (int query = 0; query < scanQueries; ++query)
    {
      const float atLeast = fmaxf(sums[query] * (1.0f - wrong) - 1e-42f, 0.0f);
      if (point < search.numberOfPoints && shared.numbers[query] >= 0 && atLeast < shared.lists[query].last &&
          !(search.excludeSelf && point == shared.numbers[query]))
      {
        shared.pairs[atomicAdd(&shared.numberOfPairs, 1)] =
          static_cast<unsigned short>(query * scanThreads + static_cast<int>(threadIdx.x));
      }
    }
  }

  /** Computes the pairs' exact distances, and appends those that are near enough to the queries' lists. */
  __device__ void
  ComparePairs(std::int64_t firstPoint) const
  {
    const int count = shared.numberOfPairs;
    for (int first = static_cast<int>(threadIdx.x / 32) * 4; first < count; first += scanWarps * 4)
    {
      const int          i = first + threadIdx.x % 32 / distanceLanes;
      const int          pair = shared.pairs[min(i, count - 1)];
      const int          query = pair / scanThreads;
      const std::int64_t point = firstPoint + pair % scanThreads;
      const double       distance =
        SquaredDistanceOfLanes(queries + query * search.stride, search.points + point * search.stride, search.stride);
      ScanList & list = shared.lists[query];
      if (threadIdx.x % distanceLanes == 0 && i < count && distance < list.last)
      {
        const int at = scanListed + atomicAdd(&list.pending, 1);
        list.distances[at] = distance;
        list.indices[at] = static_cast<std::int32_t>(point);
      }
    }
  }

  /** A warp merges the pending points of a list into its sorted part. */
  __device__ void
  Merge(ScanList & list) const
  {
    const int pending = list.pending;
    if (pending == 0)
    {
      return;
    }
    const int lane = threadIdx.x % 32;
    for (int i = pending + lane; i < scanListed; i += 32)
    {
      list.distances[scanListed + i] = INFINITY;
      list.indices[scanListed + i] = noPoint;
    }
    __syncwarp();
    SortNeighbors(list.distances, list.indices, 2 * scanListed);
    if (lane == 0)
    {
      list.last = list.distances[search.numberOfNeighbors - 1];
      list.pending = 0;
    }
    __syncwarp();
  }
};

/** Compares chosen queries with all points: reads search.queries and search.points, and writes the results of these
 * queries. Blocks process scanQueries of them at a time. Distances in single precision exclude most points; exact
 * distances are computed for the others. */
static __global__ void
__launch_bounds__(scanThreads, scanBlocks) ScanKernel(NeighborSearch search, VectorChoice chosen)
{
  extern __shared__ int4 sharedMemory[];
  ScanShared &           shared = *reinterpret_cast<ScanShared *>(sharedMemory);
  float * const          queries = reinterpret_cast<float *>(&shared + 1);
  const int              count = static_cast<int>(chosen.count);
  const int              warp = threadIdx.x / 32;
  for (int first = static_cast<int>(blockIdx.x) * scanQueries; first < count;
       first += static_cast<int>(gridDim.x) * scanQueries)
  {
    __syncthreads();
    const ScanBlock block{ search, shared, queries };
    if (threadIdx.x < scanQueries)
    {
      const int query = first + static_cast<int>(threadIdx.x);
      shared.numbers[threadIdx.x] = query < count ? chosen[query] : -1;
      shared.lists[threadIdx.x].last = INFINITY;
      shared.lists[threadIdx.x].pending = 0;
    }
    __syncthreads();
    for (int query = 0; query < scanQueries; ++query)
    {
      const float * from = search.queries + max(shared.numbers[query], std::int64_t{ 0 }) * search.stride;
      for (int i = threadIdx.x; i < search.stride; i += scanThreads)
      {
        queries[query * search.stride + i] = from[i];
      }
      for (int i = threadIdx.x; i < 2 * scanListed; i += scanThreads)
      {
        shared.lists[query].distances[i] = INFINITY;
        shared.lists[query].indices[i] = noPoint;
      }
    }
    for (std::int64_t firstPoint = 0; firstPoint < search.numberOfPoints; firstPoint += scanThreads)
    {
      float sums[scanQueries] = {};
      block.Multiply(firstPoint, sums);
      if (threadIdx.x == 0)
      {
        shared.numberOfPairs = 0;
      }
      __syncthreads();
      block.ListPairs(firstPoint + threadIdx.x, sums);
      __syncthreads();
      block.ComparePairs(firstPoint);
      __syncthreads();
      for (int query = warp; query < scanQueries; query += scanWarps)
      {
        block.Merge(shared.lists[query]);
      }
    }
    __syncthreads();
    for (int query = warp; query < scanQueries; query += scanWarps)
    {
      if (shared.numbers[query] >= 0)
      {
        const ScanList & list = shared.lists[query];
        WriteNeighbors(search, shared.numbers[query], list.distances, list.indices, scanListed);
      }
    }
  }
}

} // namespace cudaneuro::gpu

#endif
