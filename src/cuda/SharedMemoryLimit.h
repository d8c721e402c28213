// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_SharedMemoryLimit_h
#define cudaneuro_cuda_SharedMemoryLimit_h

#include "cuda/CudaCheck.h"

namespace cudaneuro
{

/** Lets blocks of a kernel have as much dynamic shared memory as the current device can give them. The limit belongs to
 * the kernel, not to the launch: a limit of what one launch needs could be lowered by another thread's smaller launch
 * before the first has started. */
template <typename TKernel>
void
AllowAllSharedMemory(TKernel * kernel)
{
  int device = 0;
  int mostPerBlock = 0;
  CUDANEURO_CUDA(cudaGetDevice(&device));
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&mostPerBlock, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  cudaFuncAttributes attributes{};
  CUDANEURO_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  CUDANEURO_CUDA(cudaFuncSetAttribute(
    kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, mostPerBlock - static_cast<int>(attributes.sharedSizeBytes)));
}

} // namespace cudaneuro

#endif
