// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/StandardStreams.h"

#include "files/SystemFile.h"
#include "shared/Messages.h"

#include <iostream>

void
RequireStandardOutput()
{
  if (!IsStandardOutputOpen())
  {
    throw ProgramError("cannot write to standard output: it is closed");
  }
}

void
FlushStandardOutput()
{
  if (!std::cout.flush())
  {
    throw ProgramError("cannot write to standard output: it is closed, or its disk is full");
  }
}

void
WriteToStandardOutput(const std::string & text)
{
  std::cout << text;
  FlushStandardOutput();
}
