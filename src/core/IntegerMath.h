// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_IntegerMath_h
#define cudaneuro_core_IntegerMath_h

#include "core/HostDevice.h"

#include <type_traits>

/** Division and rounding of integers that are not negative, for both compilers. */
namespace cudaneuro
{

/** Returns the number of groups of \p size that hold \p count elements. */
template <typename TCount, typename TSize>
constexpr CUDANEURO_HOST_DEVICE std::common_type_t<TCount, TSize>
                                DivideUp(TCount count, TSize size)
{
  return (count + size - 1) / size;
}

/** Returns the smallest multiple of \p multiple that is not below \p value. */
template <typename TValue, typename TMultiple>
constexpr CUDANEURO_HOST_DEVICE std::common_type_t<TValue, TMultiple>
                                RoundUp(TValue value, TMultiple multiple)
{
  return DivideUp(value, multiple) * multiple;
}

/** Returns the largest multiple of \p multiple that is not above \p value. */
template <typename TValue, typename TMultiple>
constexpr CUDANEURO_HOST_DEVICE std::common_type_t<TValue, TMultiple>
                                RoundDown(TValue value, TMultiple multiple)
{
  return value / multiple * multiple;
}

} // namespace cudaneuro

#endif
