// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "registration/StepLimitKernel.cuh"

namespace cudaneuro::gpu
{

void
EnqueueLimit(Context & context, const RegistrationParameters & parameters, const StepBuffers & buffers)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  const Extent &     extent = buffers.extent;
  LimitArguments     arguments{};
  arguments.extent = extent;
  arguments.numberOfVoxels = static_cast<int>(NumberOfVoxels(extent));
  arguments.maps = buffers.maps;
  arguments.state = buffers.state;
  arguments.bound = static_cast<float>(parameters.minimumJacobian);
  arguments.factor = buffers.force.x;
  arguments.offenders = reinterpret_cast<int *>(buffers.force.y);
  const dim3 searchThreads(limitThreadsX, limitThreadsY);
  const dim3 searchBlocks(DivideUp(extent.x, limitThreadsX), DivideUp(extent.y, limitThreadsY), extent.z);
  const int  blocks = DivideUp(arguments.numberOfVoxels, limitThreads);
  const int  lowerBlocks = 4 * GpuOf(context).NumberOfMultiprocessors();
  for (int round = 0; round < limitRounds; ++round)
  {
    arguments.round = round;
    FindOffendersKernel<<<searchBlocks, searchThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("FindOffendersKernel");
    ResetFactorKernel<<<blocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("ResetFactorKernel");
    LowerFactorKernel<<<lowerBlocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("LowerFactorKernel");
    BlendKernel<<<blocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("BlendKernel");
  }
}

} // namespace cudaneuro::gpu
