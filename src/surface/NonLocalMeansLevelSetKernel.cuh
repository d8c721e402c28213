// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_NonLocalMeansLevelSetKernel_cuh
#define cudaneuro_surface_NonLocalMeansLevelSetKernel_cuh

#include "cuda/WarpReduce.cuh"
#include "surface/NonLocalMeansLevelSetFormulas.h"

/** Kernels on the voxels of a band. */
namespace cudaneuro::gpu
{

constexpr int levelSetThreads = 256;
constexpr int levelSetWarps = levelSetThreads / 32;

/** Reads the distances around each voxel. A thread writes a component of a patch; all beyond VSize^3 are 0. */
template <int VSize>
__global__ void
__launch_bounds__(levelSetThreads) PatchKernel(const __grid_constant__ BandView band, float * patches)
{
  constexpr int      stride = PatchStrideOf(VSize);
  constexpr int      radius = VSize / 2;
  const std::int64_t i = std::int64_t{ blockIdx.x } * levelSetThreads + threadIdx.x;
  const std::int64_t voxel = i / stride;
  const int          component = static_cast<int>(i - voxel * stride);
  if (voxel >= band.count)
  {
    return;
  }
  const int row = component / VSize;
  patches[i] =
    component < PatchVoxels(VSize)
      ? PatchValue(
          band, band.voxels[voxel], component - row * VSize - radius, row % VSize - radius, row / VSize - radius)
      : 0.0f;
}

/** Reads one column of the squared distances. */
__global__ void
__launch_bounds__(levelSetThreads)
  ColumnKernel(const __grid_constant__ SimilarVoxels similar, int neighbor, float * column)
{
  const std::int64_t i = std::int64_t{ blockIdx.x } * levelSetThreads + threadIdx.x;
  if (i < similar.voxels)
  {
    column[i] = similar.weights[i * similar.neighbors + neighbor];
  }
}

/** The sum of term(chunk, neighbor) over a voxel's neighbors: the lanes of a warp process 32 of them at a time, VChunks
 * times. Valid in all lanes. */
template <int VChunks, typename TTerm>
__device__ __forceinline__ float
SumOverNeighbors(int neighbors, const TTerm & term)
{
  float sum = 0.0f;
#pragma unroll
  for (int chunk = 0; chunk < VChunks; ++chunk)
  {
    const int neighbor = chunk * 32 + static_cast<int>(threadIdx.x % 32);
    sum += neighbor < neighbors ? term(chunk, neighbor) : 0.0f;
  }
  return WarpReduce(sum, [](float a, float b) { return a + b; });
}

/** Replaces squared distances by weights. Reads indices and voxels, too. Raises largestSum to the bits of a voxel's
 * largest sum of weights: non-negative floats are ordered like bits. A warp visits voxels in a strided loop. */
template <int VChunks>
__global__ void
__launch_bounds__(levelSetThreads) WeightKernel(const __grid_constant__ WeightRates rates,
                                                const BandVoxel * __restrict__ voxels,
                                                const __grid_constant__ SimilarVoxels similar,
                                                unsigned int *                        largestSum)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * levelSetWarps;
  float              largest = 0.0f;
  for (std::int64_t voxel = std::int64_t{ blockIdx.x } * levelSetWarps + threadIdx.x / 32; voxel < similar.voxels;
       voxel += step)
  {
    const BandVoxel    own = voxels[voxel];
    const std::int64_t first = voxel * similar.neighbors;
    // All reads precede the first write, which the compiler could not move them across.
    float weights[VChunks];
#pragma unroll
    for (int chunk = 0; chunk < VChunks; ++chunk)
    {
      const int          neighbor = chunk * 32 + static_cast<int>(threadIdx.x % 32);
      const std::int64_t i = first + neighbor;
      weights[chunk] = neighbor < similar.neighbors
                         ? NeighborWeight(rates, own, voxels[similar.indices[i]], similar.weights[i])
                         : 0.0f;
    }
    const float sum = SumOverNeighbors<VChunks>(similar.neighbors, [&](int chunk, int neighbor) {
      similar.weights[first + neighbor] = weights[chunk];
      return weights[chunk];
    });
    largest = fmaxf(largest, sum);
  }
  if (threadIdx.x % 32 == 0)
  {
    atomicMax(largestSum, __float_as_uint(largest));
  }
}

/** Writes the next values. Reads indices and weights once, and gathers values, which are mostly in the cache. A warp
 * has a voxel, so that its reads of the arrays are whole cache lines. */
template <int VChunks>
__global__ void
__launch_bounds__(levelSetThreads) StepKernel(const __grid_constant__ SimilarVoxels similar,
                                              float                                 timeStep,
                                              const float * __restrict__ now,
                                              float * __restrict__ next)
{
  const std::int64_t voxel = std::int64_t{ blockIdx.x } * levelSetWarps + threadIdx.x / 32;
  if (voxel >= similar.voxels)
  {
    return;
  }
  const float        own = now[voxel];
  const std::int64_t first = voxel * similar.neighbors;
  const float        sum = SumOverNeighbors<VChunks>(similar.neighbors, [&](int, int neighbor) {
    return similar.weights[first + neighbor] * (now[similar.indices[first + neighbor]] - own);
  });
  if (threadIdx.x % 32 == 0)
  {
    next[voxel] = own + timeStep * sum;
  }
}

__global__ void
__launch_bounds__(levelSetThreads) ReadBandKernel(const __grid_constant__ BandView band, float * values)
{
  const std::int64_t i = std::int64_t{ blockIdx.x } * levelSetThreads + threadIdx.x;
  if (i < band.count)
  {
    values[i] = band.distances[IndexOf(band.extent, band.voxels[i])];
  }
}

__global__ void
__launch_bounds__(levelSetThreads)
  WriteBandKernel(const __grid_constant__ BandView band, const float * values, float * distances)
{
  const std::int64_t i = std::int64_t{ blockIdx.x } * levelSetThreads + threadIdx.x;
  if (i < band.count)
  {
    distances[IndexOf(band.extent, band.voxels[i])] = values[i];
  }
}

/** Reads the exact distances and, unless it is null, the mask; reads and writes the distances. */
__global__ void
__launch_bounds__(levelSetThreads) JoinKernel(std::int64_t numberOfVoxels, const __grid_constant__ JoinedDistances join)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * levelSetThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * levelSetThreads + threadIdx.x; i < numberOfVoxels; i += step)
  {
    JoinAt(join, i);
  }
}

} // namespace cudaneuro::gpu

#endif
