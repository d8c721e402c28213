// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "data/LandmarkCase.h"
#include "LandmarkMatchings.h"
#include "data/PlainShooting.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace cudaneuro::benchmark
{

namespace
{

constexpr double paperSigma = 1.5;
/** In mm: with this sigma, all pairs of points on the surface of 60 mm are close enough to count. */
constexpr double sigmaOfNearPairs = 30.0;

GeodesicShootingParameters
ParametersOf(double sigma, int numberOfTimeSteps)
{
  GeodesicShootingParameters parameters;
  parameters.sigma = sigma;
  parameters.numberOfTimeSteps = numberOfTimeSteps;
  return parameters;
}

/** The time of one gradient from host memory to host memory, and its loss. */
struct TimedGradient
{
  double milliseconds = 0.0;
  double loss = 0.0;
};

TimedGradient
TimeGradient(const Repetition &                 repetition,
             const Device &                     device,
             const GeodesicShootingParameters & parameters,
             const Landmarks &                  landmarks)
{
  Context                         context(device);
  const auto                      shooting = MakeShooting(context, parameters, landmarks, 0, 1);
  const std::vector<double>       momenta = MakeMomenta(parameters, landmarks, 0);
  std::vector<double>             gradient(momenta.size());
  std::vector<ShootingEvaluation> evaluations(1);
  evaluations[0].momenta = momenta.data();
  evaluations[0].gradient = gradient.data();
  const double milliseconds = MedianByTheClock(repetition, [&] { shooting->Evaluate(evaluations); });
  return { milliseconds, evaluations[0].loss.Total() };
}

constexpr Repetition once{ 1 };

std::string
NameOfGradient(const GeodesicShootingParameters & parameters)
{
  std::ostringstream name;
  name << "landmarks gradient, " << parameters.integrator << ", "
       << (parameters.precision == ShootingPrecision::Single ? "float" : "double");
  return name.str();
}

double
CountNearPairsOf(const GeodesicShootingParameters & parameters, const Landmarks & landmarks)
{
  return CountNearPairs(parameters.sigma, landmarks.points, landmarks.points);
}

/** Returns the limit of the exponentials of the pairs of points close enough to count. */
Limit
NearPairs(const GeodesicShootingParameters & parameters, const LazyLandmarks & landmarks)
{
  return [=](const Limits & limits) {
    const double pairs = limits.ex2 > 0.0 ? CountNearPairsOf(parameters, landmarks.Get()) : 0.0;
    return GradientFloor(parameters, limits, pairs);
  };
}

Row
GradientRow(const Settings &                   settings,
            const std::string &                name,
            const GeodesicShootingParameters & parameters,
            const LazyLandmarks &              landmarks)
{
  return { name, landmarks.GetSize(parameters, 1), NearPairs(parameters, landmarks), [=, &settings] {
            return TimeGradient(settings.repetition, settings.device, parameters, landmarks.Get()).milliseconds;
          } };
}

/** Times plain loops on the CPU, with which the vectorized implementation is compared. Both must have the same loss. */
double
TimePlainLoops(const Settings & settings, const GeodesicShootingParameters & parameters, const Landmarks & data)
{
  const std::vector<double> momenta = MakeMomenta(parameters, data, 0);
  std::vector<double>       gradient;
  double                    loss = 0.0;
  const double              milliseconds = MedianByTheClock(settings.repetition, [&] {
    loss = PlainLossAndGradient(parameters, data.points, data.targets[0], momenta, gradient);
  });
  const double              expected = TimeGradient(once, settings.device, parameters, data).loss;
  // Distances of a millimeter are differences of positions near 30 mm, which float rounds by 2e-6 mm.
  constexpr double tolerance = 1e-4;
  if (!(std::abs(loss - expected) <= tolerance * expected))
  {
    std::ostringstream message;
    message << "The loss of the plain loops is " << loss << ", and of the engine " << expected;
    throw std::runtime_error(message.str());
  }
  return milliseconds;
}

void
AddPlainLoops(Table &                            rows,
              const Settings &                   settings,
              const std::string &                name,
              const GeodesicShootingParameters & parameters,
              const LazyLandmarks &              landmarks)
{
  if (!settings.device.IsCuda())
  {
    rows.push_back({ name, landmarks.GetSize(parameters, 1), nullptr, [=, &settings] {
                      return TimePlainLoops(settings, parameters, landmarks.Get());
                    } });
  }
}

/** Adds the gradients of all integrators and precisions, at the number of points of one matching. Plain loops are
 * compared at the paper's sigma, where most pairs are too far apart to count, and where all are close. */
void
AddGradients(Table & rows, const Settings & settings, int steps, const LazyLandmarks & landmarks)
{
  for (const auto precision : { ShootingPrecision::Single, ShootingPrecision::Double })
  {
    for (const auto integrator :
         { ShootingIntegrator::Euler, ShootingIntegrator::Heun, ShootingIntegrator::RungeKutta4 })
    {
      GeodesicShootingParameters parameters = ParametersOf(paperSigma, steps);
      parameters.precision = precision;
      parameters.integrator = integrator;
      rows.push_back(GradientRow(settings, NameOfGradient(parameters) + ", call", parameters, landmarks));
    }
  }
  const GeodesicShootingParameters allNear = ParametersOf(sigmaOfNearPairs, steps);
  const GeodesicShootingParameters mostFar = ParametersOf(paperSigma, steps);
  const std::string                plain = ", plain loops, one thread";
  rows.push_back(GradientRow(settings, NameOfGradient(allNear) + ", all near, call", allNear, landmarks));
  AddPlainLoops(rows, settings, NameOfGradient(mostFar) + plain, mostFar, landmarks);
  AddPlainLoops(rows, settings, NameOfGradient(allNear) + ", all near" + plain, allNear, landmarks);
}

/** Adds one gradient of many points, with the ratios to the rate of exponentials that all ordered pairs would need,
 * and, on a GPU, those close enough to count. */
void
AddLargeGradient(
  Table & rows, const Settings & settings, const std::string & name, double sigma, const LazyLandmarks & landmarks)
{
  const GeodesicShootingParameters parameters = ParametersOf(sigma, 10);
  const Size                       size = landmarks.GetSize(parameters, 1);
  const Lazy<TimedGradient>        gradient(
    [=, &settings] { return TimeGradient(settings.repetition, settings.device, parameters, landmarks.Get()); });
  const auto run = [gradient] { return gradient.Get().milliseconds; };
  const auto allPairs = [=](const Limits & limits) {
    const auto points = static_cast<double>(landmarks.numberOfPoints);
    return GradientFloor(parameters, limits, points * points);
  };
  rows.push_back({ name + ", all pairs", size, allPairs, run });
  if (settings.device.IsCuda())
  {
    rows.push_back({ name + ", near pairs", size, NearPairs(parameters, landmarks), run });
  }
}

/** Returns a grid around the landmarks, cubic and isotropic. */
Geometry
GridAround(std::int64_t voxelsPerAxis)
{
  constexpr double extent = 90.0;
  Geometry         geometry;
  geometry.grid.size = { voxelsPerAxis, voxelsPerAxis, voxelsPerAxis };
  const double spacing = extent / static_cast<double>(voxelsPerAxis);
  geometry.grid.spacing = { spacing, spacing, spacing };
  const double first = 0.5 * (spacing - extent);
  geometry.origin = { first, first, first };
  return geometry;
}

/** Counts the pairs of a voxel and a point that count, from every eighth voxel along each axis. */
double
CountNearPairsOfGrid(double sigma, const Geometry & geometry, const std::vector<double> & points)
{
  constexpr int       stride = 8;
  const std::int64_t  size = geometry.grid.size[0];
  std::vector<double> positions;
  const auto          along = [&](std::int64_t i) {
    return geometry.origin[0] + geometry.grid.spacing[0] * static_cast<double>(i);
  };
  for (std::int64_t z = stride / 2; z < size; z += stride)
  {
    for (std::int64_t y = stride / 2; y < size; y += stride)
    {
      for (std::int64_t x = stride / 2; x < size; x += stride)
      {
        positions.insert(positions.end(), { along(x), along(y), along(z) });
      }
    }
  }
  const double share = 3.0 * VoxelsOf(geometry.grid.size) / static_cast<double>(positions.size());
  return share * CountNearPairs(sigma, positions, points);
}

/** Returns the row of a dense displacement field in device memory, or in host memory on the CPU. The forward field
 * needs an exponential for each near pair of voxel and point and each time step; the inverse needs as many or more. */
Row
FieldRow(const Settings &      settings,
         int                   steps,
         const Geometry &      geometry,
         const std::string &   name,
         FlowDirection         direction,
         const LazyLandmarks & landmarks)
{
  const GeodesicShootingParameters parameters = ParametersOf(paperSigma, steps);
  const auto                       limit = [=](const Limits & limits) {
    const bool   isKnown = limits.ex2 > 0.0;
    const double pairs = isKnown ? CountNearPairsOfGrid(parameters.sigma, geometry, landmarks.Get().points) : 0.0;
    return FloorOf("ex2 rate", steps * pairs, limits.ex2);
  };
  return { name, geometry.grid.size, limit, [=, &settings] {
            const Landmarks &         data = landmarks.Get();
            const std::vector<double> momenta = MakeMomenta(parameters, data, 0);
            Context                   context(settings.device);
            const GeodesicFlow        flow(
              context, parameters, 3, data.GetNumberOfPoints(), data.points.data(), momenta.data());
            const DeviceMemory memory =
              context.Allocate(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()) * 3 * sizeof(float));
            const MemorySpace space = settings.device.IsCuda() ? MemorySpace::Device : MemorySpace::Host;
            const Field       field{ static_cast<float *>(memory.Data()), 3, space };
            return MedianByTheClock(settings.repetition,
                                    [&] { flow.GetDisplacementField(context, direction, geometry, field); });
          } };
}

/** Adds the memory of a gradient, including that kept between gradients. */
void
AddMemory(Table & rows, const Settings & settings, int steps, const std::string & name, const LazyLandmarks & landmarks)
{
  const GeodesicShootingParameters parameters = ParametersOf(paperSigma, steps);
  AddMemoryRow(rows, settings, name, landmarks.GetSize(parameters, 1), [=, device = settings.device] {
    const Landmarks & data = landmarks.Get();
    return PeakDeviceBytes(device, [&] { TimeGradient(once, device, parameters, data); });
  });
}

} // namespace

