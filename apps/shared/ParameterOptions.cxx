// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ParameterOptions.h"

#include <cctype>
#include <cmath>

namespace
{

/** Ends of ranges beyond these exist only for float arithmetic, and are not shown in help. */
constexpr double tiny = 1e-6;
constexpr double huge = 1e6;

/** Breaks a text into lines of help. */
std::string
InLines(const std::string & text)
{
  constexpr std::size_t width = 64;
  std::istringstream    words(text);
  std::string           lines;
  std::size_t           length = 0;
  for (std::string word; words >> word;)
  {
    const bool isNewLine = length > 0 && length + 1 + word.size() > width;
    lines += length == 0 ? "" : isNewLine ? "\n" : " ";
    length = (isNewLine || length == 0 ? 0 : length + 1) + word.size();
    lines += word;
  }
  return lines;
}

std::string
RangeText(const cudaneuro::ParameterRange & range)
{
  std::ostringstream text;
  const bool         hasEnd = range.maximum < huge;
  if (range.minimum > tiny)
  {
    text << (hasEnd ? ", from " : ", at least ") << range.minimum;
  }
  if (hasEnd)
  {
    text << (range.minimum > tiny ? " to " : ", up to ") << range.maximum;
  }
  if (range.step > 0.0)
  {
    text << " in steps of " << range.step;
  }
  return text.str();
}

} // namespace

std::string
OptionWords(const std::string & name)
{
  std::string words;
  for (std::size_t i = 0; i < name.size(); ++i)
  {
    const auto isUpper = [&](std::size_t at) { return std::isupper(static_cast<unsigned char>(name[at])) != 0; };
    const auto isDigit = [&](std::size_t at) { return std::isdigit(static_cast<unsigned char>(name[at])) != 0; };
    const bool begins = i > 0 && ((isUpper(i) && !isUpper(i - 1)) || (isDigit(i) && !isDigit(i - 1)));
    words += begins ? "-" : "";
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return words;
}

std::string
NamesOfOption(const std::string & otherNames, const char * parameter)
{
  const std::string name = "--" + OptionWords(parameter);
  return otherNames.empty() ? name : name + ',' + otherNames;
}

std::string
HelpOf(const char * meaning, const char * unit, const cudaneuro::ParameterRange & range, bool isCount)
{
  std::string text = meaning;
  if (*unit != '\0')
  {
    text += std::string(", in ") + unit;
  }
  else if (isCount && text.rfind("Number of", 0) != 0)
  {
    text =
      std::string("Number of ") + static_cast<char>(std::tolower(static_cast<unsigned char>(text[0]))) + text.substr(1);
  }
  else if (!isCount && std::isfinite(range.minimum) && text.find("fraction") == std::string::npos)
  {
    text += ", without unit";
  }
  return InLines(text + RangeText(range));
}

CLI::Validator
RangeValidator(const cudaneuro::ParameterRange & range)
{
  const double       minimum = range.orZero ? 0.0 : range.minimum;
  const bool         isPositive = minimum > 0.0 && minimum <= tiny;
  CLI::Validator     validator = isPositive ? Positive() : AtLeast(minimum);
  std::ostringstream ends;
  ends << '[' << (isPositive ? 0.01 : minimum) << ',' << range.maximum << ']';
  return range.maximum < huge ? validator.description(ends.str()) : validator;
}

std::string
PlaceInReport(const std::string & where, const std::string & name)
{
  std::string key = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  std::replace(key.begin(), key.end(), '-', '_');
  return where + '/' + key;
}

std::string
OptionNameOf(const CLI::App & app, const char * parameter)
{
  return app.get_option("--" + OptionWords(parameter))->get_name();
}
