// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The local correlation of images that are seen through affine maps: against its definition in double precision, and
// what it promises of bits.

#include "DeviceTest.h"
#include "ReferenceLocalCorrelation.h"
#include "TestVolumes.h"
#include "jobs/DeviceJob.h"
#include "metrics/LocalCorrelationFormulas.h"
#include "metrics/MetricEvaluator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace
{

using namespace cudaneuro;
using reference::ImagePair;
using reference::MetricValue;

using Size = std::array<int, 3>;

std::vector<float>
SmoothNoise(const Size & size, double phase, std::uint64_t seed)
{
  std::vector<float> values;
  ForEachVoxel(size, [&](int x, int y, int z) {
    const double smooth = std::sin(0.8 * x + phase) + std::cos(0.7 * y - phase) + std::sin(0.6 * z + 2.0 * phase);
    values.push_back(static_cast<float>(smooth + 0.2 * testvolumes::UniformNoise(seed, values.size())));
  });
  return values;
}

ImagePair
MakeImages(const Size & fixedSize, const Size & movingSize, bool withMasks)
{
  ImagePair images{
    fixedSize, movingSize, SmoothNoise(fixedSize, 0.3, 1), SmoothNoise(movingSize, 0.7, 2), {}, {}, {}
  };
  if (withMasks)
  {
    images.fixedMask = testvolumes::BallMask(testvolumes::MakeGrid({ fixedSize[0], fixedSize[1], fixedSize[2] }));
    images.movingMask = testvolumes::BallMask(testvolumes::MakeGrid({ movingSize[0], movingSize[1], movingSize[2] }));
  }
  return images;
}

/** A rotation with shear and scales about the center of the fixed image. In 2D the third axis stays as it is. */
AffineMap
MakeMap(const ImagePair & images, double strength, const std::array<double, 3> & shift)
{
  const double rows[3][3] = { { 0.03, -0.11, 0.07 }, { 0.09, -0.04, -0.05 }, { -0.06, 0.08, 0.05 } };
  const bool   isFlat = images.fixedSize[2] == 1;
  AffineMap    map;
  for (int r = 0; r < 3; ++r)
  {
    map.offset[r] = isFlat && r == 2 ? 0.0 : shift[r] + 0.5 * (images.movingSize[r] - 1);
    for (int c = 0; c < 3; ++c)
    {
      const double change = isFlat && (r == 2 || c == 2) ? 0.0 : strength * rows[r][c];
      map.matrix[3 * r + c] = (r == c ? 1.0 : 0.0) + change;
      map.offset[r] -= isFlat && r == 2 ? 0.0 : map.matrix[3 * r + c] * 0.5 * (images.fixedSize[c] - 1);
    }
  }
  return map;
}

/** The same images in the memory of a device. */
class ImagesOnDevice
{
public:
  ImagesOnDevice(Context & context, const ImagePair & images)
    : m_Fixed(Copy(context, images.fixed))
    , m_Moving(Copy(context, images.moving))
    , m_FixedMask(Copy(context, images.fixedMask))
    , m_MovingMask(Copy(context, images.movingMask))
    , m_FixedWeights(Copy(context, images.fixedWeights))
  {
    m_Comparison.fixedExtent = { images.fixedSize[0], images.fixedSize[1], images.fixedSize[2] };
    m_Comparison.fixed = static_cast<const float *>(m_Fixed.Data());
    m_Comparison.fixedMask = static_cast<const unsigned char *>(m_FixedMask.Data());
    m_Comparison.movingExtent = { images.movingSize[0], images.movingSize[1], images.movingSize[2] };
    m_Comparison.moving = static_cast<const float *>(m_Moving.Data());
    m_Comparison.movingMask = static_cast<const unsigned char *>(m_MovingMask.Data());
    m_Comparison.fixedWeights = static_cast<const unsigned char *>(m_FixedWeights.Data());
  }

  const ImageComparison &
  GetComparison() const
  {
    return m_Comparison;
  }

private:
  template <typename T>
  static DeviceMemory
  Copy(Context & context, const std::vector<T> & values)
  {
    if (values.empty())
    {
      return {};
    }
    const DeviceMemory memory = context.Allocate(values.size() * sizeof(T));
    const MemorySpace  space = context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
    CopyVolume(context,
               { { static_cast<std::int64_t>(values.size()), 1, 1 } },
               ConstView(values),
               { memory.Data(), PixelTypeOf<T>::value, space });
    return memory;
  }

  DeviceMemory    m_Fixed;
  DeviceMemory    m_Moving;
  DeviceMemory    m_FixedMask;
  DeviceMemory    m_MovingMask;
  DeviceMemory    m_FixedWeights;
  ImageComparison m_Comparison;
};

MapEvaluation
AtMap(const AffineMap & map)
{
  MapEvaluation evaluation;
  evaluation.indexMap = map;
  return evaluation;
}

/** Evaluates the maps with an evaluator of their own. */
std::vector<MapEvaluation>
Evaluate(Context &                      context,
         const ImagePair &              images,
         int                            radius,
         const std::vector<AffineMap> & maps,
         bool                           withDerivatives = true)
{
  std::vector<MapEvaluation> evaluations;
  std::transform(maps.begin(), maps.end(), std::back_inserter(evaluations), AtMap);
  const ImagesOnDevice onDevice(context, images);
  RunDeviceJob(context, [&] {
    const MetricShape shape{ RegistrationMetric::LocalCorrelation, 32, radius };
    const auto        evaluator = MakeMetricEvaluator(context, shape, onDevice.GetComparison());
    evaluator->Evaluate(evaluations.data(), static_cast<int>(evaluations.size()), withDerivatives);
  });
  return evaluations;
}

MetricValue
ByDefinition(const ImagePair & images, int radius, const AffineMap & map)
{
  return reference::LocalCorrelation(images, radius, static_cast<double>(correlationVarianceFloor), map);
}

/** The 12 derivatives, the matrix first. */
std::array<double, 12>
DerivativesOf(const MapEvaluation & evaluation)
{
  std::array<double, 12> derivatives{};
  std::copy_n(evaluation.derivativeByMatrix, 9, derivatives.begin());
  std::copy_n(evaluation.derivativeByOffset, 3, derivatives.begin() + 9);
  return derivatives;
}

std::array<double, 12>
DerivativesByDifferences(const ImagePair & images, int radius, const AffineMap & map)
{
  // So small that no position crosses the center of a voxel, where the interpolation has a kink, or the border.
  constexpr double       step = 1e-6;
  std::array<double, 12> derivatives{};
  for (std::size_t i = 0; i < derivatives.size(); ++i)
  {
    AffineMap  above = map;
    AffineMap  below = map;
    const auto element = [i](AffineMap & of) -> double & { return i < 9 ? of.matrix[i] : of.offset[i - 9]; };
    element(above) += step;
    element(below) -= step;
    derivatives[i] =
      (ByDefinition(images, radius, above).value - ByDefinition(images, radius, below).value) / (2.0 * step);
  }
  return derivatives;
}

/** Expects derivatives that agree to a fraction of the largest. */
void
ExpectDerivatives(const std::array<double, 12> & actual, const std::array<double, 12> & expected, double tolerance)
{
  double largest = 0.0;
  for (const double value : expected)
  {
    largest = std::max(largest, std::abs(value));
  }
  for (std::size_t i = 0; i < actual.size(); ++i)
  {
    EXPECT_NEAR(actual[i], expected[i], tolerance * largest) << "derivative " << i;
  }
}

class LocalCorrelationTest : public DeviceTest
{
protected:
  void
  ExpectDefinition(const ImagePair & images, int radius, const AffineMap & map)
  {
    const MapEvaluation evaluation = Evaluate(this->GetContext(), images, radius, { map }).front();
    const MetricValue   expected = ByDefinition(images, radius, map);
    // Weights are float32; without them the number is exact.
    EXPECT_NEAR(evaluation.count, expected.count, images.fixedWeights.empty() ? 0.0 : 1e-6 * expected.count);
    EXPECT_GT(evaluation.count, 20);
    // Sums of some hundred float32 numbers, of which variances are differences.
    EXPECT_NEAR(evaluation.value, expected.value, 1e-5);
    // The same error, in derivatives of single voxels, which have both signs.
    ExpectDerivatives(DerivativesOf(evaluation), DerivativesByDifferences(images, radius, map), 1e-4);
  }
};

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

/** Weights of all sizes, a third of them 0. */
std::vector<unsigned char>
Weights(const std::vector<float> & image)
{
  std::vector<unsigned char> weights;
  for (std::size_t i = 0; i < image.size(); ++i)
  {
    weights.push_back(i % 3 == 0 ? 0 : static_cast<unsigned char>(i * 37 % 256));
  }
  return weights;
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

/** Images of several tiles and columns on a GPU, and of several tasks on a CPU. */
ImagePair
LargerImages()
{
  return MakeImages({ 45, 37, 70 }, { 50, 33, 61 }, true);
}

TEST_P(LocalCorrelationTest, LargerImagesAgreeWithReference)
{
  const ImagePair     images = LargerImages();
  const AffineMap     map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const MapEvaluation evaluation = Evaluate(this->GetContext(), images, 2, { map }).front();
  const MetricValue   expected = ByDefinition(images, 2, map);
  EXPECT_EQ(evaluation.count, expected.count);
  EXPECT_NEAR(evaluation.value, expected.value, 1e-5); // as above
}

bool
HaveSameBits(const MapEvaluation & a, const MapEvaluation & b)
{
  return std::memcmp(&a.value, &b.value, sizeof(a.value)) == 0 && a.count == b.count &&
         std::memcmp(a.derivativeByMatrix, b.derivativeByMatrix, sizeof(a.derivativeByMatrix)) == 0 &&
         std::memcmp(a.derivativeByOffset, b.derivativeByOffset, sizeof(a.derivativeByOffset)) == 0;
}

TEST_P(LocalCorrelationTest, BatchesHaveTheBitsOfSingleMaps)
{
  const ImagePair images = LargerImages();
  const AffineMap first = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const AffineMap second = MakeMap(images, 2.0, { -1.4143, 0.7071, 2.3027 });
  const auto      batch = Evaluate(this->GetContext(), images, 3, { first, second, first });
  EXPECT_TRUE(HaveSameBits(batch[0], batch[2]));
  EXPECT_TRUE(HaveSameBits(batch[0], Evaluate(this->GetContext(), images, 3, { first }).front()));
  EXPECT_TRUE(HaveSameBits(batch[1], Evaluate(this->GetContext(), images, 3, { second }).front()));
}

TEST_P(LocalCorrelationTest, ValuesDoNotDependOnDerivatives)
{
  const ImagePair images = LargerImages();
  const AffineMap map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const auto      with = Evaluate(this->GetContext(), images, 3, { map }, true).front();
  const auto      without = Evaluate(this->GetContext(), images, 3, { map }, false).front();
  EXPECT_EQ(with.value, without.value);
  EXPECT_EQ(with.count, without.count);
  EXPECT_EQ(DerivativesOf(without), DerivativesOf(MapEvaluation()))
    << "derivatives that are not wanted stay as they are";
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

class LocalCorrelationOnGpu : public DeviceTest
{};

TEST_P(LocalCorrelationOnGpu, AgreesWithTheCpu)
{
  ImagePair       images = LargerImages();
  const AffineMap map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  Context         host{ Device{} };
  for (const bool isWeighted : { false, true })
  {
    SCOPED_TRACE(isWeighted);
    images.fixedWeights = isWeighted ? Weights(images.fixed) : std::vector<unsigned char>();
    const auto expected = Evaluate(host, images, 3, { map }).front();
    const auto actual = Evaluate(this->GetContext(), images, 3, { map }).front();
    EXPECT_DOUBLE_EQ(actual.count, expected.count);
    // Sums of boxes slide along z for 32 voxels on a GPU, and from end to end on the CPU.
    EXPECT_NEAR(actual.value, expected.value, 1e-5);
    ExpectDerivatives(DerivativesOf(actual), DerivativesOf(expected), 1e-4);
  }
}

CUDANEURO_TEST_ON_CUDA(LocalCorrelationOnGpu);

} // namespace
