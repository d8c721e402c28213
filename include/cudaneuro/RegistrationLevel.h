// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_RegistrationLevel_h
#define cudaneuro_RegistrationLevel_h

#include <array>

namespace cudaneuro
{

/** One level of the multi-resolution schedule. */
struct RegistrationLevel
{
  /** Voxels of the fixed grid that make one of this level, along each axis; >= 1. */
  std::array<int, 3> shrinkFactors{ 1, 1, 1 };
  /** >= 0 */
  int iterations = 100;
};

} // namespace cudaneuro

#endif
