// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/Environment.h"

#include <cstdlib>

#if defined(_WIN32)
#  include "system/Windows.h"
#else
#  include <unistd.h>
#endif

namespace cudaneuro::system
{

void
SetVariable(const char * name, const char * value)
{
#if defined(_WIN32)
  _putenv_s(name, value);
#else
  setenv(name, value, 1);
#endif
}

long
GetProcessNumber()
{
#if defined(_WIN32)
  return static_cast<long>(GetCurrentProcessId());
#else
  return getpid();
#endif
}

} // namespace cudaneuro::system
