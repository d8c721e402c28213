// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshPooling_cuh
#define cudaneuro_meshes_MeshPooling_cuh

#include "cuda/GpuContext.h"
#include "meshes/DeviceMesh.cuh"

#include <utility>

namespace cudaneuro::gpu
{

/** The means of numbers over vertices and their neighbors. A thread has four of the numbers of a vertex. */
template <int VQuads>
__global__ void
__launch_bounds__(meshThreads)
  PoolKernel(const __grid_constant__ DeviceMesh mesh, const float4 * numbers, float4 * pooled)
{
  const std::int64_t vertex = ThreadItem() / VQuads;
  const int          quad = static_cast<int>(threadIdx.x % VQuads);
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  const int first = mesh.firstNeighbor[vertex];
  const int end = mesh.firstNeighbor[vertex + 1];
  float4    sum = numbers[vertex * VQuads + quad];
  for (int i = first; i < end; ++i)
  {
    const float4 other = numbers[std::int64_t{ mesh.neighborsOf[i] } * VQuads + quad];
    sum = make_float4(sum.x + other.x, sum.y + other.y, sum.z + other.z, sum.w + other.w);
  }
  const float scale = 1.0f / static_cast<float>(1 + end - first);
  pooled[vertex * VQuads + quad] = make_float4(scale * sum.x, scale * sum.y, scale * sum.z, scale * sum.w);
}

/** Takes means of arrays of numbers, of which each vertex has one, again and again. The other array is for work. */
template <int VNumbers>
void
PoolNumbers(const GpuContext & gpu, const DeviceMesh & mesh, DeviceBuffer<float> & numbers, DeviceBuffer<float> & other)
{
  constexpr int      quads = VNumbers / 4;
  const unsigned int blocks = MeshBlocks(quads * std::int64_t{ mesh.numberOfVertices });
  for (int step = 0; step < poolingSteps; ++step)
  {
    PoolKernel<quads><<<blocks, meshThreads, 0, gpu.ComputeStream()>>>(
      mesh, reinterpret_cast<const float4 *>(numbers.Data()), reinterpret_cast<float4 *>(other.Data()));
    CUDANEURO_CUDA_LAUNCHED("PoolKernel");
    std::swap(numbers, other);
  }
}

} // namespace cudaneuro::gpu

#endif
