// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/folder/AtlasFigure.h"

#include <stdexcept>

// For builds without PLplot.

std::string
GetReasonForNoFigure()
{
  return "this program was built without PLplot";
}

void
DrawAtlasFigure(const AtlasFigure &, const std::string &)
{
  throw std::runtime_error(GetReasonForNoFigure());
}