Table
LandmarkRows(const Settings & settings)
{
  const bool isQuick = settings.isQuick;
  // Wang's experiment. A CPU, which takes minutes for each target, matches two of them.
  const int           steps = isQuick ? 5 : 40;
  const LazyLandmarks landmarks(isQuick ? 200 : 1847, settings.device.IsCuda() && !isQuick ? 34 : 2);
  Table               rows;
  AddGradients(rows, settings, steps, landmarks);
  AddMemory(rows, settings, steps, "landmarks gradient, memory", landmarks);
  Append(rows, MatchingRows(settings, landmarks));
  const Geometry geometry = GridAround(isQuick ? 16 : 256);
  rows.push_back(
    FieldRow(settings, steps, geometry, "landmarks field, forward, call", FlowDirection::Forward, landmarks));
  rows.push_back(
    FieldRow(settings, steps, geometry, "landmarks field, inverse, call", FlowDirection::Backward, landmarks));
  if (settings.device.IsCuda() || isQuick)
  {
    const LazyLandmarks many(isQuick ? 1000 : 100000, 1);
    AddLargeGradient(rows, settings, "landmarks gradient, sigma 1.5, call", paperSigma, many);
    AddLargeGradient(rows, settings, "landmarks gradient, sigma 30, call", sigmaOfNearPairs, many);
    AddMemory(rows, settings, 10, "landmarks gradient of many, memory", many);
  }
  return rows;
}

} // namespace cudaneuro::benchmark
