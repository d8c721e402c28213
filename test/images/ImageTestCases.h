// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ImageTestCases_h
#define ImageTestCases_h

#include "DeviceTest.h"
#include "ReferenceSmoothing.h"
#include "TestVolumes.h"

#include <cmath>
#include <vector>

/** Common parts of the tests of image operations. */
namespace imagetests
{

constexpr double dataRange = 1000.0;
// Bounds the errors of float sums of up to 200 terms, with weights rounded to float.
constexpr double tolerance = 2e-6 * dataRange;

template <typename T>
double
LargestDifference(const std::vector<T> & values, const std::vector<double> & expected)
{
  EXPECT_EQ(values.size(), expected.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i)
  {
    // NaN counts as infinite.
    const double difference = std::abs(static_cast<double>(values[i]) - expected[i]);
    largest = difference <= largest ? largest : (std::isnan(difference) ? HUGE_VAL : difference);
  }
  return largest;
}

template <typename T>
std::vector<double>
ToDouble(const std::vector<T> & values)
{
  return std::vector<double>(values.begin(), values.end());
}

} // namespace imagetests

#endif
