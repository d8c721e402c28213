// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_VectorDispatch_h
#define cudaneuro_core_VectorDispatch_h

#include "system/Compiler.h"
#include "system/Processor.h"

namespace cudaneuro::cpu
{

#if CUDANEURO_HAS_WIDER_VECTORS

template <typename TBody>
CUDANEURO_FOR_AVX512 void
RunAvx512(const TBody & body)
{
  body();
}

template <typename TBody>
CUDANEURO_FOR_AVX2 void
RunAvx2(const TBody & body)
{
  body();
}

#endif

/** Runs \p body compiled for the processor's vectors: the body is inlined into one copy for each vector width, and only
 * what is inlined is compiled so (CUDANEURO_ALWAYS_INLINE). Where the compiler makes no such copies, or all processors
 * have the vectors that matter, as those of ARM have NEON, there is one. All results are the same from run to run on
 * one machine; they may differ in the last bit between machines. */
template <typename TBody>
void
VectorDispatch(const TBody & body)
{
#if CUDANEURO_HAS_WIDER_VECTORS
  switch (GetVectorLevel())
  {
    case VectorLevel::Avx512:
      RunAvx512(body);
      return;
    case VectorLevel::Avx2:
      RunAvx2(body);
      return;
    case VectorLevel::Baseline:
      break;
  }
#endif
  body();
}

} // namespace cudaneuro::cpu

#endif
