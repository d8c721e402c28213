// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LevelSetTestCases.h"
#include "ReferenceLevelSet.h"

#include <limits>

namespace
{

using namespace levelsettests;
using testvolumes::MakeGrid;

// Distances of 2 mm have errors of 1e-7 mm in float, and ten steps average differences of them with weights that have
// relative errors of 1e-6.
constexpr double tolerance = 1e-5;

class NonLocalMeansLevelSetReference : public DeviceTest
{
protected:
  void
  ExpectReference(const NonLocalMeansLevelSetParameters & parameters,
                  const Grid &                            grid,
                  const std::vector<float> &              input,
                  const std::vector<unsigned char> &      mask = {})
  {
    const std::vector<double> distances(input.begin(), input.end());
    const auto                expected = reference::DenoiseLevelSet(parameters, grid, distances, mask);
    const Denoised            denoised = Denoise(this->GetContext(), parameters, grid, input, mask);
    EXPECT_LE(LargestDifference(denoised.distances, expected.distances), tolerance);
    EXPECT_GT(LargestDifference(denoised.distances, input), 0.05) << "nothing is denoised";
    EXPECT_EQ(denoised.result.bandVoxels, expected.bandVoxels);
    EXPECT_GT(denoised.result.bandVoxels, 50);
    EXPECT_NEAR(denoised.result.timeStep, expected.timeStep, 1e-5 * expected.timeStep);
    EXPECT_EQ(denoised.result.bandWidth, parameters.bandWidth);
    EXPECT_EQ(denoised.result.spatialScale, parameters.spatialScale);
    EXPECT_EQ(denoised.result.similarityScale, parameters.similarityScale);
  }
};

TEST_P(NonLocalMeansLevelSetReference, PatchSizes)
{
  const Grid               grid = MakeGrid({ 15, 14, 16 });
  const std::vector<float> input = WithNoise(Sphere(grid, 5.0), 0.3);
  for (const int size : { 3, 5, 7 })
  {
    SCOPED_TRACE(::testing::Message() << "patches of " << size);
    NonLocalMeansLevelSetParameters parameters = SomeParameters();
    parameters.patchSize = size;
    parameters.similarityScale = 0.2 * size * size * size;
    this->ExpectReference(parameters, grid, input);
  }
}

TEST_P(NonLocalMeansLevelSetReference, NumbersOfNeighbors)
{
  const Grid               grid = MakeGrid({ 13, 12, 14 });
  const std::vector<float> input = WithNoise(Sphere(grid, 4.0), 0.3);
  // One more and one less than the lanes of a warp, which is 32, and of four warps.
  for (const int neighbors : { 1, 2, 31, 32, 33, 64, 65, 96, 127, 128 })
  {
    SCOPED_TRACE(::testing::Message() << neighbors << " neighbors");
    NonLocalMeansLevelSetParameters parameters = SomeParameters();
    parameters.numberOfNeighbors = neighbors;
    this->ExpectReference(parameters, grid, input);
  }
}

TEST_P(NonLocalMeansLevelSetReference, MoreNeighborsThanTheBandHas)
{
  const Grid                      grid = MakeGrid({ 8, 9, 7 });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.bandWidth = 0.6;
  parameters.numberOfNeighbors = 128;
  const std::vector<float> input = WithNoise(Sphere(grid, 2.5), 0.3);
  this->ExpectReference(parameters, grid, input);
  EXPECT_LT(Denoise(this->GetContext(), parameters, grid, input).result.bandVoxels, 128);
}

TEST_P(NonLocalMeansLevelSetReference, AnisotropicSpacing)
{
  const Grid grid = MakeGrid({ 20, 14, 9 }, { 0.7, 1.0, 1.9 });
  this->ExpectReference(SomeParameters(), grid, WithNoise(Sphere(grid, 5.0), 0.3));
}

/** A plane that leaves the image on all sides, so that patches reach beyond the edge, in corners, too. */
TEST_P(NonLocalMeansLevelSetReference, EdgesOfTheImage)
{
  const Grid                      grid = MakeGrid({ 9, 11, 10 });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.patchSize = 7;
  parameters.similarityScale = 60.0;
  const std::vector<float> input =
    WithNoise(Sample(grid, [](const Position & at) { return 0.48 * at[0] + 0.6 * at[1] - 0.64 * at[2] - 1.0; }), 0.3);
  this->ExpectReference(parameters, grid, input);
}

/** The smallest image, whose patches are mostly beyond the edge. */
TEST_P(NonLocalMeansLevelSetReference, ThinImages)
{
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.patchSize = 7;
  parameters.similarityScale = 60.0;
  const Grid               grid = MakeGrid({ 2, 30, 2 });
  const std::vector<float> input =
    WithNoise(Sample(grid, [](const Position & at) { return std::sin(at[1]) * 2.0; }), 0.3);
  this->ExpectReference(parameters, grid, input);
}

TEST_P(NonLocalMeansLevelSetReference, Masks)
{
  const Grid                       grid = MakeGrid({ 15, 14, 16 });
  const std::vector<float>         input = WithNoise(Sphere(grid, 5.0), 0.3);
  const std::vector<unsigned char> mask = testvolumes::BallMask(grid);
  this->ExpectReference(SomeParameters(), grid, input, mask);

  const Denoised masked = Denoise(this->GetContext(), SomeParameters(), grid, input, mask);
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    if (mask[i] == 0 || std::abs(input[i]) > 1.6f)
    {
      EXPECT_EQ(masked.distances[i], input[i]) << "voxel " << i;
    }
  }
}

