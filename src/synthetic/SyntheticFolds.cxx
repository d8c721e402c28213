// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticShapes.h"

#include "core/SpaceMatrices.h"
#include "synthetic/PortableSine.h"

#include <cmath>

namespace cudaneuro
{
namespace
{

using Vector = Vector3d;

constexpr double radius = 0.82;
constexpr double amplitude = 0.055;
/** Number of waves per size in the sines that make the folds. */
constexpr double wavesPerSize = 1.2;
constexpr double phases[3] = { 0.05, 0.15, 0.3 };
constexpr double twoPi = 6.28318530717958647693;

struct Field
{
  double value;
  Vector gradient;
};

/** |x| - radius - amplitude G(x), where G is a sum of products sin(x) cos(y), like that of a gyroid. */
Field
FieldAt(const Vector & x)
{
  Vector sines{};
  Vector cosines{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const double turns = wavesPerSize * x[axis] + phases[axis];
    sines[axis] = SineOfTurns(turns);
    cosines[axis] = SineOfTurns(turns + 0.25);
  }
  const double length = std::sqrt(Dot(x, x));
  Field        field{ length - radius, {} };
  for (int axis = 0; axis < 3; ++axis)
  {
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    field.value -= amplitude * sines[axis] * cosines[next];
    const double slope = cosines[axis] * cosines[next] - sines[last] * sines[axis];
    field.gradient[axis] = (length > 0.0 ? x[axis] / length : 0.0) - amplitude * twoPi * wavesPerSize * slope;
  }
  return field;
}

/** A step along the gradient to the zero of its linear approximation. */
void
StepToSurface(Vector & x, const Field & field)
{
  const double factor = field.value / Dot(field.gradient, field.gradient);
  for (int axis = 0; axis < 3; ++axis)
  {
    x[axis] -= factor * field.gradient[axis];
  }
}

} // namespace

bool
IsInsideFolds(const std::array<double, 3> & point)
{
  return FieldAt(point).value < 0.0;
}

SurfaceView
ViewOfFolds(const std::array<double, 3> & point)
{
  constexpr int    maximumNumberOfSteps = 60;
  constexpr double farEnough = 1e-9;
  constexpr double tangentialStep = 0.8;

  const bool isInside = IsInsideFolds(point);
  Vector     nearest = point;
  Vector     normal{};
  for (int step = 0; step < maximumNumberOfSteps; ++step)
  {
    const Field field = FieldAt(nearest);
    StepToSurface(nearest, field);
    const double length = std::sqrt(Dot(field.gradient, field.gradient));
    double       slide = 0.0;
    Vector       offset{};
    for (int axis = 0; axis < 3; ++axis)
    {
      normal[axis] = field.gradient[axis] / length;
      offset[axis] = point[axis] - nearest[axis];
    }
    const double height = Dot(offset, normal);
    for (int axis = 0; axis < 3; ++axis)
    {
      const double tangential = offset[axis] - height * normal[axis];
      nearest[axis] += tangentialStep * tangential;
      slide += tangential * tangential;
    }
    if (std::abs(field.value) < farEnough && slide < farEnough * farEnough)
    {
      break;
    }
  }
  StepToSurface(nearest, FieldAt(nearest));
  const Vector offset{ point[0] - nearest[0], point[1] - nearest[1], point[2] - nearest[2] };
  const double distance = std::sqrt(Dot(offset, offset));
  return { isInside ? -distance : distance, normal };
}

} // namespace cudaneuro
