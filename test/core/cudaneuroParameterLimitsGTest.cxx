// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Every number of smoothing, of displacement fields, of registrations, of mesh denoising and of atlases at its limits.

#include "ParameterLimits.h"
#include "ParameterLimitsTest.h"
#include "atlas/TestPopulation.h"
#include "cudaneuro/Atlas.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/MeshDenoising.h"
#include "cudaneuro/Registration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace
{

using namespace cudaneuro;
using namespace parameterlimits;

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
