// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Voxels that take no part in the estimate of a noise map, and those where nothing tells of the noise.

#include "denoising/DenoisingProperties.h"
#include "denoising/NoiseMapRuns.h"
#include "denoising/ReferenceNoiseMap.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace
{

using namespace testvolumes;
using namespace noisemapruns;

/** What does not take part has the value 0, and changes no bit elsewhere. */
TEST_P(NoiseMap, NoPartTaken)
{
  const cudaneuro::Grid            grid = MakeGrid({ 37, 29, 23 });
  const std::vector<unsigned char> mask = BallMask(grid);
  std::vector<float>               input = NoisyPhantom(grid);
  SprinkleNotFinite(input, 97);
  std::vector<float> other = input;
  for (std::size_t i = 0; i < other.size(); ++i)
  {
    other[i] = mask[i] != 0 ? other[i] : i % 2 == 0 ? -1e5f : std::numeric_limits<float>::quiet_NaN();
  }
  const MapOfRun run = this->Estimate(grid, input, {}, mask);
  EXPECT_EQ(this->Estimate(grid, other, {}, mask).map, run.map);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    const bool takesPart = mask[i] != 0 && std::isfinite(input[i]);
    count += takesPart ? 1 : 0;
    ASSERT_EQ(run.map[i] > 0.0f, takesPart) << "element " << i;
  }
  EXPECT_EQ(run.result.numberOfVoxels, count);
  EXPECT_EQ(run.result.numberOfExcludedVoxels, 0);
}

TEST_P(NoiseMap, HugeVoxelsTakeNoPart)
{
  const cudaneuro::Grid grid = MakeGrid({ 17, 16, 18 });
  for (const float huge : { 1e7f, -1e20f, std::numeric_limits<float>::max() })
  {
    std::vector<float> input = NoisyPhantom(grid);
    std::vector<float> withNaN = input;
    // On the lattice that is looked at for what is ordinary, and beside it.
    for (const std::size_t voxel : { 9 + 17 * (9 + 16 * 9), 8 + 17 * (8 + 16 * 8) })
    {
      input[voxel] = huge;
      withNaN[voxel] = std::numeric_limits<float>::quiet_NaN();
    }
    const MapOfRun run = this->Estimate(grid, input);
    EXPECT_EQ(run.map, this->Estimate(grid, withNaN).map) << huge;
    EXPECT_LE(properties::LargestDifference(run.map, reference::NoiseMap({}, ToReference(grid, withNaN))),
              tolerance * properties::dataRange);
  }
}

/** Constant regions, as the background of a brain that has been extracted. */
TEST_P(NoiseMap, SaysWhereNothingTellsOfTheNoise)
{
  const cudaneuro::Grid grid = MakeGrid({ 101, 45, 43 });
  std::vector<float>    input = NoiseAround(grid, 1e3, false, [](std::int64_t) { return 20.0; });
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    input[i] = i % 101 < 40 ? input[i] : 0.0f;
  }
  const MapOfRun run = this->Estimate(grid, input);
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    const std::size_t x = i % 101;
    // Blocks of 8 begin at 0; that of 32 to 39 has noise, and the map reaches to the middle of the next but one.
    ASSERT_EQ(run.map[i] > 0.0f, x < 44) << "element " << i;
    ASSERT_LE(std::abs(run.map[i] - 20.0f), x < 44 ? 2.0f : 20.0f) << "element " << i;
  }
  EXPECT_EQ(run.result.numberOfVoxels, 44 * 45 * 43);
  EXPECT_EQ(run.result.numberOfExcludedVoxels, 57 * 45 * 43);
}

TEST_P(NoiseMap, NothingToEstimateFrom)
{
  const auto expectNothing =
    [&](const cudaneuro::Grid & grid, const std::vector<float> & input, std::int64_t excluded) {
      for (const bool isRician : { false, true })
      {
        const MapOfRun run = this->Estimate(grid, input, MakeParameters(isRician));
        EXPECT_EQ(run.map, std::vector<float>(input.size(), 0.0f));
        EXPECT_EQ(run.result.numberOfVoxels, 0);
        EXPECT_EQ(run.result.numberOfExcludedVoxels, excluded);
        EXPECT_TRUE(std::isnan(run.result.mean));
      }
    };
  const cudaneuro::Grid grid = MakeGrid({ 19, 18, 17 });
  const std::int64_t    count = grid.NumberOfVoxels();
  for (const float value : { 0.0f, 437.25f, 1e30f })
  {
    expectNothing(grid, std::vector<float>(static_cast<std::size_t>(count), value), count);
  }
  expectNothing(grid, std::vector<float>(static_cast<std::size_t>(count), std::numeric_limits<float>::quiet_NaN()), 0);
  expectNothing(MakeGrid({ 1, 1, 1 }), { 5.0f }, 1);
  const cudaneuro::Grid row = MakeGrid({ 1, 301, 1 });
  expectNothing(row, NoisyPhantom(row), 301);
  const MapOfRun masked =
    this->Estimate(grid, NoisyPhantom(grid), {}, std::vector<unsigned char>(static_cast<std::size_t>(count), 0));
  EXPECT_EQ(masked.result.numberOfVoxels + masked.result.numberOfExcludedVoxels, 0);
}

} // namespace
