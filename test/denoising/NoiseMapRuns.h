// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NoiseMapRuns_h
#define NoiseMapRuns_h

#include "cudaneuro/NoiseMap.h"
#include "denoising/DenoisingProperties.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/** The fixture that estimates noise maps, and images of constant intensity with noise. */
namespace noisemapruns
{

using namespace testvolumes;
using cudaneuro::NoiseMapParameters;
using cudaneuro::NoiseMapResult;

/** Of the range of intensities, where the noise is 3 % of it. Sums over thousands of cubes are float. */
inline constexpr double tolerance = 1e-5;

inline NoiseMapParameters
MakeParameters(bool ricianCorrection, double smoothingSigma = 0.0)
{
  NoiseMapParameters parameters;
  parameters.ricianCorrection = ricianCorrection;
  parameters.smoothingSigma = smoothingSigma;
  return parameters;
}

inline properties::Filter
MakeFilter(const NoiseMapParameters & parameters = {})
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    cudaneuro::EstimateNoiseMap(context, parameters, grid, input, mask, output);
  };
}

/** A constant intensity with noise of a standard deviation for each voxel, Rician where that is asked for. */
template <typename TSigma>
std::vector<float>
NoiseAround(const cudaneuro::Grid & grid, double intensity, bool isRician, const TSigma & sigma)
{
  std::vector<float> values(static_cast<std::size_t>(grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const double s = sigma(static_cast<std::int64_t>(i) % grid.size[0]);
    const double real = intensity + s * NormalNoise(5, i);
    values[i] = static_cast<float>(isRician ? std::hypot(real, s * NormalNoise(6, i)) : real);
  }
  return values;
}

struct MapOfRun
{
  std::vector<float> map;
  NoiseMapResult     result;
};

class NoiseMap : public DeviceTest
{
protected:
  MapOfRun
  Estimate(const cudaneuro::Grid &            grid,
           const std::vector<float> &         input,
           const NoiseMapParameters &         parameters = {},
           const std::vector<unsigned char> & mask = {})
  {
    MapOfRun run{ std::vector<float>(input.size(), -1.0f), {} };
    run.result = cudaneuro::EstimateNoiseMap(
      this->GetContext(), parameters, grid, ConstView(input), ConstView(mask), View(run.map));
    return run;
  }

  /** Expects that all of a map is within a share of a value, and its mean within a smaller one. */
  static void
  ExpectNear(const MapOfRun & run, double value, double share, double shareOfMean)
  {
    EXPECT_EQ(run.result.numberOfVoxels, static_cast<std::int64_t>(run.map.size()));
    EXPECT_EQ(run.result.numberOfExcludedVoxels, 0);
    EXPECT_NEAR(run.result.mean, value, shareOfMean * value);
    EXPECT_GE(run.result.minimum, (1.0 - share) * value);
    EXPECT_LE(run.result.maximum, (1.0 + share) * value);
  }
};

} // namespace noisemapruns

#endif
