// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Version.h"

namespace cudaneuro
{

const char *
GetVersion() noexcept
{
  return CUDANEURO_VERSION;
}

} // namespace cudaneuro
