// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ApproximateMath_h
#define cudaneuro_core_ApproximateMath_h

#include "core/HostDevice.h"

#include <cmath>

/** Functions that a device has special units for, with their errors there. */
namespace cudaneuro
{

/** 1.5 * 2^23. Its sum with a float of magnitude 2^22 or less has no bits for a fraction: it is rounded to an integer,
 * which stands in the sum's low bits. */
constexpr float roundingShift = 12582912.0f;

/** 1 / x for normal x > 0; on a device to 1 ulp, and 0 above 2^126. */
CUDANEURO_HOST_DEVICE float
ReciprocalOfPositive(float x)
{
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / x;
#endif
}

/** Natural logarithm of normal x > 0; on a device to 2e-7 between 1/2 and 2, and to 2 ulp elsewhere. */
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

} // namespace cudaneuro

#endif
