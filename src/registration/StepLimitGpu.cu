// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "registration/StepLimitKernel.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

void
EnqueueLimit(Context & context, const RegistrationParameters & parameters, const StepBuffers & buffers)
{
  const GpuContext & gpu = GpuOf(context);
  const cudaStream_t stream = gpu.ComputeStream();
  const Extent &     extent = buffers.extent;
  LimitArguments     arguments{};
  arguments.extent = extent;
  arguments.numberOfVoxels = static_cast<int>(NumberOfVoxels(extent));
  arguments.maps = buffers.maps;
  arguments.state = buffers.state;
  arguments.bound = static_cast<float>(parameters.minimumJacobian);
  arguments.factor = buffers.force.x;
  arguments.offenders[0] = reinterpret_cast<int *>(buffers.force.y);
  arguments.offenders[1] = reinterpret_cast<int *>(buffers.force.z);
  arguments.counts = buffers.limitCounts;
  CUDANEURO_CUDA(cudaMemsetAsync(arguments.counts, 0, sizeof(LimitCounts), stream));

  const dim3 tile(searchThreadsX, searchThreadsY);
  const dim3 tiles(
    DivideUp(extent.x, searchThreadsX), DivideUp(extent.y, searchThreadsY), DivideUp(extent.z, searchPlanes));
  FindOffendersKernel<<<tiles, tile, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("FindOffendersKernel");

  // All blocks of a cooperative launch are on the device at the same time, beside those of other contexts.
  const int blocks =
    std::min(DivideUp(arguments.numberOfVoxels, limitThreads), limitBlocks * gpu.MultiprocessorsOfShare());
  void * kernelParameters[] = { &arguments };
  CUDANEURO_CUDA(cudaLaunchCooperativeKernel(
    reinterpret_cast<const void *>(LimitKernel), dim3(blocks), dim3(limitThreads), kernelParameters, 0, stream));
}

} // namespace cudaneuro::gpu
