// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_ConvertNumbers_h
#define files_maps_ConvertNumbers_h

#include "files/base/NumberTypes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace cudaneuro::files
{

/** A number of another type. For a type of whole numbers it is rounded, and becomes the nearest that the type has; NaN
 * becomes 0. */
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
    // The largest number of 64 bits is rounded up to a double that is not one.
    return !(rounded > static_cast<double>(Limits::lowest())) ? (std::isnan(value) ? TNumber(0) : Limits::lowest())
           : rounded >= static_cast<double>(Limits::max())    ? Limits::max()
                                                              : static_cast<TNumber>(rounded);
  }
}

/** Converts numbers to a type that is known at run time.
 * \param to room for the bytes of as many numbers of the type */
template <typename TReal>
void
ConvertNumbers(const TReal * values, std::size_t count, itk::IOComponentEnum type, char * to)
{
  WithComponentType(type, [&](auto number) {
    using NumberType = decltype(number);
    std::transform(values, values + count, reinterpret_cast<NumberType *>(to), ConvertNumber<NumberType>);
  });
}

} // namespace cudaneuro::files

#endif
