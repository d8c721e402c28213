// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearPhantom.h"

#include <limits>

/** Background that goes on beyond the moving image's grid. */
namespace
{

using namespace linearphantom;

constexpr RegistrationMetric metrics[] = { RegistrationMetric::MeanSquares,
                                           RegistrationMetric::LocalCorrelation,
                                           RegistrationMetric::MutualInformation };

/** The part of a grid without some planes at the sides of each axis. */
Geometry
Cropped(Geometry geometry, const std::array<int, 3> & lower, const std::array<int, 3> & upper)
{
  const AffineMap toPoint = IndexToPoint(geometry);
  geometry.origin = Mapped(toPoint, { double(lower[0]), double(lower[1]), double(lower[2]) });
  for (int axis = 0; axis < 3; ++axis)
  {
    geometry.grid.size[axis] -= lower[axis] + upper[axis];
  }
  return geometry;
}

/** The head in air of intensity 0: its soft edge ends 4 mm outside the ellipsoid. */
double
HeadInAir(const Point & p)
{
  return std::hypot(p[0] / 28.0, p[1] / 35.0, p[2] / 25.0) < 1.0 ? Head(p) : 0.0;
}

class LinearBackground : public DeviceTest
{
protected:
  LinearMetricEvaluation
  EvaluateAt(const PlacedImage & fixed, const PlacedImage & moving, LinearMetricParameters parameters, bool extends)
  {
    parameters.extendBackground = extends;
    std::vector<LinearMetricEvaluation> evaluations(1);
    evaluations[0].map = KnownMap(LinearTransformType::Affine, 3, 12.0);
    LinearMetric(this->GetContext(), parameters, Images(fixed, moving)).Evaluate(evaluations);
    return evaluations[0];
  }
};

TEST_P(LinearBackground, WhatIsLeftOutOfItChangesNothing)
{
  const Geometry    wide = TurnedGeometry(3, { 2.1, 1.9, 2.0 }, 120.0, 0.2);
  const PlacedImage fixed = Sample(FixedGeometry(3), HeadInAir);
  const PlacedImage moving = Sample(wide, HeadInAir);
  const PlacedImage narrow = Sample(Cropped(wide, { 14, 11, 16 }, { 13, 12, 15 }), HeadInAir);
  for (const RegistrationMetric metric : metrics)
  {
    SCOPED_TRACE(testing::Message() << metric);
    LinearMetricParameters parameters;
    parameters.metric = metric;
    const LinearMetricEvaluation all = this->EvaluateAt(fixed, moving, parameters, true);
    const LinearMetricEvaluation some = this->EvaluateAt(fixed, narrow, parameters, true);
    const LinearMetricEvaluation overlapping = this->EvaluateAt(fixed, narrow, parameters, false);
    EXPECT_EQ(all.coverage, 1.0);
    EXPECT_EQ(some.coverage, 1.0);
    EXPECT_EQ(all.overlap, 1.0);
    EXPECT_LT(some.overlap, 0.8);
    // By rounding of the intensities of float alone. For the local correlation they are in units of the image's
    // standard deviation, which background makes smaller, and the floor of the variance of boxes with it: at the edge
    // of the head that counts.
    EXPECT_NEAR(some.value, all.value, metric == RegistrationMetric::LocalCorrelation ? 1e-2 : 1e-6);
    EXPECT_GT(std::abs(overlapping.value - all.value), 0.02);
    EXPECT_LT(overlapping.coverage, 0.8);
    // One is of 16 x 16 rows, the other of all voxels.
    EXPECT_NEAR(some.overlap, overlapping.overlap, 0.01);
  }
}

TEST_P(LinearBackground, EndsWhereTheHeadIsCutOff)
{
  const Geometry    wide = TurnedGeometry(3, { 2.1, 1.9, 2.0 }, 120.0, 0.2);
  const PlacedImage fixed = Sample(FixedGeometry(3), HeadInAir);
  // A third of the head, and all of the air below it.
  const PlacedImage moving = Sample(Cropped(wide, { 0, 0, 27 }, { 0, 0, 0 }), HeadInAir);
  for (const RegistrationMetric metric : metrics)
  {
    LinearMetricParameters parameters;
    parameters.metric = metric;
    const LinearMetricEvaluation extended = this->EvaluateAt(fixed, moving, parameters, true);
    const LinearMetricEvaluation overlapping = this->EvaluateAt(fixed, moving, parameters, false);
    EXPECT_EQ(extended.value, overlapping.value);
    EXPECT_EQ(extended.coverage, overlapping.coverage);
    EXPECT_LT(extended.coverage, 0.8);
  }
}

TEST_P(LinearBackground, IsNotExtendedBeyondAMask)
{
  const PlacedImage          fixed = Sample(FixedGeometry(3), HeadInAir);
  const PlacedImage          moving = Sample(TurnedGeometry(3, { 2.1, 1.9, 2.0 }, 84.0, 0.4), HeadInAir);
  std::vector<unsigned char> mask(moving.values.size(), 1);
  LinearMetricImages         images = Images(fixed, moving);
  images.movingMask = ConstView(mask);
  LinearMetricParameters parameters;
  parameters.extendBackground = true;
  std::vector<LinearMetricEvaluation> evaluations(1);
  evaluations[0].map = KnownMap(LinearTransformType::Affine, 3, 12.0);
  LinearMetric(this->GetContext(), parameters, images).Evaluate(evaluations);
  const LinearMetricEvaluation overlapping = this->EvaluateAt(fixed, moving, parameters, false);
  EXPECT_EQ(evaluations[0].value, overlapping.value);
  EXPECT_EQ(evaluations[0].overlap, overlapping.overlap);
  EXPECT_LT(overlapping.coverage, 1.0);
}

/** A plane that is NaN, and voxels here and there: the side of the plane has no value beyond it, and the others go
 * on. */
TEST_P(LinearBackground, GoesOnWhereVoxelsAreNotFinite)
{
  const PlacedImage fixed = Sample(FixedGeometry(3), HeadInAir);
  const Geometry    wide = TurnedGeometry(3, { 2.1, 1.9, 2.0 }, 120.0, 0.2);
  const PlacedImage narrow = Sample(Cropped(wide, { 14, 11, 16 }, { 13, 12, 15 }), HeadInAir);
  PlacedImage       few = narrow;
  PlacedImage       plane = narrow;
  const auto        width = static_cast<std::size_t>(narrow.geometry.grid.size[0]);
  for (std::size_t i = 0; i < narrow.values.size(); ++i)
  {
    const float none = std::numeric_limits<float>::quiet_NaN();
    few.values[i] = i % 3001 == 0 ? -std::numeric_limits<float>::infinity() : narrow.values[i];
    plane.values[i] = i % width == 0 ? none : narrow.values[i];
  }
  for (const RegistrationMetric metric : metrics)
  {
    SCOPED_TRACE(testing::Message() << metric);
    LinearMetricParameters parameters;
    parameters.metric = metric;
    const LinearMetricEvaluation whole = this->EvaluateAt(fixed, narrow, parameters, true);
    const LinearMetricEvaluation some = this->EvaluateAt(fixed, few, parameters, true);
    EXPECT_NEAR(some.coverage, whole.coverage, 0.01);
    EXPECT_NEAR(some.value, whole.value, 0.01); // of some voxels that are left out
    const LinearMetricEvaluation beside = this->EvaluateAt(fixed, plane, parameters, true);
    EXPECT_LT(beside.coverage, 0.95);
    EXPECT_GT(beside.coverage, this->EvaluateAt(fixed, plane, parameters, false).coverage + 0.1);
  }
}

/** The moving field of view ends close to the head, and the fixed one has more air around it. */
std::array<PlacedImage, 2>
HeadsInANarrowFieldOfView(const AffineMap & known)
{
  const AffineMap back = Inverse(known);
  return { Sample(TurnedGeometry(3, { 2.0, 2.1, 2.2 }, 110.0, 0.0), HeadInAir),
           Sample(TurnedGeometry(3, { 2.1, 1.9, 2.0 }, 84.0, 0.2),
                  [&](const Point & p) { return HeadInAir(Mapped(back, p)); }) };
}

TEST_P(LinearBackground, MapsAreFoundInANarrowFieldOfView)
{
  const AffineMap known = KnownMap(LinearTransformType::Rigid, 3, 12.0);
  const auto [fixed, moving] = HeadsInANarrowFieldOfView(known);
  LinearRegistrationParameters parameters;
  EXPECT_TRUE(parameters.metric.extendBackground);
  parameters.transformType = LinearTransformType::Rigid;
  const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  EXPECT_LT(MeanDistance(result.transform, known, 3), 0.2); // a tenth of a voxel
  EXPECT_TRUE(result.isSuccess) << result.quality;
  // The narrow image is all covered.
  EXPECT_GT(result.overlap, 0.8);
}

/** In the air in a corner of each image. By less than 0.1 mm, a twentieth of a voxel; it is 0.03. */
TEST_P(LinearBackground, OneVoxelThatIsNoNumberMovesNoMap)
{
  const AffineMap known = KnownMap(LinearTransformType::Affine, 3, 12.0);
  auto [fixed, moving] = HeadsInANarrowFieldOfView(known);
  for (const RegistrationMetric metric : metrics)
  {
    for (const bool isSymmetric : { false, true })
    {
      LinearRegistrationParameters parameters;
      parameters.metric.metric = metric;
      parameters.metric.useSymmetricMetric = isSymmetric;
      parameters.searchAngle = 0.0;
      parameters.searchDistance = 0.0;
      parameters.convergenceThreshold = 1e-3; // ends of iterations are 0.05 mm apart by default
      fixed.values.front() = moving.values.back() = 0.0f;
      const auto expected = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
      fixed.values.front() = moving.values.back() = std::numeric_limits<float>::quiet_NaN();
      const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
      EXPECT_LT(MeanDistance(result.transform, expected.transform, 3), 0.1) << metric << ' ' << isSymmetric;
      EXPECT_NEAR(result.overlap, expected.overlap, 0.01);
    }
  }
}

} // namespace

CUDANEURO_TEST_ON_ALL_DEVICES(LinearBackground);
