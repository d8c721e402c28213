// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_WarpReduce_cuh
#define cudaneuro_cuda_WarpReduce_cuh

namespace cudaneuro
{

/** Returns the values of a warp's 32 lanes, combined in a fixed tree: combine(combine(0, 16), combine(8, 24)) etc.
 * All lanes must call it, and get the same result if \p combine is commutative.
 *
 * cub::WarpReduce would do the same; its headers add 3 s to the compilation of a file (CUDA 13, one architecture). */
template <typename TValue, typename TCombine>
__device__ __forceinline__ TValue
WarpReduce(TValue value, const TCombine & combine)
{
  for (int distance = 16; distance > 0; distance /= 2)
  {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  return value;
}

} // namespace cudaneuro

#endif
