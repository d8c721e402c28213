// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LevelSetTestCases.h"

#include <algorithm>
#include <limits>

namespace
{

using namespace levelsettests;
using testvolumes::MakeGrid;

/** How far the surface moved: the largest change of a distance that is less than half a voxel, three voxels or more
 * from the edge of the image, beyond which patches repeat. */
double
LargestMove(const Grid & grid, const std::vector<float> & before, const std::vector<float> & after)
{
  double                   largest = 0.0;
  const std::vector<float> fromEdge = Sample(grid, [&](const Position & at) {
    double least = HUGE_VAL;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double last = static_cast<double>(grid.size[axis] - 1) * grid.spacing[axis];
      least = std::min({ least, at[axis], last - at[axis] });
    }
    return least;
  });
  for (std::size_t i = 0; i < before.size(); ++i)
  {
    if (std::abs(before[i]) < 0.5f && fromEdge[i] >= 3.0f)
    {
      largest = std::max(largest, std::abs(static_cast<double>(after[i]) - static_cast<double>(before[i])));
    }
  }
  return largest;
}

double
VolumeChange(const NonLocalMeansLevelSetResult & result)
{
  return result.volumeAfter / result.volumeBefore - 1.0;
}

/** Root of the mean squared difference near the surface of \p clean. */
double
ErrorOf(const std::vector<float> & values, const std::vector<float> & clean)
{
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < clean.size(); ++i)
  {
    if (std::abs(clean[i]) < 0.7f)
    {
      const double difference = static_cast<double>(values[i]) - static_cast<double>(clean[i]);
      sum += difference * difference;
      count += 1.0;
    }
  }
  return std::sqrt(sum / count);
}

class NonLocalMeansLevelSet : public DeviceTest
{};

/** The patches of an axis-aligned plane at one depth are the same, so that their average is, too. */
TEST_P(NonLocalMeansLevelSet, PlanesStay)
{
  const Grid                      grid = MakeGrid({ 18, 19, 20 });
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.5;
  const std::vector<float> aligned = Sample(grid, [](const Position & at) { return at[0] - 8.3; });
  const Denoised           same = Denoise(this->GetContext(), parameters, grid, aligned);
  EXPECT_LE(LargestDifference(same.distances, aligned), 1e-6);
  EXPECT_LE(std::abs(VolumeChange(same.result)), 1e-7);

  // Depths of an oblique plane differ: each is averaged with some that are less and some that are more.
  const std::vector<float> oblique =
    Sample(grid, [](const Position & at) { return 0.48 * at[0] + 0.6 * at[1] - 0.64 * at[2] - 3.1; });
  for (const int passes : { 1, 3 })
  {
    parameters.numberOfPasses = passes;
    const Denoised denoised = Denoise(this->GetContext(), parameters, grid, oblique);
    EXPECT_LE(LargestMove(grid, oblique, denoised.distances), 0.02);
    EXPECT_LE(std::abs(VolumeChange(denoised.result)), 1e-3);
  }
}

/** With a scale that makes patches of other depths and directions, which differ by a few mm^2, count little. */
TEST_P(NonLocalMeansLevelSet, SpheresStay)
{
  const Grid                      grid = MakeGrid({ 24, 24, 24 });
  const std::vector<float>        input = Sphere(grid, 8.0);
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.5;
  parameters.similarityScale = 0.5;
  const Denoised denoised = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_LE(LargestMove(grid, input, denoised.distances), 0.05);
  EXPECT_LE(std::abs(VolumeChange(denoised.result)), 1e-3);
  constexpr double volume = 4.0 / 3.0 * 3.14159265358979 * 8.0 * 8.0 * 8.0;
  // Less what linear interpolation takes: see LevelSetVolume.OfSpheres.
  EXPECT_NEAR(denoised.result.volumeBefore, volume * (1.0 - 0.5 / 64.0), 1e-3 * volume);
}

TEST_P(NonLocalMeansLevelSet, NoiseIsReduced)
{
  const Grid                      grid = MakeGrid({ 24, 24, 24 });
  const std::vector<float>        clean = Sphere(grid, 8.0);
  const std::vector<float>        input = WithNoise(clean, 0.2);
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.5;
  parameters.similarityScale = 5.0; // patches that differ by this noise alone differ by 125 * 2 * 0.2^2 = 10
  const Denoised denoised = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_LT(ErrorOf(denoised.distances, clean), 0.5 * ErrorOf(input, clean));
}

