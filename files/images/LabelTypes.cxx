// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/LabelTypes.h"

#include "files/base/NumberTypes.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace cudaneuro::files
{

namespace
{

/** Whether a type has a whole number. */
template <typename TNumber>
bool
Holds(std::int64_t label)
{
  using Limits = std::numeric_limits<TNumber>;
  if constexpr (std::is_floating_point_v<TNumber>)
  {
    constexpr std::int64_t half = std::int64_t{ 1 } << 62; // from where a rounded number may be 2^63
    return label >= -half && label <= half && static_cast<std::int64_t>(static_cast<TNumber>(label)) == label;
  }
  else if constexpr (std::is_unsigned_v<TNumber>)
  {
    return label >= 0 && static_cast<std::uint64_t>(label) <= Limits::max();
  }
  else
  {
    return label >= Limits::min() && label <= Limits::max();
  }
}

} // namespace

itk::IOComponentEnum
TypeForLabels(const std::vector<std::int64_t> & labels, itk::IOComponentEnum wanted)
{
  const auto holds = [&labels](itk::IOComponentEnum type) {
    return WithComponentType(
      type, [&labels](auto number) { return std::all_of(labels.begin(), labels.end(), Holds<decltype(number)>); });
  };
  const itk::IOComponentEnum types[] = { wanted, componentTypeOf<std::int32_t>, componentTypeOf<std::int64_t> };
  return *std::find_if(std::begin(types), std::end(types) - 1, holds);
}

} // namespace cudaneuro::files
