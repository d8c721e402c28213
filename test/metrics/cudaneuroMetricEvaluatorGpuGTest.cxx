// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "metrics/MetricTestImages.h"

#include <cmath>
#include <algorithm>

namespace
{

using cudaneuro::AffineMap;
using cudaneuro::Extent;
using cudaneuro::MapEvaluation;
using cudaneuro::MetricShape;
using cudaneuro::RegistrationMetric;
using metrictest::Images;

class MetricEvaluatorGpuTest : public DeviceTest
{
protected:
  std::vector<MapEvaluation>
  OnDevice(const MetricShape &            shape,
           const Images &                 images,
           const std::vector<AffineMap> & maps,
           bool                           withDerivatives = true)
  {
    return metrictest::DeviceEvaluator(this->GetContext(), shape, images).Evaluate(maps, withDerivatives);
  }

  void
  ExpectAsOnHost(const MetricShape & shape, const Images & images, const std::vector<AffineMap> & maps);
};

std::vector<MapEvaluation>
OnHost(const MetricShape & shape, const Images & images, const std::vector<AffineMap> & maps)
{
  cudaneuro::Context         context{ cudaneuro::Device{} };
  std::vector<MapEvaluation> evaluations(maps.size());
  for (std::size_t i = 0; i < maps.size(); ++i)
  {
    evaluations[i].indexMap = maps[i];
  }
  cudaneuro::cpu::MakeMetricEvaluator(context, shape, images.Comparison())
    ->Evaluate(evaluations.data(), static_cast<int>(maps.size()), true);
  return evaluations;
}

cudaneuro::Grid
GridOf(const Extent & extent)
{
  return testvolumes::MakeGrid({ extent.x, extent.y, extent.z });
}

/** A phantom with noise, in the units of the metric; its voxels of most intensity are at the end of the last bin. */
std::vector<float>
MakeImage(const Extent & extent, const MetricShape & shape, std::uint64_t seed)
{
  std::vector<float> values = testvolumes::NoisyPhantom(GridOf(extent), 30.0, seed);
  const auto         range = std::minmax_element(values.begin(), values.end());
  const float        least = *range.first;
  const float        most = *range.second;
  const bool         hasBins = shape.metric == RegistrationMetric::MutualInformation;
  const float        begin = hasBins ? 2.0f : 0.0f;
  const float        end = hasBins ? static_cast<float>(shape.numberOfHistogramBins - 2) : 4.0f;
  for (float & value : values)
  {
    value = begin + (end - begin) * ((value - least) / (most - least));
  }
  return values;
}

Images
MakeImages(const Extent & fixed, const Extent & moving, const MetricShape & shape, bool hasMasks)
{
  Images images;
  images.fixedExtent = fixed;
  images.fixed = MakeImage(fixed, shape, 1);
  images.movingExtent = moving;
  images.moving = MakeImage(moving, shape, 2);
  if (hasMasks)
  {
    images.fixedMask = testvolumes::BallMask(GridOf(fixed));
    images.movingMask = testvolumes::BallMask(GridOf(moving));
  }
  return images;
}

/** A map of the fixed grid onto about the moving one, shifted, turned about the axis z and, in 3D, sheared; the
 * more, the larger is \p amount. */
AffineMap
MakeMap(const Extent & fixed, const Extent & moving, double amount)
{
  const bool   isPlane = fixed.z == 1;
  const double cosine = std::cos(amount);
  const double sine = std::sin(amount);
  const double shear = isPlane ? 0.0 : 0.3 * amount;
  // Positions are not on planes of voxels, where the derivative is that of one cell or of the other by rounding.
  const double shift = 0.137 + 0.618 * amount;
  const double scale[3] = { double(moving.x) / fixed.x, double(moving.y) / fixed.y, double(moving.z) / fixed.z };
  AffineMap    map;
  map.matrix = { cosine * scale[0], -sine * scale[1], shear, sine * scale[0], cosine * scale[1], -shear, -shear, shear,
                 scale[2] };
  const double fixedCenter[3] = { 0.5 * (fixed.x - 1), 0.5 * (fixed.y - 1), 0.5 * (fixed.z - 1) };
  const double movingCenter[3] = { 0.5 * (moving.x - 1), 0.5 * (moving.y - 1), 0.5 * (moving.z - 1) };
  for (std::size_t row = 0; row < 3; ++row)
  {
    map.offset[row] = movingCenter[row] + (isPlane && row == 2 ? 0.0 : shift);
    for (std::size_t column = 0; column < 3; ++column)
    {
      map.offset[row] -= map.matrix[3 * row + column] * fixedCenter[column];
    }
  }
  return map;
}

std::vector<AffineMap>
MakeMaps(const Extent & fixed, const Extent & moving)
{
  std::vector<AffineMap> maps{ AffineMap() };
  for (const double amount : { 0.02, 0.3, 1.5, 3.0 })
  {
    maps.push_back(MakeMap(fixed, moving, amount));
  }
  return maps;
}

double
Difference(const MapEvaluation & a, const MapEvaluation & b)
{
  double squares = 0.0;
  for (int i = 0; i < 9; ++i)
  {
    squares += std::pow(a.derivativeByMatrix[i] - b.derivativeByMatrix[i], 2);
  }
  for (int i = 0; i < 3; ++i)
  {
    squares += std::pow(a.derivativeByOffset[i] - b.derivativeByOffset[i], 2);
  }
  return std::sqrt(squares);
}

bool
IsEqual(const MapEvaluation & a, const MapEvaluation & b)
{
  return a.value == b.value && a.count == b.count && Difference(a, b) == 0.0;
}

/** The device rounds intensities of the moving image to 1/2048 of a bin, 1/1024 of more than 33 bins, for mutual
 * information. Its derivative by the intensity of a voxel is up to a few units, and errors of voxels are
 * independent. */
double
QuantizationError(const MetricShape & shape, std::int64_t count)
{
  if (shape.metric != RegistrationMetric::MutualInformation)
  {
    return 0.0;
  }
  const double bin = shape.numberOfHistogramBins > 33 ? 0.5 / 1024 : 0.5 / 2048;
  return 2.0 * bin / std::sqrt(static_cast<double>(count));
}

void
MetricEvaluatorGpuTest::ExpectAsOnHost(const MetricShape &            shape,
                                       const Images &                 images,
                                       const std::vector<AffineMap> & maps)
{
  const std::vector<MapEvaluation> expected = OnHost(shape, images, maps);
  const std::vector<MapEvaluation> found = this->OnDevice(shape, images, maps);
  const std::vector<MapEvaluation> values = this->OnDevice(shape, images, maps, false);
  for (std::size_t i = 0; i < maps.size(); ++i)
  {
    SCOPED_TRACE(i);
    ASSERT_GT(expected[i].count, 0);
    // A position at half a voxel beyond the grid may be on either side of the end, by rounding.
    EXPECT_NEAR(found[i].count, expected[i].count, 1e-5 * expected[i].count);
    // Positions differ by 1e-5 voxels, weights by 1e-6.
    const double valueTolerance = 2e-6 * std::abs(expected[i].value) + 1e-6;
    EXPECT_NEAR(found[i].value, expected[i].value, valueTolerance + QuantizationError(shape, expected[i].count));
    // A weight below 1e-6 counts as nothing, and its logarithm is large: what a voxel has that is alone in its bin.
    EXPECT_LE(Difference(found[i], expected[i]), 1e-3 * Difference(expected[i], MapEvaluation()));
    EXPECT_EQ(values[i].value, found[i].value);
    EXPECT_EQ(values[i].count, found[i].count);
  }
}

MetricShape
ShapeOf(RegistrationMetric metric, int bins = 32)
{
  MetricShape shape;
  shape.metric = metric;
  shape.numberOfHistogramBins = bins;
  return shape;
}

constexpr RegistrationMetric allMetrics[] = { RegistrationMetric::MutualInformation, RegistrationMetric::MeanSquares };

} // namespace

