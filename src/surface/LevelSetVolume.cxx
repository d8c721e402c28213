// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/LevelSetVolume.h"

#include "core/Dispatch.h"

#include <cmath>

namespace cudaneuro
{

double
EnclosedVolume(Context & context, const OffsetDistances & field)
{
  CUDANEURO_DISPATCH(context, EnclosedVolume(context, field));
}

void
AddOffset(Context & context, const OffsetDistances & field, float * distances)
{
  CUDANEURO_DISPATCH(context, AddOffset(context, field, distances));
}

double
FindOffset(const std::function<double(double)> & volumeOfOffset, double wanted, double unit)
{
  const double tolerance = 1e-6 * wanted;
  const auto   excess = [&](double offset) { return volumeOfOffset(offset) - wanted; };
  double       near = 0.0;
  double       excessNear = excess(near);
  if (std::abs(excessNear) <= tolerance)
  {
    return near;
  }
  // The steps double until the wanted volume lies between two of them.
  double step = excessNear > 0.0 ? unit : -unit;
  double far = step;
  double excessFar = excess(far);
  while ((excessFar > 0.0) == (excessNear > 0.0) && std::abs(excessFar) > tolerance)
  {
    near = far;
    excessNear = excessFar;
    step *= 2.0;
    far += step;
    excessFar = excess(far);
  }
  // The Illinois method: false position, in which the value of an end that is kept twice is halved.
  constexpr int mostSteps = 100;
  for (int i = 0; i < mostSteps && std::abs(excessFar) > tolerance; ++i)
  {
    const double next = far - excessFar * (far - near) / (excessFar - excessNear);
    if (next == far || next == near)
    {
      break; // there is no number between them
    }
    const double excessNext = excess(next);
    if ((excessNext > 0.0) != (excessFar > 0.0))
    {
      near = far;
      excessNear = excessFar;
    }
    else
    {
      excessNear *= 0.5;
    }
    far = next;
    excessFar = excessNext;
  }
  return far;
}

} // namespace cudaneuro
