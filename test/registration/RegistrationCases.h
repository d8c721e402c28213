// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_test_RegistrationCases_h
#define cudaneuro_test_RegistrationCases_h

#include "ForEachVoxel.h"
#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/Registration.h"
#include "linear/LinearTestCases.h"

#include <cmath>
#include <string>
#include <vector>

/** Pairs of images, and the methods and metrics that register them, for properties that all must have. */
namespace registrationcases
{

using namespace cudaneuro;
using lineartests::PlacedImage;

/** A blob around the origin, on a grid of 48 mm with voxels of \p side, and a mask in the shape of a ball. */
inline PlacedImage
MakeImage(double side, bool isFlat, double phase)
{
  const auto size = static_cast<std::int64_t>(48.0 / side);
  Geometry   geometry;
  geometry.grid = testvolumes::MakeGrid(
    { static_cast<int>(size), static_cast<int>(size), isFlat ? 1 : static_cast<int>(size) }, { side, side, side });
  const double first = 0.5 * side * static_cast<double>(1 - size);
  geometry.origin = { first, first, isFlat ? 0.0 : first };
  PlacedImage     image = lineartests::MakePlacedImage(geometry, phase);
  const AffineMap toPoint = IndexToPoint(geometry);
  ForEachVoxel(std::array<std::int64_t, 3>{ size, size, geometry.grid.size[2] },
               [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                 const auto p = lineartests::Mapped(toPoint, { double(x), double(y), double(z) });
                 image.mask.push_back(std::hypot(p[0], p[1] - 1.0, p[2] + 1.0) < 17.0 ? 1 : 0);
               });
  return image;
}

struct Pair
{
  PlacedImage fixed;
  PlacedImage moving;
};

/** \param ratio side of a moving voxel in sides of a fixed voxel */
inline Pair
MakePair(double ratio, bool isFlat)
{
  // A spacing at which the coarser image still has enough voxels.
  const double side = ratio > 2.0 ? 1.0 : 2.0;
  return { MakeImage(side, isFlat, 0.3), MakeImage(ratio * side, isFlat, 0.9) };
}

struct DeformableMethod
{
  std::string        name;
  RegistrationMetric metric;
  bool               isSymmetric;
  bool               isGreedy;
  bool               matchesIntensities;
};

inline std::vector<DeformableMethod>
DeformableMethods()
{
  std::vector<DeformableMethod> methods;
  for (const auto metric :
       { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation, RegistrationMetric::MutualInformation })
  {
    methods.push_back({ "unbiased", metric, false, false, false });
    methods.push_back({ "symmetric", metric, true, false, false });
    methods.push_back({ "greedy", metric, false, true, false });
  }
  methods.push_back({ "matched", RegistrationMetric::MeanSquares, false, false, true });
  return methods;
}

inline RegistrationParameters
ParametersOf(const DeformableMethod & method)
{
  RegistrationParameters parameters;
  parameters.metric = method.metric;
  parameters.matchIntensities = method.matchesIntensities;
  parameters.isSymmetric = method.isSymmetric;
  parameters.unbiasedWeight = method.isGreedy ? 0.0 : 0.1;
  parameters.useDeformedGradient = method.isGreedy;
  parameters.velocityMethod = method.isGreedy ? VelocityMethod::SuccessiveOverRelaxation : VelocityMethod::Gaussian;
  parameters.levels = { { { 2, 2, 2 }, 3 }, { { 1, 1, 1 }, 2 } };
  return parameters;
}

/** \tparam TImages RegistrationImages or LinearMetricImages */
template <typename TImages>
TImages
ImagesOf(const Pair & pair)
{
  TImages images;
  images.fixedGeometry = pair.fixed.geometry;
  images.fixedImage = ConstView(pair.fixed.values);
  images.fixedMask = ConstView(pair.fixed.mask);
  images.movingGeometry = pair.moving.geometry;
  images.movingImage = ConstView(pair.moving.values);
  images.movingMask = ConstView(pair.moving.mask);
  return images;
}

constexpr std::array<RegistrationMetric, 3> metrics{ RegistrationMetric::MeanSquares,
                                                     RegistrationMetric::LocalCorrelation,
                                                     RegistrationMetric::MutualInformation };

} // namespace registrationcases

#endif
