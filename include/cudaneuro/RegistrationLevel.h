// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_RegistrationLevel_h
#define cudaneuro_RegistrationLevel_h

#include "cudaneuro/Parameters.h"

#include <array>

namespace cudaneuro
{

/** One level of the multi-resolution schedule; Describe lists units, meanings and ranges. */
struct RegistrationLevel
{
  std::array<int, 3> shrinkFactors{ 1, 1, 1 };
  int                iterations = 100;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const RegistrationLevel &)
{
  using P = RegistrationLevel;
  return std::make_tuple(
    Parameter(&P::shrinkFactors,
              "ShrinkFactors",
              "voxels",
              "Number of voxels of the fixed grid in one of the level",
              AtLeast(1)),
    Parameter(&P::iterations, "NumberOfIterations", "", "Largest number of iterations", AtLeast(0)));
}

} // namespace cudaneuro

#endif
