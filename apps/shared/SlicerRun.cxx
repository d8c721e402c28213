// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/SlicerRun.h"

#include "files/output/OutputFile.h"
#include "shared/CommandOptions.h"
#include "shared/Files.h"
#include "shared/OptionValue.h"
#include "shared/SlicerDescription.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace
{

bool             isSlicerRun = false;
const CLI::App * runningCommand = nullptr;
std::string      resultFile;

/** Returns the letters and digits of a name, in lower case. */
std::string
PlainName(const std::string & name)
{
  std::string plain;
  for (const char letter : name)
  {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
    {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return plain;
}

/** Returns the command that a module's name stands for; null if it is no module's name. */
const CLI::App *
CommandOfModule(const CLI::App & program, const std::string & path)
{
  const std::size_t slash = path.find_last_of("/\\");
  std::string       name = slash == std::string::npos ? path : path.substr(slash + 1);
  name = PlainName(name.substr(0, name.find('.')));
  for (const CLI::App * const command : program.get_subcommands({}))
  {
    if (name == PlainName(program.get_name() + command->get_name()))
    {
      return command;
    }
  }
  return nullptr;
}

/** Returns the command of a name; null if there is none. */
const CLI::App *
CommandOf(const CLI::App & program, const std::string & name)
{
  for (const CLI::App * const command : program.get_subcommands({}))
  {
    if (command->get_name() == name)
    {
      return command;
    }
  }
  return nullptr;
}

/** Returns an argument with hyphens, if the one with underscores is no option of the command. */
std::string
WithHyphens(const CLI::App & command, const std::string & argument)
{
  const std::size_t end = std::min(argument.find('='), argument.size());
  std::string       name = argument.substr(0, end);
  std::replace(name.begin(), name.end(), '_', '-');
  const bool isOther = FindOption(command, argument) == nullptr && FindOption(command, name) != nullptr;
  return isOther ? name + argument.substr(end) : argument;
}

bool
TakesNext(const CLI::Option * option, const std::string & argument)
{
  return option != nullptr && option->get_items_expected_max() > 0 && argument.find('=') == std::string::npos;
}

bool
IsOfSlicer(const std::string & argument)
{
  const std::string name = argument.substr(0, argument.find('='));
  return name == slicerFlag || name == slicerResultFile || name == slicerProcessAddress;
}

/** Moves the command to the front, before options of the command. */
void
MoveCommand(const CLI::App & program, std::vector<std::string> & arguments)
{
  for (std::size_t i = 0; i < arguments.size(); ++i)
  {
    if (FindOption(program, arguments[i]) != nullptr && !IsOfSlicer(arguments[i]))
    {
      return; // the program's own: --help, --version
    }
    if (CommandOf(program, arguments[i]) != nullptr)
    {
      std::rotate(arguments.begin(),
                  arguments.begin() + static_cast<std::ptrdiff_t>(i),
                  arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return;
    }
    for (const CLI::App * const command : program.get_subcommands({}))
    {
      const std::string name = WithHyphens(*command, arguments[i]);
      if (TakesNext(FindOption(*command, name), name))
      {
        ++i;
        break;
      }
    }
  }
}

bool
IsDefault(const CLI::Option & option, const std::string & value)
{
  return !option.get_required() && !option.get_default_str().empty() && IsSameValue(ValueOf(option).standard, value);
}

/** Writes options with hyphens, and leaves out defaults that Slicer passes. */
std::vector<std::string>
WithoutDefaults(const CLI::App & command, const std::vector<std::string> & arguments)
{
  std::vector<std::string> ordinary;
  for (std::size_t i = 0; i < arguments.size(); ++i)
  {
    const std::string         argument = WithHyphens(command, arguments[i]);
    const CLI::Option * const option = FindOption(command, argument);
    const bool                hasValue = TakesNext(option, argument) && i + 1 < arguments.size();
    if (hasValue && isSlicerRun && IsDefault(*option, arguments[i + 1]))
    {
      ++i;
      continue;
    }
    ordinary.push_back(argument);
    if (hasValue)
    {
      ordinary.push_back(arguments[++i]);
    }
  }
  return ordinary;
}

} // namespace

bool
IsSlicerRun()
{
  return isSlicerRun;
}

void
AddSlicerOptions(CLI::App & app)
{
  app.add_flag_callback(
    "--xml",
    [&app] { throw CLI::CallForVersion(DescribeForSlicer(app), 0); },
    "Print a description for 3D Slicer and exit");
  // The group is empty, so that help does not show them.
  app.add_flag(slicerFlag)->group("");
  app.add_option(slicerResultFile, resultFile)->group("");
  app.add_option_function<std::string>(slicerProcessAddress, [](const std::string &) {})->group("");
  for (CLI::App * const command : app.get_subcommands({}))
  {
    AddSlicerOptions(*command);
  }
}

std::vector<std::string>
OrdinaryArguments(const CLI::App & app, int argc, const char * const * argv)
{
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const CLI::App *         command = CommandOfModule(app, argc > 0 ? argv[0] : "");
  isSlicerRun = command != nullptr || std::any_of(arguments.begin(), arguments.end(), IsOfSlicer);
  if (command != nullptr)
  {
    arguments.insert(arguments.begin(), command->get_name());
  }
  else
  {
    MoveCommand(app, arguments);
    command = arguments.empty() ? nullptr : CommandOf(app, arguments.front());
  }
  runningCommand = command == nullptr ? &app : command;
  return WithoutDefaults(*runningCommand, arguments);
}

void
WriteSlicerResults(const Report::Json & report)
{
  if (resultFile.empty() || runningCommand == nullptr)
  {
    return;
  }
  std::ostringstream text;
  text.precision(9);
  for (const SlicerResult & result : ResultsOf(*runningCommand))
  {
    const Report::Json::json_pointer where(result.where);
    if (report.contains(where) && report.at(where).is_number())
    {
      text << result.name << " = " << report.at(where).get<double>() << '\n';
    }
  }
  const OutputFile file(resultFile);
  WriteText(&file, text.str());
}
