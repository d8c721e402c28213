// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseReport.h"

void
DenoiseReport::Print() const
{
  PrintLine("input", this->TextOf("/input") + ": " + this->TextOf("/input_description"));
  PrintLine("filter", this->TextOf("/filter") + ": " + this->TextOfAll("/parameters"));
  if (this->Has("/noise"))
  {
    PrintLine("noise", this->TextOf("/noise") + (this->Has("/noise_is_estimated") ? " (estimated)" : " (given)"));
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
  PrintLine("output", this->TextOf("/output") + ": " + this->TextOf("/output_type"));
}
