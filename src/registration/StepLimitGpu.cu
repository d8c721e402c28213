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
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  LimitArguments     arguments{};
  arguments.extent = buffers.extent;
  arguments.numberOfVoxels = static_cast<int>(NumberOfVoxels(buffers.extent));
  arguments.maps = buffers.maps;
  arguments.state = buffers.state;
  arguments.bound = static_cast<float>(parameters.minimumJacobian);
  arguments.factor = buffers.force.x;
  arguments.offenders = reinterpret_cast<int *>(buffers.force.y);
  arguments.numberOfOffenders = buffers.numberOfOffenders;
  CUDANEURO_CUDA(cudaMemsetAsync(arguments.numberOfOffenders, 0, limitRounds * sizeof(int), stream));
  const int blocks = std::min(DivideUp(arguments.numberOfVoxels, limitThreads),
                              limitBlocksPerMultiprocessor * GpuOf(context).NumberOfMultiprocessors());
  for (int round = 0; round < limitRounds; ++round)
  {
    arguments.round = round;
    FindOffendersKernel<<<blocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("FindOffendersKernel");
    ResetFactorKernel<<<blocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("ResetFactorKernel");
    LowerFactorKernel<<<blocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("LowerFactorKernel");
    BlendKernel<<<blocks, limitThreads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("BlendKernel");
  }
}

} // namespace cudaneuro::gpu
