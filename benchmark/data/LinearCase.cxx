// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/LinearCase.h"

#include "core/CounterRandom.h"
#include "linear/LinearTransformParameters.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

using Point = std::array<double, 3>;

/** Half of the head along each axis, and the minimum field of view of an image, in mm. */
constexpr Point halfHead{ 68.0, 86.0, 70.0 };
constexpr Point fieldOfView{ 181.0, 217.0, 181.0 };

constexpr double edgeVoxels = 1.5;
constexpr double noiseSigma = 20.0;

/** A shell of the head, which covers the shells outside of it. */
struct Shell
{
  double radius;         // 1 is the skin
  double foldDepth;      // of the folds of its surface, in radii
  double intensities[2]; // in the two contrasts
};

constexpr Shell shells[] = { { 1.0, 0.0, { 700.0, 450.0 } },     // skin
                             { 0.93, 0.0, { 60.0, 40.0 } },      // skull
                             { 0.87, 0.0, { 180.0, 950.0 } },    // fluid
                             { 0.83, 0.02, { 520.0, 600.0 } },   // gray matter
                             { 0.68, 0.06, { 800.0, 400.0 } } }; // white matter

/** A structure inside the white matter: no two on opposite sides are similar, so that no other rotation fits. */
struct Ellipsoid
{
  Point  center; // mm
  Point  axes;
  double intensities[2];
};

constexpr Ellipsoid ellipsoids[] = { { { 12.0, 4.0, 6.0 }, { 7.0, 24.0, 11.0 }, { 180.0, 950.0 } },
                                     { { -11.0, 2.0, 8.0 }, { 6.0, 20.0, 14.0 }, { 180.0, 950.0 } },
                                     { { 22.0, -6.0, -10.0 }, { 9.0, 12.0, 10.0 }, { 580.0, 520.0 } },
                                     { { -26.0, 22.0, 18.0 }, { 8.0, 7.0, 9.0 }, { 400.0, 800.0 } } };

double
Length(const Point & point)
{
  return std::hypot(point[0], point[1], point[2]);
}

/** Rises from 0 to 1 while x goes from -1/2 to 1/2, with a continuous derivative. */
double
SmoothStep(double x)
{
  const double t = std::clamp(x + 0.5, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/** Returns the relative depth of folds at a point, between -1.5 and 1.5. */
double
FoldsAt(const Point & p)
{
  const double wide = std::sin(0.17 * p[0] + 0.04 * p[2] + 0.4) * std::sin(0.15 * p[1] - 0.05 * p[0] + 0.9);
  const double narrow = std::sin(0.38 * p[2] + 0.06 * p[1] + 0.2) * std::sin(0.35 * p[1] + 0.31 * p[0]);
  return wide + 0.5 * narrow;
}

/** Returns the head's intensity at a point relative to its center, with edges of \p edge mm. */
double
HeadAt(const Point & p, std::size_t contrast, double edge)
{
  // The head is narrower, and higher, in front than behind.
  const double front = p[1] / halfHead[1];
  const double radius =
    Length({ p[0] / halfHead[0] * (1.0 + 0.1 * front), front, p[2] / halfHead[2] * (1.0 - 0.08 * front) });
  const double toEdges = halfHead[0] / edge;
  if ((radius - 1.0) * toEdges > 0.5)
  {
    return 0.0;
  }
  const double folds = FoldsAt(p);
  double       value = 0.0;
  for (const Shell & shell : shells)
  {
    const double inside = SmoothStep((shell.radius + shell.foldDepth * folds - radius) * toEdges);
    value += (shell.intensities[contrast] - value) * inside;
  }
  for (const Ellipsoid & ellipsoid : ellipsoids)
  {
    const auto   along = [&](std::size_t axis) { return (p[axis] - ellipsoid.center[axis]) / ellipsoid.axes[axis]; };
    const double inside = SmoothStep((1.0 - Length({ along(0), along(1), along(2) })) * ellipsoid.axes[0] / edge);
    value += (ellipsoid.intensities[contrast] - value) * inside;
  }
  return value;
}

/** Returns a grid that is centered on the point 0. */
Geometry
GeometryOf(const Size & size, double spacing)
{
  Geometry geometry;
  geometry.grid.size = size;
  geometry.grid.spacing = { spacing, spacing, spacing };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    geometry.origin[axis] = -0.5 * spacing * static_cast<double>(size[axis] - 1);
  }
  return geometry;
}

double
SpacingOf(const Size & size)
{
  double spacing = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    spacing = std::max(spacing, fieldOfView[axis] / static_cast<double>(size[axis]));
  }
  return spacing;
}

} // namespace

