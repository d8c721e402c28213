// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_NumberTypes_h
#define files_base_NumberTypes_h

#include "itkImageIOBase.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace cudaneuro::files
{

/** The types of numbers in files, and their byte orders. */

/** Returns the number at an address that need not be aligned. A swapped number is big-endian; this machine is
 * little-endian, like all with CUDA. */
template <typename TNumber, bool VIsSwapped = false>
TNumber
NumberAt(const char * data)
{
  TNumber number;
  std::memcpy(&number, data, sizeof(TNumber));
  if constexpr (VIsSwapped)
  {
    char * const bytes = reinterpret_cast<char *>(&number);
    std::reverse(bytes, bytes + sizeof(TNumber));
  }
  return number;
}

template <typename TNumber>
TNumber
NumberAt(const char * data, bool isSwapped)
{
  return isSwapped ? NumberAt<TNumber, true>(data) : NumberAt<TNumber>(data);
}

/** Appends the bytes of a number to a file's content. */
template <typename TNumber>
void
AppendNumber(std::string & content, TNumber number, bool isSwapped = false)
{
  number = NumberAt<TNumber>(reinterpret_cast<const char *>(&number), isSwapped);
  content.append(reinterpret_cast<const char *>(&number), sizeof(number));
}

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

/** Returns a number of a type as a double. */
inline double
NumberAt(itk::IOComponentEnum type, const char * data, bool isSwapped)
{
  return WithComponentType(
    type, [&](auto number) { return static_cast<double>(NumberAt<decltype(number)>(data, isSwapped)); });
}

/** Returns the type of a name in formats of meshes, or UNKNOWNCOMPONENTTYPE. PLY and GIFTI name types as C does, or
 * with their bits; VTK has further names, and its identifiers first had 32, then 64 bits. */
inline itk::IOComponentEnum
TypeNamed(const std::string & name)
{
  using Type = itk::IOComponentEnum;
  static constexpr struct
  {
    Type         type;
    const char * names[3];
  } known[] = { { Type::CHAR, { "char", "int8", "signed_char" } },
                { Type::UCHAR, { "uchar", "uint8", "unsigned_char" } },
                { Type::SHORT, { "short", "int16" } },
                { Type::USHORT, { "ushort", "uint16", "unsigned_short" } },
                { Type::INT, { "int", "int32", "vtkidtype" } },
                { Type::UINT, { "uint", "uint32", "unsigned_int" } },
                // C's long has 32 bits on Windows.
                { Type::LONGLONG, { "long", "int64", "vtktypeint64" } },
                { Type::ULONGLONG, { "unsigned_long", "uint64", "vtktypeuint64" } },
                { Type::FLOAT, { "float", "float32" } },
                { Type::DOUBLE, { "double", "float64" } } };
  for (const auto & [type, names] : known)
  {
    for (const char * const own : names)
    {
      if (own != nullptr && name == own)
      {
        return type;
      }
    }
  }
  return Type::UNKNOWNCOMPONENTTYPE;
}

} // namespace cudaneuro::files

#endif