CUDANEURO_TEST_ON_CUDA(MetricEvaluatorGpuTest);

TEST_P(MetricEvaluatorGpuTest, AgreesWithHostOnVolumes)
{
  const Extent extents[] = { { 33, 30, 29 }, { 64, 20, 5 }, { 7, 61, 40 }, { 24, 24, 24 } };
  for (const RegistrationMetric metric : allMetrics)
  {
    for (const Extent & fixed : extents)
    {
      for (const Extent & moving : { Extent{ 31, 35, 28 }, fixed })
      {
        for (const bool hasMasks : { false, true })
        {
          SCOPED_TRACE(::testing::Message() << metric << ' ' << fixed.x << ' ' << moving.x << ' ' << hasMasks);
          this->ExpectAsOnHost(
            ShapeOf(metric), MakeImages(fixed, moving, ShapeOf(metric), hasMasks), MakeMaps(fixed, moving));
        }
      }
    }
  }
}

TEST_P(MetricEvaluatorGpuTest, AgreesWithHostOnPlanes)
{
  const Extent fixed{ 75, 58, 1 };
  const Extent moving{ 66, 70, 1 };
  for (const RegistrationMetric metric : allMetrics)
  {
    for (const bool hasMasks : { false, true })
    {
      SCOPED_TRACE(::testing::Message() << metric << ' ' << hasMasks);
      this->ExpectAsOnHost(
        ShapeOf(metric), MakeImages(fixed, moving, ShapeOf(metric), hasMasks), MakeMaps(fixed, moving));
    }
  }
}

TEST_P(MetricEvaluatorGpuTest, AgreesWithHostWhereVoxelsCountDifferently)
{
  const MetricShape shape = ShapeOf(RegistrationMetric::MutualInformation);
  for (const Extent & fixed : { Extent{ 33, 30, 29 }, Extent{ 64, 20, 5 }, Extent{ 75, 58, 1 } })
  {
    const Extent moving = fixed.z == 1 ? Extent{ 66, 70, 1 } : Extent{ 31, 35, 28 };
    for (const bool hasMasks : { false, true })
    {
      for (const bool fadesOut : { false, true })
      {
        SCOPED_TRACE(::testing::Message() << fixed.x << ' ' << hasMasks << ' ' << fadesOut);
        Images images = MakeImages(fixed, moving, shape, hasMasks);
        images.fadesOut = fadesOut;
        for (std::size_t i = 0; i < images.fixed.size(); ++i)
        {
          images.fixedWeights.push_back(static_cast<unsigned char>(i * 7 % 256));
        }
        this->ExpectAsOnHost(shape, images, MakeMaps(fixed, moving));
      }
    }
  }
}

