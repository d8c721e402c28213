// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Cases.h"

#include "data/NoisyVolume.h"
#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/BilateralSweep.h"
#include "cudaneuro/NoiseEstimate.h"
#include "cudaneuro/NoiseMap.h"
#include "cudaneuro/StructuralSimilarity.h"

#include <algorithm>
#include <sstream>

namespace cudaneuro::benchmark
{

namespace
{

/** Instruction slots per term of the sum; Documentation/performance-tables.md explains these counts. */
constexpr double slotsPerNonLocalMeansTerm = 15.3;

double
SlotsPerDiffusionStep(DiffusionStencil stencil)
{
  switch (stencil)
  {
    case DiffusionStencil::PeronaMalik6:
      return 27.0;
    case DiffusionStencil::Gerig26:
      return 115.0;
    case DiffusionStencil::Weickert26:
      return 50.0;
    case DiffusionStencil::GeometricMean26:
      return 46.0;
  }
  return 0.0;
}

/** Five fields (two means, two squares, one product), three axes, eleven taps; plus 17 for products and the formula. */
constexpr double slotsPerSimilarityVoxel = 5 * 3 * 11 + 17;

/** For every third voxel along each axis, in both passes: differences, squares and sums for the 64 voxels of 343
 * blocks; and, for the 16 blocks of a group, five transforms of 48 rows of 14 operations. */
constexpr double slotsPerReference = 2 * 343 * 64 * 3 + 5 * 16 * 48 * 14;

/** Returns the number of pairs of a voxel and another one inside its window of that half-width and inside the image. */
double
PairsOf(const Size & size, int radius)
{
  double pairs = 1.0;
  for (const std::int64_t length : size)
  {
    double alongAxis = 0.0;
    for (std::int64_t i = 0; i < length; ++i)
    {
      alongAxis +=
        static_cast<double>(std::min<std::int64_t>(i, radius) + 1 + std::min<std::int64_t>(length - 1 - i, radius));
    }
    pairs *= alongAxis;
  }
  return pairs - VoxelsOf(size);
}

Floor
LargerOf(const Floor & a, const Floor & b)
{
  return a.milliseconds >= b.milliseconds ? a : b;
}

} // namespace

Case
BilateralCase(int radius)
{
  const auto run = [radius](Context & context, const Volumes & volumes) {
    BilateralParameters parameters;
    parameters.rangeSigma = bilateralRangeSigma;
    parameters.domainSigma = { 1.5, 1.5, 1.5 };
    parameters.radius = { radius, radius, radius };
    Bilateral(context, parameters, volumes.grid, volumes.image, {}, volumes.output);
  };
  const auto floor = [radius](const Limits & limits, const Size & size) {
    return FloorOf("ex2 rate", PairsOf(size, radius), limits.ex2);
  };
  return { "bilateral R=" + std::to_string(radius), run, floor };
}

Case
BilateralMapCase(int radius)
{
  const Case withNumber = BilateralCase(radius);
  const auto run = [radius](Context & context, const Volumes & volumes) {
    BilateralParameters parameters;
    parameters.rangeSigma = bilateralRangeSigma / noiseSigma;
    parameters.domainSigma = { 1.5, 1.5, 1.5 };
    parameters.radius = { radius, radius, radius };
    BilateralWithNoiseMap(context, parameters, volumes.grid, volumes.image, {}, volumes.otherImage, volumes.output);
  };
  return { withNumber.name + " with map", run, withNumber.floor };
}

Case
BilateralSweepCase()
{
  const auto run = [](Context & context, const Volumes & volumes) {
    BilateralSweepParameters parameters;
    parameters.rangeSigma = bilateralRangeSigma;
    parameters.radii = { 1, 2, 3, 5, 7 };
    parameters.domainSigmas = { 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 16.0 };
    const std::size_t bytes = static_cast<std::size_t>(volumes.grid.NumberOfVoxels()) * sizeof(float);
    const auto        count = [&] { return parameters.radii.size() * parameters.domainSigmas.size(); };
    if (2 * count() * bytes > GetDeviceProperties(context.GetDevice()).freeBytes)
    {
      parameters.domainSigmas = { 1.0, 2.0 };
    }
    std::vector<DeviceMemory> memory;
    std::vector<Volume>       outputs;
    for (std::size_t i = 0; i < count(); ++i)
    {
      memory.push_back(context.Allocate(bytes));
      outputs.push_back({ memory.back().Data(), volumes.output.type, volumes.output.space });
    }
    BilateralSweep(context, parameters, volumes.grid, volumes.image, {}, outputs);
  };
  const auto floor = [](const Limits & limits, const Size & size) {
    return FloorOf("ex2 rate", PairsOf(size, 7), limits.ex2);
  };
  return { "bilateral sweep R=1,2,3,5,7", run, floor };
}

Case
DiffusionCase(DiffusionStencil stencil)
{
  const auto run = [stencil](Context & context, const Volumes & volumes) {
    AnisotropicDiffusionParameters parameters;
    parameters.stencil = stencil;
    parameters.numberOfIterations = diffusionIterations;
    parameters.kappa = diffusionKappa;
    AnisotropicDiffusion(context, parameters, volumes.grid, volumes.image, {}, volumes.output);
  };
  const auto floor = [stencil](const Limits & limits, const Size & size) {
    const double steps = diffusionIterations * VoxelsOf(size);
    return LargerOf(FloorOf("copy rate", 8.0 * steps, limits.copyBytes),
                    FloorOf("fp32 issue rate", SlotsPerDiffusionStep(stencil) * steps, limits.fma));
  };
  std::ostringstream name;
  name << "diffusion " << stencil << " N=" << diffusionIterations;
  return { name.str(), run, floor, 8.0 * diffusionIterations };
}

Case
DiffusionMapCase(DiffusionStencil stencil)
{
  const Case withNumber = DiffusionCase(stencil);
  const auto run = [stencil](Context & context, const Volumes & volumes) {
    AnisotropicDiffusionParameters parameters;
    parameters.stencil = stencil;
    parameters.numberOfIterations = diffusionIterations;
    parameters.kappa = diffusionKappa / noiseSigma;
    AnisotropicDiffusionWithNoiseMap(
      context, parameters, volumes.grid, volumes.image, {}, volumes.otherImage, volumes.output);
  };
  return { withNumber.name + " with map", run, withNumber.floor, withNumber.hostBytesPerVoxel };
}

Case
NonLocalMeansCase(NonLocalMeansWeighting weighting, int windowRadius, int patchRadius)
{
  const auto run = [=](Context & context, const Volumes & volumes) {
    NonLocalMeansParameters parameters;
    parameters.weighting = weighting;
    parameters.centerWeight = NonLocalMeansCenterWeight::One;
    parameters.windowRadius = { windowRadius, windowRadius, windowRadius };
    parameters.patchRadius = { patchRadius, patchRadius, patchRadius };
    parameters.smoothingParameter = nonLocalMeansSmoothing;
    NonLocalMeans(context, parameters, volumes.grid, volumes.image, {}, volumes.output);
  };
  const auto floor = [windowRadius](const Limits & limits, const Size & size) {
    const double terms = PairsOf(size, windowRadius);
    return LargerOf(FloorOf("ex2 rate", terms, limits.ex2),
                    FloorOf("fp32 issue rate", slotsPerNonLocalMeansTerm * terms, limits.fma));
  };
  std::ostringstream name;
  name << "non-local means " << weighting << " (" << windowRadius << ',' << patchRadius << ')';
  return { name.str(), run, floor };
}

Case
AdaptiveNonLocalMeansCase()
{
  const auto run = [](Context & context, const Volumes & volumes) {
    AdaptiveNonLocalMeansParameters parameters;
    parameters.noiseStandardDeviation = adaptiveNoise;
    AdaptiveNonLocalMeans(context, parameters, volumes.grid, volumes.image, {}, volumes.output);
  };
  const auto floor = [](const Limits & limits, const Size & size) {
    return FloorOf("fp32 issue rate", slotsPerReference / 27.0 * VoxelsOf(size), limits.fma);
  };
  return { "adaptive non-local means", run, floor };
}

Case
StructuralSimilarityCase()
{
  const auto run = [](Context & context, const Volumes & volumes) {
    StructuralSimilarityParameters parameters;
    parameters.dataRange = similarityDataRange;
    StructuralSimilarity(context, parameters, volumes.grid, volumes.image, volumes.otherImage, {}, {});
  };
  const auto floor = [](const Limits & limits, const Size & size) {
    const double voxels = VoxelsOf(size);
    return LargerOf(FloorOf("copy rate", 8.0 * voxels, limits.copyBytes),
                    FloorOf("fp32 issue rate", slotsPerSimilarityVoxel * voxels, limits.fma));
  };
  return { "MSSIM", run, floor, 8.0 };
}

Case
NoiseEstimateCase()
{
  const auto run = [](Context & context, const Volumes & volumes) {
    EstimateNoiseSigma(context, volumes.grid, volumes.image, {});
  };
  // The volume is read once for its mean and once for the residuals.
  constexpr double bytes = 8.0;
  const auto       floor = [](const Limits & limits, const Size & size) {
    return FloorOf("copy rate", bytes * VoxelsOf(size), limits.copyBytes);
  };
  return { "noise estimate", run, floor, bytes, true };
}

Case
NoiseMapCase()
{
  const auto run = [](Context & context, const Volumes & volumes) {
    EstimateNoiseMap(context, {}, volumes.grid, volumes.image, {}, volumes.output);
  };
  // The volume is read for the first values, for two corrections, and for the map, which is written.
  constexpr double bytes = 20.0;
  const auto       floor = [](const Limits & limits, const Size & size) {
    return FloorOf("copy rate", bytes * VoxelsOf(size), limits.copyBytes);
  };
  return { "noise map", run, floor, bytes };
}

std::vector<Case>
KernelCases()
{
  std::vector<Case> cases;
  for (const int radius : { 1, 2, 3, 5, 7 })
  {
    cases.push_back(BilateralCase(radius));
  }
  cases.push_back(BilateralMapCase(2));
  cases.push_back(BilateralSweepCase());
  for (const auto stencil : { DiffusionStencil::Weickert26,
                              DiffusionStencil::GeometricMean26,
                              DiffusionStencil::PeronaMalik6,
                              DiffusionStencil::Gerig26 })
  {
    cases.push_back(DiffusionCase(stencil));
  }
  for (const auto stencil : { DiffusionStencil::GeometricMean26, DiffusionStencil::Gerig26 })
  {
    cases.push_back(DiffusionMapCase(stencil));
  }
  const int radii[][2] = { { 3, 2 }, { 1, 1 }, { 2, 1 }, { 3, 1 }, { 5, 3 } };
  for (const auto & windowAndPatch : radii)
  {
    cases.push_back(NonLocalMeansCase(NonLocalMeansWeighting::PatchSum, windowAndPatch[0], windowAndPatch[1]));
  }
  cases.push_back(NonLocalMeansCase(NonLocalMeansWeighting::PatchDistance, 3, 2));
  cases.push_back(AdaptiveNonLocalMeansCase());
  cases.push_back(StructuralSimilarityCase());
  cases.push_back(NoiseEstimateCase());
  cases.push_back(NoiseMapCase());
  return cases;
}

} // namespace cudaneuro::benchmark
