// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshPooling_cuh
#define cudaneuro_meshes_MeshPooling_cuh

#include "cuda/GpuContext.h"
#include "meshes/DeviceMesh.cuh"
#include "meshes/MeshDenoising.h"

#include <utility>
#include <vector>

namespace cudaneuro::gpu
{

/** Replaces the Chebyshev polynomial before the last one by the next one, of the mean over vertices and their
 * neighbors, and adds it to the sum. A thread has four of the numbers of a vertex.
 * \param factor of the mean: 1 in the first step, which has no polynomial before the last one; otherwise 2 */
template <int VQuads>
__global__ void
__launch_bounds__(meshThreads) PoolKernel(const __grid_constant__ DeviceMesh mesh,
                                          const float4 *                     last,
                                          float                              factor,
                                          float                              coefficient,
                                          float4 *                           before,
                                          float4 *                           sums)
{
  const std::int64_t vertex = ThreadItem() / VQuads;
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  const int          quad = static_cast<int>(threadIdx.x % VQuads);
  const std::int64_t own = vertex * VQuads + quad;
  const int          first = mesh.firstNeighbor[vertex];
  const int          end = mesh.firstNeighbor[vertex + 1];
  float4             sum = last[own];
  for (int i = first; i < end; ++i)
  {
    const float4 other = last[std::int64_t{ mesh.neighborsOf[i] } * VQuads + quad];
    sum = make_float4(sum.x + other.x, sum.y + other.y, sum.z + other.z, sum.w + other.w);
  }
  const float  scale = factor / static_cast<float>(1 + end - first);
  const float4 old = before[own];
  const float4 next =
    make_float4(scale * sum.x - old.x, scale * sum.y - old.y, scale * sum.z - old.z, scale * sum.w - old.w);
  before[own] = next;
  // The sum contains only every second polynomial.
  if (coefficient != 0.0f)
  {
    const float4 added = sums[own];
    sums[own] = make_float4(added.x + coefficient * next.x,
                            added.y + coefficient * next.y,
                            added.z + coefficient * next.z,
                            added.w + coefficient * next.w);
  }
}

/** Initializes the sum. */
static __global__ void
__launch_bounds__(meshThreads)
  StartPoolKernel(std::int64_t count, const float * numbers, float coefficient, float * sums)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    sums[i] = coefficient * numbers[i];
  }
}

/** Replaces arrays of numbers, one per vertex in each, by means over many vertices around each vertex. */
template <int VNumbers>
void
PoolNumbers(const GpuContext & gpu, const DeviceMesh & mesh, DeviceBuffer<float> & numbers)
{
  constexpr int            quads = VNumbers / 4;
  const std::int64_t       count = VNumbers * std::int64_t{ mesh.numberOfVertices };
  const unsigned int       blocks = MeshBlocks(count / 4);
  const std::vector<float> coefficients = PoolingCoefficients();
  auto                     sums = gpu.AllocateArray<float>(static_cast<std::size_t>(count));
  auto                     before = gpu.AllocateArray<float>(static_cast<std::size_t>(count));
  const auto quadsOf = [](DeviceBuffer<float> & array) { return reinterpret_cast<float4 *>(array.Data()); };
  StartPoolKernel<<<MeshBlocks(count), meshThreads, 0, gpu.ComputeStream()>>>(
    count, numbers.Data(), coefficients[0], sums.Data());
  CUDANEURO_CUDA_LAUNCHED("StartPoolKernel");
  CUDANEURO_CUDA(
    cudaMemsetAsync(before.Data(), 0, static_cast<std::size_t>(count) * sizeof(float), gpu.ComputeStream()));
  for (int step = 1; step <= poolingDegree; ++step)
  {
    PoolKernel<quads><<<blocks, meshThreads, 0, gpu.ComputeStream()>>>(
      mesh, quadsOf(numbers), step == 1 ? 1.0f : 2.0f, coefficients[step], quadsOf(before), quadsOf(sums));
    CUDANEURO_CUDA_LAUNCHED("PoolKernel");
    std::swap(numbers, before);
  }
  numbers = std::move(sums);
}

} // namespace cudaneuro::gpu

#endif
