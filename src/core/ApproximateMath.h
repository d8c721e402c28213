// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ApproximateMath_h
#define cudaneuro_core_ApproximateMath_h

#include "core/HostDevice.h"

#include <cmath>
#include <cstdint>
#include <cstring>

/** Functions for which a device has special units, with their errors there. */
namespace cudaneuro
{

/** 1.5 * 2^23. Its sum with a float of magnitude 2^22 or less has no bits for a fraction: it is rounded to an integer,
 * which is in the sum's low bits. */
constexpr float roundingShift = 12582912.0f;

/** Returns 1 / x for normal x > 0; on a device to 1 ulp, and 0 for x above 2^126. */
CUDANEURO_HOST_DEVICE float
ReciprocalOfPositive(float x)
{
#if defined(__CUDA_ARCH__)
  float result = 0.0f;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / x;
#endif
}

/** Returns the natural logarithm of normal x > 0; on a device to 2e-7 between 1/2 and 2, and to 2 ulp elsewhere. */
CUDANEURO_HOST_DEVICE float
LogOfPositive(float x)
{
#if defined(__CUDA_ARCH__)
  constexpr float logOf2 = 0.693147181f;
  float           log2;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2) : "f"(x));
  return logOf2 * log2;
#else
  return std::log(x);
#endif
}

/** log2(e), with which exp(x) = 2^(x log2(e)). */
constexpr double log2OfE = 1.44269504088896340736;

/** Returns 2^x for x <= 0 with FMA and integer units only; relative error below 1e-7; 0 below 2^least and for -inf.
 * Branch-free, so that compilers vectorize it. NaN is not handled. */
CUDANEURO_HOST_DEVICE float
Exp2Polynomial(float x, float least = -126.0f)
{
  const float clamped = x < least ? least : x;
  const float shifted = clamped + roundingShift;
  const float r = clamped - (shifted - roundingShift);
  // A relative minimax fit of 2^r on [-1/2, 1/2].
  float p = 1.5345811e-4f;
  p = p * r + 1.3399931e-3f;
  p = p * r + 9.6184891e-3f;
  p = p * r + 5.5503286e-2f;
  p = p * r + 2.4022646e-1f;
  p = p * r + 6.9314718e-1f;
  p = p * r + 1.0f;
  // Unsigned, because the shift drops the high bits, which is undefined for a signed integer.
  std::uint32_t exponent = 0;
  std::uint32_t bits = 0;
  std::memcpy(&exponent, &shifted, sizeof(exponent));
  std::memcpy(&bits, &p, sizeof(bits));
  bits += exponent << 23;
  float result = 0.0f;
  std::memcpy(&result, &bits, sizeof(result));
  return x < least ? 0.0f : result;
}

/** Returns Exp2Polynomial in double precision: relative error below 4e-16. */
CUDANEURO_HOST_DEVICE double
Exp2Polynomial(double x, double least = -1022.0)
{
  constexpr double shift = 6755399441055744.0; // 1.5 * 2^52, like roundingShift
  const double     clamped = x < least ? least : x;
  const double     shifted = clamped + shift;
  const double     r = clamped - (shifted - shift);
  // (2^r - 1) / r interpolated at the 11 Chebyshev nodes of [-1/2, 1/2].
  double p = 4.4549605981865186e-10;
  p = p * r + 7.072585949269223e-09;
  p = p * r + 1.0178062445845774e-07;
  p = p * r + 1.321544258792169e-06;
  p = p * r + 1.525273382983612e-05;
  p = p * r + 0.0001540353044173605;
  p = p * r + 0.0013333558146416936;
  p = p * r + 0.009618129107606888;
  p = p * r + 0.0555041086648216;
  p = p * r + 0.24022650695910097;
  p = p * r + 0.6931471805599453;
  p = p * r + 1.0;
  std::uint64_t exponent = 0;
  std::uint64_t bits = 0;
  std::memcpy(&exponent, &shifted, sizeof(exponent));
  std::memcpy(&bits, &p, sizeof(bits));
  bits += exponent << 52;
  double result = 0.0;
  std::memcpy(&result, &bits, sizeof(result));
  return x < least ? 0.0 : result;
}

/** Returns 2^x for x <= 0: by the special function unit on a device (2 ulp), by the polynomial on the host. Results
 * below 2^least may be 0: processors are slow at products that leave the range of normal numbers. */
CUDANEURO_HOST_DEVICE float
Exp2(float x, float least = -126.0f)
{
#if defined(__CUDA_ARCH__)
  float result = 0.0f;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return Exp2Polynomial(x, least);
#endif
}

CUDANEURO_HOST_DEVICE double
Exp2(double x, double least = -1022.0)
{
#if defined(__CUDA_ARCH__)
  return exp2(x);
#else
  return Exp2Polynomial(x, least);
#endif
}

/** Returns whether x is neither infinite nor NaN; works with fast-math flags, too. */
CUDANEURO_HOST_DEVICE bool
IsFinite(float x)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return (bits & 0x7f800000u) != 0x7f800000u;
}

} // namespace cudaneuro

#endif