/** A ball of a few voxels beside a plane: nothing in the band is like it, so that with a large scale it is averaged
 * with the plane's patches, and its voxels are no longer inside. */
TEST_P(NonLocalMeansLevelSet, IslandsVanish)
{
  const Grid grid = MakeGrid({ 20, 22, 22 });
  const auto isInside = [](std::size_t i, const std::vector<float> & values) { return i % 20 > 9 && values[i] < 0.0f; };
  const auto countOf = [&](const std::vector<float> & values) {
    int count = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      count += isInside(i, values) ? 1 : 0;
    }
    return count;
  };
  const Position           center{ 13.0, 11.0, 11.0 };
  const std::vector<float> input = WithNoise(
    Sample(grid, [&](const Position & at) { return std::min(at[0] - 7.3, DistanceToSphere(at, center, 1.5)); }), 0.1);
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 2.0;
  parameters.similarityScale = 100.0;
  parameters.spatialScale = std::numeric_limits<double>::infinity();
  const Denoised denoised = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_GE(countOf(input), 10);
  EXPECT_EQ(countOf(denoised.distances), 0);
  // The plane stays: the volume that is lost is that of the ball.
  constexpr double ball = 4.0 / 3.0 * 3.14159265358979 * 1.5 * 1.5 * 1.5;
  EXPECT_NEAR(denoised.result.volumeBefore - denoised.result.volumeAfter, ball, 0.5 * ball);
}

TEST_P(NonLocalMeansLevelSet, CorrectionKeepsTheVolume)
{
  const Grid                      grid = MakeGrid({ 20, 24, 13 }, { 1.0, 0.8, 1.5 });
  const std::vector<float>        input = WithNoise(Sphere(grid, 6.0), 0.2);
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.5;
  parameters.similarityScale = 64.0; // too large: the sphere shrinks
  const Denoised plain = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_LT(VolumeChange(plain.result), -0.01);
  EXPECT_EQ(plain.result.volumeOffset, 0.0);
  parameters.volumeCorrection = true;
  const Denoised corrected = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_LE(std::abs(VolumeChange(corrected.result)), 1e-5); // 1e-6, and distances rounded to float
  EXPECT_EQ(corrected.result.volumeBefore, plain.result.volumeBefore);
  EXPECT_LT(corrected.result.volumeOffset, 0.0);
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    EXPECT_NEAR(corrected.distances[i], plain.distances[i] + corrected.result.volumeOffset, 1e-6);
  }

  // Voxels outside a mask keep their value all the same.
  const std::vector<unsigned char> mask = testvolumes::BallMask(grid);
  const Denoised                   masked = Denoise(this->GetContext(), parameters, grid, input, mask);
  EXPECT_LE(std::abs(VolumeChange(masked.result)), 1e-5);
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    EXPECT_TRUE(mask[i] != 0 || masked.distances[i] == input[i]) << "voxel " << i;
  }
}

TEST_P(NonLocalMeansLevelSet, SameBitsTwice)
{
  const Grid                      grid = MakeGrid({ 17, 16, 18 });
  const std::vector<float>        input = WithNoise(Sphere(grid, 5.5), 0.2);
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.5;
  parameters.numberOfPasses = 2;
  parameters.volumeCorrection = true;
  const Denoised first = Denoise(this->GetContext(), parameters, grid, input);
  this->GetContext().SetNumberOfThreads(3);
  const Denoised second = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_EQ(first.distances, second.distances);
  EXPECT_EQ(first.result.volumeAfter, second.result.volumeAfter);
  EXPECT_EQ(first.result.volumeOffset, second.result.volumeOffset);
  EXPECT_EQ(first.result.timeStep, second.result.timeStep);
  EXPECT_EQ(first.result.similarityScale, second.result.similarityScale);
}

