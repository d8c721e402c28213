// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef FieldTestCases_h
#define FieldTestCases_h

#include "ReferenceFields.h"
#include "TestVolumes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

/** Geometries and fields for tests, and comparisons. */
namespace fieldtests
{

constexpr reference::Point center{ 10.0, -20.0, 30.0 };

inline cudaneuro::Geometry
AlignedGeometry(std::array<std::int64_t, 3> size)
{
  cudaneuro::Geometry geometry;
  geometry.grid.size = size;
  return geometry;
}

/** An anisotropic geometry about a fixed center, turned about an oblique axis (about the third axis for one plane). */
inline cudaneuro::Geometry
ObliqueGeometry(std::array<std::int64_t, 3> size, double angle)
{
  cudaneuro::Geometry geometry = AlignedGeometry(size);
  geometry.grid.spacing = { 0.9, 1.1, 1.4 };
  const reference::Point axis = size[2] == 1 ? reference::Point{ 0.0, 0.0, 1.0 } : reference::Point{ 0.48, 0.6, 0.64 };
  const double           c = std::cos(angle);
  const double           s = std::sin(angle);
  const double           cross[9] = { 0.0, -axis[2], axis[1], axis[2], 0.0, -axis[0], -axis[1], axis[0], 0.0 };
  for (int i = 0; i < 9; ++i)
  {
    geometry.direction[i] = (i % 4 == 0 ? c : 0.0) + s * cross[i] + (1.0 - c) * axis[i / 3] * axis[i % 3];
  }
  const reference::Point middle =
    reference::PointOfIndex(geometry, { 0.5 * (size[0] - 1), 0.5 * (size[1] - 1), 0.5 * (size[2] - 1) });
  for (int i = 0; i < 3; ++i)
  {
    geometry.origin[i] = center[i] - middle[i];
  }
  return geometry;
}

/** A linear map about a geometry's center. */
inline cudaneuro::AffineMap
CenteredLinearMap(const cudaneuro::Geometry & geometry, const std::array<double, 9> & matrix)
{
  const auto &           size = geometry.grid.size;
  const reference::Point middle =
    reference::PointOfIndex(geometry, { 0.5 * (size[0] - 1), 0.5 * (size[1] - 1), 0.5 * (size[2] - 1) });
  cudaneuro::AffineMap map;
  map.matrix = matrix;
  const reference::Point moved = reference::Apply(map, middle);
  for (int i = 0; i < 3; ++i)
  {
    map.offset[i] = middle[i] - moved[i];
  }
  return map;
}

/** A map that nearly keeps the positions of planes. */
inline cudaneuro::AffineMap
SmallAffineMap()
{
  cudaneuro::Geometry point = AlignedGeometry({ 1, 1, 1 });
  point.origin = center;
  cudaneuro::AffineMap map = CenteredLinearMap(point, { 1.07, -0.11, 0.0, 0.09, 0.95, 0.04, 0.0, 0.0, 1.03 });
  map.offset[0] += 0.37;
  map.offset[1] -= 0.61;
  map.offset[2] += 0.13;
  return map;
}

inline std::vector<double>
WavyField(const cudaneuro::Geometry & geometry, double amplitude, double phase = 0.0)
{
  return reference::FieldOf(geometry, [=](const reference::Point & p) {
    return reference::Point{ amplitude * std::sin(0.21 * p[1] + 0.1 * p[2] + phase),
                             amplitude * std::cos(0.17 * p[0] - 0.12 * p[2] + phase),
                             amplitude * std::sin(0.11 * p[0] + 0.16 * p[1] + 1.0 + phase) };
  });
}

/** A smooth field that does not fold and is 0 at the border. */
inline std::vector<double>
FadingField(const cudaneuro::Geometry & geometry, double amplitude)
{
  constexpr double pi = 3.14159265358979324;
  return reference::FieldOf(geometry, [&](const reference::Point & p) {
    reference::Point q = reference::IndexOfPoint(geometry, p);
    double           fade = amplitude;
    for (int axis = 0; axis < 3; ++axis)
    {
      q[axis] /= static_cast<double>(geometry.grid.size[axis] - 1);
      fade *= std::sin(pi * q[axis]);
    }
    return reference::Point{ fade * std::sin(2.0 * pi * q[1]),
                             fade * std::cos(2.0 * pi * q[2]),
                             fade * std::sin(2.0 * pi * q[0] + 1.0) };
  });
}

/** The field p -> map(p) - p. */
inline std::vector<double>
AffineField(const cudaneuro::Geometry & geometry, const cudaneuro::AffineMap & map)
{
  return reference::FieldOf(geometry, [&](const reference::Point & p) {
    reference::Point displacement = reference::Apply(map, p);
    for (int axis = 0; axis < 3; ++axis)
    {
      displacement[axis] -= p[axis];
    }
    return displacement;
  });
}

/** A field that jumps back by 4 mm between x = 15 and x = 16, so that the voxels on both sides fold. */
inline std::vector<double>
FoldingField(const cudaneuro::Geometry & geometry)
{
  return reference::FieldOf(geometry, [](const reference::Point & p) {
    return reference::Point{ p[0] > 15.5 ? -4.0 : 0.0, 0.0, 0.0 };
  });
}

inline std::vector<double>
FlatField(std::vector<double> field)
{
  for (std::size_t i = 2; i < field.size(); i += 3)
  {
    field[i] = 0.0;
  }
  return field;
}

template <typename T>
std::vector<T>
WithoutThirdComponent(const std::vector<T> & field)
{
  std::vector<T> result;
  for (std::size_t i = 0; i < field.size(); i += 3)
  {
    result.push_back(field[i]);
    result.push_back(field[i + 1]);
  }
  return result;
}

inline std::vector<float>
ToFloat(const std::vector<double> & values)
{
  return std::vector<float>(values.begin(), values.end());
}

inline std::vector<double>
ToDouble(const std::vector<float> & values)
{
  return std::vector<double>(values.begin(), values.end());
}

inline cudaneuro::ConstField
ConstFieldView(const std::vector<float> & field, unsigned int components = 3)
{
  return { field.empty() ? nullptr : field.data(), components, cudaneuro::MemorySpace::Host };
}

inline cudaneuro::Field
FieldView(std::vector<float> & field, unsigned int components = 3)
{
  return { field.data(), components, cudaneuro::MemorySpace::Host };
}

inline bool
IsSameBits(const std::vector<float> & a, const std::vector<float> & b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/** The largest difference; infinity where just one of two values is NaN. */
template <typename TOther>
double
LargestDifference(const std::vector<float> & values, const std::vector<TOther> & expected)
{
  EXPECT_EQ(values.size(), expected.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const double difference = std::abs(static_cast<double>(values[i]) - static_cast<double>(expected[i]));
    if (std::isnan(values[i]) != std::isnan(expected[i]))
    {
      return std::numeric_limits<double>::infinity();
    }
    largest = std::max(largest, std::isnan(difference) ? 0.0 : difference);
  }
  return largest;
}

/** Compares with the least positive determinant that has at least \p fraction of them up to it. Bins are 1/64 wide. */
inline void
ExpectPercentile(double result, std::vector<double> determinants, double fraction)
{
  determinants.erase(std::remove_if(determinants.begin(), determinants.end(), [](double d) { return !(d > 0.0); }),
                     determinants.end());
  std::sort(determinants.begin(), determinants.end());
  const auto   count = static_cast<double>(determinants.size());
  const double expected =
    determinants.empty() ? 0.0 : determinants[static_cast<std::size_t>(std::ceil(fraction * count)) - 1];
  EXPECT_NEAR(result, expected, expected / 64.0 + 1e-5);
}

/** Compares the result with statistics of the determinants, computed in two passes. */
inline void
ExpectStatistics(const cudaneuro::JacobianResult & result, const std::vector<double> & determinants)
{
  double       sum = 0.0;
  std::int64_t count = 0;
  double       minimum = determinants[0];
  double       maximum = determinants[0];
  for (const double determinant : determinants)
  {
    minimum = std::min(minimum, determinant);
    maximum = std::max(maximum, determinant);
    if (determinant > 0.0)
    {
      sum += std::log(determinant);
      ++count;
    }
  }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0.0;
  double       squares = 0.0;
  for (const double determinant : determinants)
  {
    squares += determinant > 0.0 ? (std::log(determinant) - mean) * (std::log(determinant) - mean) : 0.0;
  }
  EXPECT_NEAR(result.minimum, minimum, 1e-5);
  EXPECT_NEAR(result.maximum, maximum, 1e-5);
  EXPECT_EQ(result.numberOfFoldedVoxels, static_cast<std::int64_t>(determinants.size()) - count);
  EXPECT_NEAR(result.meanLogarithm, mean, 1e-5);
  ExpectPercentile(result.lowerPercentile, determinants, 0.001);
  ExpectPercentile(result.upperPercentile, determinants, 0.999);
  EXPECT_NEAR(
    result.standardDeviationLogarithm, count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : 0.0, 1e-5);
}

} // namespace fieldtests

#endif
