// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NumberTypes_h
#define files_images_NumberTypes_h

#include "files/base/ByteOrder.h"
#include "itkImageIOBase.h"

#include <cstddef>

/** The types of the numbers in image files. */

/** ITK's name of a type of C++. */
template <typename TNumber>
constexpr itk::IOComponentEnum componentTypeOf = itk::ImageIOBase::MapPixelType<TNumber>::CType;

/** Calls a generic function with a number of a type. */
template <typename TFunction>
auto
WithComponentType(itk::IOComponentEnum type, const TFunction & function)
{
  using Type = itk::IOComponentEnum;
  switch (type)
  {
    case Type::UCHAR:
      return function(static_cast<unsigned char>(0));
    case Type::CHAR:
      return function(static_cast<signed char>(0));
    case Type::USHORT:
      return function(static_cast<unsigned short>(0));
    case Type::SHORT:
      return function(static_cast<short>(0));
    case Type::UINT:
      return function(0u);
    case Type::INT:
      return function(0);
    case Type::ULONG:
      return function(0ul);
    case Type::LONG:
      return function(0l);
    case Type::ULONGLONG:
      return function(0ull);
    case Type::LONGLONG:
      return function(0ll);
    case Type::FLOAT:
      return function(0.0f);
    default:
      return function(0.0);
  }
}

inline std::size_t
BytesOf(itk::IOComponentEnum type)
{
  return WithComponentType(type, [](auto number) { return sizeof(number); });
}

#endif
