// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "NoiseMapTest.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include <algorithm>

namespace
{

using namespace testvolumes;

class AdaptiveSlabs : public DeviceTest
{};

/** Slabs of any number of planes have the bits of the whole, also in place. */
TEST_P(AdaptiveSlabs, EqualTheWhole)
{
  const cudaneuro::Grid                      grid = MakeGrid({ 13, 12, 60 });
  const std::vector<float>                   input = NoisyPhantom(grid);
  const std::vector<float>                   noise = NoiseThatVaries(grid);
  const std::vector<unsigned char>           mask = BallMask(grid);
  cudaneuro::AdaptiveNonLocalMeansParameters parameters;
  parameters.ricianCorrection = true;
  cudaneuro::NoiseValues values;
  values.largest = *std::max_element(noise.begin(), noise.end());
  parameters.noiseStandardDeviation = values.largest;
  const auto run = [&](const std::vector<float> & from, std::vector<float> & to, std::int64_t planes) {
    cudaneuro::DenoiseInSlabs(
      this->GetContext(),
      { parameters, grid, ConstView(from), ConstView(mask), View(to), ConstView(noise), values },
      planes);
  };
  std::vector<float> whole(input.size());
  run(input, whole, grid.size[2]);
  for (const std::int64_t planes : { 1, 7, 30, 59 })
  {
    std::vector<float> result(input.size(), -1.0f);
    run(input, result, planes);
    EXPECT_EQ(result, whole) << planes << " planes";
    std::vector<float> inPlace = input;
    run(inPlace, inPlace, planes);
    EXPECT_EQ(inPlace, whole) << planes << " planes, in place";
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(AdaptiveSlabs);

} // namespace
