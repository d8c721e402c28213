// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearPhantom.h"

using namespace linearphantom;

namespace
{

class LinearRegistration : public DeviceTest
{};

constexpr LinearTransformType allTypes[] = { LinearTransformType::Translation,
                                             LinearTransformType::Rigid,
                                             LinearTransformType::Similarity,
                                             LinearTransformType::Affine };

/** In mm, for voxels of 2 mm. Linear interpolation smooths, and so moves the least mean square of images that are
 * sampled at different points by a hundredth of a voxel; mutual information has many least values within some
 * hundredths. */
constexpr double toleranceOfMeanSquares = 0.1;
constexpr double tolerance = 0.2;

LinearRegistrationParameters
ParametersOf(LinearTransformType type, RegistrationMetric metric = RegistrationMetric::MutualInformation)
{
  LinearRegistrationParameters parameters;
  parameters.transformType = type;
  parameters.metric.metric = metric;
  return parameters;
}

} // namespace

TEST_P(LinearRegistration, RecoversMapsOfEachType)
{
  for (const int dimension : { 2, 3 })
  {
    const PlacedImage fixed = FixedHead(FixedGeometry(dimension));
    for (const LinearTransformType type : allTypes)
    {
      const AffineMap known = KnownMap(type, dimension, 15.0);
      for (const RegistrationMetric metric : { RegistrationMetric::MutualInformation, RegistrationMetric::MeanSquares })
      {
        const PlacedImage sameContrast = MovingHead(MovingGeometry(dimension), known);
        const PlacedImage moving =
          metric == RegistrationMetric::MutualInformation ? WithOtherContrast(sameContrast) : sameContrast;
        const LinearRegistrationResult result =
          RegisterLinearly(this->GetContext(), ParametersOf(type, metric), Images(fixed, moving));
        EXPECT_LT(MeanDistance(result.transform, known, dimension),
                  metric == RegistrationMetric::MeanSquares ? toleranceOfMeanSquares : tolerance)
          << type << ' ' << metric << ' ' << dimension;
        EXPECT_TRUE(result.isSuccess) << type << ' ' << metric << ' ' << dimension << ": " << result.quality;
        EXPECT_GT(result.overlap, 0.7);
        EXPECT_GT(result.numberOfEvaluations, static_cast<std::int64_t>(result.iterations.size()));
      }
    }
  }
}

TEST_P(LinearRegistration, KeepsTheTypeOfTheMap)
{
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = MovingHead(MovingGeometry(3), KnownMap(LinearTransformType::Affine, 3, 10.0));
  for (const LinearTransformType type :
       { LinearTransformType::Translation, LinearTransformType::Rigid, LinearTransformType::Similarity })
  {
    const auto   result = RegisterLinearly(this->GetContext(), ParametersOf(type), Images(fixed, moving));
    const auto & m = result.transform.matrix;
    double       columns[3][3];
    for (int i = 0; i < 3; ++i)
    {
      for (int j = 0; j < 3; ++j)
      {
        columns[i][j] = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
      }
    }
    const double square = type == LinearTransformType::Similarity ? columns[0][0] : 1.0;
    for (int i = 0; i < 3; ++i)
    {
      for (int j = 0; j < 3; ++j)
      {
        EXPECT_NEAR(columns[i][j], i == j ? square : 0.0, 1e-12) << type;
        if (type == LinearTransformType::Translation)
        {
          EXPECT_EQ(m[3 * i + j], i == j ? 1.0 : 0.0);
        }
      }
    }
  }
}

TEST_P(LinearRegistration, MapsOfPlanesKeepTheThirdAxis)
{
  const AffineMap   known = KnownMap(LinearTransformType::Affine, 2, 10.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(2));
  const PlacedImage moving = MovingHead(MovingGeometry(2), known);
  for (const LinearTransformType type : allTypes)
  {
    const AffineMap map = RegisterLinearly(this->GetContext(), ParametersOf(type), Images(fixed, moving)).transform;
    for (int k = 0; k < 3; ++k)
    {
      EXPECT_EQ(map.matrix[6 + k], k == 2 ? 1.0 : 0.0);
      EXPECT_EQ(map.matrix[3 * k + 2], k == 2 ? 1.0 : 0.0);
    }
    EXPECT_EQ(map.offset[2], 0.0);
  }
}

