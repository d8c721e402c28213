// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_Processor_h
#define cudaneuro_system_Processor_h

#include "system/Compiler.h"

namespace cudaneuro::cpu
{

/** The SIMD vectors for which code is compiled. */
enum class VectorLevel
{
  /** The vectors of all processors of the kind: SSE2 of x86-64, NEON of 64-bit ARM. */
  Baseline,
  Avx2,
  Avx512
};

/** Returns the widest vectors that the compiler, the processor and the operating system support. */
inline VectorLevel
GetVectorLevel()
{
#if CUDANEURO_HAS_WIDER_VECTORS
  static const VectorLevel level = [] {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    {
      return VectorLevel::Baseline;
    }
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return avx512 ? VectorLevel::Avx512 : VectorLevel::Avx2;
  }();
  return level;
#else
  return VectorLevel::Baseline;
#endif
}

} // namespace cudaneuro::cpu

#endif
