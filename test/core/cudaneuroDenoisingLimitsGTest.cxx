// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Every number of the denoising filters, of the noise map and of structural similarity at its limits.

#include "ParameterLimits.h"
#include "ParameterLimitsTest.h"
#include "TestVolumes.h"
#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/BilateralSweep.h"
#include "cudaneuro/NoiseMap.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/StructuralSimilarity.h"
#include "denoising/DenoisingProperties.h"
#include "denoising/ReferenceDenoising.h"
#include "denoising/ReferenceNoiseMap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace
{

using namespace cudaneuro;
using namespace parameterlimits;
using namespace testvolumes;

/** 1e-5 of the range of the phantom. */
constexpr double tolerance = 1e-5 * properties::dataRange;

/** A run of a filter of one image. */
template <typename TRun, typename TReference>
auto
Denoise(const TRun & filter, const TReference & reference)
{
  return [=](Context & context, const auto & parameters, double) {
    std::vector<float> output(Input().size());
    filter(context, parameters, grid, ConstView(Input()), ConstVolume(), View(output));
    return Outcome{ { output.begin(), output.end() }, reference(parameters, ToReference(grid, Input())), tolerance };
  };
}

Outcome
RunSweep(Context & context, const BilateralSweepParameters & parameters, double)
{
  std::vector<float> output(Input().size());
  BilateralSweep(context, parameters, grid, ConstView(Input()), ConstVolume(), { View(output) });
  BilateralParameters single;
  single.rangeSigma = parameters.rangeSigma;
  single.domainSigma.fill(parameters.domainSigmas[0]);
  return { { output.begin(), output.end() }, reference::Bilateral(single, ToReference(grid, Input())), tolerance };
}

void
AddDiffusion(std::vector<NumberRun> & list,
             DiffusionConductance     conductance,
             DiffusionStencil         stencil = DiffusionStencil::Weickert26)
{
  AnisotropicDiffusionParameters defaults;
  defaults.stencil = stencil;
  defaults.conductance = conductance;
  defaults.numberOfIterations = 4;
  defaults.kappa = 70.0;
  const auto run = Denoise(AnisotropicDiffusion, reference::AnisotropicDiffusion);
  AddNumbers(list, defaults, [=](Context & context, const AnisotropicDiffusionParameters & parameters, double value) {
    Outcome outcome = run(context, parameters, value);
    // Unstable steps grow, and their rounding errors with them.
    for (const double expected : outcome.expected)
    {
      outcome.tolerance = std::max(outcome.tolerance, 1e-4 * std::abs(expected));
    }
    return outcome;
  });
}

void
AddNonLocalMeans(std::vector<NumberRun> & list, NonLocalMeansWeighting weighting, bool ricianCorrection)
{
  NonLocalMeansParameters defaults;
  defaults.weighting = weighting;
  defaults.windowRadius = { 1, 1, 1 };
  defaults.patchRadius = { 1, 1, 1 };
  defaults.smoothingParameter = 100.0;
  defaults.ricianCorrection = ricianCorrection;
  const auto run = Denoise(NonLocalMeans, reference::NonLocalMeans);
  AddNumbers(list, defaults, [=](Context & context, const NonLocalMeansParameters & parameters, double value) {
    Outcome outcome = run(context, parameters, value);
    // Intensities over h are rounded; where h is a millionth of the range, the weights of similar voxels depend on
    // that.
    outcome.tolerance = value == 1e-3 ? properties::dataRange : outcome.tolerance;
    return outcome;
  });
}

Outcome
RunSimilarity(Context & context, const StructuralSimilarityParameters & parameters, double)
{
  const std::vector<float> image = NoisyPhantom(grid, 60.0, 5);
  std::vector<float>       map(image.size());
  StructuralSimilarity(context, parameters, grid, ConstView(Input()), ConstView(image), {}, View(map));
  const auto expected =
    reference::StructuralSimilarity(parameters, ToReference(grid, Input()), ToReference(grid, image));
  return { { map.begin(), map.end() }, expected.map, 1e-5 };
}

Outcome
RunNoiseMap(Context & context, const NoiseMapParameters & parameters, double)
{
  std::vector<float> map(Input().size());
  EstimateNoiseMap(context, parameters, grid, ConstView(Input()), {}, View(map));
  return { { map.begin(), map.end() }, reference::NoiseMap(parameters, ToReference(grid, Input())), tolerance };
}

/** Which blocks are alike depends on roundings, so that no tolerance holds for all voxels: the result is finite. */
Outcome
RunAdaptiveNonLocalMeans(Context & context, const AdaptiveNonLocalMeansParameters & parameters, double)
{
  std::vector<float> output(Input().size());
  AdaptiveNonLocalMeans(context, parameters, grid, ConstView(Input()), {}, View(output));
  return { { output.begin(), output.end() }, {} };
}

std::vector<NumberRun>
DenoisingParameters()
{
  std::vector<NumberRun> list;
  BilateralParameters    bilateral;
  bilateral.rangeSigma = 100.0;
  AddNumbers(list, bilateral, Denoise(Bilateral, reference::Bilateral));
  BilateralSweepParameters sweep;
  sweep.rangeSigma = 100.0;
  AddNumbers(list, sweep, RunSweep);
  AddDiffusion(list, DiffusionConductance::PeronaMalikRational);
  AddDiffusion(list, DiffusionConductance::PeronaMalikExponential);
  AddDiffusion(list, DiffusionConductance::Charbonnier);
  AddDiffusion(list, DiffusionConductance::TukeyBiweight);
  AddDiffusion(list, DiffusionConductance::Charbonnier, DiffusionStencil::Gerig26);
  AddDiffusion(list, DiffusionConductance::PeronaMalikExponential, DiffusionStencil::PeronaMalik6);
  AddNonLocalMeans(list, NonLocalMeansWeighting::PatchSum, false);
  AddNonLocalMeans(list, NonLocalMeansWeighting::PatchDistance, true);
  AdaptiveNonLocalMeansParameters adaptive;
  for (const bool ricianCorrection : { false, true })
  {
    adaptive.ricianCorrection = ricianCorrection;
    AddNumbers(list, adaptive, RunAdaptiveNonLocalMeans);
  }
  AddNumbers(list, NoiseMapParameters(), RunNoiseMap);
  StructuralSimilarityParameters similarity;
  similarity.dataRange = 1000.0;
  AddNumbers(list, similarity, RunSimilarity);
  return list;
}

TEST_P(ParameterLimits, OfDenoising)
{
  ExpectRefusedOrRight(this->GetContext(), DenoisingParameters());
}

} // namespace
