// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SyntheticLandmarksTest_h
#define SyntheticLandmarksTest_h

#include "DeviceTest.h"
#include "cudaneuro/SyntheticLandmarks.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/** The fixture that makes synthetic landmarks, and vectors of their coordinates. */
namespace syntheticlandmarks
{

using cudaneuro::SyntheticLandmarks;
using cudaneuro::SyntheticLandmarksParameters;
using Coordinates = std::vector<double>;
using Vector = std::array<double, 3>;

inline Vector
PointAt(const Coordinates & points, std::size_t index)
{
  return { points[3 * index], points[3 * index + 1], points[3 * index + 2] };
}

inline Vector
Difference(const Vector & a, const Vector & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

inline double
Dot(const Vector & a, const Vector & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector
Cross(const Vector & a, const Vector & b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

inline double
Length(const Vector & a)
{
  return std::sqrt(Dot(a, a));
}

class SyntheticPoints : public ::testing::Test
{
protected:
  SyntheticLandmarks
  Make(const SyntheticLandmarksParameters & parameters = {})
  {
    return SyntheticLandmarks(m_Context, parameters);
  }
  SyntheticLandmarks
  MakeNumber(std::int64_t numberOfPoints)
  {
    SyntheticLandmarksParameters parameters;
    parameters.numberOfPoints = numberOfPoints;
    return this->Make(parameters);
  }

  cudaneuro::Context m_Context{ cudaneuro::Device() };
};

} // namespace syntheticlandmarks

#endif
