// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_SharedMemoryLimit_h
#define cudaneuro_cuda_SharedMemoryLimit_h

#include "cuda/CudaCheck.h"

namespace cudaneuro
{

/** Lets blocks of a kernel have as much dynamic shared memory as the current device can give them. The limit belongs to
 * the kernel, not to the launch: if it were what one launch needs, another thread's smaller launch could lower it
 * before the first launch has started. */
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
