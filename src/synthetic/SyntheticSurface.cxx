// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticSurface.h"

#include "core/CounterRandom.h"
#include "core/SpaceMatrices.h"
#include "synthetic/PortableSine.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

using Vector = Vector3d;

constexpr double pi = 3.14159265358979323846;
constexpr double twoPi = 2.0 * pi;

constexpr Vector semiAxes{ 30.0, 12.5, 15.0 };
constexpr double bend = 0.006;
/** About the mean of x^2, so that bending does not move the surface. */
constexpr double meanSquareOfX = 300.0;

/** amplitude sin(2 pi (wave.x + phase)) */
struct Fold
{
  double amplitude;
  Vector wave; // in 1 / mm
  double phase;
};

/** Folds with wavelengths of 11 to 19 mm; the sum of the amplitudes is below 1. */
constexpr Fold folds[] = { { 0.045, { 0.071, 0.028, 0.013 }, 0.10 },
                           { 0.040, { 0.048, -0.036, 0.041 }, 0.35 },
                           { 0.035, { 0.055, 0.021, -0.052 }, 0.70 },
                           { 0.030, { -0.022, 0.060, 0.045 }, 0.20 },
                           { 0.030, { 0.083, -0.015, -0.030 }, 0.55 } };

Vector
OnEllipsoid(const Vector & direction)
{
  return { semiAxes[0] * direction[0], semiAxes[1] * direction[1], semiAxes[2] * direction[2] };
}

/** Two unit vectors that are perpendicular to a unit vector and to each other. */
std::array<Vector, 2>
Tangents(const Vector & direction)
{
  int smallest = 0;
  for (int axis = 1; axis < 3; ++axis)
  {
    smallest = std::abs(direction[axis]) < std::abs(direction[smallest]) ? axis : smallest;
  }
  Vector axis{};
  axis[smallest] = 1.0;
  const Vector perpendicular = Cross(direction, axis);
  const Vector first = Scaled(1.0 / Length(perpendicular), perpendicular);
  return { first, Cross(direction, first) };
}

/** A uniformly distributed direction (Marsaglia 1972), if (x, y) is uniformly distributed in the unit disk. */
Vector
DirectionOf(double x, double y)
{
  const double square = x * x + y * y;
  const double factor = 2.0 * std::sqrt(1.0 - square);
  return { factor * x, factor * y, 1.0 - 2.0 * square };
}

} // namespace

SurfacePoint
SurfaceAt(const Vector & direction)
{
  const Vector x = OnEllipsoid(direction);
  double       scale = 1.0;
  Vector       gradient{};
  for (const Fold & fold : folds)
  {
    const double turns = Dot(fold.wave, x) + fold.phase;
    const double slope = twoPi * fold.amplitude * SineOfTurns(turns + 0.25);
    scale += fold.amplitude * SineOfTurns(turns);
    for (int axis = 0; axis < 3; ++axis)
    {
      gradient[axis] += slope * fold.wave[axis];
    }
  }
  Vector                position = Scaled(scale, x);
  std::array<Vector, 2> derivatives = Tangents(direction);
  for (Vector & derivative : derivatives)
  {
    const Vector along = OnEllipsoid(derivative);
    const double ofScale = Dot(gradient, along);
    for (int axis = 0; axis < 3; ++axis)
    {
      derivative[axis] = scale * along[axis] + ofScale * x[axis];
    }
    derivative[1] += 2.0 * bend * position[0] * derivative[0];
  }
  position[1] += bend * (position[0] * position[0] - meanSquareOfX);
  return { position, Length(Cross(derivatives[0], derivatives[1])) };
}

Vector
HalfExtentOfSurface()
{
  double scale = 1.0;
  for (const Fold & fold : folds)
  {
    scale += fold.amplitude;
  }
  Vector extent = Scaled(scale, semiAxes);
  extent[1] += bend * (extent[0] * extent[0] - meanSquareOfX);
  return extent;
}

SurfaceSampler::SurfaceSampler(std::uint64_t key)
  : m_Key(key)
{
  // The points of a spiral, each of which represents the same area of the sphere.
  constexpr int    count = 20000;
  constexpr double turnsBetween = 0.61803398874989484820;
  double           sum = 0.0;
  double           largest = 0.0;
  for (int i = 0; i < count; ++i)
  {
    const double z = 1.0 - (2.0 * i + 1.0) / count;
    const double radius = std::sqrt(1.0 - z * z);
    const double turns = i * turnsBetween;
    const double factor = SurfaceAt({ radius * SineOfTurns(turns + 0.25), radius * SineOfTurns(turns), z }).areaFactor;
    sum += factor;
    largest = std::max(largest, factor);
  }
  // Between the points, whose distance is a fortieth of a fold, the factor is hardly larger.
  constexpr double reserve = 1.02;
  m_LargestFactor = reserve * largest;
  m_Area = 4.0 * pi * sum / count;
}

Vector
SurfaceSampler::PointAt(std::uint64_t index) const
{
  const std::uint64_t stream = RandomBits(m_Key, index);
  for (std::uint64_t attempt = 0;; ++attempt)
  {
    const double x = 2.0 * RandomUniform(stream, 3 * attempt) - 1.0;
    const double y = 2.0 * RandomUniform(stream, 3 * attempt + 1) - 1.0;
    if (x * x + y * y < 1.0)
    {
      const SurfacePoint point = SurfaceAt(DirectionOf(x, y));
      if (m_LargestFactor * RandomUniform(stream, 3 * attempt + 2) < point.areaFactor)
      {
        return point.position;
      }
    }
  }
}

} // namespace cudaneuro
