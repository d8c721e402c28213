// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearReference_h
#define LinearReference_h

#include "linear/LinearTestCases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

/** The value and the derivatives of a linear metric in double precision: sums over all voxels, and finite differences.
 */
namespace lineartests
{

inline LinearMetricParameters
ParametersOf(RegistrationMetric metric, bool isSymmetric = false)
{
  LinearMetricParameters parameters;
  parameters.metric = metric;
  parameters.useSymmetricMetric = isSymmetric;
  return parameters;
}

/** Images prepared in double precision, and their metric. */
struct ReferenceProblem
{
  reference::ImageOnGrid fixed;
  reference::ImageOnGrid moving;
  reference::Metric      metric;
};

inline ReferenceProblem
Prepare(const LinearMetricParameters & parameters, const PlacedImage & fixed, const PlacedImage & moving)
{
  ReferenceProblem problem{ fixed.ForReference(), moving.ForReference(), reference::MeanSquares };
  reference::FillOutsideMask(problem.fixed);
  reference::FillOutsideMask(problem.moving);
  if (parameters.metric == RegistrationMetric::MutualInformation)
  {
    const int bins = parameters.numberOfHistogramBins;
    problem.fixed = reference::InBins(problem.fixed, bins);
    problem.moving = reference::InBins(problem.moving, bins);
    problem.metric = [bins](const auto & a, const auto & b, const auto & map, const auto & voxels) {
      return reference::MutualInformation(bins, a, b, map, voxels);
    };
    return problem;
  }
  const reference::Moments ofFixed = reference::MomentsOf(problem.fixed);
  problem.fixed = reference::Standardized(problem.fixed, ofFixed.mean, ofFixed.deviation);
  problem.moving = reference::Standardized(problem.moving, ofFixed.mean, ofFixed.deviation);
  return problem;
}

struct ReferenceResult
{
  double                 value;
  double                 overlap;
  std::array<double, 12> derivatives;
};

inline ReferenceResult
OneWay(const LinearMetricParameters &                      parameters,
       const PlacedImage &                                 fixed,
       const PlacedImage &                                 moving,
       const AffineMap &                                   map,
       const std::function<AffineMap(const AffineMap &)> & seen)
{
  const ReferenceProblem problem = Prepare(parameters, fixed, moving);
  const auto             toIndices = [&](const AffineMap & points) {
    return Compose(PointToIndex(moving.geometry), Compose(seen(points), IndexToPoint(fixed.geometry)));
  };
  const std::vector<std::size_t> voxels = reference::VoxelsThatTakePart(problem.fixed, problem.moving, toIndices(map));
  double                         inMask = 0.0;
  for (std::size_t i = 0; i < problem.fixed.values.size(); ++i)
  {
    inMask += problem.fixed.IsInMask(i) ? 1.0 : 0.0;
  }
  return { problem.metric(problem.fixed, problem.moving, toIndices(map), voxels),
           static_cast<double>(voxels.size()) / inMask,
           reference::Differentiate(problem.metric, problem.fixed, problem.moving, toIndices, map) };
}

inline ReferenceResult
ReferenceOf(const LinearMetricParameters & parameters,
            const PlacedImage &            fixed,
            const PlacedImage &            moving,
            const AffineMap &              map)
{
  ReferenceResult result = OneWay(parameters, fixed, moving, map, [](const AffineMap & points) { return points; });
  if (parameters.useSymmetricMetric)
  {
    const ReferenceResult back =
      OneWay(parameters, moving, fixed, map, [](const AffineMap & points) { return Inverse(points); });
    result.value = 0.5 * (result.value + back.value);
    result.overlap = std::max(result.overlap, back.overlap);
    for (int entry = 0; entry < 12; ++entry)
    {
      result.derivatives[entry] = 0.5 * (result.derivatives[entry] + back.derivatives[entry]);
    }
  }
  return result;
}

inline void
ExpectReference(const ReferenceResult & expected, const LinearMetricEvaluation & evaluation, bool is2D)
{
  // The image in bins is rounded to float: 1e-7 of 32 bins, of 6,000 voxels of which hardly one comes to another bin.
  EXPECT_NEAR(evaluation.value, expected.value, 1e-5);
  EXPECT_DOUBLE_EQ(evaluation.overlap, expected.overlap);
  double largest = 0.0;
  for (const double derivative : expected.derivatives)
  {
    largest = std::max(largest, std::abs(derivative));
  }
  for (int entry = 0; entry < 12; ++entry)
  {
    const double derivative =
      entry < 9 ? evaluation.derivativeByMatrix[entry] : evaluation.derivativeByOffset[entry - 9];
    const bool isThird = entry < 9 ? entry / 3 == 2 || entry % 3 == 2 : entry == 11;
    if (is2D && isThird)
    {
      EXPECT_EQ(derivative, 0.0) << "entry " << entry;
    }
    else
    {
      // Sums of float, and a finite difference of sums that are rounded at 1e-13, by 1e-7.
      EXPECT_NEAR(derivative, expected.derivatives[entry], 2e-4 * largest) << "entry " << entry;
    }
  }
}

} // namespace lineartests

#endif
