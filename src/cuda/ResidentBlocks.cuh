// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_ResidentBlocks_cuh
#define cudaneuro_cuda_ResidentBlocks_cuh

namespace cudaneuro
{

/** The maximum number of threads on a multiprocessor of the architecture that is being compiled for. */
#if !defined(__CUDA_ARCH__)
constexpr int threadsPerMultiprocessor = 2048;
#elif __CUDA_ARCH__ < 800
constexpr int threadsPerMultiprocessor = 1024;
#elif (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200
constexpr int threadsPerMultiprocessor = 1536;
#else
constexpr int threadsPerMultiprocessor = 2048;
#endif

/** Returns the number of resident blocks for __launch_bounds__: as many as wanted, but at most as many as fit on a
 * multiprocessor, because compilers refuse more. */
constexpr int
ResidentBlocks(int wanted, int threads)
{
  return wanted * threads <= threadsPerMultiprocessor ? wanted : threadsPerMultiprocessor / threads;
}

} // namespace cudaneuro

#endif
