// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_AsyncCopy_cuh
#define cudaneuro_cuda_AsyncCopy_cuh

/** Asynchronous copies from global to shared memory, during which a thread can do other work. */
namespace cudaneuro
{

/** Starts copying 16 bytes from global to shared memory, past the L1 cache. */
__device__ inline void
StartCopy(int4 * shared, const int4 * global)
{
#if __CUDA_ARCH__ >= 800
  const unsigned int address = static_cast<unsigned int>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
#else
  *shared = __ldcg(global);
#endif
}

/** Ends a batch of copies. */
__device__ inline void
CommitCopies()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/** Waits for the copies of this thread except those of the last VPending batches. */
template <int VPending>
__device__ inline void
WaitForCopies()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(VPending) : "memory");
#endif
}

} // namespace cudaneuro

#endif
