// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "RegistrationCases.h"

#include "Cases.h"
#include "MemoryUse.h"
#include "RegistrationSteps.h"
#include "Timing.h"
#include "core/Dispatch.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/Registration.h"
#include "solvers/HelmholtzFft.h"

#include <algorithm>
#include <iostream>

namespace cudaneuro::benchmark
{

namespace
{

/** Bytes per voxel if each array is moved once: displacement and two images in, force out. */
constexpr double forceBytes = 12.0 + 4.0 + 4.0 + 12.0;
/** Force in, velocity out. */
constexpr double smoothingBytes = 24.0;
/** Velocity and displacement in, displacement out. */
constexpr double advectionBytes = 36.0;
/** The bytes of the three steps, and 18 for a warp of the moving image, which is part of the force here. */
constexpr double unbiasedIterationBytes = 110.0;
/** Force; force and velocity in, velocity out; advection. */
constexpr double relaxedIterationBytes = forceBytes + 36.0 + advectionBytes;

/** The defaults of the filter. */
RegistrationParameters
UnbiasedParameters()
{
  RegistrationParameters parameters;
  parameters.unbiasedWeight = 0.1;
  return parameters;
}

RegistrationParameters
LocalCorrelationParameters()
{
  RegistrationParameters parameters = UnbiasedParameters();
  parameters.metric = RegistrationMetric::LocalCorrelation;
  return parameters;
}

RegistrationParameters
MutualInformationParameters()
{
  RegistrationParameters parameters = UnbiasedParameters();
  parameters.metric = RegistrationMetric::MutualInformation;
  return parameters;
}

RegistrationParameters
GreedyParameters(VelocityMethod solver)
{
  RegistrationParameters parameters;
  parameters.velocityMethod = solver;
  parameters.useDeformedGradient = true;
  return parameters;
}

/** A level that shrinks by \p factor, or by less on small grids, where few voxels would be left. */
RegistrationLevel
LevelOf(const Size & size, int factor, int iterations)
{
  RegistrationLevel level;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    level.shrinkFactors[axis] = static_cast<int>(std::clamp<std::int64_t>(size[axis] / 4, 1, factor));
  }
  level.iterations = iterations;
  return level;
}

/** Registers with \p iterations on each level. */
void
RunRegistration(Context &                   context,
                const RegistrationPair &    pair,
                RegistrationParameters      parameters,
                const std::vector<int> &    factors,
                int                         iterations,
                const RegistrationOutputs & outputs)
{
  parameters.levels.clear();
  for (const int factor : factors)
  {
    parameters.levels.push_back(LevelOf(pair.geometry.grid.size, factor, iterations));
  }
  RegistrationImages images;
  images.fixedGeometry = pair.geometry;
  images.fixedImage = pair.fixed;
  images.movingGeometry = pair.geometry;
  images.movingImage = pair.moving;
  Register(context, parameters, images, outputs);
}

RegistrationOutputs
OutputsOf(const RegistrationPair & pair)
{
  RegistrationOutputs outputs;
  outputs.displacement = pair.displacement;
  outputs.inverse = pair.inverse;
  outputs.warped = pair.warped;
  return outputs;
}

RegistrationCase
StepCase(const std::string & name, double bytesPerVoxel, StepPart part)
{
  const auto time = [part](const Repetition & repetition, Context & context, const RegistrationPair & pair) {
    return TimeStep(repetition, context, pair, UnbiasedParameters(), part);
  };
  return { name + ", kernel", bytesPerVoxel, time };
}

/** One iteration on the finest level: the cost of additional ones, without what comes before and after. */
RegistrationCase
IterationCase(const std::string & name, double bytesPerVoxel, const RegistrationParameters & parameters, int iterations)
{
  const int  few = std::max(1, iterations / 5);
  const auto time = [=](const Repetition & repetition, Context & context, const RegistrationPair & pair) {
    const auto ofIterations = [&](int count) {
      return MedianOfRuns(repetition, [&] {
        return DeviceMilliseconds(context, [&] { RunRegistration(context, pair, parameters, { 1 }, count, {}); });
      });
    };
    const double ofFew = ofIterations(few);
    return (ofIterations(few + iterations) - ofFew) / iterations;
  };
  return { "registration iteration, " + name, bytesPerVoxel, time };
}

/** A whole registration by the clock, with all results but the Jacobian.
 * \param iterationBytes bytes per voxel of one iteration. */
RegistrationCase
CallCase(const std::string &            name,
         double                         iterationBytes,
         const RegistrationParameters & parameters,
         const std::vector<int> &       factors,
         int                            iterations)
{
  const auto time = [=](const Repetition & repetition, Context & context, const RegistrationPair & pair) {
    return MedianOfRuns(repetition, [&] {
      return WallMilliseconds(
        [&] { RunRegistration(context, pair, parameters, factors, iterations, OutputsOf(pair)); });
    });
  };
  double bytes = 0.0;
  for (const int factor : factors)
  {
    bytes += iterationBytes * iterations / (factor * factor * factor);
  }
  return { "registration " + name + ", call", bytes, time };
}

/** A function of the engine, timed with the conversion of its fields between vectors and volumes of components. */
RegistrationCase
OperationCase(const std::string &                                              name,
              double                                                           bytesPerVoxel,
              const std::function<void(Context &, const RegistrationPair &)> & run)
{
  const auto time = [run](const Repetition & repetition, Context & context, const RegistrationPair & pair) {
    return MedianOfRuns(repetition, [&] { return DeviceMilliseconds(context, [&] { run(context, pair); }); });
  };
  return { name + ", kernel", bytesPerVoxel, time };
}

/** Their bytes are those of inputs and outputs, each moved once. */
std::vector<RegistrationCase>
OperationCases()
{
  return { OperationCase("warp",
                         12.0 + 4.0 + 4.0,
                         [](Context & context, const RegistrationPair & pair) {
                           const Geometry & geometry = pair.geometry;
                           WarpImage(context, {}, geometry, pair.moving, {}, geometry, {}, pair.halfWay, pair.warped);
                         }),
           OperationCase("composition of fields",
                         12.0 + 12.0 + 12.0,
                         [](Context & context, const RegistrationPair & pair) {
                           const Geometry & geometry = pair.geometry;
                           ComposeDisplacementFields(
                             context, geometry, pair.halfWay, geometry, pair.halfWayBack, pair.displacement);
                         }),
           OperationCase("inversion of a field",
                         12.0 + 12.0,
                         [](Context & context, const RegistrationPair & pair) {
                           InvertDisplacementField(context, {}, pair.geometry, pair.halfWay, pair.inverse);
                         }),
           OperationCase("Jacobian determinant",
                         12.0 + 4.0,
                         [](Context & context, const RegistrationPair & pair) {
                           DisplacementFieldJacobianDeterminant(context, pair.geometry, pair.halfWay, pair.warped);
                         }),
           OperationCase("Gaussian smoothing sigma=3",
                         4.0 + 4.0,
                         [](Context & context, const RegistrationPair & pair) {
                           GaussianSmoothingParameters parameters;
                           parameters.sigma = { 3.0, 3.0, 3.0 };
                           GaussianSmoothing(context, parameters, pair.geometry.grid, pair.moving, pair.warped);
                         }),
           OperationCase("gradient", 4.0 + 12.0, [](Context & context, const RegistrationPair & pair) {
             ImageGradient(context, pair.geometry, pair.moving, pair.displacement);
           }) };
}

void
RequireFftOn(const Context & context)
{
  CUDANEURO_DISPATCH(context, RequireFft());
}

/** Reports it where there are none. */
bool
HasFourierTransforms(const Device & device)
{
  try
  {
    RequireFftOn(Context(device));
    return true;
  }
  catch (const Error & error)
  {
    std::cerr << "No row of Fourier transforms: " << error.what() << std::endl;
    return false;
  }
}

RegistrationMemoryCase
MemoryCase(const std::string & name, const RegistrationParameters & parameters)
{
  const auto bytes = [parameters](Context & context, const RegistrationPair & pair) -> std::size_t {
    std::size_t peak = 0;
    if constexpr (builtWithCuda)
    {
      // One iteration a level: more of them take no more memory.
      peak = PeakDeviceBytes(context.GetDevice(), [&] {
        RunRegistration(context, pair, parameters, { 4, 2, 1 }, 1, OutputsOf(pair));
      });
    }
    constexpr std::size_t imagesAndResults = 2 + 3 + 3 + 1;
    return peak + imagesAndResults * sizeof(float) * static_cast<std::size_t>(pair.geometry.grid.NumberOfVoxels());
  };
  return { "registration " + name + ", memory", bytes };
}

} // namespace

