// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/OpenedLibrary.h"

#if defined(_WIN32)
#  include "system/Windows.h"
#else
#  include <dlfcn.h>
#endif

namespace cudaneuro::system
{

const std::vector<std::string> &
NamesHere(const LibraryNames & names)
{
#if defined(_WIN32)
  return names.onWindows;
#elif defined(__APPLE__)
  return names.onMacOs;
#else
  return names.onLinux;
#endif
}

#if defined(_WIN32)

namespace
{

/** Returns the system's text for an error, without the line end that it adds. */
std::string
TextOfError(DWORD number)
{
  char        buffer[512];
  const DWORD length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS,
                                      nullptr,
                                      number,
                                      0,
                                      buffer,
                                      static_cast<DWORD>(sizeof(buffer)),
                                      nullptr);
  std::string text(buffer, length);
  text.erase(text.find_last_not_of("\r\n .") + 1);
  return text.empty() ? "error " + std::to_string(number) : text;
}

} // namespace

void *
OpenLibrary(const std::string & name, std::string & reason)
{
  // Without this, a library that lacks another one opens a window that waits for the user.
  DWORD before = 0;
  SetThreadErrorMode(SEM_FAILCRITICALERRORS, &before);
  void * const handle = reinterpret_cast<void *>(LoadLibraryA(name.c_str()));
  reason = handle ? "" : TextOfError(GetLastError());
  SetThreadErrorMode(before, nullptr);
  return handle;
}

void *
FindFunction(void * library, const char * name)
{
  return reinterpret_cast<void *>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

#else

void *
OpenLibrary(const std::string & name, std::string & reason)
{
  void * const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char * const message = handle ? nullptr : dlerror();
  reason = message ? message : "";
  return handle;
}

void *
FindFunction(void * library, const char * name)
{
  return dlsym(library, name);
}

#endif

} // namespace cudaneuro::system
