// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/HeadPhantom.h"

/** Linear registration of images that show different parts of a head: stacks of few slices, slabs, and heads that
 * are cut off. */
namespace
{

using namespace headphantom;

class CutHeads : public DeviceTest
{};

LinearRegistrationParameters
ParametersOf(LinearTransformType type)
{
  LinearRegistrationParameters parameters;
  parameters.transformType = type;
  return parameters;
}

constexpr double noise = 3.0;

/** The fixed stack, and the moving one whose content is turned by 8 degrees in the plane. */
PlacedImage
Stack(std::int64_t slices, const AffineMap & map, std::uint64_t seed)
{
  return NoisyHead(GridAround({ 96, 96, slices }, { 2.0, 2.0, 6.0 }, {}, { 0.0, 0.0, 5.0 }), map, noise, seed);
}

Geometry
WholeGrid()
{
  return GridAround({ 54, 62, 48 }, { 3.0, 3.0, 3.0 }, {}, {});
}

} // namespace

TEST_P(CutHeads, StacksOfFewSlicesStayInTheirPlane)
{
  const AffineMap known = Rotation(2, 8.0);
  for (const std::int64_t slices : { 2, 3, 5, 8 })
  {
    SCOPED_TRACE(slices);
    const PlacedImage fixed = Stack(slices, {}, 1);
    const PlacedImage moving = Stack(slices, known, 2);
    const auto        result =
      RegisterLinearly(this->GetContext(), ParametersOf(LinearTransformType::Rigid), Images(fixed, moving));
    // A tenth of the distance of slices.
    EXPECT_LT(LargestError(fixed.geometry, result.transform, known), 0.6);
    EXPECT_LT(result.shape.tilt, 0.4);
    EXPECT_TRUE(result.isSuccess) << result.quality;
  }
}

TEST_P(CutHeads, StacksDoNotWalkAwayFromTheTruth)
{
  const AffineMap known = Rotation(2, 8.0);
  auto            parameters = ParametersOf(LinearTransformType::Rigid);
  parameters.start = LinearStart::InitialTransform;
  parameters.searchAngle = 0.0;
  parameters.searchDistance = 0.0;
  const PlacedImage fixed = Stack(5, {}, 1);
  const auto        result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, Stack(5, known, 2)), known);
  EXPECT_LT(LargestError(fixed.geometry, result.transform, known), 0.6);
}

TEST_P(CutHeads, ASlabIsFoundInAWholeHead)
{
  const AffineMap known = KnownMap(LinearTransformType::Rigid, 3, 6.0);
  const auto      fixed = NoisyHead(GridAround({ 54, 62, 13 }, { 3.0, 3.0, 3.0 }, {}, { 0.0, 0.0, 8.0 }), {}, noise, 1);
  const auto      moving = NoisyHead(WholeGrid(), known, noise, 2);
  const auto      result =
    RegisterLinearly(this->GetContext(), ParametersOf(LinearTransformType::Rigid), Images(fixed, moving));
  // At the corners of the slab, 125 mm from its center. By noise, the least value of the metric is as far as 1.9 mm
  // from the truth.
  EXPECT_LT(LargestError(fixed.geometry, result.transform, known), 2.2);
  EXPECT_TRUE(result.isSuccess) << result.quality;
  // The slab is all covered, though it is but a quarter of the head.
  EXPECT_GT(result.overlap, 0.9);
  EXPECT_NEAR(result.shape.rotation, 6.0, 0.5);
}

