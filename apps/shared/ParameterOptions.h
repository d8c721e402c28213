// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ParameterOptions_h
#define apps_shared_ParameterOptions_h

#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"
#include "shared/CommandOptions.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** Options that set parameters of the engine. What help says, range and default of an option, and when it has an effect, follow from the
 * parameter's description. Its name does, too: --jacobian-bound sets JacobianBound; an option that has another name has this one
 * besides. */

/** A name as options have it: "local-correlation" for LocalCorrelation. */
std::string
OptionWords(const std::string & name);

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
  /** The option's own names, as "-r,--radius", where it is not that of the parameter alone. */
  std::string names = {};
  /** What help says in place of the parameter's meaning, unit and range. */
  std::string help = {};
  /** Names for values of an enumeration that are taken besides. */
  std::vector<std::pair<std::string, std::string>> otherValues = {};
  /** What help says of a default that follows from other things. */
  std::string usual = {};
};

/** The names of an option: its own, and that of the parameter. */
std::string
NamesOfOption(const std::string & ownNames, const char * parameter);

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
    const std::string names = NamesOfOption(how.names, parameter.name);
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
    option =
      AddNumberOrAuto(app, NamesOfOption(how.names, parameter.name), value, help + ".\nDefault: auto, " + how.usual);
    option->group(how.group);
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
    option = AddAxisValues(app, NamesOfOption(how.names, parameter.name), values, help);
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
      NamesOfOption(how.names, parameter.name),
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
