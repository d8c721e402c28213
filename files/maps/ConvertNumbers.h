// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_ConvertNumbers_h
#define files_maps_ConvertNumbers_h

#include "files/base/NumberTypes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudaneuro::files
{

/** Converts a number to another type. For an integer type it is rounded and clamped, and NaN becomes 0. */
template <typename TNumber>
TNumber
ConvertNumber(double value)
{
  if constexpr (std::is_floating_point_v<TNumber>)
  {
    return static_cast<TNumber>(value);
  }
  else
  {
    using Limits = std::numeric_limits<TNumber>;
    const double rounded = std::nearbyint(value);
    // The largest 64-bit number is rounded up to a double that is outside the type.
    return !(rounded > static_cast<double>(Limits::lowest())) ? (std::isnan(value) ? TNumber(0) : Limits::lowest())
           : rounded >= static_cast<double>(Limits::max())    ? Limits::max()
                                                              : static_cast<TNumber>(rounded);
  }
}

/** Returns whether converting changes a value to 0 or to a limit of an integer type. Real types hold all values. */
template <typename TNumber>
constexpr bool
IsLimited(double value)
{
  if constexpr (std::is_integral_v<TNumber>)
  {
    using Limits = std::numeric_limits<TNumber>;
    // Halves are rounded to even numbers: to the smallest number, which is even, and beyond the largest, which is odd.
    constexpr double least = static_cast<double>(Limits::lowest()) - 0.5;
    constexpr double beyond = static_cast<double>(Limits::max()) + 0.5;
    return !(value >= least && value < beyond);
  }
  else
  {
    return false;
  }
}

/** Converts numbers to a type that is known at run time.
 * \param to memory for as many numbers of the type
 * \return how many of them the type does not hold */
template <typename TReal>
std::uint64_t
ConvertNumbers(const TReal * values, std::size_t count, itk::IOComponentEnum type, char * to)
{
  return WithComponentType(type, [=](auto number) {
    using NumberType = decltype(number);
    std::uint64_t limited = 0;
    std::transform(values, values + count, reinterpret_cast<NumberType *>(to), [&](double value) {
      limited += IsLimited<NumberType>(value) ? 1 : 0;
      return ConvertNumber<NumberType>(value);
    });
    return limited;
  });
}

} // namespace cudaneuro::files

#endif