TEST_P(LinearRegistration, SeesTheSameHeadInOtherContrasts)
{
  const AffineMap   known = KnownMap(LinearTransformType::Rigid, 3, 20.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = WithOtherContrast(MovingHead(MovingGeometry(3), known));
  const auto        result =
    RegisterLinearly(this->GetContext(), ParametersOf(LinearTransformType::Rigid), Images(fixed, moving));
  EXPECT_LT(MeanDistance(result.transform, known, 3), tolerance);
  EXPECT_TRUE(result.isSuccess) << result.quality;
}

TEST_P(LinearRegistration, LooksOnlyInsideMasks)
{
  const AffineMap known = KnownMap(LinearTransformType::Rigid, 3, 8.0);
  PlacedImage     fixed = FixedHead(FixedGeometry(3));
  PlacedImage     moving = MovingHead(MovingGeometry(3), known);
  // Bright bars that are at the same place in both images, and voxels that are no numbers.
  const auto isInside = [](const Point & p) { return std::abs(p[0]) < 30.0; };
  const auto spoil = [&](PlacedImage & image) {
    const PlacedImage inside = Sample(image.geometry, [&](const Point & p) { return isInside(p) ? 1.0 : 0.0; });
    std::vector<unsigned char> mask;
    for (std::size_t i = 0; i < inside.values.size(); ++i)
    {
      mask.push_back(inside.values[i] > 0.0f ? 1 : 0);
      if (mask.back() == 0)
      {
        image.values[i] = i % 7 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1000.0f;
      }
    }
    return mask;
  };
  const std::vector<unsigned char> fixedMask = spoil(fixed);
  const std::vector<unsigned char> movingMask = spoil(moving);
  LinearMetricImages               images = Images(fixed, moving);
  images.fixedMask = ConstView(fixedMask);
  images.movingMask = ConstView(movingMask);
  const auto result = RegisterLinearly(this->GetContext(), ParametersOf(LinearTransformType::Rigid), images);
  EXPECT_LT(MeanDistance(result.transform, known, 3), tolerance);
}

/** A mask of less than a quarter of the other image, of which then no more can overlap. */
TEST_P(LinearRegistration, TakesAMaskOfOneImageAlone)
{
  const AffineMap   known = KnownMap(LinearTransformType::Rigid, 3, 8.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = MovingHead(MovingGeometry(3), known);
  const auto        sphere = [](const PlacedImage & image) {
    const PlacedImage inside =
      Sample(image.geometry, [](const Point & p) { return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 32.0 * 32.0; });
    std::vector<unsigned char> mask(inside.values.size());
    std::transform(inside.values.begin(), inside.values.end(), mask.begin(), [](float value) { return value > 0.0f; });
    return mask;
  };
  const std::vector<unsigned char> fixedMask = sphere(fixed);
  const std::vector<unsigned char> movingMask = sphere(moving);
  for (const bool isFixedMasked : { true, false })
  {
    SCOPED_TRACE(isFixedMasked ? "fixed" : "moving");
    LinearMetricImages images = Images(fixed, moving);
    (isFixedMasked ? images.fixedMask : images.movingMask) = ConstView(isFixedMasked ? fixedMask : movingMask);
    const auto result = RegisterLinearly(this->GetContext(), ParametersOf(LinearTransformType::Rigid), images);
    EXPECT_LT(MeanDistance(result.transform, known, 3), tolerance);
  }
}

TEST_P(LinearRegistration, SearchFindsAnyRotation)
{
  for (const int dimension : { 2, 3 })
  {
    for (const double degrees : { 70.0, 120.0, 175.0 })
    {
      const AffineMap   known = KnownMap(LinearTransformType::Rigid, dimension, degrees);
      const PlacedImage fixed = FixedHead(FixedGeometry(dimension));
      const PlacedImage moving = WithOtherContrast(MovingHead(MovingGeometry(dimension), known));
      auto              parameters = ParametersOf(LinearTransformType::Rigid);
      parameters.searchAngle = 180.0;
      const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
      EXPECT_LT(MeanDistance(result.transform, known, dimension), tolerance) << dimension << ' ' << degrees;
      EXPECT_TRUE(result.isSuccess) << result.quality;
    }
  }
}

TEST_P(LinearRegistration, SearchFindsShifts)
{
  AffineMap known;
  known.offset = { 30.0, -20.0, 15.0 };
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = MovingHead(TurnedGeometry(3, { 3.0, 3.0, 3.0 }, 84.0, 0.0), known);
  auto              parameters = ParametersOf(LinearTransformType::Translation);
  parameters.start = LinearStart::InitialTransform;
  parameters.searchDistance = 35.0;
  const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  EXPECT_LT(MeanDistance(result.transform, known, 3), tolerance);
}

TEST_P(LinearRegistration, HasTheSameBitsInEachRun)
{
  const AffineMap   known = KnownMap(LinearTransformType::Affine, 3, 20.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = MovingHead(MovingGeometry(3), known);
  auto              parameters = ParametersOf(LinearTransformType::Affine);
  parameters.searchAngle = 40.0;
  // A difference in one of the first iterations does not go away.
  for (auto & level : parameters.levels)
  {
    level.iterations = 5;
  }
  const auto first = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  for (const unsigned int threads : { 1u, 3u, 8u })
  {
    Context    context(this->GetParam(), threads);
    const auto again = RegisterLinearly(context, parameters, Images(fixed, moving));
    EXPECT_TRUE(HasSameBits(first.transform, again.transform)) << threads;
    EXPECT_EQ(first.value, again.value);
    EXPECT_EQ(first.quality, again.quality);
    EXPECT_EQ(first.iterations.size(), again.iterations.size());
    EXPECT_EQ(first.numberOfEvaluations, again.numberOfEvaluations);
  }
}

TEST_P(LinearRegistration, ExchangedImagesGiveTheInverse)
{
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving =
    MovingHead(TurnedGeometry(3, { 2.1, 1.9, 2.0 }, 84.0, 0.2), KnownMap(LinearTransformType::Rigid, 3, 8.0));
  auto parameters = ParametersOf(LinearTransformType::Rigid, RegistrationMetric::MeanSquares);
  parameters.metric.useSymmetricMetric = true;
  parameters.convergenceThreshold = 1e-6;
  const auto forth = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  const auto back = RegisterLinearly(this->GetContext(), parameters, Images(moving, fixed));
  // Both look for the least value of one function, whose sums of float know it to 1e-8 or so: a parabola is that flat
  // over some thousandths of a voxel.
  EXPECT_LT(MeanDistance(Compose(back.transform, forth.transform), AffineMap(), 3), 1e-2);
  EXPECT_NEAR(forth.value, back.value, 1e-6);
}

TEST_P(LinearRegistration, QualityTellsSuccessFromFailure)
{
  const AffineMap   known = KnownMap(LinearTransformType::Rigid, 3, 170.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = MovingHead(MovingGeometry(3), known);
  auto              parameters = ParametersOf(LinearTransformType::Rigid);
  parameters.searchAngle = 0.0;
  parameters.searchDistance = 0.0;
  const auto failure = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  parameters.searchAngle = 180.0;
  const auto success = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  ASSERT_GT(MeanDistance(failure.transform, known, 3), 5.0);
  EXPECT_LT(failure.quality, success.quality);

  PlacedImage noise = moving;
  for (std::size_t i = 0; i < noise.values.size(); ++i)
  {
    noise.values[i] = static_cast<float>(testvolumes::NormalNoise(3, i));
  }
  const auto unrelated = RegisterLinearly(this->GetContext(), parameters, Images(fixed, noise));
  EXPECT_FALSE(unrelated.isSuccess) << unrelated.quality;
}

TEST(LinearRegistrationDevices, CpuAndGpuFindTheSameMap)
{
  if (GetNumberOfCudaDevices() == 0)
  {
    GTEST_SKIP() << GetReasonForNoCudaDevice();
  }
  const AffineMap   known = KnownMap(LinearTransformType::Affine, 3, 20.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = WithOtherContrast(MovingHead(MovingGeometry(3), known));
  auto              parameters = ParametersOf(LinearTransformType::Affine);
  parameters.convergenceThreshold = 1e-4;
  Context    cpu(Device{});
  Context    gpu(Device{ 0 });
  const auto onCpu = RegisterLinearly(cpu, parameters, Images(fixed, moving));
  const auto onGpu = RegisterLinearly(gpu, parameters, Images(fixed, moving));
  EXPECT_LT(MeanDistance(onCpu.transform, onGpu.transform, 3), 0.01);
}

CUDANEURO_TEST_ON_ALL_DEVICES(LinearRegistration);
