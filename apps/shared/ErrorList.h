// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ErrorList_h
#define apps_shared_ErrorList_h

#include "cudaneuro/Context.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

/** Collects the errors of files, so that one message names all of them. */
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

  /** The same for one of many subjects; an error that several have is reported for the first only.
   * \param subject the beginning of messages; may be empty */
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

  /** Runs checks number 0, 1 and so on in threads of a context. Errors are in the order of the numbers. */
  void
  CheckInParallel(cudaneuro::Context & context, std::size_t count, const std::function<void(std::size_t)> & function)
  {
    std::vector<std::string> errors(count);
    context.ParallelFor(static_cast<std::int64_t>(count), [&](std::int64_t number) {
      const auto at = static_cast<std::size_t>(number);
      try
      {
        function(at);
      }
      catch (const UserError & error)
      {
        errors[at] = error.what();
      }
    });
    for (const std::string & error : errors)
    {
      this->Add(error);
    }
  }

  /** Adds an error, unless the text is empty. */
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
