// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/OptionValue.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace
{

/** Returns the parts of a text between separators. */
std::vector<std::string>
Split(const std::string & text, char separator)
{
  std::vector<std::string> parts;
  std::istringstream       stream(text);
  for (std::string part; std::getline(stream, part, separator);)
  {
    parts.push_back(part);
  }
  return parts;
}

/** Returns a number without an exponent, because Slicer's widgets show as many decimals as the default has. */
std::string
PlainNumber(const std::string & text)
{
  char *       end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
  {
    return text;
  }
  char plain[400];
  std::snprintf(plain, sizeof(plain), "%.15f", value);
  std::string number = plain;
  number.erase(number.find_last_not_of('0') + 1);
  return number.back() == '.' ? number + '0' : number;
}

/** Returns the element for the type of a C++ variable. */
std::string
TagOfType(const std::string & type, bool isList)
{
  const std::string tag = type == "INT" || type == "UINT" ? "integer" : type == "FLOAT" ? "double" : "string";
  return isList ? tag + "-vector" : tag;
}

/** Parses "image output type=vector". */
void
SetKind(OptionValue & value, const std::string & type)
{
  std::istringstream words(type);
  words >> value.tag >> value.channel;
  for (std::string word; words >> word;)
  {
    const std::size_t at = word.find('=');
    value.attributes.emplace_back(word.substr(0, at), word.substr(at + 1));
  }
}

/** Reads choices or a range from a validator's description. */
void
SetRule(OptionValue & value, const std::string & rule)
{
  const std::string list = rule.size() > 2 ? rule.substr(1, rule.size() - 2) : std::string();
  if (rule.front() == '{')
  {
    value.tag = "string-enumeration";
    value.choices = Split(list, ',');
  }
  else if (rule.front() == '[')
  {
    const std::vector<std::string> ends = Split(list, ',');
    value.range = { std::stod(ends.front()), std::stod(ends.back()) };
  }
}

/** Returns CLI11's text of the default, without the brackets of lists. */
std::string
DefaultOf(const CLI::Option & option)
{
  std::string text = option.get_default_str();
  if (!text.empty() && text.front() == '[' && text.back() == ']')
  {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

} // namespace

OptionValue
ValueOf(const CLI::Option & option)
{
  OptionValue value;
  // The type, then the descriptions of validators.
  const std::vector<std::string> parts = Split(option.get_type_name(), ':');
  const std::string              type = parts.empty() ? "TEXT" : parts.front();
  if (type == notInSlicer)
  {
    return value;
  }
  if (option.get_items_expected_max() == 0)
  {
    value.tag = "boolean";
    value.standard = "false";
    return value;
  }
  if (std::any_of(type.begin(), type.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; }))
  {
    SetKind(value, type);
    return value;
  }
  value.tag = TagOfType(type, option.get_delimiter() != '\0');
  for (std::size_t i = 1; i < parts.size(); ++i)
  {
    SetRule(value, parts[i]);
  }
  if (!option.get_required())
  {
    value.standard = value.tag == "double" ? PlainNumber(DefaultOf(option)) : DefaultOf(option);
  }
  return value;
}

bool
IsSameValue(const std::string & first, const std::string & second)
{
  const std::vector<std::string> a = Split(first, ',');
  const std::vector<std::string> b = Split(second, ',');
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const std::string & x, const std::string & y) {
    return PlainNumber(x) == PlainNumber(y);
  });
}

void
TellDefault(CLI::Option & option)
{
  constexpr std::size_t width = 64;
  if (option.get_default_str().empty())
  {
    option.capture_default_str();
  }
  std::string       text = option.get_description();
  const std::string standard = DefaultOf(option);
  if (option.get_required() || standard.empty() || text.find("Default:") != std::string::npos)
  {
    return;
  }
  // Before the mode in which the option has an effect.
  const std::size_t end = std::min(text.find(".\nOnly with "), text.size());
  const std::string added = "Default: " + standard;
  const std::size_t line = text.rfind('\n', end == 0 ? 0 : end - 1);
  const std::size_t length = end - (line == std::string::npos ? 0 : line + 1);
  text.insert(end, (length + 2 + added.size() <= width ? ". " : ".\n") + added);
  option.description(text);
}
