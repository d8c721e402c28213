// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DisplacementFieldTest_h
#define DisplacementFieldTest_h

#include "DeviceTest.h"
#include "FieldTestCases.h"

#include <array>
#include <cstdint>

/** The fixture of the tests of displacement fields, and sizes of grids for them. */
namespace fieldtests
{

class DisplacementField : public DeviceTest
{};

/** Sizes of two oblique and anisotropic grids at about the same place. */
struct WarpCase
{
  std::array<std::int64_t, 3> inputSize;
  std::array<std::int64_t, 3> outputSize;
};

inline const WarpCase warpCases[] = { { { 19, 23, 17 }, { 37, 11, 13 } }, { { 33, 9, 5 }, { 70, 20, 9 } },
                                      { { 21, 18, 1 }, { 35, 9, 1 } },    { { 1, 12, 7 }, { 9, 1, 6 } },
                                      { { 1, 1, 1 }, { 1, 1, 1 } },       { { 5, 1, 1 }, { 40, 1, 1 } },
                                      { { 2, 3, 4 }, { 129, 3, 4 } },     { { 141, 6, 5 }, { 150, 5, 7 } } };

} // namespace fieldtests

#endif
