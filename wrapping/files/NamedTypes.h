// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NamedTypes_h
#define NamedTypes_h

#include "files/base/Errors.h"
#include "itkCommonEnums.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace itk
{

/** The name of a type of numbers in the package itk. */
struct NamedType
{
  const char *    name;
  IOComponentEnum type;
};

constexpr NamedType namedTypes[] = { { "UC", IOComponentEnum::UCHAR },      { "SC", IOComponentEnum::CHAR },
                                     { "US", IOComponentEnum::USHORT },     { "SS", IOComponentEnum::SHORT },
                                     { "UI", IOComponentEnum::UINT },       { "SI", IOComponentEnum::INT },
                                     { "UL", IOComponentEnum::ULONG },      { "SL", IOComponentEnum::LONG },
                                     { "ULL", IOComponentEnum::ULONGLONG }, { "SLL", IOComponentEnum::LONGLONG },
                                     { "F", IOComponentEnum::FLOAT },       { "D", IOComponentEnum::DOUBLE } };

/** Returns the types. \throws cudaneuro::files::UserError that names a wrong name */
inline std::vector<IOComponentEnum>
TypesNamed(const std::vector<std::string> & names)
{
  std::vector<IOComponentEnum> types;
  for (const std::string & name : names)
  {
    const auto * const found = std::find_if(
      std::begin(namedTypes), std::end(namedTypes), [&](const NamedType & known) { return name == known.name; });
    if (found == std::end(namedTypes))
    {
      throw cudaneuro::files::UserError("there are no images of " + name +
                                        " here: a pixel type is one of itk.UC, itk.SS, itk.F and so on");
    }
    types.push_back(found->type);
  }
  return types;
}

} // namespace itk

#endif
