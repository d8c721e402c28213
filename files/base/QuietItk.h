// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_QuietItk_h
#define files_base_QuietItk_h

#include "itkObject.h"

namespace cudaneuro::files
{

/** Suppresses, while it exists, ITK's warnings that name no file, or were given before. */
class QuietItk
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(QuietItk);
  QuietItk() { itk::Object::GlobalWarningDisplayOff(); }
  ~QuietItk() { itk::Object::SetGlobalWarningDisplay(m_WasOn); }

private:
  bool m_WasOn = itk::Object::GetGlobalWarningDisplay();
};

} // namespace cudaneuro::files

#endif
