// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_NumbersToWrite_h
#define apps_transform_NumbersToWrite_h

#include "files/base/NumberTypes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

/** The bytes of numbers of a type. Whole numbers are rounded, and what the type has not becomes its nearest. */
class NumbersToWrite
{
public:
  explicit NumbersToWrite(itk::IOComponentEnum type)
    : m_Type(type)
  {}

  void
  Append(const std::vector<double> & values)
  {
    const std::size_t before = m_Bytes.size();
    m_Bytes.resize(before + values.size() * BytesOf(m_Type));
    Convert(m_Type, values.data(), values.size(), m_Bytes.data() + before);
  }
  template <typename TReal>
  static void
  Convert(itk::IOComponentEnum type, const TReal * values, std::size_t count, char * to)
  {
    WithComponentType(type, [&](auto number) {
      using NumberType = decltype(number);
      std::transform(values, values + count, reinterpret_cast<NumberType *>(to), ToNumber<NumberType>);
    });
  }
  const void *
  GetData() const
  {
    return m_Bytes.data();
  }

private:
  template <typename TNumber>
  static TNumber
  ToNumber(double value)
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

  itk::IOComponentEnum m_Type;
  std::vector<char>    m_Bytes;
};

#endif
