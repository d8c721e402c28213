// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "CommandOptions.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace
{

/** A validator of numbers; what is no number is left to CLI11 to complain about. */
CLI::Validator
NumberValidator(const std::function<bool(double)> & isValid, const std::string & rule)
{
  return CLI::Validator(
    [isValid, rule](std::string & text) {
      double value = 0.0;
      return !CLI::detail::lexical_cast(text, value) || isValid(value) ? std::string() : rule + "; it is " + text;
    },
    "");
}

/** The names with commas between them, in lines of at most so many characters. */
std::string
Join(const std::vector<std::string> & names, std::size_t width)
{
  std::string text;
  std::size_t lineBegin = 0;
  for (const std::string & name : names)
  {
    text += text.empty() ? "" : ",";
    if (text.size() + name.size() + 2 > lineBegin + width)
    {
      text += '\n';
      lineBegin = text.size();
    }
    else
    {
      text += text.empty() ? "" : " ";
    }
    text += name;
  }
  return text;
}

} // namespace

CLI::Validator
Positive()
{
  return NumberValidator([](double value) { return value > 0.0 && std::isfinite(value); },
                         "must be positive and finite");
}

CLI::Validator
AtLeast(double limit)
{
  std::ostringstream rule;
  rule << "must be at least " << limit;
  return NumberValidator([limit](double value) { return value >= limit; }, rule.str());
}

CLI::Option *
AddNumberOrAuto(CLI::App &              app,
                const std::string &     name,
                std::optional<double> & value,
                const std::string &     description)
{
  const auto set = [name, &value](const std::string & text) {
    double number = 0.0;
    if (text == "auto")
    {
      value.reset();
      return;
    }
    if (!CLI::detail::lexical_cast(text, number))
    {
      throw CLI::ConversionError(name + " must be a number or auto; it is " + text);
    }
    value = number;
  };
  return app.add_option_function<std::string>(name, set, description)->check(Positive())->option_text("X|auto");
}

CLI::Option *
AddChoice(CLI::App &                       app,
          const std::string &              name,
          std::string &                    choice,
          const std::vector<std::string> & names,
          const std::string &              description)
{
  const auto check = [names](std::string & text) {
    return std::find(names.begin(), names.end(), text) != names.end()
             ? std::string()
             : "must be one of " + Join(names, std::string::npos / 2) + "; it is " + text;
  };
  return app.add_option(name, choice, description + ":\n" + Join(names, 60) + ".\nDefault: " + choice)
    ->check(CLI::Validator(check, ""))
    ->option_text("NAME");
}

const Choice<cudaneuro::PixelType> &
PixelTypes()
{
  static const Choice<cudaneuro::PixelType> choice({ { "uchar", cudaneuro::PixelType::UnsignedChar },
                                                     { "short", cudaneuro::PixelType::Short },
                                                     { "ushort", cudaneuro::PixelType::UnsignedShort },
                                                     { "float", cudaneuro::PixelType::Float },
                                                     { "double", cudaneuro::PixelType::Double } });
  return choice;
}
