// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TestVolumes.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/BilateralSweep.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "cudaneuro/Registration.h"
#include "cudaneuro/SignedDistance.h"
#include "cudaneuro/StructuralSimilarity.h"
#include "denoising/DenoisingProperties.h"
#include "landmarks/ShootingTestCases.h"
#include "surface/ReferenceLevelSet.h"

#include <cfloat>
#include <cmath>
#include <functional>

/** Every floating-point parameter of every filter, at values that nobody means: either the parameter is refused by name,
 * or the result is what the double-precision reference says; where there is none, it is finite. */
namespace
{

using namespace cudaneuro;
using namespace testvolumes;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/** The ends of all ranges are among them, and values just beyond. */
constexpr double values[] = { nan,   infinity, -infinity, 0.0,    -1.0, DBL_MIN, 1e-300, 1e-40, 0.9e-30,
                              1e-30, 1e-12,    1e-9,      1e-6,   1e-3, 1.0,     1e3,    1e6,   1e9,
                              1e12,  1e15,     1e30,      1.1e30, 1e38, 1e39,    1e300 };

/** What is checked against an expectation, which may be absent. */
struct Outcome
{
  std::vector<double> result;
  std::vector<double> expected;
  double              tolerance = 0.0;
};

/** Runs a filter with a parameter set to a value. */
struct NumberRun
{
  std::string                               name;
  std::function<Outcome(Context &, double)> run;
};

const Grid grid = MakeGrid({ 9, 8, 6 }, { 1.0, 1.2, 0.9 });

const std::vector<float> &
Input()
{
  static const std::vector<float> input = NoisyPhantom(grid);
  return input;
}

/** 1e-5 of the range of the phantom. */
constexpr double tolerance = 1e-5 * properties::dataRange;

/** The last number of a parameter, null where it has none, and its name. */
template <typename TValue>
double *
LastNumber(TValue & value, std::string & name)
{
  if constexpr (std::is_same_v<TValue, double>)
  {
    return &value;
  }
  else if constexpr (IsList<TValue>::value)
  {
    if constexpr (!std::is_same_v<typename TValue::value_type, RegistrationLevel>)
    {
      if (value.size() > 0)
      {
        name += '[' + std::to_string(value.size() - 1) + ']';
        return LastNumber(value[value.size() - 1], name);
      }
    }
  }
  return nullptr;
}

/** Adds each floating-point number of a struct of parameters that has an effect, by its description: of arrays the last one.
 * \param run computes the outcome of (context, parameters, value of the number) */
template <typename TParameters, typename TRun>
void
AddNumbers(std::vector<NumberRun> & list, TParameters defaults, const TRun & run)
{
  ForEachParameter(defaults, [&](const auto & parameter, auto & initial) {
    std::string name = parameter.name;
    if (!parameter.condition.Holds(defaults) || LastNumber(initial, name) == nullptr)
    {
      return;
    }
    list.push_back({ name, [=, member = parameter.member](Context & context, double value) {
                      TParameters parameters = defaults;
                      std::string ignored;
                      *LastNumber(parameters.*member, ignored) = value;
                      return run(context, parameters, value);
                    } });
  });
}

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
    // Intensities over h are rounded; where h is a millionth of the range, the weights of similar voxels depend on that.
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
  StructuralSimilarityParameters similarity;
  similarity.dataRange = 1000.0;
  AddNumbers(list, similarity, RunSimilarity);
  return list;
}

