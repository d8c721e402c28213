// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/DenoisingProperties.h"

#include "cudaneuro/NoiseEstimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

using namespace testvolumes;

// Residuals are differences of floats near 1000 (spacing 6e-5); the median of many of them moves by less than that.
constexpr double tolerance = 1e-4;

class NoiseEstimate : public DeviceTest
{
protected:
  double
  Estimate(const cudaneuro::Grid & grid, const std::vector<float> & input, const std::vector<unsigned char> & mask = {})
  {
    return cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(input), ConstView(mask));
  }
};

TEST_P(NoiseEstimate, MatchesReference)
{
  const std::array<std::int64_t, 3> sizes[] = { { 37, 29, 23 }, { 36, 29, 23 }, { 53, 61, 1 }, { 1, 40, 51 },
                                                { 301, 1, 1 },  { 3, 3, 3 },    { 4, 3, 3 },   { 53, 61, 2 },
                                                { 53, 2, 61 },  { 2, 53, 61 },  { 2, 301, 2 }, { 21, 17, 66 } };
  for (const std::array<std::int64_t, 3> & size : sizes)
  {
    SCOPED_TRACE(::testing::Message() << size[0] << " x " << size[1] << " x " << size[2]);
    const cudaneuro::Grid    grid = MakeGrid(size);
    const std::vector<float> input = NoisyPhantom(grid);
    EXPECT_NEAR(this->Estimate(grid, input), reference::EstimateNoiseSigma(ToReference(grid, input)), tolerance);
  }
}

TEST_P(NoiseEstimate, MaskAndNotFiniteTakeNoPart)
{
  const cudaneuro::Grid            grid = MakeGrid({ 37, 29, 23 });
  const std::vector<unsigned char> mask = BallMask(grid);
  std::vector<float>               input = NoisyPhantom(grid);
  SprinkleNotFinite(input, 31);
  EXPECT_NEAR(
    this->Estimate(grid, input, mask), reference::EstimateNoiseSigma(ToReference(grid, input, mask)), tolerance);
}

TEST_P(NoiseEstimate, HugeVoxelsTakeNoPart)
{
  const cudaneuro::Grid    grid = MakeGrid({ 16, 16, 16 });
  const std::vector<float> input = NoisyPhantom(grid);
  const double             expected = this->Estimate(grid, input);
  // On the lattice that is looked at for what is ordinary, and beside it.
  for (const std::size_t voxel : { 9 + 16 * (9 + 16 * 9), 8 + 16 * (8 + 16 * 8) })
  {
    std::vector<float> changed = input;
    changed[voxel] = std::numeric_limits<float>::quiet_NaN();
    const double withNaN = this->Estimate(grid, changed);
    EXPECT_NEAR(withNaN, expected, 0.01 * expected);
    for (const float huge : { 1e7f, -1e7f, 1e20f, std::numeric_limits<float>::max() })
    {
      changed[voxel] = huge;
      EXPECT_EQ(this->Estimate(grid, changed), withNaN) << huge;
    }
  }

  // A code for "no data" at two voxels in three.
  std::vector<float> withCodes = input;
  std::vector<float> withNaNs = input;
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    if (i / 256 % 3 != 1 && i % 16 < 14)
    {
      withCodes[i] = 1e20f;
      withNaNs[i] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  EXPECT_EQ(this->Estimate(grid, withCodes), this->Estimate(grid, withNaNs));
}

TEST_P(NoiseEstimate, RecoversTheSigmaOfPhantoms)
{
  const cudaneuro::Grid grid = MakeGrid({ 61, 53, 47 });
  for (const double sigma : { 5.0, 30.0, 60.0 })
  {
    // The phantom's edges are of 250 to 500. Of some 20 000 bright cubes, half have edges; the median of the others has a
    // standard error of 1.2 %.
    EXPECT_NEAR(this->Estimate(grid, NoisyPhantom(grid, sigma)), sigma, 0.05 * sigma);
  }
}

/** Folds, ten to a hundred times as strong as the noise, are in nine of ten cubes. Their slope has no axis. */
TEST_P(NoiseEstimate, IsRightAmongEdges)
{
  for (const std::array<std::int64_t, 3> & size : { std::array<std::int64_t, 3>{ 80, 72, 66 }, { 400, 380, 1 } })
  {
    const cudaneuro::Grid grid = MakeGrid(size);
    for (const double sigma : { 1.0, 10.0 })
    {
      std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
      for (std::size_t i = 0; i < input.size(); ++i)
      {
        const auto   x = static_cast<double>(i % size[0]);
        const auto   y = static_cast<double>(i / size[0] % size[1]);
        const auto   z = static_cast<double>(i / (size[0] * size[1]));
        const double folds = std::sin(0.31 * x + 0.23 * y + 0.19 * z) + std::sin(0.29 * x - 0.21 * y + 0.17 * z);
        input[i] = static_cast<float>(1000.0 + 100.0 * std::tanh(2.0 * folds) + sigma * NormalNoise(29, i));
      }
      // Residuals of the neighbors of a voxel would make it twice to four times as large where sigma is 1.
      EXPECT_NEAR(this->Estimate(grid, input), sigma, 0.05 * sigma) << size[2] << " planes";
    }
  }
}

TEST_P(NoiseEstimate, RecoversTheSigmaOfGaussianNoise)
{
  const cudaneuro::Grid grid = MakeGrid({ 61, 53, 47 });
  for (const double sigma : { 0.125, 3.0, 250.0 })
  {
    std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = static_cast<float>(1000.0 + sigma * NormalNoise(17, i));
    }
    EXPECT_NEAR(this->Estimate(grid, input), sigma, 0.02 * sigma);
  }
}

