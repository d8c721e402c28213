// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ErrorList_h
#define apps_shared_ErrorList_h

#include "shared/Messages.h"
#include "shared/Signals.h"

#include <cstddef>
#include <functional>
#include <set>
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

  /** The same for one of many that may all have the same wrong, which is said of the first.
   * \param subject that messages begin with; may be empty */
  void
  CheckOnce(const std::string & subject, const std::function<void()> & function)
  {
    this->Check([&] {
      try
      {
        function();
      }
      catch (const UserError & error)
      {
        if (m_Said.insert(error.what()).second)
        {
          throw UserError(subject + error.what());
        }
      }
    });
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
  std::string           m_Text;
  std::size_t           m_Count = 0;
  std::set<std::string> m_Said;
};

#endif
