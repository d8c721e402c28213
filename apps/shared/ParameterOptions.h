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

/** Options that set parameters of the engine. The parameter's description gives the option's name, help, range,
 * default, condition, and entry in the report: --jacobian-bound sets JacobianBound. Older names are accepted, too. */

/** Returns a name in the spelling of options: "local-correlation" for LocalCorrelation. */
std::string
OptionWords(const std::string & name);

/** Adds an option that takes one value for all axes, or one an axis with commas between them. */
template <typename TValue>
CLI::Option *
AddAxisValues(CLI::App & app, const std::string & name, std::vector<TValue> & values, const std::string & description)
{
  return AsList(app.add_option(name, values, description));
}

/** Returns the name of an enumeration's value in the spelling of options. */
template <typename TEnum>
std::string
OptionWordsOf(TEnum value)
{
  std::ostringstream name;
  name << value;
  return OptionWords(name.str());
}

/** Returns the values of an enumeration by their names in the spelling of options. */
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

/** Differences of an option from the description of its parameter. */
struct ParameterOption
{
  std::string group = {};
  /** Further names: a letter, and older names, such as "-r,--radius". */
  std::string otherNames = {};
  /** Replaces the parameter's meaning, unit and range in help. */
  std::string help = {};
  /** Further names for values of an enumeration. */
  std::vector<std::pair<std::string, std::string>> otherValues = {};
  /** What help says of a default that is computed from other things. */
  std::string usual = {};
};

/** Returns the names of an option: that of the parameter first, which help and messages show. */
std::string
NamesOfOption(const std::string & otherNames, const char * parameter);

/** Returns the help of a parameter, in lines: meaning, unit and range.
 * \param isCount whether it is an integer: without a unit it counts something */
std::string
HelpOf(const char * meaning, const char * unit, const cudaneuro::ParameterRange & range, bool isCount);

/** Returns a validator of the lower end of a range, which describes both ends to Slicer. The library checks the upper
 * end. */
CLI::Validator
RangeValidator(const cudaneuro::ParameterRange & range);

/** Returns the help of the option of a parameter. */
template <typename TParameters, typename TValue, typename TCondition>
std::string
HelpOf(const cudaneuro::Parameter<TParameters, TValue, TCondition> & parameter, const ParameterOption & how)
{
  constexpr bool isCount = std::is_integral_v<TValue> && !std::is_same_v<TValue, bool>;
  return how.help.empty() ? HelpOf(parameter.meaning, parameter.unit, parameter.range, isCount) : how.help;
}

/** Returns the option that sets a parameter, by the name that help shows. */
std::string
OptionNameOf(const CLI::App & app, const char * parameter);

/** Returns the JSON pointer of an option's value in a report: "/parameters/maximum_step" for --maximum-step.
 * \param where JSON pointer of the command's parameters
 * \param name such as "--maximum-step" */
std::string
PlaceInReport(const std::string & where, const std::string & name);

/** Writes the value of an option into the report by its name, and into the JSON also by its older names.
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

/** Writes those numbers, switches and enumerations of a struct into the report that have an effect, and for which the
 * command has an option.
 * \param unused names of options without an effect for another reason than their condition */
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
 * \param modes gets the condition of the option; null if it always has an effect in the command */
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

/** Adds the option of a number for which "auto" stands for a value that is computed from other things. */
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

/** Adds the option of a length along each axis, which takes one value or one per axis; see AxisValues. */
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