/** An object without noise around it, as extracted brains have, in images of any contrast. */
TEST_P(NoiseEstimate, ConstantBackgroundOfAnyBrightness)
{
  const cudaneuro::Grid            grid = MakeGrid({ 61, 53, 47 });
  const std::vector<unsigned char> ball = BallMask(grid);
  const std::vector<float>         phantom = NoisyPhantom(grid, 10.0);
  for (const float background : { -1000.0f, 0.0f, 300.0f, 2000.0f, 1e4f })
  {
    std::vector<float> input = phantom;
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = ball[i] != 0 ? input[i] : background;
    }
    // As for phantoms. With the mean of all voxels, a bright background makes it a multiple.
    EXPECT_NEAR(this->Estimate(grid, input), 10.0, 0.5) << "background " << background;
  }
}

/** Voxels are not chosen by their own noise, wherever the threshold is among the intensities: tissue of two signals
 * with a little air has a mean that is just below, between or above most of its voxels. */
TEST_P(NoiseEstimate, DoesNotDependOnTheThreshold)
{
  const cudaneuro::Grid grid = MakeGrid({ 64, 60, 48 });
  constexpr double      sigma = 15.0;
  for (const double shareOfAir : { 0.02, 0.1, 0.3 })
  {
    for (const double shareOfDark : { 0.0, 0.3, 0.6 })
    {
      std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
      for (std::size_t i = 0; i < input.size(); ++i)
      {
        const double z = static_cast<double>(i / (64 * 60)) / 48.0;
        const double signal = z < shareOfAir ? 0.0 : z < shareOfAir + (1.0 - shareOfAir) * shareOfDark ? 90.0 : 110.0;
        input[i] = static_cast<float>(signal + sigma * NormalNoise(23, i));
      }
      EXPECT_NEAR(this->Estimate(grid, input), sigma, 0.04 * sigma) << shareOfAir << " air, " << shareOfDark << " dark";
    }
  }
}

