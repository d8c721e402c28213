// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearReference.h"

/** Values and derivatives of linear metrics against references in double precision, and analytic answers. */
namespace
{

using namespace lineartests;

class LinearMetrics : public DeviceTest
{};

TEST_P(LinearMetrics, MatchTheReference)
{
  for (const RegistrationMetric metric : { RegistrationMetric::MeanSquares, RegistrationMetric::MutualInformation })
  {
    for (const bool isSymmetric : { false, true })
    {
      for (const bool isMasked : { false, true })
      {
        SCOPED_TRACE(testing::Message() << metric << ", symmetric " << isSymmetric << ", masked " << isMasked);
        const LinearMetricParameters parameters = ParametersOf(metric, isSymmetric);
        PlacedImage                  fixed = FixedImage();
        PlacedImage                  moving = MovingImage();
        if (isMasked)
        {
          AddMask(0.3, fixed);
          AddMask(1.7, moving);
        }
        ExpectReference(ReferenceOf(parameters, fixed, moving, ObliqueMap()),
                        EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), ObliqueMap()),
                        false);
      }
    }
  }
}

TEST_P(LinearMetrics, MatchTheReferenceIn2D)
{
  for (const RegistrationMetric metric : { RegistrationMetric::MeanSquares, RegistrationMetric::MutualInformation })
  {
    for (const bool isSymmetric : { false, true })
    {
      SCOPED_TRACE(testing::Message() << metric << ", symmetric " << isSymmetric);
      const LinearMetricParameters parameters = ParametersOf(metric, isSymmetric);
      PlacedImage                  fixed = FixedImage2D();
      PlacedImage                  moving = MovingImage2D();
      AddMask(0.3, fixed);
      ExpectReference(ReferenceOf(parameters, fixed, moving, ObliqueMap2D()),
                      EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), ObliqueMap2D()),
                      true);
    }
  }
}

/** An image whose intensities are the bins' centers 2, 9, 16, 23 and 30 of 32, as often as each other: layers along
 * an axis. */
PlacedImage
Layers(int axis)
{
  PlacedImage image;
  image.geometry.grid = testvolumes::MakeGrid({ 20, 15, 10 });
  for (int i = 0; i < 3000; ++i)
  {
    const int index[3] = { i % 20, i / 20 % 15, i / 300 };
    image.values.push_back(100.0f * static_cast<float>(index[axis] % 5));
  }
  return image;
}

TEST_P(LinearMetrics, MutualInformationOfAnImageWithItselfIsItsEntropy)
{
  const LinearMetricParameters parameters = ParametersOf(RegistrationMetric::MutualInformation);
  const LinearMetricEvaluation evaluation =
    EvaluateOne(this->GetContext(), parameters, Compare(Layers(0), Layers(0)), AffineMap());
  // Windows of intensities that are 7 bins apart do not overlap, so that the window takes nothing away. Weights are
  // rounded at 1e-6.
  EXPECT_NEAR(evaluation.value, -std::log(5.0), 1e-5);
  EXPECT_EQ(evaluation.overlap, 1.0);
}

TEST_P(LinearMetrics, MutualInformationOfIndependentImagesIsZero)
{
  const LinearMetricParameters parameters = ParametersOf(RegistrationMetric::MutualInformation);
  const LinearMetricEvaluation evaluation =
    EvaluateOne(this->GetContext(), parameters, Compare(Layers(0), Layers(1)), AffineMap());
  // All pairs of layers are as often as each other, so that the joint probability is a product. Weights are rounded at
  // 1e-6.
  EXPECT_NEAR(evaluation.value, 0.0, 1e-5);
}

TEST_P(LinearMetrics, MutualInformationDoesNotDependOnUnits)
{
  const LinearMetricParameters parameters = ParametersOf(RegistrationMetric::MutualInformation);
  const PlacedImage            fixed = FixedImage();
  const PlacedImage            moving = MovingImage();
  const LinearMetricEvaluation original =
    EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), ObliqueMap());
  PlacedImage otherFixed = fixed;
  PlacedImage otherMoving = moving;
  for (float & value : otherFixed.values)
  {
    value *= 0.0625f; // a power of two, which changes no digit
  }
  for (float & value : otherMoving.values)
  {
    value *= 4096.0f;
  }
  const LinearMetricEvaluation scaled =
    EvaluateOne(this->GetContext(), parameters, Compare(otherFixed, otherMoving), ObliqueMap());
  EXPECT_EQ(scaled.value, original.value);
  EXPECT_EQ(scaled.derivativeByMatrix, original.derivativeByMatrix);
}

TEST_P(LinearMetrics, MutualInformationDependsOnBinsOfTheFixedImageOnly)
{
  const LinearMetricParameters parameters = ParametersOf(RegistrationMetric::MutualInformation);
  const PlacedImage            moving = MovingImage();
  PlacedImage                  fixed = FixedImage();
  const auto [least, largest] = std::minmax_element(fixed.values.begin(), fixed.values.end());
  const double       lower = static_cast<double>(*least);
  const double       width = (static_cast<double>(*largest) - lower) / 28.0;
  std::vector<float> moved = fixed.values;
  for (float & value : moved)
  {
    // To another place in the same of 28 bins, in the same order; the ends stay.
    const double position = (static_cast<double>(value) - lower) / width;
    const double bin = std::min(std::floor(position), 27.0);
    const double rest = position - bin;
    const bool   isEnd = position <= 0.0 || position >= 28.0;
    value = isEnd ? value : static_cast<float>(lower + width * (bin + 0.02 + 0.96 * rest * rest));
  }
  const double original = EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), ObliqueMap()).value;
  fixed.values = moved;
  EXPECT_EQ(EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), ObliqueMap()).value, original);
}

