// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_Compiler_h
#define cudaneuro_system_Compiler_h

/** Extensions of C++ under the names that each compiler has for them, or replacements where it has none. */

/** States that the iterations of the next loop do not depend on each other through memory. */
#if defined(__clang__)
#  define CUDANEURO_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#  define CUDANEURO_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#elif defined(_MSC_VER)
#  define CUDANEURO_INDEPENDENT_ITERATIONS __pragma(loop(ivdep))
#else
#  define CUDANEURO_INDEPENDENT_ITERATIONS
#endif

#if defined(__GNUC__)
#  define CUDANEURO_ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#  define CUDANEURO_ALWAYS_INLINE __forceinline
#else
#  define CUDANEURO_ALWAYS_INLINE inline
#endif

/** Declares a function that is compiled for some processors, with all that it calls: CUDANEURO_FOR_AVX2 void F() */
#if defined(__x86_64__) && defined(__GNUC__)
#  define CUDANEURO_HAS_WIDER_VECTORS 1
#  define CUDANEURO_FOR_AVX2 __attribute__((target("avx2,fma"), flatten, noinline))
#  if defined(__clang__)
#    define CUDANEURO_FOR_AVX512 \
      __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"), flatten, noinline))
#  else
#    define CUDANEURO_FOR_AVX512 \
      __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"), flatten, noinline))
#  endif
#else
#  define CUDANEURO_HAS_WIDER_VECTORS 0
#endif

#endif
