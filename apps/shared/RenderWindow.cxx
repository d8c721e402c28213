// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/RenderWindow.h"

#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

#include <memory>
#include <stdexcept>

#if CUDANEURO_USE_X11
#  include <X11/Xlib.h>
#endif

std::string
GetReasonForNoWindow()
{
#if CUDANEURO_USE_X11
  // A window of VTK for X would end the program if there is no display. This connection stays open until the program
  // ends: a server without clients, such as that of xvfb-run, restarts, and refuses the window's connection meanwhile.
  static std::unique_ptr<Display, int (*)(Display *)> display(nullptr, XCloseDisplay);
  const vtkNew<vtkRenderWindow>                       window;
  if (display == nullptr && std::string(window->GetClassName()) == "vtkXOpenGLRenderWindow")
  {
    display.reset(XOpenDisplay(nullptr));
    if (display == nullptr)
    {
      return "this VTK draws on a display of X, and there is none: set DISPLAY, or begin the command with xvfb-run -a";
    }
  }
#endif
  return "";
}

void
AddText(vtkRenderer & renderer, const std::string & text, int line, const std::array<double, 3> & color)
{
  constexpr int        fontSize = 20;
  constexpr int        margin = 16;
  vtkNew<vtkTextActor> actor;
  actor->SetInput(text.c_str());
  actor->SetPosition(margin, margin + line * (fontSize + 8));
  actor->GetTextProperty()->SetFontSize(fontSize);
  actor->GetTextProperty()->SetColor(color[0], color[1], color[2]);
  renderer.AddActor2D(actor);
}

void
WritePicture(vtkRenderWindow & window, const std::string & path)
{
  window.Render();
  vtkNew<vtkWindowToImageFilter> image;
  image->SetInput(&window);
  image->ReadFrontBufferOff();
  vtkNew<vtkPNGWriter> writer;
  writer->SetFileName(path.c_str());
  writer->SetInputConnection(image->GetOutputPort());
  writer->Write();
  if (writer->GetErrorCode() != 0)
  {
    throw std::runtime_error("the disk may be full");
  }
}
