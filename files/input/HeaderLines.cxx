// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/HeaderLines.h"

#include <regex>

namespace cudaneuro::files
{

std::vector<std::string>
NamesOfPattern(const std::string & headerPath,
               const std::string & pattern,
               std::int64_t        first,
               std::int64_t        last,
               std::int64_t        step,
               std::uint64_t       most)
{
  const auto refuse = [&](const std::string & expected) {
    RefuseField(headerPath, "the pattern of its data files", '"' + Printable(pattern) + '"', expected);
  };
  std::smatch match;
  // A width of more digits would make names that are too long for any system.
  if (!std::regex_match(pattern, match, std::regex("([^%]*)%(0?)([0-9]{0,2})[diu]([^%]*)")))
  {
    refuse("it must have one whole number, like slice%03d.raw");
  }
  const std::size_t width = match[3].length() == 0 ? 0 : std::stoul(match[3]);
  if (step == 0 || (step > 0) != (last >= first))
  {
    refuse("its numbers go from " + std::to_string(first) + " to " + std::to_string(last) + " in steps of " +
           std::to_string(step) + ", which are none");
  }
  std::vector<std::string> names;
  for (std::int64_t i = first; step > 0 ? i <= last : i >= last; i += step)
  {
    if (names.size() == most)
    {
      refuse("it stands for more files than there are slices, " + std::to_string(most));
    }
    const std::string digits = std::to_string(i);
    const std::size_t missing = width - std::min(width, digits.size());
    names.push_back(match[1].str() + std::string(missing, match[2].length() > 0 ? '0' : ' ') + digits + match[4].str());
  }
  return names;
}

} // namespace cudaneuro::files