TEST_P(LinearMetrics, ExchangedImagesAndTheInverseMapHaveTheSameSymmetricMetric)
{
  for (const RegistrationMetric metric :
       { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation, RegistrationMetric::MutualInformation })
  {
    const LinearMetricParameters parameters = ParametersOf(metric, true);
    PlacedImage                  fixed = FixedImage();
    PlacedImage                  moving = MovingImage();
    AddMask(0.3, fixed);
    const LinearMetricEvaluation there =
      EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), ObliqueMap());
    const LinearMetricEvaluation back =
      EvaluateOne(this->GetContext(), parameters, Compare(moving, fixed), Inverse(ObliqueMap()));
    // The same positions but for the rounding of double, and images in units of the other's standard deviation in
    // float.
    EXPECT_NEAR(there.value, back.value, 1e-6);
    EXPECT_DOUBLE_EQ(there.overlap, back.overlap);
  }
}

TEST_P(LinearMetrics, MeanSquaresOfAnImageWithItselfIsZero)
{
  const PlacedImage            fixed = FixedImage();
  const LinearMetricEvaluation evaluation =
    EvaluateOne(this->GetContext(), ParametersOf(RegistrationMetric::MeanSquares), Compare(fixed, fixed), AffineMap());
  // Positions are indices but for the rounding of double in the maps of points, and so are intensities but for that of
  // float.
  EXPECT_NEAR(evaluation.value, 0.0, 1e-11);
  EXPECT_EQ(evaluation.overlap, 1.0);
  for (const double derivative : evaluation.derivativeByMatrix)
  {
    EXPECT_NEAR(derivative, 0.0, 1e-5);
  }
}

TEST_P(LinearMetrics, DerivativesOfARotation)
{
  const LinearMetricParameters parameters = ParametersOf(RegistrationMetric::MutualInformation);
  const PlacedImage            fixed = FixedImage();
  const PlacedImage            moving = MovingImage();
  const double                 center[3] = { 1.0, -2.0, 0.5 };
  const auto                   rotation = [&](double angle) {
    AffineMap map;
    map.matrix = ObliqueDirection(angle, 0.05);
    for (int row = 0; row < 3; ++row)
    {
      map.offset[row] = center[row] + 0.3;
      for (int column = 0; column < 3; ++column)
      {
        map.offset[row] -= map.matrix[3 * row + column] * center[column];
      }
    }
    return map;
  };
  const ReferenceProblem problem = Prepare(parameters, fixed, moving);
  const auto             toIndices = [&](const AffineMap & map) {
    return Compose(PointToIndex(moving.geometry), Compose(map, IndexToPoint(fixed.geometry)));
  };
  constexpr double angle = 0.07;
  constexpr double step = 1e-7;
  const auto       voxels = reference::VoxelsThatTakePart(problem.fixed, problem.moving, toIndices(rotation(angle)));
  const auto       valueAt = [&](double a) {
    return problem.metric(problem.fixed, problem.moving, toIndices(rotation(a)), voxels);
  };
  const double                 expected = (valueAt(angle + step) - valueAt(angle - step)) / (2.0 * step);
  const LinearMetricEvaluation evaluation =
    EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), rotation(angle));
  const AffineMap above = rotation(angle + step);
  const AffineMap below = rotation(angle - step);
  double          derivative = 0.0;
  for (int entry = 0; entry < 12; ++entry)
  {
    derivative +=
      entry < 9
        ? evaluation.derivativeByMatrix[entry] * (above.matrix[entry] - below.matrix[entry]) / (2.0 * step)
        : evaluation.derivativeByOffset[entry - 9] * (above.offset[entry - 9] - below.offset[entry - 9]) / (2.0 * step);
  }
  EXPECT_NEAR(derivative, expected, 2e-4 * std::max(1.0, std::abs(expected)));
}

TEST_P(LinearMetrics, DerivativesAreThoseOfValues)
{
  // A mask that stays inside the moving image, so that the same voxels take part.
  PlacedImage fixed = FixedImage();
  for (int i = 0; i < static_cast<int>(fixed.values.size()); ++i)
  {
    const int index[3] = { i % 21 - 10, i / 21 % 19 - 9, i / 399 - 7 };
    const int squared = index[0] * index[0] + index[1] * index[1] + index[2] * index[2];
    fixed.mask.push_back(squared < 16 ? 1 : 0);
  }
  for (const RegistrationMetric metric :
       { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation, RegistrationMetric::MutualInformation })
  {
    LinearMetric                        values(this->GetContext(), ParametersOf(metric), Compare(fixed, MovingImage()));
    constexpr double                    step = 2e-3;
    std::vector<LinearMetricEvaluation> evaluations(7);
    for (LinearMetricEvaluation & evaluation : evaluations)
    {
      evaluation.map = ObliqueMap();
    }
    for (int axis = 0; axis < 3; ++axis)
    {
      evaluations[1 + 2 * axis].map.offset[axis] += step;
      evaluations[2 + 2 * axis].map.offset[axis] -= step;
    }
    values.Evaluate(evaluations);
    const std::array<double, 3> & derivatives = evaluations[0].derivativeByOffset;
    const double largest = std::max({ std::abs(derivatives[0]), std::abs(derivatives[1]), std::abs(derivatives[2]) });
    EXPECT_GT(largest, 1e-3);
    for (int axis = 0; axis < 3; ++axis)
    {
      EXPECT_EQ(evaluations[0].overlap, 1.0);
      // Kinks of the interpolation at one of 500 edges between cells, and values of float.
      const double expected = (evaluations[1 + 2 * axis].value - evaluations[2 + 2 * axis].value) / (2.0 * step);
      EXPECT_NEAR(derivatives[axis], expected, 5e-3 * largest) << metric << ", axis " << axis;
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(LinearMetrics);

} // namespace