/** In other units, the result is the same in these units, with all that is derived from the data. */
TEST_P(NonLocalMeansLevelSet, DefaultsHaveUnits)
{
  const Grid               grid = MakeGrid({ 17, 16, 14 }, { 1.0, 1.1, 1.3 });
  const Grid               larger = MakeGrid({ 17, 16, 14 }, { 4.0, 4.4, 5.2 });
  const std::vector<float> input = WithNoise(Sphere(grid, 5.5), 0.2);
  std::vector<float>       largerInput = input;
  for (float & value : largerInput)
  {
    value *= 4.0f;
  }
  const Denoised denoised = Denoise(this->GetContext(), {}, grid, input);
  Denoised       other = Denoise(this->GetContext(), {}, larger, largerInput);
  EXPECT_EQ(other.result.bandVoxels, denoised.result.bandVoxels);
  EXPECT_EQ(denoised.result.bandWidth, cudaneuro::RecommendedBandWidth(grid));
  EXPECT_NEAR(other.result.bandWidth, 4.0 * denoised.result.bandWidth, 1e-9);
  EXPECT_NEAR(other.result.spatialScale, 16.0 * denoised.result.spatialScale, 1e-9 * other.result.spatialScale);
  EXPECT_NEAR(
    other.result.similarityScale, 16.0 * denoised.result.similarityScale, 1e-6 * other.result.similarityScale);
  EXPECT_GT(denoised.result.similarityScale, 0.0);
  EXPECT_NEAR(other.result.volumeBefore, 64.0 * denoised.result.volumeBefore, 1e-9 * other.result.volumeBefore);
  EXPECT_NEAR(other.result.highGradientNorm, denoised.result.highGradientNorm, 1e-3);
  for (float & value : other.distances)
  {
    value *= 0.25f;
  }
  EXPECT_LE(LargestDifference(other.distances, denoised.distances), 1e-5);
}

/** A function of half the slope becomes a distance, whose zero level is where it was; what the mask leaves out
 * stays. */
TEST_P(NonLocalMeansLevelSet, Reinitializes)
{
  const Grid                      grid = MakeGrid({ 20, 19, 18 });
  const std::vector<float>        input = Sample(grid, [](const Position & at) { return 0.5 * (at[0] - 8.3); });
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.0;
  parameters.reinitialize = true;
  const Denoised denoised = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_NEAR(denoised.result.lowGradientNorm, 0.5, 1e-3);
  // Patches of the band reach 1 + 2 sqrt(3) mm.
  const std::vector<float> distance = Sample(grid, [](const Position & at) { return at[0] - 8.3; });
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    const float expected = distance[i];
    if (std::abs(expected) < 4.4f)
    {
      EXPECT_NEAR(denoised.distances[i], expected, 1e-5);
    }
    else if (std::abs(expected) > 4.5f)
    {
      EXPECT_NEAR(denoised.distances[i], std::copysign(std::max(4.4641f, std::abs(input[i])), expected), 1e-4);
    }
  }
  std::vector<unsigned char> mask(input.size(), 1);
  std::fill(mask.begin(), mask.begin() + 20 * 19, 0);
  const Denoised masked = Denoise(this->GetContext(), parameters, grid, input, mask);
  EXPECT_TRUE(std::equal(input.begin(), input.begin() + 20 * 19, masked.distances.begin()));
  EXPECT_NEAR(masked.distances[20 * 19 + 7], -1.3, 1e-5);
}

/** Norms of a linear function's gradient, by bins of 1 / 1024, and of a function's with two slopes. */
TEST_P(NonLocalMeansLevelSet, TellsTheGradientNorm)
{
  const Grid                      grid = MakeGrid({ 16, 14, 12 }, { 0.5, 1.0, 2.0 });
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 2.0;
  const auto resultOf = [&](const auto & function) {
    return Denoise(this->GetContext(), parameters, grid, Sample(grid, function)).result;
  };
  const NonLocalMeansLevelSetResult twice =
    resultOf([](const Position & at) { return 2.0 * (0.48 * at[0] + 0.6 * at[1] - 0.64 * at[2]) + 3.0; });
  EXPECT_NEAR(twice.lowGradientNorm, 2.0, 1e-3);
  EXPECT_NEAR(twice.highGradientNorm, 2.0, 1e-3);
  const NonLocalMeansLevelSetResult steep = resultOf([](const Position & at) { return 100.0 * (at[1] - 6.5) + 49.0; });
  EXPECT_NEAR(steep.lowGradientNorm, 4.0, 1e-3) << "what is 4 or more is told as 4";
  const NonLocalMeansLevelSetResult bent =
    resultOf([](const Position & at) { return at[2] < 11.0 ? 0.5 * (at[1] - 6.0) : 1.5 * (at[1] - 6.0); });
  EXPECT_NEAR(bent.lowGradientNorm, 0.5, 1e-3);
  EXPECT_GT(bent.highGradientNorm, 1.499);
}