TEST_P(NonLocalMeansLevelSetReference, SeveralPasses)
{
  const Grid                      grid = MakeGrid({ 13, 12, 14 });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.numberOfPasses = 3;
  parameters.numberOfIterations = 3;
  this->ExpectReference(parameters, grid, WithNoise(Sphere(grid, 4.0), 0.3));
}

TEST_P(NonLocalMeansLevelSetReference, ManyIterations)
{
  const Grid                      grid = MakeGrid({ 13, 12, 14 });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.numberOfIterations = 600;
  this->ExpectReference(parameters, grid, WithNoise(Sphere(grid, 4.0), 0.3));
}

TEST_P(NonLocalMeansLevelSetReference, InfiniteSpatialScale)
{
  const Grid                      grid = MakeGrid({ 13, 12, 14 }, { 1.0, 1.3, 0.8 });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.spatialScale = std::numeric_limits<double>::infinity();
  this->ExpectReference(parameters, grid, WithNoise(Sphere(grid, 4.0), 0.3));
}

/** Distances far from the surface may have any magnitude up to 1e15. */
TEST_P(NonLocalMeansLevelSetReference, HugeDistancesAway)
{
  const Grid         grid = MakeGrid({ 15, 14, 16 });
  std::vector<float> input = WithNoise(Sphere(grid, 4.0), 0.3);
  for (float & value : input)
  {
    value = std::abs(value) > 4.0f ? std::copysign(1e15f, value) : value;
  }
  this->ExpectReference(SomeParameters(), grid, input);
}

CUDANEURO_TEST_ON_ALL_DEVICES(NonLocalMeansLevelSetReference);

/** The GPU against the CPU, which compare patches with the same sums. */
class NonLocalMeansLevelSetDevices : public DeviceTest
{};

TEST_P(NonLocalMeansLevelSetDevices, AgreeWithEachOther)
{
  const Grid                      grid = MakeGrid({ 26, 22, 24 }, { 1.0, 1.2, 0.9 });
  const std::vector<float>        input = WithNoise(Sphere(grid, 7.0), 0.3);
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.5;
  parameters.volumeCorrection = true;
  Context        host{ cudaneuro::Device() };
  const Denoised expected = Denoise(host, parameters, grid, input);
  const Denoised denoised = Denoise(this->GetContext(), parameters, grid, input);
  EXPECT_LE(LargestDifference(denoised.distances, expected.distances), tolerance);
  EXPECT_EQ(denoised.result.bandVoxels, expected.result.bandVoxels);
  // Selected among distances that have the same bits.
  EXPECT_EQ(denoised.result.similarityScale, expected.result.similarityScale);
  EXPECT_EQ(denoised.result.spatialScale, expected.result.spatialScale);
  EXPECT_NEAR(denoised.result.timeStep, expected.result.timeStep, 1e-5 * expected.result.timeStep);
  EXPECT_NEAR(denoised.result.lowGradientNorm, expected.result.lowGradientNorm, 1e-3);
  EXPECT_NEAR(denoised.result.highGradientNorm, expected.result.highGradientNorm, 1e-3);
  EXPECT_NEAR(denoised.result.volumeBefore, expected.result.volumeBefore, 1e-9 * expected.result.volumeBefore);
  EXPECT_NEAR(denoised.result.volumeAfter, expected.result.volumeAfter, 1e-5 * expected.result.volumeAfter);
  EXPECT_NEAR(denoised.result.volumeOffset, expected.result.volumeOffset, tolerance);
}

CUDANEURO_TEST_ON_CUDA(NonLocalMeansLevelSetDevices);

} // namespace
