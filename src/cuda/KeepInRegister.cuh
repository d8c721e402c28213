// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_KeepInRegister_cuh
#define cudaneuro_cuda_KeepInRegister_cuh

namespace cudaneuro
{

/** Returns the value itself; the compiler keeps it in a register and does not recompute it inside a loop. */
__device__ __forceinline__ float
KeepInRegister(float value)
{
  asm volatile("" : "+f"(value));
  return value;
}

__device__ __forceinline__ int
KeepInRegister(int value)
{
  asm("" : "+r"(value));
  return value;
}

} // namespace cudaneuro

#endif