TEST_P(CutHeads, AHeadIsFoundWithoutItsLowerPartOrOneSide)
{
  const auto      fixed = NoisyHead(WholeGrid(), {}, noise, 1);
  const AffineMap axes = Rotation(3, -9.0);
  struct Part
  {
    std::array<std::int64_t, 3> size;
    Point                       center;
  };
  for (const LinearTransformType type : { LinearTransformType::Rigid, LinearTransformType::Affine })
  {
    const AffineMap known = KnownMap(type, 3, 10.0);
    for (const Part & part : { Part{ { 56, 64, 30 }, { 0.0, 0.0, 24.0 } }, Part{ { 31, 64, 50 }, { 40.0, 0.0, 0.0 } } })
    {
      SCOPED_TRACE(testing::Message() << type << ' ' << part.size[0]);
      const Point center = Mapped(axes, part.center);
      const auto  moving = NoisyHead(GridAround(part.size, { 3.0, 3.0, 3.0 }, axes, center), known, noise, 2);
      const auto  result = RegisterLinearly(this->GetContext(), ParametersOf(type), Images(fixed, moving));
      // At the corners of what both show, where no head is: a voxel.
      EXPECT_LT(LargestError(moving.geometry, Inverse(result.transform), Inverse(known)), 3.0);
      EXPECT_TRUE(result.isSuccess) << result.quality;
    }
  }
}

TEST_P(CutHeads, AnyMinimumOfTheOverlapThatTheImagesHaveIsTaken)
{
  const AffineMap known = KnownMap(LinearTransformType::Rigid, 3, 6.0);
  const auto      fixed = NoisyHead(WholeGrid(), {}, noise, 1);
  const auto      moving = NoisyHead(WholeGrid(), known, noise, 2);
  for (const double minimum : { 0.0, 0.05, 0.8, 0.9 })
  {
    auto parameters = ParametersOf(LinearTransformType::Rigid);
    parameters.minimumOverlap = minimum;
    const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
    EXPECT_LT(LargestError(fixed.geometry, result.transform, known), 0.8) << minimum;
    EXPECT_TRUE(result.isSuccess) << minimum << ": " << result.quality;
  }
}

TEST_P(CutHeads, MapsStayWithinTheirLimits)
{
  AffineMap known = KnownMap(LinearTransformType::Rigid, 3, 12.0);
  for (double & entry : known.matrix)
  {
    entry *= 1.2;
  }
  const auto fixed = NoisyHead(WholeGrid(), {}, noise, 1);
  const auto moving = NoisyHead(GridAround({ 64, 74, 58 }, { 3.0, 3.0, 3.0 }, {}, {}), known, noise, 2);
  auto       parameters = ParametersOf(LinearTransformType::Affine);
  const auto found = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  EXPECT_NEAR(found.shape.rotation, 12.0, 0.3);
  EXPECT_NEAR(found.shape.largestScale, 1.2, 0.01);
  EXPECT_NEAR(found.shape.leastScale, 1.2, 0.01);
  EXPECT_TRUE(found.isSuccess) << found.quality;
  parameters.maximumScale = 1.1;
  parameters.maximumRotation = 5.0;
  const auto limited = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  EXPECT_LT(limited.shape.largestScale, 1.1 + 1e-5);
  EXPECT_LT(limited.shape.rotation, 5.0 + 1e-5);
  EXPECT_FALSE(limited.isSuccess) << limited.quality;
}

TEST_P(CutHeads, RefusesStartsBeyondTheLimitsAndWeights)
{
  const PlacedImage fixed = Stack(9, {}, 1);
  const PlacedImage moving = Stack(9, Rotation(2, 90.0), 2);
  const auto        message = [&](const LinearRegistrationParameters & parameters, const LinearMetricImages & images) {
    return RefusalOf([&] { RegisterLinearly(this->GetContext(), parameters, images); });
  };
  auto parameters = ParametersOf(LinearTransformType::Rigid);
  parameters.start = LinearStart::PrincipalAxes;
  parameters.searchAngle = 0.0;
  parameters.searchDistance = 0.0;
  parameters.maximumRotation = 5.0;
  EXPECT_EQ(
    message(parameters, Images(fixed, moving)),
    "no start is within the limits of maps against the initial transform: MaximumScale is 1.5, MaximumShear is 20, and "
    "MaximumRotation is 5");
  const std::vector<unsigned char> weights(fixed.values.size(), 255);
  LinearMetricImages               weighted = Images(fixed, moving);
  weighted.fixedWeights = { weights.data(), PixelType::UnsignedChar, MemorySpace::Host };
  EXPECT_EQ(message({}, weighted),
            "fixedWeights are those of a metric; a registration makes its own, by VoxelWeighting");
}

CUDANEURO_TEST_ON_ALL_DEVICES(CutHeads);
