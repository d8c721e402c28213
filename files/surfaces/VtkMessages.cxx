// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/VtkMessages.h"

#include "files/base/Errors.h"
#include "files/base/Text.h"

#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>

#include <cstring>

namespace
{

std::string &
FirstError()
{
  static std::string text;
  return text;
}

/** Takes the place of VTK's output. */
class CollectingWindow : public vtkOutputWindow
{
public:
  static CollectingWindow *
  New();
  vtkTypeMacro(CollectingWindow, vtkOutputWindow);

  void
  DisplayText(const char *) override
  {}
  void
  DisplayWarningText(const char *) override
  {}
  void
  DisplayGenericWarningText(const char * text) override
  {
    // What the legacy reader says of numbers that are missing.
    if (std::strstr(text, "Error reading") != nullptr)
    {
      this->DisplayErrorText(text);
    }
  }
  void
  DisplayErrorText(const char * text) override
  {
    if (FirstError().empty())
    {
      FirstError() = text;
    }
  }
};

vtkStandardNewMacro(CollectingWindow);

} // namespace

VtkMessages::VtkMessages()
{
  FirstError().clear();
  const vtkNew<CollectingWindow> window;
  vtkOutputWindow::SetInstance(window);
}

VtkMessages::~VtkMessages()
{
  vtkOutputWindow::SetInstance(nullptr);
}

std::string
VtkMessages::GetError() const
{
  // "ERROR: In file, line 1\nvtkClass (0x1): what it is", or without a class
  const std::string & text = FirstError();
  const std::size_t   address = text.find("): ");
  const std::size_t   line = text.find('\n');
  return OneLine(Trimmed(address != std::string::npos ? text.substr(address + 3)
                         : line != std::string::npos  ? text.substr(line + 1)
                                                      : text));
}
