// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearTestCases.h"

#include "cudaneuro/Error.h"

#include <algorithm>
#include <cmath>

/** Mutual information in which voxels count differently, and what the other image does not cover counts as well. */
namespace
{

using namespace cudaneuro;
using namespace lineartests;

constexpr int bins = 32;

class WeightedInformation : public DeviceTest
{};

LinearMetricParameters
Counted(bool isSymmetric)
{
  LinearMetricParameters parameters;
  parameters.useSymmetricMetric = isSymmetric;
  parameters.countUncovered = true;
  return parameters;
}

/** Weights of all sizes, some of them 0. */
std::vector<unsigned char>
Weights(const PlacedImage & image, int seed)
{
  std::vector<unsigned char> weights;
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    const double wave = 0.5 + 0.7 * std::sin(0.013 * static_cast<double>(i) + seed);
    weights.push_back(static_cast<unsigned char>(255.0 * std::clamp(wave, 0.0, 1.0)));
  }
  return weights;
}

/** The value of one direction for a map of its points. */
double
OneWay(const PlacedImage &                fixed,
       const std::vector<unsigned char> & weights,
       const PlacedImage &                moving,
       const AffineMap &                  map)
{
  const reference::ImageOnGrid from = reference::InBins(fixed.ForReference(), bins);
  const reference::ImageOnGrid to = reference::InBins(moving.ForReference(), bins);
  return reference::WeightedInformation(
    bins,
    from,
    { weights.begin(), weights.end() },
    to,
    Compose(PointToIndex(moving.geometry), Compose(map, IndexToPoint(fixed.geometry))));
}

struct Case
{
  PlacedImage                fixed = FixedImage();
  PlacedImage                moving = MovingImage();
  std::vector<unsigned char> ofFixed = Weights(fixed, 1);
  std::vector<unsigned char> ofMoving = Weights(moving, 2);

  double
  Reference(bool isSymmetric, const AffineMap & map) const
  {
    const double forward = OneWay(fixed, ofFixed, moving, map);
    return isSymmetric ? 0.5 * (forward + OneWay(moving, ofMoving, fixed, Inverse(map))) : forward;
  }

  LinearMetricImages
  Images() const
  {
    LinearMetricImages images = Compare(fixed, moving);
    images.fixedWeights = ConstView(ofFixed);
    images.movingWeights = ConstView(ofMoving);
    return images;
  }
};

TEST_P(WeightedInformation, MatchesTheReference)
{
  const Case images;
  for (const bool isSymmetric : { false, true })
  {
    SCOPED_TRACE(isSymmetric);
    const LinearMetricEvaluation evaluation =
      EvaluateOne(this->GetContext(), Counted(isSymmetric), images.Images(), ObliqueMap());
    // Intensities are rounded to a part of a bin of 4e-4 at most, weights to one in a million.
    EXPECT_NEAR(evaluation.value, images.Reference(isSymmetric, ObliqueMap()), 2e-5);
    std::array<double, 12> expected{};
    double                 largest = 0.0;
    for (int entry = 0; entry < 12; ++entry)
    {
      // So small that hardly a position comes to another cell, where the interpolation has a kink.
      constexpr double step = 1e-7;
      const auto       at = [&](double by) {
        AffineMap map = ObliqueMap();
        (entry < 9 ? map.matrix[entry] : map.offset[entry - 9]) += by;
        return images.Reference(isSymmetric, map);
      };
      expected[entry] = (at(step) - at(-step)) / (2.0 * step);
      largest = std::max(largest, std::abs(expected[entry]));
    }
    for (int entry = 0; entry < 12; ++entry)
    {
      const double derivative =
        entry < 9 ? evaluation.derivativeByMatrix[entry] : evaluation.derivativeByOffset[entry - 9];
      // Sums of float, and a finite difference of sums that are rounded at 1e-13, by 1e-7.
      EXPECT_NEAR(derivative, expected[entry], 5e-4 * largest) << "entry " << entry;
    }
  }
}