std::vector<RegistrationCase>
UnbiasedCases(const Device & device, int iterations)
{
  const std::vector<int>        factors{ 4, 2, 1 };
  std::vector<RegistrationCase> cases{
    StepCase("registration force", forceBytes, StepPart::Force),
    StepCase("registration smoothing sigma=2", smoothingBytes, StepPart::Velocity),
  };
  if (device.IsCuda())
  {
    cases.push_back(StepCase("registration advection", advectionBytes, StepPart::Advection));
  }
  cases.push_back(IterationCase("unbiased", unbiasedIterationBytes, UnbiasedParameters(), iterations));
  cases.push_back(IterationCase("local correlation", 0.0, LocalCorrelationParameters(), iterations));
  cases.push_back(IterationCase("mutual information", 0.0, MutualInformationParameters(), iterations));
  cases.push_back(CallCase(
    "unbiased 3x" + std::to_string(iterations), unbiasedIterationBytes, UnbiasedParameters(), factors, iterations));
  for (RegistrationCase & operation : OperationCases())
  {
    cases.push_back(std::move(operation));
  }
  return cases;
}

std::vector<RegistrationCase>
GreedyCases(const Device & device, int iterations)
{
  const std::string            name = "greedy " + std::to_string(iterations);
  const RegistrationParameters relaxed = GreedyParameters(VelocityMethod::SuccessiveOverRelaxation);
  RegistrationParameters       steady = relaxed;
  steady.firstSweeps = steady.sweeps;
  std::vector<RegistrationCase> cases{
    IterationCase("greedy SOR", relaxedIterationBytes, steady, iterations),
    CallCase(name + " SOR", relaxedIterationBytes, relaxed, { 1 }, iterations),
  };
  if (HasFourierTransforms(device))
  {
    cases.push_back(
      CallCase(name + " FFT", 0.0, GreedyParameters(VelocityMethod::FourierTransform), { 1 }, iterations));
  }
  return cases;
}

std::vector<RegistrationMemoryCase>
RegistrationMemoryCases()
{
  RegistrationParameters symmetric = UnbiasedParameters();
  symmetric.isSymmetric = true;
  RegistrationParameters symmetricCorrelation = LocalCorrelationParameters();
  symmetricCorrelation.isSymmetric = true;
  return { MemoryCase("unbiased", UnbiasedParameters()),
           MemoryCase("local correlation", LocalCorrelationParameters()),
           MemoryCase("symmetric", symmetric),
           MemoryCase("symmetric local correlation", symmetricCorrelation) };
}

} // namespace cudaneuro::benchmark
