// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ParameterLimitsTest_h
#define ParameterLimitsTest_h

#include "DeviceTest.h"
#include "TestVolumes.h"

#include <vector>

/** The fixture of the tests of filters, registrations and atlases at the limits of their numbers, and the image that
 * these take. */
namespace parameterlimits
{

inline const cudaneuro::Grid grid = testvolumes::MakeGrid({ 9, 8, 6 }, { 1.0, 1.2, 0.9 });

inline const std::vector<float> &
Input()
{
  static const std::vector<float> input = testvolumes::NoisyPhantom(grid);
  return input;
}

class ParameterLimits : public DeviceTest
{};

} // namespace parameterlimits

#endif
