// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_CounterRandom_h
#define cudaneuro_core_CounterRandom_h

#include "core/HostDevice.h"

#include <cmath>
#include <cstdint>

/** Random numbers that are functions of a key and a counter, so that threads need no state. They are equal on every
 * machine: besides integers they use only operations that IEEE 754 rounds exactly, unlike a library's logarithm.
 * Functions of floats are static, so that each source has its own: a compiler that may fuse products and sums does so
 * in sources without -ffp-contract=off, for ARM for example, and a linker keeps any one of several equal names. */
namespace cudaneuro
{

/** Returns splitmix64 (Steele, Lea and Flood 2014) at a counter. */
CUDANEURO_HOST_DEVICE std::uint64_t
                      RandomBits(std::uint64_t key, std::uint64_t counter)
{
  std::uint64_t x = key + (counter + 1) * 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/** Returns a number that is uniform in (0, 1), and never one of the ends. */
static inline double
RandomUniform(std::uint64_t key, std::uint64_t counter)
{
  constexpr double unit = 1.0 / 4503599627370496.0; // 2^-52
  return (static_cast<double>(RandomBits(key, counter) >> 12) + 0.5) * unit;
}

/** Returns the natural logarithm of x > 0 to 1e-13, by log m = 2 atanh((m - 1) / (m + 1)) and the series of atanh. */
static inline double
PortableLog(double x)
{
  constexpr double logOf2 = 0.69314718055994530942;
  constexpr double rootOfHalf = 0.70710678118654752440;
  int              exponent = 0;
  double           m = std::frexp(x, &exponent); // in [1/2, 1)
  if (m < rootOfHalf)
  {
    m *= 2.0;
    --exponent;
  }
  const double z = (m - 1.0) / (m + 1.0); // |z| < 0.172, so that z^18 / 19 < 1e-15
  double       series = 0.0;
  for (int power = 17; power > 0; power -= 2)
  {
    series = series * z * z + 1.0 / power;
  }
  return 2.0 * z * series + exponent * logOf2;
}

/** Returns a normal number with mean 0 and standard deviation 1, by the polar method (Marsaglia and Bray 1964). */
static inline double
RandomNormal(std::uint64_t key, std::uint64_t counter)
{
  const std::uint64_t stream = RandomBits(key, counter);
  for (std::uint64_t attempt = 0;; ++attempt)
  {
    const double x = 2.0 * RandomUniform(stream, 2 * attempt) - 1.0;
    const double y = 2.0 * RandomUniform(stream, 2 * attempt + 1) - 1.0;
    const double square = x * x + y * y;
    if (square < 1.0)
    {
      return x * std::sqrt(-2.0 * PortableLog(square) / square);
    }
  }
}

} // namespace cudaneuro

#endif