TEST_P(WeightedInformation, IsThePlainOneWhereAllVoxelsCountTheSame)
{
  Case images;
  std::fill(images.ofFixed.begin(), images.ofFixed.end(), 255);
  LinearMetricParameters plain;
  // Voxels see the inside of the moving image alone, so that nothing is lost.
  AffineMap inside;
  inside.matrix = { 0.4, 0.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.4 };
  const LinearMetricEvaluation expected =
    EvaluateOne(this->GetContext(), plain, Compare(images.fixed, images.moving), inside);
  const LinearMetricEvaluation evaluation = EvaluateOne(this->GetContext(), plain, images.Images(), inside);
  EXPECT_EQ(expected.coverage, 1.0);
  // The same sums of whole numbers, but that a weight of 255 parts is rounded.
  EXPECT_NEAR(evaluation.value, expected.value, 1e-6);
  EXPECT_NEAR(evaluation.coverage, expected.coverage, 1e-6);
  for (int entry = 0; entry < 9; ++entry)
  {
    EXPECT_NEAR(evaluation.derivativeByMatrix[entry], expected.derivativeByMatrix[entry], 1e-4);
  }
}

TEST_P(WeightedInformation, VoxelsOfWeightZeroAreNotLookedAt)
{
  Case                         images;
  const LinearMetricEvaluation expected =
    EvaluateOne(this->GetContext(), Counted(false), images.Images(), ObliqueMap());
  const auto [least, largest] = std::minmax_element(images.fixed.values.begin(), images.fixed.values.end());
  const float middle = 0.5f * (*least + *largest);
  for (std::size_t i = 0; i < images.ofFixed.size(); ++i)
  {
    // The bounds of the bins are those of the whole image: its extremes stay.
    if (images.ofFixed[i] == 0 && images.fixed.values[i] != *least && images.fixed.values[i] != *largest)
    {
      images.fixed.values[i] = middle;
    }
  }
  const LinearMetricEvaluation evaluation =
    EvaluateOne(this->GetContext(), Counted(false), images.Images(), ObliqueMap());
  EXPECT_EQ(evaluation.value, expected.value);
  EXPECT_EQ(evaluation.derivativeByOffset, expected.derivativeByOffset);
}

TEST_P(WeightedInformation, ACoveredPartAloneIsNotBetterThanTheWhole)
{
  const PlacedImage      image = FixedImage();
  LinearMetricParameters parameters = Counted(true);
  const double           whole = EvaluateOne(this->GetContext(), parameters, Compare(image, image), AffineMap()).value;
  for (const double shift : { 4.0, 10.0, 16.0 })
  {
    AffineMap map;
    map.offset[0] = shift;
    EXPECT_GT(EvaluateOne(this->GetContext(), parameters, Compare(image, image), map).value, whole) << shift;
  }
  AffineMap map;
  map.offset[0] = 100.0;
  EXPECT_TRUE(std::isinf(EvaluateOne(this->GetContext(), parameters, Compare(image, image), map).value));
}

TEST_P(WeightedInformation, OtherMetricsCountWhatIsNotCovered)
{
  const PlacedImage fixed = FixedImage();
  const PlacedImage moving = MovingImage();
  AffineMap         map = ObliqueMap();
  map.offset[1] += 6.0;
  for (const auto & [metric, unlike] :
       { std::pair{ RegistrationMetric::MeanSquares, 2.0 }, std::pair{ RegistrationMetric::LocalCorrelation, 1.0 } })
  {
    LinearMetricParameters parameters;
    parameters.metric = metric;
    const LinearMetricEvaluation mean = EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), map);
    parameters.countUncovered = true;
    const LinearMetricEvaluation counted = EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), map);
    ASSERT_LT(mean.coverage, 0.8);
    EXPECT_DOUBLE_EQ(counted.value, mean.coverage * mean.value + (1.0 - mean.coverage) * unlike);
    EXPECT_DOUBLE_EQ(counted.derivativeByOffset[1], mean.coverage * mean.derivativeByOffset[1]);
  }
}

TEST_P(WeightedInformation, RefusesWeightsThatItCannotUse)
{
  Case               images;
  LinearMetricImages volumes = images.Images();
  const auto         message = [&](const LinearMetricParameters & parameters) -> std::string {
    return RefusalOf([&] { LinearMetric(this->GetContext(), parameters, volumes); });
  };
  LinearMetricParameters squares;
  squares.metric = RegistrationMetric::MeanSquares;
  EXPECT_EQ(message(squares),
            "the metric is MeanSquares; with weights it must be MutualInformation or LocalCorrelation");
  std::fill(images.ofMoving.begin(), images.ofMoving.end(), 0);
  EXPECT_EQ(message(Counted(true)),
            "the largest weight of the moving image is 0; it must be greater than 0 inside its mask");
}

CUDANEURO_TEST_ON_ALL_DEVICES(WeightedInformation);

} // namespace
