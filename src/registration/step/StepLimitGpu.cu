// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "cuda/PlanesPerBlock.h"
#include "registration/step/StepLimitKernel.cuh"

#include <algorithm>
#include <cstdint>

namespace cudaneuro::gpu
{

namespace
{

/** Fixed cost of a block of the search, before its first plane, in planes. */
constexpr int planesBefore = 2;

/** Whether rows of both maps begin at multiples of 16 bytes. */
bool
CanReadInFours(const LimitArguments & arguments)
{
  const auto isAligned = [](const float * values) { return reinterpret_cast<std::uintptr_t>(values) % 16 == 0; };
  for (const SoAField & map : { arguments.maps.first, arguments.maps.second })
  {
    if (!isAligned(map.x) || !isAligned(map.y) || !isAligned(map.z))
    {
      return false;
    }
  }
  return arguments.extent.x % 4 == 0;
}

} // namespace

void
EnqueueLimit(Context & context, const RegistrationParameters & parameters, const StepBuffers & buffers)
{
  const GpuContext & gpu = GpuOf(context);
  const cudaStream_t stream = gpu.ComputeStream();
  const Extent &     extent = buffers.extent;
  LimitArguments     arguments{};
  arguments.extent = extent;
  arguments.maps = buffers.maps;
  arguments.state = buffers.state;
  arguments.bound = static_cast<float>(parameters.jacobianBound);
  arguments.factor = buffers.force.x;
  arguments.offenders[0] = reinterpret_cast<int *>(buffers.force.y);
  arguments.offenders[1] = reinterpret_cast<int *>(buffers.force.z);
  arguments.counts = buffers.limitCounts;
  CUDANEURO_CUDA(cudaMemsetAsync(arguments.counts, 0, sizeof(LimitCounts), stream));

  const bool         inFours = CanReadInFours(arguments);
  const unsigned int runs = (inFours ? extent.x / 4 : extent.x) * extent.y;
  const unsigned int tiles = DivideUp(runs, searchThreads);
  arguments.searchPlanes = PlanesPerBlock(extent.z, tiles, searchBlocks * gpu.NumberOfMultiprocessors(), planesBefore);
  const dim3 blocksOfSearch(tiles, DivideUp(extent.z, arguments.searchPlanes));
  (inFours ? FindOffendersKernel<4> : FindOffendersKernel<1>)<<<blocksOfSearch, searchThreads, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("FindOffendersKernel");

  // All blocks of a cooperative launch are resident at the same time, beside those of other contexts.
  const int blocks =
    std::min(static_cast<int>(DivideUp(NumberOfVoxels(extent), limitThreads)), gpu.MultiprocessorsOfShare());
  void * kernelParameters[] = { &arguments };
  CUDANEURO_CUDA(cudaLaunchCooperativeKernel(
    reinterpret_cast<const void *>(LimitKernel), dim3(blocks), dim3(limitThreads), kernelParameters, 0, stream));
}

} // namespace cudaneuro::gpu