Outcome
Smoothed(Context & context, double value)
{
  GaussianSmoothingParameters parameters;
  parameters.sigma[0] = value;
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
Warped(Context & context, double value)
{
  WarpParameters parameters;
  parameters.defaultValue = value;
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
Inverted(Context & context, double value)
{
  InversionParameters parameters;
  parameters.tolerance = value;
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

/** The numbers of a registration with each velocity method, and with one Gaussian for each level. */
void
AddRegistration(std::vector<NumberRun> & list)
{
  RegistrationParameters parameters;
  parameters.levels = { { { 1, 1, 1 }, 3 } };
  parameters.updateFieldStandardDeviations.fill(1.0);
  for (const VelocityMethod method : ValuesOf<VelocityMethod>())
  {
    parameters.velocityMethod = method;
    AddNumbers(list, parameters, RunRegistration);
  }
  parameters.velocityMethod = VelocityMethod::Gaussian;
  parameters.updateFieldStandardDeviationsPerLevel = { { 1.0, 1.0, 1.0 } };
  AddNumbers(list, parameters, RunRegistration);
  list.push_back({ "Tolerance", [=](Context & context, double value) {
                    RegistrationParameters changed = parameters;
                    changed.inversion.tolerance = value;
                    return RunRegistration(context, changed, value);
                  } });
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

/** Distances to a ball. */
template <typename TDistance>
auto
OfReach(const TDistance & distance)
{
  return [=](Context & context, double value) {
    std::vector<float> ball(Input().size());
    for (std::size_t i = 0; i < ball.size(); ++i)
    {
      const double x = static_cast<double>(i % 9) - 4.0;
      const double y = static_cast<double>(i / 9 % 8) - 3.5;
      const double z = static_cast<double>(i / 72) - 2.5;
      ball[i] = static_cast<float>(x * x + y * y + z * z - 4.0);
    }
    std::vector<float> output(ball.size());
    distance(context, SignedDistanceParameters{ value }, ConstView(ball), View(output));
    return Outcome{ { output.begin(), output.end() }, {} };
  };
}

void
Reinitialized(Context &                        context,
              const SignedDistanceParameters & parameters,
              const ConstVolume &              field,
              const Volume &                   output)
{
  ReinitializeSignedDistance(context, parameters, grid, field, output);
}

void
Labeled(Context &                        context,
        const SignedDistanceParameters & parameters,
        const ConstVolume &              field,
        const Volume &                   output)
{
  // One of the values of the ball.
  SignedDistanceOfLabel(context, parameters, -3.5, grid, field, output);
}

std::vector<NumberRun>
OtherParameters()
{
  std::vector<NumberRun> list{
    { "sigma[0]", Smoothed },     { "spacing[0]", SmoothedWithSpacing },         { "defaultValue", Warped },
    { "Tolerance", Inverted },    { "IntensityQuantiles[0]", RunLowerQuantile }, { "reach", OfReach(Reinitialized) },
    { "reach", OfReach(Labeled) }
  };
  AddRegistration(list);
  AddNumbers(list, LinearMetricParameters(), RunMetric);
  LinearRegistrationParameters linear;
  linear.transformType = LinearTransformType::Rigid;
  linear.levels = { { { 1, 1, 1 }, 2 } };
  AddNumbers(list, linear, RunLinearRegistration);
  return list;
}

/** Loss and gradient of shooting. */
auto
OfShooting(double GeodesicShootingParameters::*member)
{
  return [=](Context & context, double value) {
    shootingtests::Case test = shootingtests::MakeCase(3, 40);
    test.parameters.*member = value;
    const shootingtests::Evaluation result = shootingtests::Evaluate(context, test);
    const reference::ShootingResult expected = shootingtests::Reference(test);
    Outcome                         outcome{ result.gradient, expected.gradient };
    outcome.result.push_back(result.loss.Total());
    outcome.expected.push_back(expected.kineticEnergy + expected.mismatch);
    outcome.tolerance = 1e-5 * shootingtests::LargestMagnitude(outcome.expected);
    return outcome;
  };
}

/** Nonlocal means on the level set of the phantom's mean intensity. Where the value stands for a default, there is no
 * reference. */
auto
OfLevelSet(double NonLocalMeansLevelSetParameters::*member)
{
  return [=](Context & context, double value) {
    std::vector<float> distances;
    for (const float intensity : Input())
    {
      distances.push_back(0.01f * (intensity - 400.0f));
    }
    NonLocalMeansLevelSetParameters parameters;
    parameters.volumeCorrection = false; // the reference has none
    parameters.bandWidth = 2.0;
    parameters.spatialScale = 30.0;
    parameters.similarityScale = 200.0;
    parameters.*member = value;
    std::vector<float> output(distances.size());
    NonLocalMeansLevelSet(context, parameters, grid, ConstView(distances), {}, View(output));
    Outcome outcome{ { output.begin(), output.end() }, {} };
    if (value != 0.0)
    {
      const std::vector<double> input(distances.begin(), distances.end());
      outcome.expected = reference::DenoiseLevelSet(parameters, grid, input, {}).distances;
      outcome.tolerance = 2e-5; // as of the filter's own tests, for larger distances
    }
    return outcome;
  };
}

/** Largest difference from what is expected, or infinity for a number that is not finite and should be. */
double
ErrorOf(const Outcome & outcome)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < outcome.result.size(); ++i)
  {
    const double result = outcome.result[i];
    const double expected = outcome.expected.empty() ? (std::isfinite(result) ? result : 0.0) : outcome.expected[i];
    const bool   isSame = result == expected || (std::isnan(result) && std::isnan(expected));
    const double error = isSame ? 0.0 : std::abs(result - expected);
    largest = std::isnan(error) ? infinity : std::max(largest, error);
  }
  return largest;
}

class ParameterLimits : public DeviceTest
{
protected:
  void
  ExpectRefusedOrRight(const NumberRun & parameter)
  {
    int numberOfRuns = 0;
    for (const double value : values)
    {
      SCOPED_TRACE(::testing::Message() << parameter.name << " of " << value);
      try
      {
        const Outcome outcome = parameter.run(this->GetContext(), value);
        ++numberOfRuns;
        EXPECT_LE(ErrorOf(outcome), outcome.tolerance);
      }
      catch (const InvalidParameterError & error)
      {
        const std::string message = error.what();
        EXPECT_NE(message.find(parameter.name + " is "), std::string::npos) << message;
        EXPECT_NE(message.find("must be from"), std::string::npos) << message;
      }
    }
    EXPECT_GT(numberOfRuns, 0) << parameter.name << ": nothing was accepted";
    EXPECT_LT(numberOfRuns, static_cast<int>(std::size(values))) << parameter.name << ": nothing was refused";
  }
};

TEST_P(ParameterLimits, OfDenoising)
{
  for (const NumberRun & parameter : DenoisingParameters())
  {
    this->ExpectRefusedOrRight(parameter);
  }
}

TEST_P(ParameterLimits, OfShooting)
{
  this->ExpectRefusedOrRight({ "sigma", OfShooting(&GeodesicShootingParameters::sigma) });
  this->ExpectRefusedOrRight({ "lambda", OfShooting(&GeodesicShootingParameters::lambda) });
}

TEST_P(ParameterLimits, OfLevelSets)
{
  this->ExpectRefusedOrRight({ "bandWidth", OfLevelSet(&NonLocalMeansLevelSetParameters::bandWidth) });
  this->ExpectRefusedOrRight({ "spatialScale", OfLevelSet(&NonLocalMeansLevelSetParameters::spatialScale) });
  this->ExpectRefusedOrRight({ "similarityScale", OfLevelSet(&NonLocalMeansLevelSetParameters::similarityScale) });
}

TEST_P(ParameterLimits, OfFieldsAndRegistration)
{
  for (const NumberRun & parameter : OtherParameters())
  {
    this->ExpectRefusedOrRight(parameter);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(ParameterLimits);

} // namespace
