// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_DependentLaunch_cuh
#define cudaneuro_cuda_DependentLaunch_cuh

#include "cuda/CudaCheck.h"

#include <cstddef>

/** A kernel that begins while the one before it on its stream still runs, and does there what does not depend on it.
 * From compute capability 9.0 on; elsewhere kernels follow each other as usual. */
namespace cudaneuro
{

/** Of the kernel before: what follows it may begin when each of its blocks has called this or ended. */
__device__ __forceinline__ void
LetNextKernelBegin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Of a kernel that LaunchEarly launched: waits until the kernel before has ended, and what it wrote can be read, but not
 * by __ldg. Some threads of the grid have to call it even if they have nothing to do, as the next kernel waits for this
 * one alone. */
__device__ __forceinline__ void
WaitForKernelBefore()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/** Whether the current device can start a kernel early. */
inline bool
CanLaunchEarly()
{
  int device = 0;
  int major = 0;
  CUDANEURO_CUDA(cudaGetDevice(&device));
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 9;
}

/** As between <<< and >>>. */
struct LaunchShape
{
  dim3         blocks;
  dim3         threads;
  std::size_t  sharedBytes = 0;
  cudaStream_t stream = nullptr;
};

/** Launches a kernel, which begins early if \p isEarly. */
template <typename... TArguments>
void
LaunchEarly(bool isEarly, void (*kernel)(TArguments...), const LaunchShape & shape, const TArguments &... arguments)
{
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = shape.blocks;
  configuration.blockDim = shape.threads;
  configuration.dynamicSmemBytes = shape.sharedBytes;
  configuration.stream = shape.stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = isEarly ? 1 : 0;
  CUDANEURO_CUDA(cudaLaunchKernelEx(&configuration, kernel, arguments...));
}

} // namespace cudaneuro

#endif
