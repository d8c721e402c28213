// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearTestCases_h
#define LinearTestCases_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/LinearMetric.h"
#include "metrics/ReferenceMetric.h"

#include <cmath>

/** Analytic images on grids of their own, for the tests of linear metrics. */
namespace lineartests
{

using namespace cudaneuro;

/** An image and where it lies in space. */
struct PlacedImage
{
  Geometry                   geometry;
  std::vector<float>         values;
  std::vector<unsigned char> mask;

  reference::ImageOnGrid
  ForReference() const
  {
    const auto & size = geometry.grid.size;
    return { { static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]) },
             { values.begin(), values.end() },
             mask };
  }
};

inline std::array<double, 3>
Mapped(const AffineMap & map, const std::array<double, 3> & point)
{
  std::array<double, 3> mapped = map.offset;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      mapped[row] += map.matrix[3 * row + column] * point[column];
    }
  }
  return mapped;
}

/** Directions that are not those of space: rotations about the third and the first axis. */
inline std::array<double, 9>
ObliqueDirection(double a, double b)
{
  const double ca = std::cos(a);
  const double sa = std::sin(a);
  const double cb = std::cos(b);
  const double sb = std::sin(b);
  return { ca, -sa * cb, sa * sb, sa, ca * cb, -ca * sb, 0.0, sb, cb };
}

/** A smooth blob of about 10 mm around the origin of space, with waves of a phase. */
inline double
Blob(const std::array<double, 3> & p, double phase)
{
  const double squared = p[0] * p[0] / 150.0 + (p[1] - 2.0) * (p[1] - 2.0) / 110.0 + p[2] * p[2] / 190.0;
  return 900.0 * std::exp(-squared) + 60.0 * std::sin(0.31 * p[0] + phase) * std::cos(0.27 * p[1] - phase) +
         40.0 * std::sin(0.29 * p[2] + 0.2 * p[1]);
}

inline PlacedImage
MakePlacedImage(const Geometry & geometry, double phase)
{
  PlacedImage     image{ geometry, {}, {} };
  const AffineMap toPoint = IndexToPoint(geometry);
  ForEachVoxel(geometry.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::array<double, 3> point =
      Mapped(toPoint, { static_cast<double>(x), static_cast<double>(y), static_cast<double>(z) });
    image.values.push_back(static_cast<float>(Blob(point, phase)));
  });
  return image;
}

/** A fixed image of other size, spacing and directions than the moving one. */
inline PlacedImage
FixedImage()
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid({ 21, 19, 15 }, { 1.1, 1.3, 1.4 });
  geometry.origin = { -11.0, -12.5, -10.0 };
  return MakePlacedImage(geometry, 0.3);
}

inline PlacedImage
MovingImage()
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid({ 24, 22, 20 }, { 1.2, 1.1, 0.9 });
  geometry.direction = ObliqueDirection(0.2, -0.15);
  geometry.origin = { -14.0, -11.0, -9.5 };
  return MakePlacedImage(geometry, 0.9);
}

inline PlacedImage
FixedImage2D()
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid({ 31, 27, 1 }, { 0.9, 1.1, 1.0 });
  geometry.origin = { -14.0, -13.0, 0.0 };
  return MakePlacedImage(geometry, 0.3);
}

inline PlacedImage
MovingImage2D()
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid({ 36, 30, 1 }, { 0.8, 1.0, 1.0 });
  geometry.direction = ObliqueDirection(0.2, 0.0);
  geometry.origin = { -13.0, -16.0, 0.0 };
  return MakePlacedImage(geometry, 0.9);
}

/** Masks out the part of an image where a wave in space is high, and single voxels. */
inline void
AddMask(double phase, PlacedImage & image)
{
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    const bool isOutside = std::sin(0.05 * static_cast<double>(i) + phase) > 0.8 || i % 37 == 5;
    image.mask.push_back(isOutside ? 0 : 1);
  }
}

inline AffineMap
ObliqueMap()
{
  AffineMap map;
  map.matrix = { 1.03, 0.08, -0.05, -0.06, 0.96, 0.04, 0.03, -0.07, 1.02 };
  map.offset = { 0.7, -1.1, 0.4 };
  return map;
}

inline AffineMap
ObliqueMap2D()
{
  AffineMap map;
  map.matrix = { 1.03, 0.08, 0.0, -0.06, 0.96, 0.0, 0.0, 0.0, 1.0 };
  map.offset = { 0.7, -1.1, 0.0 };
  return map;
}

inline LinearMetricImages
Compare(const PlacedImage & fixed, const PlacedImage & moving)
{
  return { fixed.geometry,  ConstView(fixed.values),  ConstView(fixed.mask),
           moving.geometry, ConstView(moving.values), ConstView(moving.mask) };
}

inline LinearMetricEvaluation
EvaluateOne(Context &                      context,
            const LinearMetricParameters & parameters,
            const LinearMetricImages &     images,
            const AffineMap &              map)
{
  LinearMetric                        metric(context, parameters, images);
  std::vector<LinearMetricEvaluation> evaluations(1);
  evaluations[0].map = map;
  metric.Evaluate(evaluations);
  return evaluations[0];
}

} // namespace lineartests

#endif
