// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ErrorList_h
#define apps_shared_ErrorList_h

#include "shared/Messages.h"
#include "shared/Signals.h"

#include <cstddef>
#include <functional>
#include <string>

/** Collects what is wrong with files, so that one message names all of them. */
class ErrorList
{
public:
  void
  Check(const std::function<void()> & function)
  {
    ThrowIfInterrupted();
    try
    {
      function();
    }
    catch (const UserError & error)
    {
      this->Add(error.what());
    }
  }

  /** Nothing is wrong where the text is empty. */
  void
  Add(const std::string & text)
  {
    if (!text.empty())
    {
      m_Text += (m_Count == 0 ? "" : "; ") + text;
      ++m_Count;
    }
  }

  void
  ThrowIfAny() const
  {
    if (m_Count > 0)
    {
      throw UserError(m_Count == 1 ? m_Text : std::to_string(m_Count) + " files cannot be used: " + m_Text);
    }
  }

private:
  std::string m_Text;
  std::size_t m_Count = 0;
};

#endif
