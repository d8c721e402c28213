// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ProgramSupport.h"

#include "cudaneuro/Device.h"
#include "cudaneuro/Version.h"
#include "files/system/Requests.h"
#include "files/system/Streams.h"
#include "files/system/SystemFile.h"
#include "itkDataObject.h"
#include "itkImageSourceCommon.h"
#include "itkMultiThreaderBase.h"
#include "itkVersion.h"
#include "shared/CommandOptions.h"
#include "shared/OptionValue.h"
#include "shared/SlicerRun.h"
#include "files/base/StandardStreams.h"
#include "shared/Files.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <new>
#include <regex>

namespace
{

constexpr int exitStatusError = 1;
constexpr int exitStatusUsage = 2;

constexpr const char * exitStatuses =
  "Exit status:\n"
  "  0    all is well\n"
  "  1    an error: an input, an output, a value or the device is not as it must be\n"
  "  2    a command line that cannot be understood\n"
  "  128 and the signal's number when a signal stopped it: 130 Ctrl-C (SIGINT), 143 SIGTERM, 129 SIGHUP";

std::string
VersionOf(const std::string & program)
{
  return program + " " + cudaneuro::GetVersion() + " (ITK " + itk::Version::GetITKVersion() + ", " +
         (cudaneuro::IsBuiltWithCuda() ? "with" : "without") + " CUDA)";
}

/** Makes an option of integers take plain decimal forms. */
void
CleanIntegers(CLI::Option & option)
{
  const std::string names = option.get_type_name();
  const std::string type = names.substr(0, names.find(':')); // the names of checks follow
  if (type == "INT" || type == "UINT")
  {
    const bool isUnsigned = type == "UINT";
    option.transform(WholeNumber(isUnsigned));
  }
}

/** Names options in help by one short and one long name. */
class OptionFormatter : public CLI::Formatter
{
public:
  std::string
  make_option_name(const CLI::Option * option, bool isPositional) const override
  {
    if (isPositional || option->get_lnames().empty())
    {
      return CLI::Formatter::make_option_name(option, isPositional);
    }
    const std::vector<std::string> & shortNames = option->get_snames();
    return (shortNames.empty() ? "" : '-' + shortNames.front() + ',') + "--" + option->get_lnames().front();
  }
};

/** Refuses empty values, an option in place of a forgotten value, and a second list, which CLI11 would join with the
 * first. */
CLI::Validator
GivenValue(const CLI::App & app, const CLI::Option & option)
{
  const auto check = [&app, &option](std::string & text) {
    if (!option.get_positional() && (text.rfind("--", 0) == 0 || FindOption(app, text) != nullptr))
    {
      throw CLI::ArgumentMismatch(option.get_name() + " needs a value: " + option.get_option_text() +
                                  "; it is followed by " + text);
    }
    if (text.empty() && option.get_inject_separator() && option.results().size() > 1)
    {
      throw CLI::ArgumentMismatch(option.get_name() + " is given more than once; its values need commas between them");
    }
    return text.empty() ? "must not be empty" : std::string();
  };
  return CLI::Validator(check, "");
}

/** Makes all commands check values by GivenValue, and show defaults and exit statuses in their help. */
void
CompleteCommand(CLI::App & app)
{
  for (CLI::Option * const option : app.get_options())
  {
    if (option->get_items_expected_max() > 0)
    {
      CleanIntegers(*option);
      option->transform(GivenValue(app, *option)); // before all other checks
      TellDefault(*option);
    }
  }
  // On Windows, CLI11 would take a name that begins at the root, as /data/a.nii, for an option.
  app.allow_windows_style_options(false);
  const auto formatter = std::make_shared<OptionFormatter>();
  formatter->column_width(app.get_formatter()->get_column_width());
  formatter->label(notInSlicer, ""); // else a flag would seem to take the value "none"
  app.formatter(formatter);
  const std::string footer = app.get_footer();
  app.footer(footer.empty() ? exitStatuses : footer + "\n" + exitStatuses);
  for (CLI::App * const command : app.get_subcommands({}))
  {
    CompleteCommand(*command);
  }
}

/** Returns whether the program has commands, and none was given. */
bool
LacksCommand(const CLI::App & app)
{
  return app.get_subcommands().empty() && !app.get_subcommands({}).empty();
}

/** Returns the error of a program that was called without a command. */
std::string
TextOfCommands(const CLI::App & app)
{
  std::string names;
  for (const CLI::App * const command : app.get_subcommands({}))
  {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  const std::vector<std::string> given = app.remaining();
  const bool                     isNamed = !given.empty() && given.front().rfind('-', 0) != 0;
  return (isNamed ? "there is no subcommand " + given.front() : "a subcommand is missing") + "; the subcommands are " +
         names;
}

/** Returns the text of an error of the command line. CLI11's own text has unexpected arguments in reverse order, and
 * the type of a missing value, which is for 3D Slicer here. */
std::string
TextOf(const CLI::App & app, const CLI::ParseError & error)
{
  static const std::regex pattern("(-[^ ]+): [0-9]+ required .* missing");
  if (LacksCommand(app))
  {
    return TextOfCommands(app);
  }
  if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr)
  {
    return "not expected: " + CLI::detail::join(app.remaining(true), " ");
  }
  const std::string text = OneLine(error.what());
  std::smatch       parts;
  if (!std::regex_match(text, parts, pattern))
  {
    return text;
  }
  const std::string             name = parts.str(1);
  const std::vector<CLI::App *> given = app.get_subcommands();
  const CLI::App &              command = given.empty() ? app : *given.front();
  return name + " needs a value: " + command.get_option(name)->get_option_text();
}

/** Prints an error of the command line and returns its exit status. Requested help is no error. */
int
ExitParseError(CLI::App & app, const CLI::ParseError & error)
{
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
  {
    app.exit(error);
    FlushStandardOutput();
    return EXIT_SUCCESS;
  }
  // A value that is out of range is an error like those found later; all else is misuse of the command line.
  const bool        isBadValue = dynamic_cast<const CLI::ValidationError *>(&error) != nullptr;
  const std::string text = TextOf(app, error);
  PrintMessage("error: ", isBadValue ? text : text + (text.back() == '.' ? "" : ".") + " Run with --help for help.");
  return isBadValue ? exitStatusError : exitStatusUsage;
}

/** Reports a failure by a text of one line. Any failure after an interruption is reported as the interruption. */
int
ExitError(const std::string & text)
{
  if (IsInterrupted())
  {
    return ReportInterruption();
  }
  PrintMessage("error: ", text);
  return exitStatusError;
}

int
ParseAndRun(CLI::App & app, int argc, char ** argv)
{
  try
  {
    std::vector<std::string> arguments = OrdinaryArguments(app, argc, argv);
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
    app.parse(std::move(arguments));
    if (LacksCommand(app))
    {
      throw CLI::RequiredError("A subcommand");
    }
    FlushStandardOutput();
    return EXIT_SUCCESS;
  }
  catch (const CLI::ParseError & error)
  {
    return ExitParseError(app, error);
  }
}

/** Makes the global objects of ITK that images and filters use. ITK keeps them in a map, which threads would otherwise
 * change at the same time when they first use one. */
void
MakeGlobalsOfItk()
{
  itk::Object::GetGlobalWarningDisplay();
  itk::DataObject::GetGlobalReleaseDataFlag();
  itk::ImageSourceCommon::GetGlobalDefaultSplitter();
  itk::MultiThreaderBase::New();
}

/** Runs the program and returns its exit status. */
int
RunGuarded(CLI::App & app, int argc, char ** argv)
{
  OccupyClosedStandardStreams();
  cudaneuro::files::KeepBytesOfStandardOutput();
  StartMessages(app);
  MakeGlobalsOfItk();
  try
  {
    HandleSignals();
    app.set_version_flag("--version", VersionOf(app.get_name()), "Print the version and exit");
    AddSlicerOptions(app);
    CompleteCommand(app);
    return ParseAndRun(app, argc, argv);
  }
  catch (const Interrupted &)
  {
    return ReportInterruption();
  }
  catch (const itk::ProcessAborted &)
  {
    return ReportInterruption();
  }
  catch (const itk::ExceptionObject & error)
  {
    return ExitError(OneLine(WithOptionNames(error.GetDescription())));
  }
  catch (const std::bad_alloc &)
  {
    return ExitError("there is not enough memory");
  }
  catch (const UserError & error)
  {
    // Names of files may have several blanks, which stay.
    const std::string text = error.what();
    return ExitError(text.find('\n') == std::string::npos ? text : OneLine(text));
  }
  catch (const std::exception & error)
  {
    return ExitError(OneLine(error.what()));
  }
}

} // namespace

int
RunProgram(CLI::App & app, int argc, char ** argv, const std::function<void(int)> & fail)
{
  const int status = RunGuarded(app, argc, argv);
  if (status != EXIT_SUCCESS)
  {
    // Everything is cleaned up. Exit handlers of libraries are skipped, because HDF5's crashes after a failed write.
    std::cout.flush();
    if (fail)
    {
      fail(status);
    }
    cudaneuro::files::EndProcess(status);
  }
  return status;
}

void
Try(const std::string & what, const std::function<void()> & function)
{
  const auto fail = [&](const std::string & why) {
    throw UserError("cannot " + what + ": " + WithOptionNames(OneLine(why)));
  };
  try
  {
    function();
  }
  catch (const itk::ProcessAborted &)
  {
    throw;
  }
  catch (const itk::ExceptionObject & error)
  {
    fail(error.GetDescription());
  }
  catch (const std::bad_alloc &)
  {
    fail("there is not enough memory");
  }
}
