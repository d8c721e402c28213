// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/Environment.h"

#include <cstdlib>

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

} // namespace cudaneuro::system
