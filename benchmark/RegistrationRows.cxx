// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "LabelForces.h"
#include "RegistrationSteps.h"
#include "core/Dispatch.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/Registration.h"
#include "solvers/HelmholtzFft.h"

#include <algorithm>
#include <iostream>
#include <sstream>

namespace cudaneuro::benchmark
{

namespace
{

/** Bytes per voxel if each array is moved once: displacement and two images are read, the force is written. */
constexpr double forceBytes = 12.0 + 4.0 + 4.0 + 12.0;
/** Reads displacement and labels of both heads; where both maps move, two displacements. Few voxels have a force. */
constexpr double labelForceBytes = 12.0 + 2.0 + 2.0;
constexpr double symmetricLabelForceBytes = labelForceBytes + 12.0;
/** Reads the force, writes the velocity. */
constexpr double smoothingBytes = 24.0;
/** Reads velocity and displacement, writes the displacement. */
constexpr double advectionBytes = 36.0;
/** The bytes of the three parts, and 18 for a warp of the moving image, which is part of the force here. */
constexpr double unbiasedIterationBytes = 110.0;
/** The bytes of the force; of the sweeps, which read force and velocity and write the velocity; of the advection. */
constexpr double relaxedIterationBytes = forceBytes + 36.0 + advectionBytes;

/** Returns the defaults of the filter. */
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

/** Returns the parameters with further channels, which all have the same metric. */
RegistrationParameters
WithFurtherChannels(RegistrationParameters parameters, std::size_t count)
{
  ChannelParameters further;
  further.metric = parameters.metric;
  parameters.furtherChannels.assign(count, further);
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

/** Returns a level that shrinks by \p factor, or by less on small grids, where few voxels would be left. */
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
  for (std::size_t channel = 0; channel < parameters.furtherChannels.size(); ++channel)
  {
    ChannelImages further;
    further.fixedGeometry = further.movingGeometry = pair.geometry;
    further.fixedImage = pair.fixed;
    further.movingImage = pair.moving;
    images.furtherChannels.push_back(further);
  }
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

void
RequireFftOn(const Context & context)
{
  CUDANEURO_DISPATCH(context, RequireFft());
}

/** Returns whether there are Fourier transforms, and prints a note if not. */
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

/** Whether Register() accepts volumes of that size. */
bool
IsRegistered(const Size & size)
{
  constexpr double tooManyVoxels = 2147483648.0;
  return size[0] > 1 && size[1] > 1 && VoxelsOf(size) < tooManyVoxels;
}

/** The context and images of one size. */
struct DevicePair
{
  DevicePair(const Device & device, const Size & size)
    : context(device)
    , pair(MakeRegistrationPair(context, size))
  {}

  Context          context;
  RegistrationPair pair;
};

/** The rows of one size, which share its images. */
class RowsOfSize
{
public:
  RowsOfSize(const Settings & settings, const Size & size, Table & table)
    : m_Settings(settings)
    , m_Size(size)
    , m_Pair([&settings, size] { return DevicePair(settings.device, size); })
    , m_Table(table)
  {}

  /** Adds the row of a part of a step. */
  void
  AddStep(const std::string & name, double bytesPerVoxel, StepPart part)
  {
    this->Add(name + ", kernel", bytesPerVoxel, [=](const Repetition & repetition, DevicePair & pair) {
      return TimeStep(repetition, pair.context, pair.pair, UnbiasedParameters(), part);
    });
  }

  /** Adds the row of the force of maps of labels. */
  void
  AddLabelForce(const std::string & name, double bytesPerVoxel, bool isSymmetric)
  {
    this->Add(name + " of " + std::to_string(numberOfForceLabels) + " labels, kernel",
              bytesPerVoxel,
              [=](const Repetition & repetition, DevicePair & pair) {
                return TimeLabelForce(repetition, pair.context, pair.pair, isSymmetric);
              });
  }

  /** Adds one iteration on the finest level: the cost of additional ones, without the work before and after them. */
  void
  AddIteration(const std::string & name, double bytesPerVoxel, const RegistrationParameters & parameters)
  {
    const int iterations = m_Settings.iterations;
    const int few = std::max(1, iterations / 5);
    this->Add("registration iteration, " + name, bytesPerVoxel, [=](const Repetition & repetition, DevicePair & pair) {
      const auto ofIterations = [&](int count) {
        return MedianOnDevice(
          repetition, pair.context, [&] { RunRegistration(pair.context, pair.pair, parameters, { 1 }, count, {}); });
      };
      const double ofFew = ofIterations(few);
      return (ofIterations(few + iterations) - ofFew) / iterations;
    });
  }

  /** Adds a whole registration by the clock, with all results except the Jacobian.
   * \param iterationBytes bytes per voxel of one iteration. */
  void
  AddCall(const std::string &            name,
          double                         iterationBytes,
          const RegistrationParameters & parameters,
          const std::vector<int> &       factors)
  {
    const int iterations = m_Settings.iterations;
    double    bytes = 0.0;
    for (const int factor : factors)
    {
      bytes += iterationBytes * iterations / (factor * factor * factor);
    }
    this->Add("registration " + name + ", call", bytes, [=](const Repetition & repetition, DevicePair & pair) {
      return MedianByTheClock(repetition, [&] {
        RunRegistration(pair.context, pair.pair, parameters, factors, iterations, OutputsOf(pair.pair));
      });
    });
  }

  /** Adds a function of the engine, timed with the conversion of its fields between vectors and volumes of components,
   * where it has one.
   * \param bytesPerVoxel bytes of inputs and outputs, each moved once. */
  void
  AddOperation(const std::string &                                              name,
               double                                                           bytesPerVoxel,
               const std::function<void(Context &, const RegistrationPair &)> & run)
  {
    this->Add(name + ", kernel", bytesPerVoxel, [=](const Repetition & repetition, DevicePair & pair) {
      return MedianOnDevice(repetition, pair.context, [&] { run(pair.context, pair.pair); });
    });
  }

  /** Adds the device memory of a registration, with both images and the results, all on the device. */
  void
  AddMemory(const std::string & name, const RegistrationParameters & parameters)
  {
    const auto bytes = [parameters, lazyPair = m_Pair, device = m_Settings.device] {
      DevicePair & pair = lazyPair.Get();
      // One iteration per level suffices, because more iterations take no more memory.
      const double     peak = PeakDeviceBytes(device, [&] {
        RunRegistration(pair.context, pair.pair, parameters, { 4, 2, 1 }, 1, OutputsOf(pair.pair));
      });
      constexpr double imagesAndResults = 2 + 3 + 3 + 1;
      return peak + imagesAndResults * sizeof(float) * VoxelsOf(pair.pair.geometry.grid.size);
    };
    AddMemoryRow(m_Table, m_Settings, "registration " + name + ", memory", m_Size, bytes);
  }

private:
  void
  Add(const std::string &                                                  name,
      double                                                               bytesPerVoxel,
      const std::function<double(const Repetition &, DevicePair & pair)> & time)
  {
    m_Table.push_back(
      { name,
        m_Size,
        CopyRate(bytesPerVoxel * VoxelsOf(m_Size)),
        [time, repetition = m_Settings.repetition, pair = m_Pair] { return time(repetition, pair.Get()); } });
  }

  const Settings & m_Settings;
  Size             m_Size;
  Lazy<DevicePair> m_Pair;
  Table &          m_Table;
};

void
AddOperations(RowsOfSize & rows)
{
  for (const Interpolation interpolation : ValuesOf<Interpolation>())
  {
    std::ostringstream name;
    name << "warp";
    if (interpolation != Interpolation::Linear)
    {
      name << ", " << interpolation;
    }
    rows.AddOperation(name.str(), 12.0 + 4.0 + 4.0, [=](Context & context, const RegistrationPair & pair) {
      const Geometry & geometry = pair.geometry;
      WarpImage(context, { interpolation, 0.0 }, geometry, pair.moving, {}, geometry, {}, pair.halfWay, pair.warped);
    });
  }
  rows.AddOperation("composition of fields", 12.0 + 12.0 + 12.0, [](Context & context, const RegistrationPair & pair) {
    const Geometry & geometry = pair.geometry;
    ComposeDisplacementFields(context, geometry, pair.halfWay, geometry, pair.halfWayBack, pair.displacement);
  });
  rows.AddOperation("inversion of a field", 12.0 + 12.0, [](Context & context, const RegistrationPair & pair) {
    InvertDisplacementField(context, {}, pair.geometry, pair.halfWay, pair.inverse);
  });
  rows.AddOperation("Jacobian determinant", 12.0 + 4.0, [](Context & context, const RegistrationPair & pair) {
    DisplacementFieldJacobianDeterminant(context, pair.geometry, pair.halfWay, pair.warped);
  });
  rows.AddOperation("Gaussian smoothing sigma=3", 4.0 + 4.0, [](Context & context, const RegistrationPair & pair) {
    GaussianSmoothingParameters parameters;
    parameters.sigma = { 3.0, 3.0, 3.0 };
    GaussianSmoothing(context, parameters, pair.geometry.grid, pair.moving, pair.warped);
  });
  rows.AddOperation("gradient", 4.0 + 12.0, [](Context & context, const RegistrationPair & pair) {
    ImageGradient(context, pair.geometry, pair.moving, pair.displacement);
  });
}

void
AddUnbiased(const Settings & settings, RowsOfSize & rows)
{
  rows.AddStep("registration force", forceBytes, StepPart::Force);
  rows.AddLabelForce("registration force", labelForceBytes, false);
  rows.AddLabelForce("symmetric registration force", symmetricLabelForceBytes, true);
  rows.AddStep("registration smoothing sigma=2", smoothingBytes, StepPart::Velocity);
  if (settings.device.IsCuda())
  {
    rows.AddStep("registration advection", advectionBytes, StepPart::Advection);
  }
  rows.AddIteration("unbiased", unbiasedIterationBytes, UnbiasedParameters());
  rows.AddIteration("local correlation", 0.0, LocalCorrelationParameters());
  rows.AddIteration("mutual information", 0.0, MutualInformationParameters());
  rows.AddCall(
    "unbiased 3x" + std::to_string(settings.iterations), unbiasedIterationBytes, UnbiasedParameters(), { 4, 2, 1 });
  AddOperations(rows);
  RegistrationParameters symmetric = UnbiasedParameters();
  symmetric.isSymmetric = true;
  RegistrationParameters symmetricCorrelation = LocalCorrelationParameters();
  symmetricCorrelation.isSymmetric = true;
  rows.AddMemory("unbiased", UnbiasedParameters());
  rows.AddMemory("local correlation", LocalCorrelationParameters());
  rows.AddMemory("symmetric", symmetric);
  rows.AddMemory("symmetric local correlation", symmetricCorrelation);
  // The images of further channels are those of the first one, which are counted once.
  rows.AddMemory("two channels", WithFurtherChannels(UnbiasedParameters(), 1));
  rows.AddMemory("three channels", WithFurtherChannels(UnbiasedParameters(), 2));
  rows.AddMemory("two channels, local correlation", WithFurtherChannels(LocalCorrelationParameters(), 1));
  rows.AddMemory("three channels, local correlation", WithFurtherChannels(LocalCorrelationParameters(), 2));
  rows.AddMemory("symmetric, two channels, local correlation", WithFurtherChannels(symmetricCorrelation, 1));
  rows.AddMemory("symmetric, three channels, local correlation", WithFurtherChannels(symmetricCorrelation, 2));
}

void
AddGreedy(const Settings & settings, RowsOfSize & rows)
{
  const std::string            name = "greedy " + std::to_string(settings.iterations);
  const RegistrationParameters relaxed = GreedyParameters(VelocityMethod::SuccessiveOverRelaxation);
  RegistrationParameters       steady = relaxed;
  steady.firstSweeps = steady.sweeps;
  rows.AddIteration("greedy SOR", relaxedIterationBytes, steady);
  rows.AddCall(name + " SOR", relaxedIterationBytes, relaxed, { 1 });
  if (HasFourierTransforms(settings.device))
  {
    rows.AddCall(name + " FFT", 0.0, GreedyParameters(VelocityMethod::FourierTransform), { 1 });
  }
}

} // namespace

Table
RegistrationRows(const Settings & settings)
{
  Table      table;
  const auto add = [&](const std::vector<Size> & sizes, const auto & addRows) {
    for (const Size & size : sizes)
    {
      if (IsRegistered(size))
      {
        RowsOfSize rows(settings, size, table);
        addRows(settings, rows);
      }
    }
  };
  add(settings.unbiasedSizes, AddUnbiased);
  add(settings.greedySizes, AddGreedy);
  return table;
}

} // namespace cudaneuro::benchmark
