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
    PrintLine("noise",
              this->TextOf("/noise") +
                (this->Has("/noise_is_estimated") || this->Has("/noise_maximum") ? " (estimated)" : " (given)"));
  }
  if (this->Has("/noise_map"))
  {
    PrintLine("map", this->TextOf("/noise_map"));
    PrintLine("excluded", this->TextOf("/voxels_without_noise") + " voxels, where the noise map is 0");
  }
  if (this->Has("/noise_maximum"))
  {
    PrintLine("range", this->TextOf("/noise_minimum") + " to " + this->TextOf("/noise_maximum"));
    PrintLine("excluded", this->TextOf("/excluded_voxels") + " voxels, near which nothing tells of the noise");
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
  PrintLine("output", this->TextOf("/output") + ": " + this->TextOf("/output_type"));
}
