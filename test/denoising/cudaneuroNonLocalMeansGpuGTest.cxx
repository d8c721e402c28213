// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Nonlocal means on a GPU: beside the CPU, in parts of a volume, and of a large volume.

#include "denoising/DenoisingProperties.h"
#include "denoising/NonLocalMeansTestCases.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace
{

using namespace testvolumes;
using namespace nonlocalmeans;

class NonLocalMeansOnGpu : public DeviceTest
{};

TEST_P(NonLocalMeansOnGpu, MatchesCpu)
{
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 3, 3, 3 }, { 2, 2, 2 })), toleranceOnGpu);
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 2, 4, 1 }, { 3, 1, 2 })), toleranceOnGpu);
  }
}

/** Tiles of 26 x 32 voxels and strips of two planes that begin and end with the image, or do not; voxels at a border and
 * inside, and some of which one is not finite. */
TEST_P(NonLocalMeansOnGpu, PairsMatchCpu)
{
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const std::array<std::int64_t, 3> & size : { std::array<std::int64_t, 3>{ 61, 45, 37 },
                                                    { 52, 64, 8 },
                                                    { 53, 65, 9 },
                                                    { 25, 31, 24 },
                                                    { 4, 70, 5 },
                                                    { 4, 5, 66000 } })
  {
    const cudaneuro::Grid grid = MakeGrid(size);
    std::vector<float>    input = NoisyPhantom(grid);
    input[input.size() / 3] = std::numeric_limits<float>::quiet_NaN();
    for (int which = 0; which < 8; ++which)
    {
      const int                          patch = which % 2 + 1;
      cudaneuro::NonLocalMeansParameters parameters =
        MakeParameters(NonLocalMeansWeighting::PatchDistance, { 3, 3, 3 }, { patch, patch, patch });
      parameters.centerWeight = (which & 2) != 0 ? NonLocalMeansCenterWeight::Maximum : NonLocalMeansCenterWeight::One;
      parameters.ricianCorrection = (which & 4) != 0;
      parameters.noiseStandardDeviation = 5.0;
      const properties::Filter filter = MakeFilter(parameters);
      const std::vector<float> expected = properties::Run(cpu, filter, grid, input);
      const std::vector<float> result = properties::Run(this->GetContext(), filter, grid, input);
      // Where the corrected square is near 0, its root has more error; see RicianCorrectionMatchesReference.
      const double tolerance = parameters.ricianCorrection ? 10.0 * toleranceOnGpu : toleranceOnGpu;
      EXPECT_LE(properties::LargestDifference(result, { expected.begin(), expected.end() }),
                tolerance * properties::dataRange)
        << size[0] << " x " << size[1] << " x " << size[2] << ", case " << which;
    }
  }
}

/** Two columns of intensities at both limits: patches that hold one and the other, at the border, are not alike. */
TEST_P(NonLocalMeansOnGpu, PairsTellHugeVoxelsFromNone)
{
  const cudaneuro::Grid grid = MakeGrid({ 12, 12, 12 });
  std::vector<float>    input = NoisyPhantom(grid);
  for (std::size_t z = 0; z < 12; ++z)
  {
    input[(z * 12 + 2) * 12 + 2] = -1e30f;
    input[(z * 12 + 2) * 12 + 5] = 1e30f;
  }
  cudaneuro::Context       cpu{ cudaneuro::Device{} };
  const properties::Filter filter =
    MakeFilter(MakeParameters(NonLocalMeansWeighting::PatchDistance, { 3, 3, 3 }, { 2, 2, 2 }));
  const std::vector<float> expected = properties::Run(cpu, filter, grid, input);
  const std::vector<float> result = properties::Run(this->GetContext(), filter, grid, input);
  EXPECT_LE(properties::LargestDifference(result, { expected.begin(), expected.end() }),
            toleranceOnGpu * properties::dataRange);
}

TEST_P(NonLocalMeansOnGpu, SlabsEqualWhole)
{
  for (const properties::Filter & filter : TypicalFilters())
  {
    properties::ExpectSlabsEqualWhole(this->GetContext(), filter);
  }
}

TEST_P(NonLocalMeansOnGpu, ChunksEqualWhole)
{
  for (const properties::Filter & filter : TypicalFilters())
  {
    properties::ExpectChunksEqualWhole(this->GetContext(), filter);
  }
}

TEST_P(NonLocalMeansOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), TypicalFilters()[0]);
}

TEST_P(NonLocalMeansOnGpu, LargeVolume)
{
  cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchSum, { 1, 1, 1 }, { 1, 1, 1 });
  parameters.smoothingParameter = 40.0;
  properties::ExpectLargeVolume(this->GetContext(), MakeFilter(parameters), 2);
}

CUDANEURO_TEST_ON_CUDA(NonLocalMeansOnGpu);

} // namespace
