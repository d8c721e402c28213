// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/SharedLibrary.h"

#include "cudaneuro/Error.h"
#include "system/OpenedLibrary.h"

namespace cudaneuro
{

SharedLibrary::SharedLibrary(const std::string & call, const std::vector<std::string> & names)
  : m_Call(call)
{
  std::string tried;
  for (const std::string & name : names)
  {
    std::string reason;
    m_Handle = system::OpenLibrary(name, reason);
    if (m_Handle)
    {
      m_Name = name;
      return;
    }
    tried.append(tried.empty() ? "" : "; ").append(name).append(" (").append(reason).append(")");
  }
  throw Error(call, "none of these libraries could be opened: " + tried);
}

void *
SharedLibrary::Find(const char * name) const
{
  void * const function = system::FindFunction(m_Handle, name);
  if (!function)
  {
    throw Error(m_Call, m_Name + " has no function " + name);
  }
  return function;
}

} // namespace cudaneuro
