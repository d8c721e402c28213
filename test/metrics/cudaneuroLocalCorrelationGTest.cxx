// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The local correlation of images that are seen through affine maps: against its definition in double precision.

#include "LocalCorrelationTest.h"
#include "jobs/DeviceJob.h"
#include "metrics/MetricEvaluator.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace
{

using namespace cudaneuro;
using namespace localcorrelation;

TEST_P(LocalCorrelationTest, AgreesWithReference)
{
  const ImagePair images = MakeImages({ 9, 8, 7 }, { 10, 7, 8 }, false);
  const AffineMap map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  for (const int radius : { 1, 2, 5 })
  {
    SCOPED_TRACE("radius " + std::to_string(radius));
    this->ExpectDefinition(images, radius, map);
  }
}

TEST_P(LocalCorrelationTest, AgreesWithReferenceInsideMasks)
{
  const ImagePair images = MakeImages({ 10, 8, 7 }, { 9, 9, 8 }, true);
  this->ExpectDefinition(images, 2, MakeMap(images, 1.5, { 0.4139, 0.1327, -0.2711 }));
}

TEST_P(LocalCorrelationTest, AgreesWithReferenceWhereFewOverlap)
{
  const ImagePair images = MakeImages({ 9, 8, 7 }, { 9, 8, 7 }, false);
  this->ExpectDefinition(images, 2, MakeMap(images, 1.0, { 5.3129, -3.4177, 2.1311 }));
}

TEST_P(LocalCorrelationTest, AgreesWithReferenceWhereBoxesCountDifferently)
{
  for (const bool withMasks : { false, true })
  {
    SCOPED_TRACE(withMasks);
    ImagePair images = MakeImages({ 10, 8, 7 }, { 9, 9, 8 }, withMasks);
    images.fixedWeights = Weights(images.fixed);
    this->ExpectDefinition(images, 2, MakeMap(images, 1.5, { 0.4139, 0.1327, -0.2711 }));
  }
}

TEST_P(LocalCorrelationTest, WeightsThatAreAllTheSameChangeNothing)
{
  ImagePair       images = MakeImages({ 10, 8, 7 }, { 9, 9, 8 }, false);
  const AffineMap map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const auto      plain = Evaluate(this->GetContext(), images, 3, { map }).front();
  images.fixedWeights.assign(images.fixed.size(), 51);
  const auto weighted = Evaluate(this->GetContext(), images, 3, { map }).front();
  // A fifth each, rounded.
  EXPECT_NEAR(weighted.count, 0.2 * plain.count, 1e-6 * plain.count);
  EXPECT_NEAR(weighted.value, plain.value, 1e-6);
  ExpectDerivatives(DerivativesOf(weighted), DerivativesOf(plain), 1e-5);
}

/** The moving image with its ends repeated on all sides. */
ImagePair
Padded(const ImagePair & images, int margin)
{
  ImagePair padded = images;
  padded.moving.clear();
  for (int & length : padded.movingSize)
  {
    length += 2 * margin;
  }
  const auto at = [&](int i, int axis) { return std::clamp(i - margin, 0, images.movingSize[axis] - 1); };
  ForEachVoxel(padded.movingSize, [&](int x, int y, int z) {
    padded.moving.push_back(
      images.moving[(at(z, 2) * images.movingSize[1] + at(y, 1)) * images.movingSize[0] + at(x, 0)]);
  });
  return padded;
}

TEST_P(LocalCorrelationTest, SeesWhatGoesOnBeyondTheGrid)
{
  const ImagePair images = MakeImages({ 9, 8, 7 }, { 9, 8, 7 }, false);
  const AffineMap map = MakeMap(images, 1.0, { 3.3129, -2.4177, 1.1311 });
  AffineMap       paddedMap = map;
  constexpr int   margin = 8;
  for (double & offset : paddedMap.offset)
  {
    offset += margin;
  }
  const MetricValue expected = ByDefinition(Padded(images, margin), 2, paddedMap);
  ASSERT_EQ(expected.count, 9 * 8 * 7);

  std::vector<MapEvaluation> evaluations{ AtMap(map) };
  const ImagesOnDevice       onDevice(this->GetContext(), images);
  ImageComparison            comparison = onDevice.GetComparison();
  std::fill_n(comparison.extended.lower, 3, true);
  std::fill_n(comparison.extended.upper, 3, true);
  RunDeviceJob(this->GetContext(), [&] {
    MakeMetricEvaluator(this->GetContext(), { RegistrationMetric::LocalCorrelation, 32, 2 }, comparison)
      ->Evaluate(evaluations.data(), 1, true);
  });
  EXPECT_EQ(evaluations[0].count, expected.count);
  // As in ExpectDefinition.
  EXPECT_NEAR(evaluations[0].value, expected.value, 1e-5);
  ExpectDerivatives(
    DerivativesOf(evaluations[0]), DerivativesByDifferences(Padded(images, margin), 2, paddedMap), 1e-4);
}

TEST_P(LocalCorrelationTest, AgreesWithReferenceIn2D)
{
  const ImagePair images = MakeImages({ 21, 13, 1 }, { 19, 14, 1 }, false);
  this->ExpectDefinition(images, 3, MakeMap(images, 1.0, { 0.3137, -0.2291, 0.0 }));
}

TEST_P(LocalCorrelationTest, IsInfiniteWithoutOverlap)
{
  const ImagePair images = MakeImages({ 9, 8, 7 }, { 10, 7, 8 }, false);
  const AffineMap far = MakeMap(images, 1.0, { 40.0, 0.0, 0.0 });
  const auto      evaluation = Evaluate(this->GetContext(), images, 2, { far }).front();
  EXPECT_EQ(evaluation.count, 0);
  EXPECT_EQ(evaluation.value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(DerivativesOf(evaluation), DerivativesOf(MapEvaluation()));
}

TEST_P(LocalCorrelationTest, ImageWithItselfIsNearlyZero)
{
  ImagePair images = MakeImages({ 20, 20, 20 }, { 20, 20, 20 }, false);
  images.moving = images.fixed;
  const double value = Evaluate(this->GetContext(), images, 3, { AffineMap() }).front().value;
  // With variances v of 0.1 and more, (v / (v + floor))^2 is 0.98 and more.
  EXPECT_GT(value, 0.0);
  EXPECT_LT(value, 0.02);
}

CUDANEURO_TEST_ON_ALL_DEVICES(LocalCorrelationTest);

} // namespace
