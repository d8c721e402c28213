// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/StandardStreams.h"

#include "files/system/SystemFile.h"
#include "files/base/Errors.h"

#include <iostream>

namespace cudaneuro::files
{

void
RequireStandardOutput()
{
  if (!IsStandardOutputOpen())
  {
    throw UserError("cannot write to standard output: it is closed");
  }
}

void
FlushStandardOutput()
{
  if (!std::cout.flush())
  {
    throw UserError("cannot write to standard output: it is closed, or its disk is full");
  }
}

void
WriteToStandardOutput(const std::string & text)
{
  std::cout << text;
  FlushStandardOutput();
}

} // namespace cudaneuro::files
