// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticPhantom.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

using Vector = std::array<double, 3>;

/** A step from 0 to 1 while x goes from -1/2 to 1/2, with a continuous derivative. */
double
SmoothStep(double x)
{
  const double t = std::min(std::max(x + 0.5, 0.0), 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/** A wave of period 1 between -1 and 1, composed of parabolas; like a sine, and the same on every machine. */
double
Wave(double x)
{
  const double t = x - std::floor(x + 0.5);
  return 8.0 * t * (1.0 - 2.0 * std::abs(t));
}

/** 1 at the surface of an ellipsoid, less inside. */
double
EllipsoidRadius(const Vector & position, const Vector & center, const Vector & axes)
{
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double along = (position[axis] - center[axis]) / axes[axis];
    square += along * along;
  }
  return std::sqrt(square);
}

struct Tissue
{
  double outerRadius; // in radii of the head
  double foldDepth;   // amplitude by which the folds move its surface
  double intensity;
};

/** The tissues from the outside to the inside; each covers the previous ones. */
constexpr Tissue tissues[] = { { 1.0, 0.0, 0.4 },     // skin
                               { 0.92, 0.0, 0.05 },   // skull
                               { 0.85, 0.0, 0.2 },    // fluid
                               { 0.80, 0.03, 0.6 },   // gray matter
                               { 0.64, 0.07, 0.9 } }; // white matter

constexpr double ventricleIntensity = 0.15;

} // namespace

SyntheticPhantom::SyntheticPhantom(const Grid & grid)
{
  double largestSpacing = 0.0;
  double smallestHalf = HUGE_VAL;
  for (int axis = 0; axis < 3; ++axis)
  {
    m_HalfExtent[axis] = 0.5 * grid.spacing[axis] * static_cast<double>(grid.size[axis]);
    if (axis < 2 || grid.size[2] > 1)
    {
      largestSpacing = std::max(largestSpacing, grid.spacing[axis]);
      smallestHalf = std::min(smallestHalf, m_HalfExtent[axis]);
    }
    else
    {
      m_HalfExtent[axis] = HUGE_VAL;
    }
  }
  constexpr double voxelsPerEdge = 2.0;
  m_EdgesPerUnit = smallestHalf / (voxelsPerEdge * largestSpacing);
}

double
SyntheticPhantom::ValueAt(const Vector & position) const
{
  constexpr Vector headAxes{ 0.76, 0.88, 0.80 };
  constexpr Vector ventricleCenter{ 0.13, 0.05, 0.04 };
  constexpr Vector ventricleAxes{ 0.07, 0.26, 0.16 };
  Vector           unit;
  for (int axis = 0; axis < 3; ++axis)
  {
    unit[axis] = position[axis] / m_HalfExtent[axis];
  }
  const auto inside = [this](double radius, double surface) { return SmoothStep((surface - radius) * m_EdgesPerUnit); };
  const double radius = EllipsoidRadius(unit, {}, headAxes);
  const double folds = Wave(2.6 * unit[0] + 0.7 * unit[2] + 0.1) * Wave(2.2 * unit[1] - 0.5 * unit[0] + 0.3) +
                       0.5 * Wave(2.4 * unit[2] + 0.6 * unit[1] + 0.2);
  double value = 0.0;
  for (const Tissue & tissue : tissues)
  {
    value += (tissue.intensity - value) * inside(radius, tissue.outerRadius + tissue.foldDepth * folds);
  }
  // The left and the right ventricle are mirror images.
  const Vector mirrored{ std::abs(unit[0]), unit[1], unit[2] };
  const double smallestAxis = ventricleAxes[0];
  const double ventricle = EllipsoidRadius(mirrored, ventricleCenter, ventricleAxes);
  return value + (ventricleIntensity - value) * inside(ventricle * smallestAxis, smallestAxis);
}

} // namespace cudaneuro
