// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/CommandOptions.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <regex>
#include <sstream>

namespace
{

/** Validates numbers. CLI11 itself reports text that is no number. */
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

/** Joins names with commas, in lines of at most width characters. */
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

/** Writes an integer in plain decimal form, or returns why it is refused. CLI11 alone would read 010 as 8 (octal), and
 * -1 and numbers that are too large as the largest number. */
std::string
CleanInteger(std::string & text, bool isUnsigned)
{
  static const std::regex pattern("([-+]?)0*([0-9]+)");
  std::smatch             parts;
  if (!std::regex_match(text, parts, pattern))
  {
    return std::string(); // CLI11 reports it.
  }
  const bool isNegative = parts.str(1) == "-";
  if (isUnsigned && isNegative)
  {
    return "must not be negative; it is " + text;
  }
  constexpr std::size_t mostDigits = 18; // always fit into 63 bits
  if (parts.str(2).size() > mostDigits)
  {
    return "must have at most " + std::to_string(mostDigits) + " digits; it is " + text;
  }
  text = (isNegative ? "-" : "") + parts.str(2);
  return std::string();
}

} // namespace

std::string
ShownName(const std::string & names)
{
  const std::size_t begin = names.find("--");
  return begin == std::string::npos ? names : names.substr(begin, names.find(',', begin) - begin);
}

const CLI::Option *
FindOption(const CLI::App & command, const std::string & argument)
{
  const bool isName = argument.size() > 1 && argument.front() == '-';
  return isName ? command.get_option_no_throw(argument.substr(0, argument.find('='))) : nullptr;
}

CLI::Option *
AsList(CLI::Option * option, const char * text)
{
  option->inject_separator(); // puts an empty value before a second list, which GivenValue refuses
  return option->delimiter(',')->allow_extra_args(false)->option_text(text);
}

CLI::Validator
Positive()
{
  return NumberValidator([](double value) { return value > 0.0 && std::isfinite(value); },
                         "must be positive and finite");
}

CLI::Validator
WholeNumber(bool isUnsigned)
{
  return CLI::Validator([isUnsigned](std::string & text) { return CleanInteger(text, isUnsigned); }, std::string());
}

CLI::Validator
AtLeast(double limit)
{
  std::ostringstream rule;
  rule << "must be at least " << limit << " and finite";
  return NumberValidator([limit](double value) { return value >= limit && std::isfinite(value); }, rule.str());
}

CLI::Option *
AddMemorySize(CLI::App & app, const std::string & name, std::size_t & bytes, const std::string & description)
{
  const auto set = [name, &bytes](const std::string & text) {
    static const std::regex pattern("([0-9]+([.][0-9]+)?) *([KMGT]?)B?", std::regex::icase);
    constexpr double        limit = 9e18; // fits into 63 bits
    std::smatch             parts;
    if (!std::regex_match(text, parts, pattern))
    {
      throw CLI::ConversionError(name + " must be a number of bytes, as 500MB or 4GB; it is " + text);
    }
    const std::string unit = parts.str(3);
    const auto        power = unit.empty() ? 0 : std::string("KMGT").find(static_cast<char>(std::toupper(unit[0]))) + 1;
    const double      value = std::ldexp(std::stod(parts.str(1)), static_cast<int>(10 * power));
    if (!(value >= 1.0 && value < limit))
    {
      throw CLI::ValidationError(name, "must be at least 1 byte and less than 8388608TB; it is " + text);
    }
    bytes = static_cast<std::size_t>(value);
  };
  return app.add_option_function<std::string>(name, set, description)->option_text("SIZE");
}

void
OptionModes::Add(CLI::Option * option, const std::string & mode, const std::function<bool()> & isMode)
{
  option->description(option->get_description() + ".\nOnly with " + mode);
  m_Entries.push_back({ option, mode, isMode });
}