TEST_P(MetricEvaluatorGpuTest, AgreesWithHostForAllNumbersOfBins)
{
  const Extent fixed{ 40, 37, 22 };
  const Extent moving{ 36, 41, 25 };
  for (const int bins : { 8, 13, 33, 64 })
  {
    SCOPED_TRACE(bins);
    const MetricShape shape = ShapeOf(RegistrationMetric::MutualInformation, bins);
    this->ExpectAsOnHost(shape, MakeImages(fixed, moving, shape, false), MakeMaps(fixed, moving));
  }
}

// So many voxels of one intensity that the elements of the histogram come near their limit.
/** The counters of a block have 32 bits. Many bins leave room for few of them in shared memory. */
TEST_P(MetricEvaluatorGpuTest, CountsManyVoxelsOfOneBin)
{
  MetricShape shape = ShapeOf(RegistrationMetric::MutualInformation);
  for (const Extent & extent : { Extent{ 160, 150, 140 }, Extent{ 224, 224, 190 } })
  {
    Images images = MakeImages(extent, extent, shape, false);
    for (std::size_t i = 0; i < images.fixed.size(); ++i)
    {
      if (i % 50 != 0)
      {
        images.fixed[i] = 2.0f;
        images.moving[i] = 2.0f;
      }
    }
    this->ExpectAsOnHost(shape, images, { AffineMap() });
    shape.numberOfHistogramBins = 64;
  }
}

TEST_P(MetricEvaluatorGpuTest, IsTheSameInEveryBatch)
{
  const Extent fixed{ 33, 30, 29 };
  const Extent moving{ 31, 35, 28 };
  for (const RegistrationMetric metric : allMetrics)
  {
    SCOPED_TRACE(::testing::Message() << metric);
    const MetricShape           shape = ShapeOf(metric);
    metrictest::DeviceEvaluator evaluator(this->GetContext(), shape, MakeImages(fixed, moving, shape, true));
    std::vector<AffineMap>      maps;
    for (int i = 0; i < 300; ++i)
    {
      maps.push_back(MakeMap(fixed, moving, 0.01 * i));
    }
    const std::vector<MapEvaluation> together = evaluator.Evaluate(maps);
    const std::vector<MapEvaluation> again = evaluator.Evaluate(maps);
    for (std::size_t i = 0; i < maps.size(); ++i)
    {
      EXPECT_TRUE(IsEqual(again[i], together[i])) << i;
    }
    for (const std::size_t i : { 0, 7, 299 })
    {
      EXPECT_TRUE(IsEqual(evaluator.Evaluate({ maps[i] })[0], together[i])) << i;
      const MapEvaluation value = evaluator.Evaluate({ maps[i] }, false)[0];
      EXPECT_EQ(value.value, together[i].value);
      EXPECT_EQ(value.count, together[i].count);
    }
  }
}

// More maps than are evaluated at a time.
TEST_P(MetricEvaluatorGpuTest, TakesLargeBatches)
{
  const Extent extent{ 12, 11, 10 };
  for (const RegistrationMetric metric : allMetrics)
  {
    const MetricShape      shape = ShapeOf(metric);
    std::vector<AffineMap> maps;
    for (int i = 0; i < 20000; ++i)
    {
      maps.push_back(MakeMap(extent, extent, 1e-4 * i));
    }
    const metrictest::DeviceEvaluator evaluator(this->GetContext(), shape, MakeImages(extent, extent, shape, false));
    const std::vector<MapEvaluation>  all = evaluator.Evaluate(maps);
    for (std::size_t i = 0; i < maps.size(); i += 1999)
    {
      EXPECT_TRUE(IsEqual(evaluator.Evaluate({ maps[i] })[0], all[i])) << metric << ' ' << i;
    }
  }
}

TEST_P(MetricEvaluatorGpuTest, IsInfiniteWithoutOverlap)
{
  const Extent extent{ 20, 19, 18 };
  AffineMap    away;
  away.offset = { 21.0, 0.0, 0.0 };
  AffineMap veryFarAway;
  veryFarAway.offset = { 0.0, -1e30, 0.0 };
  for (const RegistrationMetric metric : allMetrics)
  {
    const MetricShape shape = ShapeOf(metric);
    const Images      images = MakeImages(extent, extent, shape, false);
    for (const MapEvaluation & evaluation : this->OnDevice(shape, images, { away, veryFarAway }))
    {
      EXPECT_EQ(evaluation.count, 0);
      EXPECT_TRUE(std::isinf(evaluation.value) && evaluation.value > 0.0) << evaluation.value;
      EXPECT_EQ(Difference(evaluation, MapEvaluation()), 0.0);
    }
  }
}
