// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NonLocalMeansTestCases_h
#define NonLocalMeansTestCases_h

#include "cudaneuro/NonLocalMeans.h"
#include "denoising/DenoisingProperties.h"

#include <array>
#include <cmath>
#include <vector>

/** Parameters of nonlocal means, the filters with these, and the tolerance of a GPU. */
namespace nonlocalmeans
{

using cudaneuro::NonLocalMeansCenterWeight;
using cudaneuro::NonLocalMeansWeighting;

// A GPU sums intensities, the CPU differences from the center. The intensities are up to half the range from the
// reference. Each of 1029 additions rounds by up to 2^-24 of the sum so far, which is 6e-7 of the whole as a standard
// deviation, for the quotient of two sums: 4e-6 is more than 6 of these, of 1e5 voxels.
inline constexpr double toleranceOnGpu = 4e-6;

inline cudaneuro::NonLocalMeansParameters
MakeParameters(NonLocalMeansWeighting weighting, std::array<int, 3> window, std::array<int, 3> patch)
{
  cudaneuro::NonLocalMeansParameters parameters;
  parameters.weighting = weighting;
  parameters.centerWeight = NonLocalMeansCenterWeight::One;
  parameters.windowRadius = window;
  parameters.patchRadius = patch;
  parameters.smoothingParameter = 60.0;
  return parameters;
}

/** What the Rician correction subtracts from the mean over a window of 5 x 5 x 5 voxels. */
inline double
LargestSquareOfAir(double sigma)
{
  return 2.0 * sigma * sigma * (1.0 + 3.0 / std::sqrt(125.0));
}

inline properties::Filter
MakeFilter(const cudaneuro::NonLocalMeansParameters & parameters)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    cudaneuro::NonLocalMeans(context, parameters, grid, input, mask, output);
  };
}

/** Parameter sets for the properties, which together use every option. */
inline std::vector<cudaneuro::NonLocalMeansParameters>
TypicalParameters()
{
  const cudaneuro::NonLocalMeansParameters sum =
    MakeParameters(NonLocalMeansWeighting::PatchSum, { 2, 2, 2 }, { 1, 1, 1 });
  cudaneuro::NonLocalMeansParameters distance =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 2, 1, 2 }, { 1, 2, 1 });
  distance.centerWeight = NonLocalMeansCenterWeight::Maximum;
  distance.ricianCorrection = true;
  distance.noiseStandardDeviation = 15.0;
  // GPUs compare each pair of voxels once.
  const cudaneuro::NonLocalMeansParameters pairs =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 3, 3, 3 }, { 2, 2, 2 });
  return { sum, distance, pairs };
}

inline std::vector<properties::Filter>
TypicalFilters()
{
  std::vector<properties::Filter> filters;
  for (const cudaneuro::NonLocalMeansParameters & parameters : TypicalParameters())
  {
    filters.push_back(MakeFilter(parameters));
  }
  return filters;
}

} // namespace nonlocalmeans

#endif