void
OptionModes::Add(CLI::Option * option, const std::string & name, const std::string & choice, const std::string & value)
{
  this->Add(option, name + ' ' + value, [&choice, value] { return choice == value; });
}

void
OptionModes::Check() const
{
  for (const Entry & entry : m_Entries)
  {
    if (entry.option->count() > 0 && !entry.isMode())
    {
      throw UserError(entry.option->get_name() + " has no effect here: only with " + entry.mode);
    }
  }
}

CLI::Option *
AddNumberOrAuto(CLI::App &              app,
                const std::string &     name,
                std::optional<double> & value,
                const std::string &     description)
{
  const auto set = [name = ShownName(name), &value](const std::string & text) {
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
  return app.add_option_function<std::string>(name, set, description)
    ->check(Positive())
    ->option_text("X|auto")
    ->default_str("auto");
}

CLI::Option *
AddChoice(CLI::App &                       app,
          const std::string &              name,
          std::string &                    choice,
          const std::vector<std::string> & names,
          const std::string &              description,
          const std::string &              usual)
{
  // A default that is computed from other things has the name "auto".
  const bool               isAuto = !usual.empty();
  std::vector<std::string> all = names;
  if (isAuto)
  {
    all.emplace_back("auto");
  }
  const auto set = [&choice, isAuto](const std::string & text) { choice = isAuto && text == "auto" ? "" : text; };
  CLI::Option * const option = AddChoice(app, name, set, all, description, isAuto ? "auto" : choice);
  return isAuto ? option->description(option->get_description() + ", " + usual) : option;
}

CLI::Option *
AddChoice(CLI::App &                                               app,
          const std::string &                                      name,
          const std::function<void(const std::string &)> &         set,
          const std::vector<std::string> &                         names,
          const std::string &                                      description,
          const std::string &                                      standard,
          const std::vector<std::pair<std::string, std::string>> & others)
{
  const auto check = [names, others](std::string & text) {
    const bool isOther =
      std::any_of(others.begin(), others.end(), [&](const auto & entry) { return entry.first == text; });
    return isOther || std::find(names.begin(), names.end(), text) != names.end()
             ? std::string()
             : "must be one of " + Join(names, std::string::npos / 2) + "; it is " + text;
  };
  const auto setByName = [set, others](const std::string & text) {
    const auto other =
      std::find_if(others.begin(), others.end(), [&](const auto & entry) { return entry.first == text; });
    set(other == others.end() ? text : other->second);
  };
  return app
    .add_option_function<std::string>(
      name, setByName, description + ":\n" + Join(names, 60) + ".\nDefault: " + standard)
    ->check(CLI::Validator(check, '{' + CLI::detail::join(names, ",") + '}'))
    ->option_text("NAME")
    ->default_str(standard);
}

void
AddOffFlag(CLI::App & app, const std::string & name, bool & value, const std::string & help, const std::string & group)
{
  app
    .add_flag_callback(
      name, [&value] { value = false; }, help)
    ->group(group);
}

CLI::Option *
AddFile(CLI::App &          app,
        const std::string & name,
        std::string &       path,
        const std::string & description,
        const std::string & group,
        const std::string & kind)
{
  return app.add_option(name, path, description)->option_text("FILE")->group(group)->type_name(kind);
}

void
AddJsonFile(CLI::App & app, std::string & path, const std::string & group)
{
  AddFile(app,
          "--json",
          path,
          "Write what was done as JSON; - is standard output",
          group,
          "file output fileExtensions=.json");
}

const Choice<itk::IOComponentEnum> &
PixelTypes()
{
  static const Choice<itk::IOComponentEnum> choice({ { "uchar", itk::IOComponentEnum::UCHAR },
                                                     { "short", itk::IOComponentEnum::SHORT },
                                                     { "ushort", itk::IOComponentEnum::USHORT },
                                                     { "float", itk::IOComponentEnum::FLOAT },
                                                     { "double", itk::IOComponentEnum::DOUBLE } });
  return choice;
}
