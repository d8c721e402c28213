// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/SharedLibrary.h"

#include "cudaneuro/Error.h"

#if defined(_WIN32)
#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>
#else
#  include <dlfcn.h>
#endif

namespace cudaneuro
{
namespace
{

void *
Open(const std::string & name, std::string & reason)
{
#if defined(_WIN32)
  void * const handle = reinterpret_cast<void *>(LoadLibraryA(name.c_str()));
  reason = handle ? "" : "error " + std::to_string(GetLastError());
#else
  void * const       handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char * const message = handle ? nullptr : dlerror();
  reason = message ? message : "";
#endif
  return handle;
}

} // namespace

SharedLibrary::SharedLibrary(const std::string & call, const std::vector<std::string> & names)
  : m_Call(call)
{
  std::string tried;
  for (const std::string & name : names)
  {
    std::string reason;
    m_Handle = Open(name, reason);
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
#if defined(_WIN32)
  void * const function = reinterpret_cast<void *>(GetProcAddress(reinterpret_cast<HMODULE>(m_Handle), name));
#else
  void * const function = dlsym(m_Handle, name);
#endif
  if (!function)
  {
    throw Error(m_Call, m_Name + " has no function " + name);
  }
  return function;
}

} // namespace cudaneuro
