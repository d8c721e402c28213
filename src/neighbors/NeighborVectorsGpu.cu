// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/NeighborVectors.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <limits>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

constexpr int vectorsPerBlock = 8;

/** The index of a component, in a type of atomicMin. */
using ComponentIndex = unsigned long long;

constexpr ComponentIndex noComponent = std::numeric_limits<ComponentIndex>::max();

/** Pads all vectors with zeros, and lowers \p refused to the index of the first invalid component. A warp copies a
 * vector at a time. */
__global__ void
PadVectorsKernel(VectorPadding padding, ComponentIndex * refused)
{
  const std::int64_t vector = std::int64_t{ blockIdx.x } * vectorsPerBlock + threadIdx.y;
  if (vector >= padding.count)
  {
    return;
  }
  const std::int64_t begin = vector * padding.dimension;
  for (int i = static_cast<int>(threadIdx.x); i < padding.stride; i += 32)
  {
    const float component = i < padding.dimension ? padding.input[begin + i] : 0.0f;
    padding.output[vector * padding.stride + i] = component;
    if (!IsSearchable(component))
    {
      atomicMin(refused, static_cast<ComponentIndex>(begin + i));
    }
  }
}

} // namespace

RefusedComponent
PadVectors(Context & context, const VectorPadding & padding)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         refused = gpu.CopyToDevice(std::vector<ComponentIndex>{ noComponent });
  const auto         blocks = static_cast<unsigned int>(DivideUp(padding.count, vectorsPerBlock));
  PadVectorsKernel<<<blocks, dim3(32, vectorsPerBlock), 0, gpu.ComputeStream()>>>(padding, refused.Data());
  CUDANEURO_CUDA_LAUNCHED("PadVectorsKernel");
  const ComponentIndex first = gpu.CopyToHost(refused, 1)[0];
  RefusedComponent     result;
  if (first != noComponent)
  {
    result.index = static_cast<std::int64_t>(first);
    CUDANEURO_CUDA(cudaMemcpyAsync(
      &result.value, padding.input + first, sizeof(float), cudaMemcpyDeviceToHost, gpu.ComputeStream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  }
  return result;
}

} // namespace cudaneuro::gpu