/** Nobody is there to be averaged with; then one is. */
TEST_P(NonLocalMeansLevelSet, BandsOfFewVoxels)
{
  const Grid                      grid = MakeGrid({ 6, 5, 4 });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.bandWidth = 0.5;
  std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()), 3.0f);
  input[42] = -0.25f;
  const Denoised one = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_EQ(one.result.bandVoxels, 1);
  EXPECT_EQ(one.result.timeStep, 0.0);
  EXPECT_EQ(one.distances, input);

  input[99] = 0.25f;
  parameters.numberOfIterations = 1;
  const Denoised two = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_EQ(two.result.bandVoxels, 2);
  // The weight over the largest sum is 1: each takes the other's value.
  EXPECT_NEAR(two.distances[42], 0.25, 1e-6);
  EXPECT_NEAR(two.distances[99], -0.25, 1e-6);
}

/** Where no patch is similar enough for a weight that is not 0 in single precision, nothing changes. */
TEST_P(NonLocalMeansLevelSet, WeightsMayVanish)
{
  const Grid                      grid = MakeGrid({ 13, 12, 14 });
  const std::vector<float>        input = WithNoise(Sphere(grid, 4.0), 0.3);
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.similarityScale = 1e-30;
  const Denoised denoised = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_EQ(denoised.distances, input);
  EXPECT_EQ(denoised.result.timeStep, 0.0);
  EXPECT_EQ(denoised.result.volumeAfter, denoised.result.volumeBefore);
}

TEST_P(NonLocalMeansLevelSet, PixelTypesAndMemory)
{
  const Grid               grid = MakeGrid({ 13, 12, 14 });
  Context &                context = this->GetContext();
  const std::vector<float> input = WithNoise(Sphere(grid, 4.0), 0.3);
  const Denoised           expected = Denoise(context, SomeParameters(), grid, input);

  std::vector<double>       doubles(input.begin(), input.end());
  const std::vector<double> expectedDoubles(expected.distances.begin(), expected.distances.end());
  cudaneuro::NonLocalMeansLevelSet(context, SomeParameters(), grid, ConstView(doubles), {}, View(doubles));
  EXPECT_EQ(doubles, expectedDoubles) << "in place";

  std::vector<float> inPlace = input;
  cudaneuro::NonLocalMeansLevelSet(context, SomeParameters(), grid, ConstView(inPlace), {}, View(inPlace));
  EXPECT_EQ(inPlace, expected.distances);

  // On the device, in place.
  const cudaneuro::DeviceMemory memory = context.Allocate(input.size() * sizeof(float));
  const auto space = this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const cudaneuro::Volume      onDevice{ memory.Data(), cudaneuro::PixelType::Float, space };
  const cudaneuro::ConstVolume fromDevice{ memory.Data(), cudaneuro::PixelType::Float, space };
  CopyVolume(context, grid, ConstView(input), onDevice);
  context.ResetStatistics();
  cudaneuro::NonLocalMeansLevelSet(context, SomeParameters(), grid, fromDevice, {}, onDevice);
  EXPECT_EQ(context.GetStatistics().deviceMilliseconds > 0.0, this->GetParam().IsCuda());
  std::vector<float> copy(input.size());
  CopyVolume(context, grid, fromDevice, View(copy));
  EXPECT_EQ(copy, expected.distances);

  // Distances in whole tenths of a millimeter.
  std::vector<short> shorts;
  std::vector<float> rounded;
  for (const float value : input)
  {
    shorts.push_back(static_cast<short>(std::lround(10.0f * value)));
    rounded.push_back(static_cast<float>(shorts.back()));
  }
  Grid tenths = grid;
  tenths.spacing = { 10.0, 10.0, 10.0 };
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.bandWidth = 16.0;
  parameters.spatialScale = 6000.0;
  parameters.similarityScale = 2000.0;
  std::vector<float> ofShorts(shorts.size());
  cudaneuro::NonLocalMeansLevelSet(context, parameters, tenths, ConstView(shorts), {}, View(ofShorts));
  EXPECT_EQ(ofShorts, Denoise(context, parameters, tenths, rounded).distances);
}

CUDANEURO_TEST_ON_ALL_DEVICES(NonLocalMeansLevelSet);

} // namespace
