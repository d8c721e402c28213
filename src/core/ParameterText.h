// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ParameterText_h
#define cudaneuro_core_ParameterText_h

#include "core/ParameterChecks.h"

#include <algorithm>
#include <initializer_list>
#include <ostream>
#include <locale>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** Parameters as lines of text with all their bits, by their descriptions: equal lines mean equal parameters. */
namespace cudaneuro
{

/** Tests whether a type has a description. */
template <typename T, typename = void>
struct IsDescribed : std::false_type
{};
template <typename T>
struct IsDescribed<T, std::void_t<decltype(Describe(std::declval<const T &>()))>> : std::true_type
{};

/** Writes a value after a space: the elements of a list one by one, and likewise the members of a struct. */
template <typename TValue>
void
WriteValue(std::ostream & os, const TValue & value)
{
  if constexpr (IsDescribed<TValue>::value)
  {
    ForEachParameter(value, [&](const auto &, const auto & member) { WriteValue(os, member); });
  }
  else if constexpr (IsList<TValue>::value && !std::is_same_v<TValue, std::string>)
  {
    for (const auto & element : value)
    {
      WriteValue(os, element);
    }
  }
  else
  {
    os << ' ' << value;
  }
}

/** Returns a line with a name and its values. */
template <typename... TValues>
std::string
LineOf(const std::string & name, const TValues &... values)
{
  std::ostringstream line;
  line.imbue(std::locale::classic());
  line << name << std::hexfloat;
  (WriteValue(line, values), ...);
  return line.str();
}

/** Appends a line for each parameter that has an effect; a nested struct is replaced by its lines.
 * \param without names of parameters to be omitted */
template <typename TParameters>
void
AppendLines(std::vector<std::string> &         lines,
            const TParameters &                parameters,
            std::initializer_list<std::string> without = {})
{
  ForEachParameter(parameters, [&](const auto & parameter, const auto & value) {
    const bool isLeftOut = std::find(without.begin(), without.end(), parameter.name) != without.end();
    if (isLeftOut || !parameter.condition.Holds(parameters))
    {
      return;
    }
    if constexpr (IsDescribed<std::decay_t<decltype(value)>>::value)
    {
      AppendLines(lines, value, without);
    }
    else
    {
      lines.push_back(LineOf(parameter.name, value));
    }
  });
}

} // namespace cudaneuro

#endif
