// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_DependentLaunch_cuh
#define cudaneuro_cuda_DependentLaunch_cuh

#include "cuda/CudaCheck.h"

#include <cstddef>

/** Kernels that start while the previous kernel on their stream runs, and then do work that does not depend on it.
 * They need compute capability 9.0; on other devices kernels follow each other as usual. */
namespace cudaneuro
{

/** Called by the first kernel: the next kernel may start once each of its blocks has called this or ended. */
__device__ __forceinline__ void
LetNextKernelBegin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Called by a kernel that LaunchEarly launched: waits until the previous kernel has ended. Its results can be read
 * then, but not by __ldg. Some threads of the grid must call it even if they have nothing to do, because the next
 * kernel waits for this kernel only. */
__device__ __forceinline__ void
WaitForKernelBefore()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/** Returns whether the current device can start a kernel early. */
inline bool
CanLaunchEarly()
{
  int device = 0;
  int major = 0;
  CUDANEURO_CUDA(cudaGetDevice(&device));
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 9;
}

/** The launch parameters between <<< and >>>. */
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
