// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/labels/LabelWeights.h"

#include "files/base/Errors.h"
#include "shared/Files.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <CLI/CLI.hpp>

namespace
{

constexpr double largestWeight = 1e6;

[[noreturn]] void
Refuse(const std::string & text, const std::string & rule)
{
  throw UserError("--weight-of-label is " + text + "; " + rule);
}

double
ParseWeight(const std::string & text, const std::string & number)
{
  char *       end = nullptr;
  const double weight = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(weight >= 0.0 && weight <= largestWeight))
  {
    Refuse(text, "the weight must be a number from 0 to 1e6");
  }
  return weight;
}

} // namespace

LabelWeights
ParseLabelWeights(const std::vector<std::string> & texts)
{
  LabelWeights weights;
  bool         hasOthers = false;
  for (const std::string & text : texts)
  {
    const std::size_t at = text.find('=');
    const std::string name = text.substr(0, at);
    if (at == std::string::npos)
    {
      Refuse(text, "it must be a label and its weight, as 17=0.5, or others=W");
    }
    const double weight = ParseWeight(text, text.substr(at + 1));
    if (name == "others")
    {
      if (hasOthers)
      {
        Refuse(text, "others has a weight already");
      }
      weights.others = weight;
      hasOthers = true;
      continue;
    }
    std::int64_t label = 0;
    if (!CLI::detail::lexical_cast(name, label))
    {
      Refuse(text, "the label must be a whole number of 64 bits, or others");
    }
    if (!weights.ofLabels.emplace(label, weight).second)
    {
      Refuse(text, "the label has a weight already");
    }
  }
  const bool isAny = std::any_of(
    weights.ofLabels.begin(), weights.ofLabels.end(), [](const auto & entry) { return entry.second > 0.0; });
  if (!isAny && weights.others == 0.0)
  {
    Refuse("0 for all labels", "one label at least must have a weight above 0, or --label-weight be 0");
  }
  return weights;
}
