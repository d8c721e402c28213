// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_EnumNames_h
#define cudaneuro_core_EnumNames_h

#include "cudaneuro/Error.h"

#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>

namespace cudaneuro
{

/** An enumeration's values with their names. */
template <typename TEnum, std::size_t VCount>
struct EnumNames
{
  const char *                                       kind;
  std::array<std::pair<TEnum, const char *>, VCount> entries;

  std::ostream &
  Print(std::ostream & os, TEnum value) const
  {
    for (const auto & [entry, name] : entries)
    {
      if (entry == value)
      {
        return os << name;
      }
    }
    return os << "(unknown " << kind << ' ' << static_cast<int>(value) << ')';
  }

  TEnum
  Parse(const std::string & text) const
  {
    std::string names;
    for (const auto & [entry, name] : entries)
    {
      if (text == name)
      {
        return entry;
      }
      names += names.empty() ? name : std::string(", ") + name;
    }
    throw InvalidParameterError("Unknown " + std::string(kind) + " \"" + text + "\": use one of " + names);
  }
};

} // namespace cudaneuro

#endif
