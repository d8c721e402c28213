// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "denoising/noisemap/NoiseMap.h"

namespace
{

using namespace testvolumes;

class NoiseMapSlabs : public DeviceTest
{};

/** Slabs of any number of planes have the bits of the whole, also in place, and for other types of pixels. */
TEST_P(NoiseMapSlabs, EqualTheWhole)
{
  for (const double thickness : { 1.0, 3.0 })
  {
    // The last plane is alone in its slab of 8.
    const cudaneuro::Grid            grid = MakeGrid({ 37, 29, 41 }, { 1.0, 1.0, thickness });
    const std::vector<float>         noisy = NoisyPhantom(grid);
    const std::vector<short>         input(noisy.begin(), noisy.end());
    const std::vector<unsigned char> mask = BallMask(grid);
    cudaneuro::NoiseMapParameters    parameters;
    parameters.ricianCorrection = true;
    const auto run = [&](const cudaneuro::ConstVolume & from, const cudaneuro::Volume & to, std::int64_t planes) {
      return cudaneuro::EstimateNoiseMapInSlabs(
        this->GetContext(), parameters, grid, from, ConstView(mask), to, planes);
    };
    std::vector<float> whole(input.size());
    const auto         expected = run(ConstView(input), View(whole), grid.size[2]);
    for (const std::int64_t planes : { 8, 16, 40 })
    {
      std::vector<float> map(input.size(), -1.0f);
      const auto         result = run(ConstView(input), View(map), planes);
      EXPECT_EQ(map, whole) << planes << " planes";
      EXPECT_EQ(result.numberOfVoxels, expected.numberOfVoxels);
      EXPECT_EQ(result.numberOfExcludedVoxels, expected.numberOfExcludedVoxels);
      EXPECT_NEAR(result.mean, expected.mean, 1e-12 * expected.mean);
      EXPECT_EQ(result.minimum, expected.minimum);
      EXPECT_EQ(result.maximum, expected.maximum);

      std::vector<float> inPlace(input.begin(), input.end());
      run(ConstView(inPlace), View(inPlace), planes);
      EXPECT_EQ(inPlace, whole) << planes << " planes";
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(NoiseMapSlabs);

} // namespace
