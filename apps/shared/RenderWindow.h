// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_RenderWindow_h
#define apps_shared_RenderWindow_h

#include <array>
#include <string>

class vtkRenderWindow;
class vtkRenderer;

/** Windows of VTK for drawing without showing. */

/** Returns why such a window is impossible, or an empty string: VTK may need a display. */
std::string
GetReasonForNoWindow();

/** Writes a line of text into the lower left corner of a part of a window; lines are counted from below. */
void
AddText(vtkRenderer & renderer, const std::string & text, int line, const std::array<double, 3> & color);

/** Draws a window and writes it as PNG.
 * \throws std::runtime_error */
void
WritePicture(vtkRenderWindow & window, const std::string & path);

#endif