AffineMap
RotationBy(double x, double y, double z)
{
  constexpr double degree = 3.14159265358979323846 / 180.0;
  AffineMap        rotation;
  const double     angles[3] = { x, y, z };
  for (std::size_t axis = 3; axis-- > 0;)
  {
    Point turn{};
    turn[axis] = angles[axis] * degree;
    rotation = Compose({ RotationMatrix(turn), {} }, rotation);
  }
  return rotation;
}

LinearCase::LinearCase(const Device & device, const Size & size, const AffineMap & motion)
  : m_Context(device)
{
  // The grids differ as if the scanners had different origins.
  constexpr Point originOfMoving{ 12.0, -9.0, 7.0 };
  const double    spacing = SpacingOf(size);
  m_Images.fixedGeometry = GeometryOf(size, spacing);
  m_Images.movingGeometry = GeometryOf(size, 1.1 * spacing);
  m_TrueMap = motion;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    m_Images.movingGeometry.origin[axis] += originOfMoving[axis];
    m_TrueMap.offset[axis] += originOfMoving[axis];
  }
  m_Images.fixedImage = this->MakeImage(m_Images.fixedGeometry, AffineMap(), Contrast::First);
  m_Images.movingImage = this->MakeImage(m_Images.movingGeometry, Inverse(m_TrueMap), Contrast::Second);
}

ConstVolume
LinearCase::MakeImage(const Geometry & geometry, const AffineMap & toHead, Contrast contrast)
{
  const auto         key = static_cast<std::size_t>(contrast);
  const Size &       size = geometry.grid.size;
  const AffineMap    indexToHead = Compose(toHead, IndexToPoint(geometry));
  const double       edge = edgeVoxels * this->GetVoxelSize();
  std::vector<float> values(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()));
  Context            host{ Device() };
  host.ParallelFor(size[1] * size[2], [&](std::int64_t row) {
    const std::int64_t y = row % size[1];
    const std::int64_t z = row / size[1];
    for (std::int64_t x = 0; x < size[0]; ++x)
    {
      const auto   i = static_cast<std::size_t>(row * size[0] + x);
      const Point  index{ static_cast<double>(x), static_cast<double>(y), static_cast<double>(z) };
      const double signal = HeadAt(Apply(indexToHead, index), key, edge);
      values[i] = static_cast<float>(std::abs(signal + noiseSigma * RandomNormal(key, i)));
    }
  });
  m_Memory[key] = m_Context.Allocate(values.size() * sizeof(float));
  const MemorySpace space = m_Context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
  CopyVolume(m_Context,
             geometry.grid,
             { values.data(), PixelType::Float, MemorySpace::Host },
             { m_Memory[key].Data(), PixelType::Float, space });
  return { m_Memory[key].Data(), PixelType::Float, space };
}

double
LinearCase::ErrorOf(const AffineMap & map) const
{
  double largest = 0.0;
  for (int corner = 0; corner < 8; ++corner)
  {
    Point point{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point[axis] = (corner >> axis & 1) != 0 ? halfHead[axis] : -halfHead[axis];
    }
    const Point is = Apply(map, point);
    const Point shouldBe = Apply(m_TrueMap, point);
    largest = std::max(largest, Length({ is[0] - shouldBe[0], is[1] - shouldBe[1], is[2] - shouldBe[2] }));
  }
  return largest;
}

} // namespace cudaneuro::benchmark
