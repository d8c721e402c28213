// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ParameterLimits.h"
#include "TestVolumes.h"
#include "atlas/TestPopulation.h"
#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/BilateralSweep.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/MeshDenoising.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/Registration.h"
#include "cudaneuro/StructuralSimilarity.h"
#include "denoising/DenoisingProperties.h"
#include "denoising/ReferenceNoiseMap.h"

#include <cmath>

/** Every number of filters, registrations and atlases at its limits. */
namespace
{

using namespace cudaneuro;
using namespace parameterlimits;
using namespace testvolumes;

const Grid grid = MakeGrid({ 9, 8, 6 }, { 1.0, 1.2, 0.9 });

const std::vector<float> &
Input()
{
  static const std::vector<float> input = NoisyPhantom(grid);
  return input;
}

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

Outcome
Smoothed(Context & context, const GaussianSmoothingParameters & parameters, double)
{
  std::vector<float> output(Input().size());
  GaussianSmoothing(context, parameters, grid, ConstView(Input()), View(output));
  return { { output.begin(), output.end() }, {} };
}

Outcome
SmoothedWithSpacing(Context & context, double value)
{
  Grid stretched = grid;
  stretched.spacing[0] = value;
  std::vector<float> output(Input().size());
  GaussianSmoothing(context, GaussianSmoothingParameters(), stretched, ConstView(Input()), View(output));
  return { { output.begin(), output.end() }, {} };
}

/** A pixel value may be anything that float holds; every voxel is outside. */
Outcome
Warped(Context & context, const WarpParameters & parameters, double value)
{
  AffineMap far;
  far.offset[0] = 1e6;
  const Geometry     geometry{ grid };
  std::vector<float> output(Input().size());
  WarpImage(
    context, parameters, geometry, ConstView(Input()), ConstVolume(), geometry, far, ConstField(), View(output));
  const std::vector<double> expected(output.size(), std::isnan(value) ? value : static_cast<float>(value));
  return { { output.begin(), output.end() }, expected, 0.0 };
}

Outcome
Inverted(Context & context, const InversionParameters & parameters, double)
{
  const std::vector<float> field(3 * Input().size(), 0.25f);
  std::vector<float>       inverse(field.size());
  InvertDisplacementField(context, parameters, Geometry{ grid }, { field.data(), 3 }, { inverse.data(), 3 });
  return { { inverse.begin(), inverse.end() }, {} };
}

/** A registration of a few iterations; the displacement, and the energy at the end. */
Outcome
RunRegistration(Context & context, const RegistrationParameters & parameters, double)
{
  const std::vector<float> moving(Input().rbegin(), Input().rend());
  RegistrationImages       images;
  images.fixedGeometry.grid = grid;
  images.movingGeometry.grid = grid;
  images.fixedImage = ConstView(Input());
  images.movingImage = ConstView(moving);
  std::vector<float>  displacement(3 * Input().size());
  RegistrationOutputs outputs;
  outputs.displacement = { displacement.data(), 3 };
  const double energy = Register(context, parameters, images, outputs).final.energy;
  Outcome      outcome{ { displacement.begin(), displacement.end() }, {} };
  outcome.result.push_back(energy);
  return outcome;
}

RegistrationParameters
BriefRegistration()
{
  RegistrationParameters parameters;
  parameters.levels = { { { 1, 1, 1 }, 3 } };
  parameters.updateFieldStandardDeviations.fill(1.0);
  return parameters;
}

/** The numbers of a registration with each velocity method and each metric: by the Fourier transform, or all others. */
void
AddMethods(std::vector<NumberRun> & list, bool isFourier)
{
  RegistrationParameters            parameters = BriefRegistration();
  const std::vector<VelocityMethod> methods = ValuesOf<VelocityMethod>();
  const auto                        metrics = ValuesOf<RegistrationMetric>();
  for (std::size_t i = 0; i < std::max(methods.size(), metrics.size()); ++i)
  {
    parameters.velocityMethod = methods[i % methods.size()];
    parameters.metric = metrics[i % metrics.size()];
    if (isFourier == (parameters.velocityMethod == VelocityMethod::FourierTransform))
    {
      AddNumbers(list, parameters, RunRegistration);
    }
  }
}

/** Why there is no Fourier transform, whose library is opened when it is needed; empty when there is. */
std::string
ReasonForNoFourierTransform(Context & context)
{
  RegistrationParameters parameters = BriefRegistration();
  parameters.velocityMethod = VelocityMethod::FourierTransform;
  try
  {
    RunRegistration(context, parameters, 0.0);
    return {};
  }
  catch (const Error & error)
  {
    const std::string reason = error.what();
    if (reason.find("could be opened") == std::string::npos)
    {
      throw;
    }
    return reason;
  }
}

/** The numbers of a registration with each method that needs no library, and with one Gaussian for each level. */
void
AddRegistration(std::vector<NumberRun> & list)
{
  AddMethods(list, false);
  RegistrationParameters parameters = BriefRegistration();
  parameters.metric = RegistrationMetric::MeanSquares;
  parameters.velocityMethod = VelocityMethod::Gaussian;
  parameters.updateFieldStandardDeviationsPerLevel = { { 1.0, 1.0, 1.0 } };
  AddNumbers(list, parameters, RunRegistration);
  list.push_back({ "Tolerance", [=](Context & context, double value) {
                    RegistrationParameters changed = parameters;
                    changed.inversion.tolerance = value;
                    return RunRegistration(context, changed, value);
                  } });
}

/** A tetrahedron, whose vertices have too few neighbors for an estimate of the noise. */
Outcome
RunMeshDenoising(Context & context, const MeshDenoisingParameters & parameters, double)
{
  const std::vector<double>       points = { 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0 };
  const std::vector<std::int32_t> triangles = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
  Outcome                         outcome{ points, {} };
  DenoiseMesh(context, parameters, { points.data(), 4, triangles.data(), 4 }, outcome.result.data());
  return outcome;
}

/** The metric of an image and the same one upside down. */
Outcome
RunMetric(Context & context, const LinearMetricParameters & parameters, double)
{
  const std::vector<float> moving(Input().rbegin(), Input().rend());
  const Geometry           geometry{ grid };
  LinearMetric metric(context, parameters, { geometry, ConstView(Input()), {}, geometry, ConstView(moving), {} });
  std::vector<LinearMetricEvaluation> evaluations(1);
  metric.Evaluate(evaluations);
  const std::array<double, 9> & derivatives = evaluations[0].derivativeByMatrix;
  Outcome                       outcome{ { derivatives.begin(), derivatives.end() }, {} };
  outcome.result.push_back(evaluations[0].value);
  return outcome;
}

Outcome
RunLowerQuantile(Context & context, double value)
{
  LinearMetricParameters parameters;
  parameters.intensityQuantiles[0] = value;
  return RunMetric(context, parameters, value);
}

/** The map from an image to the same one upside down. */
Outcome
RunLinearRegistration(Context & context, const LinearRegistrationParameters & parameters, double)
{
  const std::vector<float> moving(Input().rbegin(), Input().rend());
  const Geometry           geometry{ grid };
  const auto               result =
    RegisterLinearly(context, parameters, { geometry, ConstView(Input()), {}, geometry, ConstView(moving), {} });
  Outcome outcome{ { result.transform.matrix.begin(), result.transform.matrix.end() }, {} };
  outcome.result.push_back(result.value);
  return outcome;
}

/** An atlas takes the parameters, and writes no checkpoint. */
Outcome
SetCheckpoint(Context &, const AtlasCheckpoint & parameters, double)
{
  DiffeomorphicAtlas(AtlasParameters(), Geometry{ grid }, { 1.0, 1.0 }, AtlasDevices()).SetCheckpoint(parameters);
  return {};
}

/** The template of two images, and how much each is registered to it. */
Outcome
RunAtlas(Context & context, const AtlasParameters & parameters, double)
{
  AtlasDevices devices;
  devices.devices = { context.GetDevice() };
  const auto atlas = testpopulation::BuildAtlas(testpopulation::MakePopulation(2, { 10, 9, 8 }), parameters, devices);
  Outcome    outcome{ { atlas.average.begin(), atlas.average.end() }, {} };
  outcome.result.insert(outcome.result.end(), atlas.result.imageEnergies.begin(), atlas.result.imageEnergies.end());
  return outcome;
}

std::vector<NumberRun>
OtherParameters()
{
  std::vector<NumberRun> list{ { "spacing[0]", SmoothedWithSpacing }, { "IntensityQuantiles[0]", RunLowerQuantile } };
  AddNumbers(list, GaussianSmoothingParameters(), Smoothed);
  AddNumbers(list, WarpParameters(), Warped);
  AddNumbers(list, InversionParameters(), Inverted);
  AddRegistration(list);
  AddNumbers(list, MeshDenoisingParameters(), RunMeshDenoising);
  LinearMetricParameters metric;
  for (const RegistrationMetric each : ValuesOf<RegistrationMetric>())
  {
    metric.metric = each;
    AddNumbers(list, metric, RunMetric);
  }
  LinearRegistrationParameters linear;
  linear.transformType = LinearTransformType::Rigid;
  linear.levels = { { { 1, 1, 1 }, 2 } };
  AddNumbers(list, linear, RunLinearRegistration);
  return list;
}

class ParameterLimits : public DeviceTest
{};

TEST_P(ParameterLimits, OfDenoising)
{
  ExpectRefusedOrRight(this->GetContext(), DenoisingParameters());
}

TEST_P(ParameterLimits, OfFieldsAndRegistration)
{
  ExpectRefusedOrRight(this->GetContext(), OtherParameters());
}

TEST_P(ParameterLimits, OfTheFourierTransform)
{
  const std::string reason = ReasonForNoFourierTransform(this->GetContext());
  if (!reason.empty())
  {
    GTEST_SKIP() << reason;
  }
  std::vector<NumberRun> list;
  AddMethods(list, true);
  ExpectRefusedOrRight(this->GetContext(), list);
}

TEST_P(ParameterLimits, OfAtlases)
{
  std::vector<NumberRun> list;
  AtlasParameters        atlas;
  atlas.registration.levels = { { { 1, 1, 1 }, 2 } };
  atlas.meanMethod = AtlasMean::TrimmedMean;
  AddNumbers(list, atlas, RunAtlas);
  AddNumbers(list, AtlasCheckpoint(), SetCheckpoint);
  ExpectRefusedOrRight(this->GetContext(), list);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ParameterLimits);

} // namespace
