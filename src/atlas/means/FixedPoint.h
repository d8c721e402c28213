// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_FixedPoint_h
#define cudaneuro_atlas_means_FixedPoint_h

#include "core/HostDevice.h"

#include <cmath>
#include <cstdint>
#include <vector>

/** Weighted means as sums of integers, for both compilers. An image's contribution to a sum, weight * value * scale, is
 * rounded to 64 bits once. Integers are added without rounding: the mean does not depend on the order of the images,
 * nor on their distribution over devices and processes. */
namespace cudaneuro
{

/** Whole weights w_k, proportional to the given weights to 2^-30 N, with a sum below 2^31. Weights whose ratios are
 * powers of 2 keep these ratios exactly. */
inline std::vector<std::int32_t>
WholeWeights(const std::vector<double> & weights)
{
  double largest = 0.0;
  for (const double weight : weights)
  {
    largest = std::fmax(largest, weight);
  }
  int bits = 30;
  while (bits > 0 && std::ldexp(static_cast<double>(weights.size()), bits) >= 2147483648.0)
  {
    --bits;
  }
  std::vector<std::int32_t> whole;
  whole.reserve(weights.size());
  for (const double weight : weights)
  {
    whole.push_back(static_cast<std::int32_t>(std::llrint(std::ldexp(weight / largest, bits))));
  }
  return whole;
}

/** The scale, a power of 2, at which sums of values up to \p largest with weights that add up to less than 2^31 stay
 * below 2^62. */
inline double
FixedPointScale(double largest)
{
  int exponent = 0;
  std::frexp(largest, &exponent); // largest < 2^exponent
  return std::ldexp(1.0, 31 - exponent);
}

/** weight * value * scale, rounded to the nearest integer. \p factor is weight * scale. */
CUDANEURO_HOST_DEVICE std::int64_t
                      ToFixedPoint(float value, double factor)
{
#if defined(__CUDA_ARCH__)
  return __double2ll_rn(static_cast<double>(value) * factor);
#else
  return std::llrint(static_cast<double>(value) * factor);
#endif
}

/** The weighted mean of the values whose sum and sum of weights are given. */
CUDANEURO_HOST_DEVICE float
FromFixedPoint(std::int64_t sum, double inverseScale, double weight)
{
  return static_cast<float>(static_cast<double>(sum) * inverseScale / weight);
}

} // namespace cudaneuro

#endif