/** Two planes have cubes as others do. */
TEST_P(NoiseEstimate, TwoPlanes)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    cudaneuro::Grid grid = MakeGrid({ 71, 73, 75 });
    grid.size[axis] = 2;
    std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = static_cast<float>(1000.0 + 3.0 * NormalNoise(17, i));
    }
    EXPECT_NEAR(this->Estimate(grid, input), 3.0, 0.06 * 3.0);
    // Voxels that take no part, by a mask or as codes, are the same as NaN.
    std::vector<unsigned char> mask(input.size(), 1);
    std::vector<float>         holes = input;
    for (std::size_t i = 0; i < input.size(); i += 7)
    {
      mask[i] = 0;
      holes[i] = std::numeric_limits<float>::quiet_NaN();
    }
    const double withHoles = this->Estimate(grid, holes);
    EXPECT_EQ(this->Estimate(grid, input, mask), withHoles);
    for (std::size_t i = 0; i < input.size(); i += 7)
    {
      holes[i] = -32768.0f;
    }
    EXPECT_EQ(this->Estimate(grid, holes), withHoles);
  }
}

TEST_P(NoiseEstimate, NothingToEstimateFrom)
{
  EXPECT_EQ(this->Estimate(MakeGrid({ 1, 1, 1 }), { 5.0f }), 0.0);
  EXPECT_EQ(this->Estimate(MakeGrid({ 2, 2, 2 }), std::vector<float>{ 1, 2, 3, 4, 5, 6, 7, 8 }), 0.0);
  const cudaneuro::Grid grid = MakeGrid({ 7, 7, 7 });
  EXPECT_EQ(this->Estimate(grid, std::vector<float>(343, 4.0f)), 0.0);
  EXPECT_EQ(this->Estimate(grid, std::vector<float>(343, std::numeric_limits<float>::quiet_NaN())), 0.0);
  EXPECT_EQ(this->Estimate(grid, NoisyPhantom(grid), std::vector<unsigned char>(343, 0)), 0.0);
}

TEST_P(NoiseEstimate, RepeatableWithAnyNumberOfThreads)
{
  const cudaneuro::Grid    grid = MakeGrid({ 141, 75, 53 });
  const std::vector<float> input = NoisyPhantom(grid);
  const double             expected = this->Estimate(grid, input);
  EXPECT_EQ(this->Estimate(grid, input), expected);
  cudaneuro::Context other(this->GetParam(), 3);
  EXPECT_EQ(cudaneuro::EstimateNoiseSigma(other, grid, ConstView(input), {}), expected);
}

TEST_P(NoiseEstimate, IntegerPixels)
{
  const cudaneuro::Grid       grid = MakeGrid({ 37, 29, 23 });
  std::vector<float>          input = NoisyPhantom(grid);
  std::vector<unsigned short> integers(input.begin(), input.end());
  const std::vector<float>    truncated(integers.begin(), integers.end());
  EXPECT_EQ(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(integers), {}),
            this->Estimate(grid, truncated));
}

TEST_P(NoiseEstimate, AbortAndProgress)
{
  const cudaneuro::Grid    grid = MakeGrid({ 141, 75, 53 });
  const std::vector<float> input = NoisyPhantom(grid);
  const double             expected = this->Estimate(grid, input);
  this->GetContext().SetProgressFunction([](float) { return false; });
  EXPECT_THROW(this->Estimate(grid, input), cudaneuro::Aborted);
  std::vector<float> reports;
  this->GetContext().SetProgressFunction([&](float fraction) {
    reports.push_back(fraction);
    return true;
  });
  EXPECT_EQ(this->Estimate(grid, input), expected);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back(), 1.0f);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
}

CUDANEURO_TEST_ON_ALL_DEVICES(NoiseEstimate);

class NoiseEstimateOnGpu : public DeviceTest
{};

TEST_P(NoiseEstimateOnGpu, MatchesCpu)
{
  const cudaneuro::Grid    grid = MakeGrid({ 161, 147, 153 });
  const std::vector<float> input = NoisyPhantom(grid);
  cudaneuro::Context       cpu{ cudaneuro::Device{} };
  EXPECT_NEAR(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(input), {}),
              cudaneuro::EstimateNoiseSigma(cpu, grid, ConstView(input), {}),
              tolerance);
}

