// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The registration on a GPU, beside that on the CPU: by each method and metric, and in grids of several tiles.

#include "RegistrationTest.h"
#include "TestVolumes.h"

#include <cstdint>

namespace
{

using namespace cudaneuro;
using namespace registrationruns;

TEST_P(Registration, AgreesWithTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  const PhantomPair      pair = MakePhantomPair(phantomSize, 3.0);
  Context                cpu{ Device{} };
  RegistrationParameters correlation = UnbiasedParameters();
  correlation.metric = RegistrationMetric::LocalCorrelation;
  RegistrationParameters smoothed = UnbiasedParameters();
  smoothed.standardDeviations = { 0.7, 0.7, 0.7 };
  for (RegistrationParameters parameters :
       { UnbiasedParameters(), correlation, smoothed, GreedyParameters(VelocityMethod::SuccessiveOverRelaxation) })
  {
    parameters.levels = { { { 1, 1, 1 }, 100 } };
    const Outcome onGpu = RunPair(this->GetContext(), parameters, pair);
    const Outcome onCpu = RunPair(cpu, parameters, pair);
    // 100 iterations of float32 that differ in rounding.
    EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 0.05)
      << parameters.metric << ", " << parameters.velocityMethod;
    // One iteration differs by rounding alone.
    parameters.levels = { { { 1, 1, 1 }, 1 } };
    const Outcome oneOnGpu = RunPair(this->GetContext(), parameters, pair);
    const Outcome oneOnCpu = RunPair(cpu, parameters, pair);
    EXPECT_LT(LargestDistance(oneOnGpu.displacement, oneOnCpu.displacement), 1e-4);
    EXPECT_NEAR(oneOnGpu.result.final.energy, oneOnCpu.result.final.energy, 1e-6);
  }
}

/** Boxes of all widths, some larger than the grid is long, in a grid of several tiles and blocks of planes. */
TEST_P(Registration, AgreesWithTheCpuWithBoxesOfAllWidths)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  PhantomPair pair;
  pair.geometry.grid = testvolumes::MakeGrid({ 41, 57, 15 });
  for (std::int64_t i = 0; i < pair.geometry.grid.NumberOfVoxels(); ++i)
  {
    pair.fixed.push_back(static_cast<float>(testvolumes::NormalNoise(5, static_cast<std::uint64_t>(i))));
    pair.moving.push_back(static_cast<float>(testvolumes::NormalNoise(6, static_cast<std::uint64_t>(i))));
  }
  RegistrationParameters parameters = UnbiasedParameters();
  parameters.metric = RegistrationMetric::LocalCorrelation;
  parameters.levels = { { { 1, 1, 1 }, 1 } };
  Context cpu{ Device{} };
  for (parameters.correlationRadius = 1; parameters.correlationRadius <= 8; ++parameters.correlationRadius)
  {
    const Outcome onGpu = RunPair(this->GetContext(), parameters, pair);
    const Outcome onCpu = RunPair(cpu, parameters, pair);
    // One iteration differs by rounding alone.
    EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 1e-4) << parameters.correlationRadius;
    EXPECT_NEAR(onGpu.result.iterations[0].energy, onCpu.result.iterations[0].energy, 1e-6);
  }
}

TEST_P(Registration, AgreesWithTheCpuWithoutBias)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  // Rows of odd length; the last tiles along x and y are not full.
  const PhantomPair pair = MakePhantomPair({ 35, 41, 33 }, 3.0);
  Context           cpu{ Device{} };
  for (const RegistrationMetric metric : { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation })
  {
    for (const bool useDeformedGradient : { false, true })
    {
      RegistrationParameters parameters = GreedyParameters(VelocityMethod::SuccessiveOverRelaxation);
      parameters.metric = metric;
      parameters.useDeformedGradient = useDeformedGradient;
      parameters.levels = { { { 1, 1, 1 }, 5 } };
      const Outcome onGpu = RunPair(this->GetContext(), parameters, pair);
      const Outcome onCpu = RunPair(cpu, parameters, pair);
      // Rounding the images otherwise moves these maps by up to 7e-4 voxels, where a correlation is near its limits;
      // the other gradient of useDeformedGradient moves them by 0.07, and the steps together by 2.
      EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 0.01) << metric << ", " << useDeformedGradient;
      EXPECT_NEAR(onGpu.result.final.energy, onCpu.result.final.energy, 1e-5);
      EXPECT_NEAR(onGpu.result.final.minimumJacobian, onCpu.result.final.minimumJacobian, 0.01);
    }
  }
}

} // namespace
