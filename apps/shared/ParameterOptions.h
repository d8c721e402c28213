// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ParameterOptions_h
#define apps_shared_ParameterOptions_h

#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"
#include "shared/CommandOptions.h"
#include "shared/Report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** Options that set parameters of the engine. The name of an option, what help says, its range and default, when it
 * has an effect, and its note in the report follow from the parameter's description: --jacobian-bound sets
 * JacobianBound. Older names are taken besides. */

/** A name as options have it: "local-correlation" for LocalCorrelation. */
std::string
OptionWords(const std::string & name);

/** Adds an option that takes one value for all axes, or one an axis with commas between them. */
template <typename TValue>
CLI::Option *
AddAxisValues(CLI::App & app, const std::string & name, std::vector<TValue> & values, const std::string & description)
{
  return AsList(app.add_option(name, values, description));
}

/** The name of an enumeration's value as options have it. */
template <typename TEnum>
std::string
OptionWordsOf(TEnum value)
{
  std::ostringstream name;
  name << value;
  return OptionWords(name.str());
}

/** The values of an enumeration by their names as options have them. */
template <typename TEnum>
Choice<TEnum>
ChoiceOf(const std::vector<TEnum> & values = cudaneuro::ValuesOf<TEnum>())
{
  typename Choice<TEnum>::EntriesType entries;
  for (const TEnum value : values)
  {
    entries.emplace_back(OptionWordsOf(value), value);
  }
  return entries;
}

/** How the option of a parameter differs from what the description says. */
struct ParameterOption
{
  std::string group = {};
  /** Names that are taken besides that of the parameter: a letter, and older names, as "-r,--radius". */
  std::string otherNames = {};
  /** What help says in place of the parameter's meaning, unit and range. */
  std::string help = {};
  /** Names for values of an enumeration that are taken besides. */
  std::vector<std::pair<std::string, std::string>> otherValues = {};
  /** What help says of a default that follows from other things. */
  std::string usual = {};
};

/** The names of an option: that of the parameter, which help and messages have, and others. */
std::string
NamesOfOption(const std::string & otherNames, const char * parameter);

/** What help says of a parameter, in lines: meaning, unit and range.
 * \param isCount whether it is a whole number, which without a unit is a number of something */
std::string
HelpOf(const char * meaning, const char * unit, const cudaneuro::ParameterRange & range, bool isCount);

/** A validator of the lower end of a range, which tells Slicer both ends. The library checks the upper end. */
CLI::Validator
RangeValidator(const cudaneuro::ParameterRange & range);

/** What help says of the option of a parameter. */
template <typename TParameters, typename TValue, typename TCondition>
std::string
HelpOf(const cudaneuro::Parameter<TParameters, TValue, TCondition> & parameter, const ParameterOption & how)
{
  constexpr bool isCount = std::is_integral_v<TValue> && !std::is_same_v<TValue, bool>;
  return how.help.empty() ? HelpOf(parameter.meaning, parameter.unit, parameter.range, isCount) : how.help;
}

/** The option that sets a parameter, as help names it. */
std::string
OptionNameOf(const CLI::App & app, const char * parameter);

/** Where a report has the value of an option: "/parameters/maximum_step" for --maximum-step.
 * \param where JSON pointer of the command's parameters
 * \param name as "--maximum-step" */
std::string
PlaceInReport(const std::string & where, const std::string & name);

/** Notes the value of an option in the report, by its name, and in the JSON by its older names as well.
 * \param where JSON pointer of the command's parameters
 * \param name any long name of the option */
template <typename TValue>
void
NoteOption(
  Report & report, const std::string & where, const CLI::App & app, const std::string & name, const TValue & value)
{
  const std::vector<std::string> & names = app.get_option(name)->get_lnames();
  const std::string                place = PlaceInReport(where, names.front());
  report.Set(place, value);
  for (auto oldName = names.begin() + 1; oldName != names.end(); ++oldName)
  {
    report.AddOldName(PlaceInReport(where, *oldName), place);
  }
}

/** Notes those numbers, switches and enumerations of a struct in the report that a command has an option for, and
 * that have an effect.
 * \param unused names of options that have none for another reason than their condition */
template <typename TParameters>
void
NoteParameters(Report &                         report,
               const std::string &              where,
               const CLI::App &                 app,
               const TParameters &              parameters,
               const std::vector<std::string> & unused = {})
{
  cudaneuro::ForEachParameter(parameters, [&](const auto & parameter, const auto & value) {
    using ValueType = std::decay_t<decltype(value)>;
    const std::string name = "--" + OptionWords(parameter.name);
    const bool        isUnused = std::find(unused.begin(), unused.end(), name) != unused.end();
    if (isUnused || app.get_option_no_throw(name) == nullptr || !parameter.condition.Holds(parameters))
    {
      return;
    }
    if constexpr (std::is_enum_v<ValueType>)
    {
      NoteOption(report, where, app, name, OptionWordsOf(value));
    }
    else if constexpr (std::is_arithmetic_v<ValueType>)
    {
      NoteOption(report, where, app, name, value);
    }
  });
}

