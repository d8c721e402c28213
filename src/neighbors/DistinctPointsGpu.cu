// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/DistinctPoints.h"

#include "core/IntegerMath.h"
#include "cuda/SortPairs.cuh"
#include "cuda/WarpReduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int distinctThreads = 256;
constexpr int distinctWarps = distinctThreads / 32;

using Hash = unsigned long long;

/** Mixes the bits of a number: multiplications by odd numbers carry to higher bits, and shifts bring those down. */
__device__ __forceinline__ Hash
MixBits(Hash x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/** Writes each point's hash, which is the same for equal points, and its index. A warp has a point. */
__global__ void
__launch_bounds__(distinctThreads) HashKernel(NeighborSearch search, Hash mask, Hash * hashes, std::int32_t * indices)
{
  const int          lane = threadIdx.x % 32;
  const std::int64_t point = blockIdx.x * std::int64_t{ distinctWarps } + threadIdx.x / 32;
  if (point >= search.numberOfPoints)
  {
    return;
  }
  const float * const from = search.points + point * search.stride;
  Hash                hash = 0;
  for (int i = lane; i < search.stride; i += 32)
  {
    // -0 + 0 is 0, so that both zeros have the same hash.
    hash = MixBits(hash + __float_as_uint(from[i] + 0.0f) + 0x9e3779b97f4a7c15u);
  }
  // The lane's index distinguishes lanes before their hashes are added.
  hash = WarpReduce(MixBits(hash + static_cast<Hash>(lane)), [](Hash a, Hash b) { return a + b; });
  if (lane == 0)
  {
    hashes[point] = hash & mask;
    indices[point] = static_cast<std::int32_t>(point);
  }
}

/** Writes 1 for each point of the sorted order that equals its predecessor, otherwise 0. A warp has a point. */
__global__ void
__launch_bounds__(distinctThreads)
  RepetitionKernel(NeighborSearch search, const Hash * hashes, const std::int32_t * indices, unsigned char * repeats)
{
  const int          lane = threadIdx.x % 32;
  const std::int64_t at = blockIdx.x * std::int64_t{ distinctWarps } + threadIdx.x / 32;
  if (at >= search.numberOfPoints)
  {
    return;
  }
  bool isEqual = at > 0 && hashes[at] == hashes[at - 1];
  if (isEqual)
  {
    const float * const a = search.points + std::int64_t{ indices[at] } * search.stride;
    const float * const b = search.points + std::int64_t{ indices[at - 1] } * search.stride;
    bool                isEqualHere = true;
    for (int i = lane; i < search.stride; i += 32)
    {
      isEqualHere = isEqualHere && a[i] == b[i];
    }
    isEqual = __all_sync(0xffffffffu, isEqualHere);
  }
  if (lane == 0)
  {
    repeats[at] = isEqual ? 1 : 0;
  }
}

/** Appends to \p kept the points of the sorted order that do not end \p repetitions successive repetitions. A thread
 * has one. */
__global__ void
__launch_bounds__(distinctThreads) KeepKernel(std::int64_t          numberOfPoints,
                                              int                   repetitions,
                                              const std::int32_t *  indices,
                                              const unsigned char * repeats,
                                              std::int32_t *        kept,
                                              int *                 count)
{
  const int          lane = threadIdx.x % 32;
  const std::int64_t at = blockIdx.x * std::int64_t{ distinctThreads } + threadIdx.x;
  bool               keeps = false;
  if (at < numberOfPoints)
  {
    // The first point repeats none, so that the loop ends before it.
    int found = 0;
    while (found < repetitions && repeats[at - found])
    {
      ++found;
    }
    keeps = found < repetitions;
  }
  const unsigned int keeping = __ballot_sync(0xffffffffu, keeps);
  int                first = 0;
  if (lane == 0)
  {
    first = atomicAdd(count, __popc(keeping));
  }
  first = __shfl_sync(0xffffffffu, first, 0);
  if (keeps)
  {
    kept[first + __popc(keeping & ((1u << lane) - 1))] = indices[at];
  }
}

} // namespace

DistinctPoints
FindDistinctPoints(const GpuContext & gpu, const NeighborSearch & search, int hashBits)
{
  const cudaStream_t stream = gpu.ComputeStream();
  const auto         size = static_cast<std::size_t>(search.numberOfPoints);
  SortedPairs<Hash>  points(gpu, search.numberOfPoints);
  const auto         blocks = static_cast<unsigned int>(DivideUp(search.numberOfPoints, std::int64_t{ distinctWarps }));
  const Hash         mask = hashBits < 64 ? (Hash{ 1 } << hashBits) - 1 : ~Hash{ 0 };
  HashKernel<<<blocks, distinctThreads, 0, stream>>>(search, mask, points.Keys(), points.Values());
  CUDANEURO_CUDA_LAUNCHED("HashKernel");
  const SortedView<Hash>            sorted = points.Sort();
  const DeviceBuffer<unsigned char> repeats = gpu.AllocateArray<unsigned char>(size);
  RepetitionKernel<<<blocks, distinctThreads, 0, stream>>>(search, sorted.keys, sorted.values, repeats.Data());
  CUDANEURO_CUDA_LAUNCHED("RepetitionKernel");
  DistinctPoints distinct;
  distinct.indices = gpu.AllocateArray<std::int32_t>(size);
  const DeviceBuffer<int> count = gpu.AllocateArray<int>(1);
  CUDANEURO_CUDA(cudaMemsetAsync(count.Data(), 0, sizeof(int), stream));
  KeepKernel<<<static_cast<unsigned int>(DivideUp(search.numberOfPoints, std::int64_t{ distinctThreads })),
               distinctThreads,
               0,
               stream>>>(search.numberOfPoints,
                         search.numberOfNeighbors + 1,
                         sorted.values,
                         repeats.Data(),
                         distinct.indices.Data(),
                         count.Data());
  CUDANEURO_CUDA_LAUNCHED("KeepKernel");
  distinct.count = gpu.CopyToHost(count, 1)[0];
  return distinct;
}

} // namespace cudaneuro::gpu
