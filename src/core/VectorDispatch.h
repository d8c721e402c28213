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

/** Runs \p body compiled for the processor's SIMD vectors: the body is inlined into one copy for each vector width, and
 * only inlined functions are compiled for it (CUDANEURO_ALWAYS_INLINE). There is one copy if the compiler makes no such
 * copies, or if all processors have the same useful vectors, such as NEON of ARM. All results are the same from run to
 * run on one machine; they may differ in the last bit between machines. */
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
