// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_MeshNumberType_h
#define files_points_MeshNumberType_h

#include "files/base/ByteOrder.h"

#include <algorithm>
#include <cstdint>
#include <string>

/** A type of numbers in files of meshes: its names in PLY and VTK, its bytes, and what makes a double of them. */
struct MeshNumberType
{
  const char * names[3];
  std::size_t  bytes;
  double (*convert)(const char *, bool isBigEndian);
};

template <typename TNumber>
double
ToDouble(const char * bytes, bool isBigEndian)
{
  return static_cast<double>(NumberAt<TNumber>(bytes, isBigEndian));
}

/** Null for a name that is none. */
inline const MeshNumberType *
FindMeshNumberType(const std::string & name)
{
  static constexpr MeshNumberType types[] = {
    { { "char", "int8", "" }, 1, ToDouble<std::int8_t> },
    { { "uchar", "uint8", "unsigned_char" }, 1, ToDouble<std::uint8_t> },
    { { "short", "int16", "" }, 2, ToDouble<std::int16_t> },
    { { "ushort", "uint16", "unsigned_short" }, 2, ToDouble<std::uint16_t> },
    { { "int", "int32", "vtkidtype" }, 4, ToDouble<std::int32_t> },
    { { "uint", "uint32", "unsigned_int" }, 4, ToDouble<std::uint32_t> },
    { { "long", "int64", "vtktypeint64" }, 8, ToDouble<std::int64_t> },
    { { "unsigned_long", "uint64", "vtktypeuint64" }, 8, ToDouble<std::uint64_t> },
    { { "float", "float32", "" }, 4, ToDouble<float> },
    { { "double", "float64", "" }, 8, ToDouble<double> }
  };
  const auto * const found = std::find_if(std::begin(types), std::end(types), [&](const MeshNumberType & type) {
    return !name.empty() && std::count(std::begin(type.names), std::end(type.names), name) > 0;
  });
  return found == std::end(types) ? nullptr : found;
}

#endif
