// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/Messages.h"

#include "files/base/ErrorStream.h"
#include "itkObjectFactory.h"
#include "itkOutputWindow.h"
#include "shared/Files.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgressBar.h"
#include "shared/SlicerRun.h"

#include <algorithm>
#include <atomic>
#include <iostream>
#include <regex>
#include <utility>

namespace
{

std::string       programNameOfMessages = "program";
const CLI::App *  appOfMessages = nullptr;
std::atomic<bool> areMessagesMuted{ false };
/** The beginning of messages of ITK's classes in this thread. */
thread_local std::string subjectOfMessages;

/** Prints the messages of ITK's classes like this program's own. */
class MessageWindow : public itk::OutputWindow
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(MessageWindow);
  using Self = MessageWindow;
  using Superclass = itk::OutputWindow;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

  void
  DisplayText(const char * text) override
  {
    PrintMessage("", subjectOfMessages + OneLine(text));
  }
  void
  DisplayErrorText(const char * text) override
  {
    PrintMessage("error: ", subjectOfMessages + WithOptionNames(OneLine(text)));
  }
  void
  DisplayWarningText(const char * text) override
  {
    PrintWarning(WithOptionNames(OneLine(text)));
  }

protected:
  MessageWindow() = default;
  ~MessageWindow() override = default;
};

/** Returns the option of the running command that sets a parameter of the library, "--jacobian-bound" for JacobianBound
 * or jacobianBound; an empty string if there is none. */
std::string
OptionOf(const std::string & parameter)
{
  if (appOfMessages == nullptr)
  {
    return "";
  }
  const std::vector<const CLI::App *> given = std::as_const(*appOfMessages).get_subcommands({});
  for (const CLI::App * const command : given)
  {
    const CLI::Option * const option =
      command->parsed() ? command->get_option_no_throw("--" + OptionWords(parameter)) : nullptr;
    if (option != nullptr)
    {
      return option->get_name();
    }
  }
  return "";
}

} // namespace

void
StartMessages(const CLI::App & app)
{
  appOfMessages = &app;
  programNameOfMessages = app.get_name();
  itk::OutputWindow::SetInstance(MessageWindow::New());
  SetWarningHandler(PrintWarning);
}

void
SetNameOfMessages(const std::string & name)
{
  programNameOfMessages = name;
}

MessageSubject::MessageSubject(const std::string & text)
{
  subjectOfMessages = text;
}

MessageSubject::~MessageSubject()
{
  subjectOfMessages.clear();
}

void
SetMessagesMuted(bool areMuted)
{
  areMessagesMuted = areMuted;
}

void
PrintMessage(const std::string & kind, const std::string & text)
{
  if (areMessagesMuted)
  {
    return;
  }
  ProgressBar::Erase();
  WriteErrorLine(programNameOfMessages + ": " + kind + text);
}

void
PrintWarning(const std::string & warning)
{
  const std::string text = subjectOfMessages + warning;
  // Slicer takes everything on standard error for an error.
  if (IsSlicerRun() && !areMessagesMuted)
  {
    std::cout << "warning: " + text + '\n' << std::flush;
    return;
  }
  PrintMessage("warning: ", text);
}

std::string
WithOptionNames(const std::string & text)
{
  // At the beginning of a message, a word before " is ", perhaps with the number of an axis; elsewhere only a word
  // with a capital letter inside, which is no word of plain language.
  static const std::regex word("^[A-Za-z]+(?=(\\[[0-9]\\])? is )|\\b[A-Za-z][a-z]+([A-Z][a-z]+)+\\b");
  std::string             result;
  auto                    rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), word), none; match != none; ++match)
  {
    const std::string option = OptionOf(match->str());
    result.append(rest, (*match)[0].first).append(option.empty() ? match->str() : option);
    rest = (*match)[0].second;
  }
  return result.append(rest, text.cend());
}