/** Notes when an option has an effect, if it does not always. */
template <typename TParameters, typename TCondition>
void
AddMode(CLI::App & app, OptionModes * modes, CLI::Option * option, const TParameters & parameters, TCondition condition)
{
  if constexpr (!std::is_same_v<TCondition, cudaneuro::Always>)
  {
    if (modes == nullptr)
    {
      return;
    }
    cudaneuro::WithParameter(condition.member, [&](const auto & other) {
      using ValueType = decltype(condition.value);
      const bool  isExcept = std::is_same_v<TCondition, cudaneuro::Except<TParameters, ValueType>>;
      std::string mode = OptionNameOf(app, other.name) + (isExcept ? " other than " : " ");
      if constexpr (std::is_enum_v<ValueType>)
      {
        mode += OptionWordsOf(condition.value);
      }
      modes->Add(option, mode, [&parameters, condition] { return condition.Holds(parameters); });
    });
  }
}

/** Adds the option of a number or a switch. The parameters must live as long as the app.
 * \param modes to note when the option has an effect; null where it always has one in the command */
template <typename TParameters, typename TValue>
CLI::Option *
AddParameter(CLI::App &    app,
             OptionModes * modes,
             TParameters & parameters,
             TValue TParameters::*   member,
             const ParameterOption & how)
{
  CLI::Option * option = nullptr;
  cudaneuro::WithParameter(member, [&](const auto & parameter) {
    const std::string names = NamesOfOption(how.otherNames, parameter.name);
    const std::string help = HelpOf(parameter, how);
    if constexpr (std::is_same_v<TValue, bool>)
    {
      option = app.add_flag(names, parameters.*member, help);
    }
    else
    {
      option = app.add_option(names, parameters.*member, help)
                 ->check(RangeValidator(parameter.range))
                 ->option_text(std::is_integral_v<TValue> ? "N" : "X");
    }
    option->group(how.group);
    AddMode(app, modes, option, parameters, parameter.condition);
  });
  return option;
}

/** Adds the option of a number that follows from other things where it is "auto". */
template <typename TParameters>
CLI::Option *
AddAutomaticParameter(CLI::App & app,
                      double TParameters::*   member,
                      std::optional<double> & value,
                      const ParameterOption & how)
{
  CLI::Option * option = nullptr;
  cudaneuro::WithParameter(member, [&](const auto & parameter) {
    const std::string help = HelpOf(parameter, how);
    option = AddNumberOrAuto(
      app, NamesOfOption(how.otherNames, parameter.name), value, help + ".\nDefault: auto, " + how.usual);
    option->group(how.group);
    if (parameter.range.orZero)
    {
      // 0, which the library takes for auto, is no number here, and its message would name it.
      option->check(AtLeast(parameter.range.minimum));
    }
  });
  return option;
}

/** Adds the option of a length along each axis, which takes one value or one an axis; see AxisValues. */
template <typename TParameters, typename TMember, typename TValue>
CLI::Option *
AddAxesParameter(CLI::App & app,
                 TMember TParameters::*  member,
                 std::vector<TValue> &   values,
                 const ParameterOption & how)
{
  CLI::Option * option = nullptr;
  cudaneuro::WithParameter(member, [&](const auto & parameter) {
    const std::string help =
      HelpOf(parameter, how) + ",\none value or one an axis" + (how.usual.empty() ? "" : ". Default: " + how.usual);
    option = AddAxisValues(app, NamesOfOption(how.otherNames, parameter.name), values, help);
    option->check(RangeValidator(parameter.range))->group(how.group);
  });
  return option;
}

/** Adds the option of an enumeration.
 * \param choice the names that the option has */
template <typename TParameters, typename TEnum>
CLI::Option *
AddEnumParameter(CLI::App &    app,
                 OptionModes * modes,
                 TParameters & parameters,
                 TEnum TParameters::*    member,
                 const Choice<TEnum> &   choice,
                 const ParameterOption & how)
{
  CLI::Option * option = nullptr;
  cudaneuro::WithParameter(member, [&](const auto & parameter) {
    option = AddChoice(
      app,
      NamesOfOption(how.otherNames, parameter.name),
      [&parameters, member, choice](const std::string & name) { parameters.*member = choice.GetValue(name); },
      choice.GetNames(),
      how.help.empty() ? parameter.meaning : how.help,
      choice.GetName(parameters.*member),
      how.otherValues);
    option->group(how.group);
    AddMode(app, modes, option, parameters, parameter.condition);
  });
  return option;
}

#endif
