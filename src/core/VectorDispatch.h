// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_VectorDispatch_h
#define cudaneuro_core_VectorDispatch_h

/** Tells the compiler that the iterations of the next loop do not depend on each other through memory. */
#if defined(__clang__)
#  define CUDANEURO_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#  define CUDANEURO_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#elif defined(_MSC_VER)
#  define CUDANEURO_INDEPENDENT_ITERATIONS __pragma(loop(ivdep))
#else
#  define CUDANEURO_INDEPENDENT_ITERATIONS
#endif

/** For the loops called within VectorDispatch: only what is inlined is compiled for the wider vectors. */
#if defined(__GNUC__)
#  define CUDANEURO_ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#  define CUDANEURO_ALWAYS_INLINE __forceinline
#else
#  define CUDANEURO_ALWAYS_INLINE inline
#endif

namespace cudaneuro::cpu
{

#if defined(__x86_64__) && defined(__GNUC__)

#  if defined(__clang__)
#    define CUDANEURO_TARGET_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"
#  else
#    define CUDANEURO_TARGET_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"
#  endif

enum class VectorLevel
{
  Baseline,
  Avx2,
  Avx512
};

/** The widest vectors that both the processor and the operating system support. */
inline VectorLevel
GetVectorLevel()
{
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
}

template <typename TBody>
__attribute__((target(CUDANEURO_TARGET_AVX512), flatten, noinline)) void
RunAvx512(const TBody & body)
{
  body();
}

template <typename TBody>
__attribute__((target("avx2,fma"), flatten, noinline)) void
RunAvx2(const TBody & body)
{
  body();
}

/** Runs \p body compiled for the processor's vectors: the body is inlined into one copy for each vector width. All
 * results are the same from run to run on one machine; they may differ in the last bit between machines. */
template <typename TBody>
void
VectorDispatch(const TBody & body)
{
  switch (GetVectorLevel())
  {
    case VectorLevel::Avx512:
      RunAvx512(body);
      return;
    case VectorLevel::Avx2:
      RunAvx2(body);
      return;
    case VectorLevel::Baseline:
      body();
      return;
  }
}

#else

/** Runs \p body; the baseline of other processors has the vectors that matter. */
template <typename TBody>
void
VectorDispatch(const TBody & body)
{
  body();
}

#endif

} // namespace cudaneuro::cpu

#endif