TEST_P(NoiseEstimateOnGpu, LargeVolumesOfAllShapes)
{
  // Rows of whole quads and others, axes of one voxel, and sizes that tiles of threads do not divide.
  cudaneuro::Context                cpu{ cudaneuro::Device{} };
  const std::array<std::int64_t, 3> sizes[] = { { 128, 128, 80 },  { 132, 101, 97 },  { 133, 101, 97 },
                                                { 1104, 1001, 1 }, { 1101, 1, 1003 }, { 1, 1100, 1001 },
                                                { 1300000, 1, 1 } };
  for (const std::array<std::int64_t, 3> & size : sizes)
  {
    SCOPED_TRACE(::testing::Message() << size[0] << " x " << size[1] << " x " << size[2]);
    const cudaneuro::Grid    grid = MakeGrid(size);
    const std::vector<float> input = NoisyPhantom(grid);
    std::vector<float>       withNaN = input;
    SprinkleNotFinite(withNaN, 1001);
    const std::vector<unsigned char> mask = BallMask(grid);
    EXPECT_NEAR(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(input), {}),
                cudaneuro::EstimateNoiseSigma(cpu, grid, ConstView(input), {}),
                tolerance);
    EXPECT_NEAR(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(withNaN), ConstView(mask)),
                cudaneuro::EstimateNoiseSigma(cpu, grid, ConstView(withNaN), ConstView(mask)),
                tolerance);
  }
}

TEST_P(NoiseEstimateOnGpu, LittleMemory)
{
  // In slabs, and with no room for a list.
  const cudaneuro::Grid    grid = MakeGrid({ 160, 147, 153 });
  const std::vector<float> input = NoisyPhantom(grid);
  const double             expected = cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(input), {});
  for (const std::size_t bytes : { 6000000, 12000000, 40000000 })
  {
    this->GetContext().SetMemoryLimit(bytes);
    EXPECT_EQ(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(input), {}), expected) << bytes;
  }
}

TEST_P(NoiseEstimateOnGpu, LargeVolumeOfIntegers)
{
  // Many residuals are alike, more than are listed.
  const cudaneuro::Grid    grid = MakeGrid({ 161, 147, 153 });
  const std::vector<float> input = NoisyPhantom(grid);
  cudaneuro::Context       cpu{ cudaneuro::Device{} };
  for (const double step : { 1.0, 40.0 })
  {
    std::vector<float> integers(input.size());
    std::transform(input.begin(), input.end(), integers.begin(), [&](float value) { return std::rint(value / step); });
    EXPECT_EQ(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(integers), {}),
              cudaneuro::EstimateNoiseSigma(cpu, grid, ConstView(integers), {}))
      << step;
  }
}

TEST_P(NoiseEstimateOnGpu, SampleUnlikeTheRest)
{
  // In half of the blocks, chosen at random, there is a thousand times as much noise. The median lies in the gap between,
  // on one side or the other, and a sample of the voxels has it on the wrong side in some of the cases.
  const cudaneuro::Grid grid = MakeGrid({ 128, 128, 80 });
  cudaneuro::Context    cpu{ cudaneuro::Device{} };
  for (unsigned int seed = 1; seed <= 6; ++seed)
  {
    std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      const std::size_t block = i % 128 / 32 + 4 * (i / 128 % 128 / 8) + 64 * (i / (128 * 128) / 16);
      const double      sigma = NormalNoise(seed + 100, block) > 0.0 ? 10.0 : 0.01;
      input[i] = static_cast<float>(1000.0 + sigma * NormalNoise(seed, i));
    }
    EXPECT_EQ(cudaneuro::EstimateNoiseSigma(this->GetContext(), grid, ConstView(input), {}),
              cudaneuro::EstimateNoiseSigma(cpu, grid, ConstView(input), {}))
      << seed;
  }
}

CUDANEURO_TEST_ON_CUDA(NoiseEstimateOnGpu);

} // namespace
