// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_PixelConversion_h
#define cudaneuro_jobs_PixelConversion_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"
#include "cudaneuro/Volume.h"

#include <limits>
#include <type_traits>

namespace cudaneuro
{

/** Returns the nearest integer, ties to even, of a value below 2^22 in magnitude. Adding 1.5 * 2^(digits - 1) leaves no
 * bits for a fraction: every processor computes the same bits, without a function call or a slow conversion. */
template <typename TReal>
CUDANEURO_HOST_DEVICE TReal
RoundToNearest(TReal x)
{
  constexpr TReal shift = std::is_same_v<TReal, float> ? roundingShift : static_cast<TReal>(6755399441055744.0);
  return (x + shift) - shift;
}

/** Returns a pixel value in another pixel type: values outside the range of an integer type saturate, real values are
 * rounded to the nearest integer (ties to even), and NaN becomes the integer 0. */
template <typename TTo, typename TFrom>
CUDANEURO_HOST_DEVICE TTo
ConvertPixel(TFrom x)
{
  if constexpr (std::is_floating_point_v<TTo> || std::is_same_v<TTo, TFrom>)
  {
    return static_cast<TTo>(x);
  }
  else
  {
    // Int, or the floating-point type itself: every pixel type's range is exact in both.
    using Wide = std::conditional_t<std::is_floating_point_v<TFrom>, TFrom, int>;
    static_assert(sizeof(TTo) <= 2, "the limits must be exact in float");
    constexpr Wide low = std::numeric_limits<TTo>::lowest();
    constexpr Wide high = std::numeric_limits<TTo>::max();
    const Wide     value = x;
    Wide           bounded = value < high ? value : high;
    bounded = bounded > low ? bounded : low;
    if constexpr (std::is_floating_point_v<TFrom>)
    {
      // NaN, which is not equal to itself, becomes 0. NOLINTNEXTLINE(misc-redundant-expression)
      bounded = value == value ? RoundToNearest(bounded) : Wide{ 0 };
      return static_cast<TTo>(static_cast<int>(bounded));
    }
    else
    {
      return static_cast<TTo>(bounded);
    }
  }
}

/** Calls body(T()) with the C++ type of \p type. */
template <typename TBody>
void
WithPixelType(PixelType type, const TBody & body)
{
  switch (type)
  {
    case PixelType::UnsignedChar:
      return body(static_cast<unsigned char>(0));
    case PixelType::Short:
      return body(static_cast<short>(0));
    case PixelType::UnsignedShort:
      return body(static_cast<unsigned short>(0));
    case PixelType::Float:
      return body(0.0f);
    case PixelType::Double:
      return body(0.0);
  }
}

} // namespace cudaneuro

#endif
