// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LandmarkRuns.h"

#include "LandmarkCase.h"
#include "LandmarkMatchings.h"
#include "MemoryUse.h"
#include "PlainShooting.h"
#include "Timing.h"
#include "core/Dispatch.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace cudaneuro::benchmark
{

namespace
{

constexpr double paperSigma = 1.5;
/** In mm: with it, all pairs of points on the surface of 60 mm are near enough to count. */
constexpr double sigmaOfNearPairs = 30.0;

GeodesicShootingParameters
ParametersOf(double sigma, int numberOfTimeSteps)
{
  GeodesicShootingParameters parameters;
  parameters.sigma = sigma;
  parameters.numberOfTimeSteps = numberOfTimeSteps;
  return parameters;
}

/** One gradient from host memory to host memory.
 * \param loss receives the loss. */
double
TimeGradient(const Settings &                   settings,
             const GeodesicShootingParameters & parameters,
             const Landmarks &                  landmarks,
             double &                           loss)
{
  Context                         context(settings.device);
  const auto                      shooting = MakeShooting(context, parameters, landmarks, 0, 1);
  const std::vector<double>       momenta = MakeMomenta(parameters, landmarks, 0);
  std::vector<double>             gradient(momenta.size());
  std::vector<ShootingEvaluation> evaluations(1);
  evaluations[0].momenta = momenta.data();
  evaluations[0].gradient = gradient.data();
  const double milliseconds =
    MedianOfRuns(settings.repetition, [&] { return WallMilliseconds([&] { shooting->Evaluate(evaluations); }); });
  loss = evaluations[0].loss.Total();
  return milliseconds;
}

std::string
NameOfGradient(const GeodesicShootingParameters & parameters)
{
  std::ostringstream name;
  name << "landmarks gradient, " << parameters.integrator << ", "
       << (parameters.precision == ShootingPrecision::Single ? "float" : "double");
  return name.str();
}

/** One gradient, with the exponentials of near pairs as its limit. */
void
RunGradient(const Settings &                   settings,
            const Limits &                     limits,
            const std::string &                name,
            const GeodesicShootingParameters & parameters,
            LazyLandmarks &                    landmarks)
{
  RunRow(settings, name, landmarks.GetSize(parameters, 1), [&] {
    const Landmarks & data = landmarks.Get();
    double            loss = 0.0;
    const double      milliseconds = TimeGradient(settings, parameters, data, loss);
    const double      pairs = limits.ex2 > 0.0 ? CountNearPairs(parameters.sigma, data.points, data.points) : 0.0;
    settings.report({ name, SizeOf(data, parameters, 1), milliseconds, GradientFloor(parameters, limits, pairs), {} });
  });
}

/** On the CPU: what the vectorized implementation is compared with. Both must have the same loss. */
void
TimePlainLoops(const Settings &                   settings,
               const std::string &                name,
               const GeodesicShootingParameters & parameters,
               const Landmarks &                  data)
{
  const std::vector<double> momenta = MakeMomenta(parameters, data, 0);
  std::vector<double>       gradient;
  double                    loss = 0.0;
  const double              milliseconds = MedianOfRuns(settings.repetition, [&] {
    return WallMilliseconds(
      [&] { loss = PlainLossAndGradient(parameters, data.points, data.targets[0], momenta, gradient); });
  });
  Settings                  once = settings;
  once.repetition.count = 1;
  double expected = 0.0;
  TimeGradient(once, parameters, data, expected);
  // Distances of a millimeter are differences of positions near 30 mm, which float rounds by 2e-6 mm.
  constexpr double tolerance = 1e-4;
  if (!(std::abs(loss - expected) <= tolerance * expected))
  {
    std::ostringstream message;
    message << "The loss of the plain loops is " << loss << ", and of the engine " << expected;
    throw std::runtime_error(message.str());
  }
  settings.report({ name, SizeOf(data, parameters, 1), milliseconds, {}, {} });
}

void
RunPlainLoops(const Settings &                   settings,
              const std::string &                name,
              const GeodesicShootingParameters & parameters,
              LazyLandmarks &                    landmarks)
{
  if (!settings.device.IsCuda())
  {
    RunRow(settings, name, landmarks.GetSize(parameters, 1), [&] {
      TimePlainLoops(settings, name, parameters, landmarks.Get());
    });
  }
}

/** The gradients of all integrators and precisions, at a count of points that one matching has. Plain loops are
 * compared at the paper's sigma, where most pairs are too far to count, and where all are near. */
void
RunGradients(const Settings & settings, const Limits & limits, int steps, LazyLandmarks & landmarks)
{
  for (const auto precision : { ShootingPrecision::Single, ShootingPrecision::Double })
  {
    for (const auto integrator :
         { ShootingIntegrator::Euler, ShootingIntegrator::Heun, ShootingIntegrator::RungeKutta4 })
    {
      GeodesicShootingParameters parameters = ParametersOf(paperSigma, steps);
      parameters.precision = precision;
      parameters.integrator = integrator;
      RunGradient(settings, limits, NameOfGradient(parameters) + ", call", parameters, landmarks);
    }
  }
  const GeodesicShootingParameters allNear = ParametersOf(sigmaOfNearPairs, steps);
  const GeodesicShootingParameters mostFar = ParametersOf(paperSigma, steps);
  const std::string                plain = ", plain loops, one thread";
  RunGradient(settings, limits, NameOfGradient(allNear) + ", all near, call", allNear, landmarks);
  RunPlainLoops(settings, NameOfGradient(mostFar) + plain, mostFar, landmarks);
  RunPlainLoops(settings, NameOfGradient(allNear) + ", all near" + plain, allNear, landmarks);
}

/** One gradient of many points, with the shares of the rate of exponentials that all ordered pairs would need, and
 * those near enough to count. */
void
RunLargeGradient(
  const Settings & settings, const Limits & limits, const std::string & name, double sigma, LazyLandmarks & landmarks)
{
  const std::string                ofAllPairs = name + ", all pairs";
  const std::string                ofNearPairs = name + ", near pairs";
  const GeodesicShootingParameters parameters = ParametersOf(sigma, 10);
  const Size                       size = landmarks.GetSize(parameters, 1);
  RunRows(settings, { ofAllPairs, ofNearPairs }, size, [&] {
    const Landmarks & data = landmarks.Get();
    double            loss = 0.0;
    const double      milliseconds = TimeGradient(settings, parameters, data, loss);
    const auto        points = static_cast<double>(data.GetNumberOfPoints());
    const double      nearPairs = limits.ex2 > 0.0 ? CountNearPairs(sigma, data.points, data.points) : 0.0;
    settings.report({ ofAllPairs, size, milliseconds, GradientFloor(parameters, limits, points * points), {} });
    if (limits.ex2 > 0.0)
    {
      settings.report({ ofNearPairs, size, milliseconds, GradientFloor(parameters, limits, nearPairs), {} });
    }
  });
}

/** A grid around the landmarks, of a cube's size and isotropic. */
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

/** The pairs of a voxel and a point that count, from every eighth voxel along each axis. */
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

/** Dense displacement fields in device memory, or in host memory on the CPU. The forward one needs an exponential
 * for each near pair of a voxel and a point and each time step, and so does the inverse one, at least. */
void
TimeField(const Settings &    settings,
          const Limits &      limits,
          int                 steps,
          const Geometry &    geometry,
          const std::string & name,
          FlowDirection       direction,
          const Landmarks &   data)
{
  const GeodesicShootingParameters parameters = ParametersOf(paperSigma, steps);
  const std::vector<double>        momenta = MakeMomenta(parameters, data, 0);
  Context                          context(settings.device);
  const GeodesicFlow flow(context, parameters, 3, data.GetNumberOfPoints(), data.points.data(), momenta.data());
  const DeviceMemory memory =
    context.Allocate(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()) * 3 * sizeof(float));
  const MemorySpace space = settings.device.IsCuda() ? MemorySpace::Device : MemorySpace::Host;
  const Field       field{ static_cast<float *>(memory.Data()), 3, space };
  const double      milliseconds = MedianOfRuns(settings.repetition, [&] {
    return WallMilliseconds([&] { flow.GetDisplacementField(context, direction, geometry, field); });
  });
  Floor             floor;
  if (limits.ex2 > 0.0)
  {
    const double pairs = CountNearPairsOfGrid(parameters.sigma, geometry, data.points);
    floor = { "ex2 rate", 1000.0 * steps * pairs / limits.ex2 };
  }
  settings.report({ name, geometry.grid.size, milliseconds, floor, {} });
}

void
RunFields(const Settings & settings, const Limits & limits, int steps, std::int64_t size, LazyLandmarks & landmarks)
{
  const Geometry                              geometry = GridAround(size);
  const std::pair<std::string, FlowDirection> directions[] = {
    { "landmarks field, forward, call", FlowDirection::Forward },
    { "landmarks field, inverse, call", FlowDirection::Backward }
  };
  for (const auto & [rowName, rowDirection] : directions)
  {
    // Lambdas of C++17 capture no structured bindings.
    const std::string & name = rowName;
    const FlowDirection direction = rowDirection;
    RunRow(settings, name, geometry.grid.size, [&] {
      TimeField(settings, limits, steps, geometry, name, direction, landmarks.Get());
    });
  }
}

/** The memory of a gradient, with what stays between gradients. */
void
RunMemory(const Settings & settings, int steps, const std::string & name, LazyLandmarks & landmarks)
{
  if constexpr (builtWithCuda)
  {
    if (settings.device.IsCuda())
    {
      const GeodesicShootingParameters parameters = ParametersOf(paperSigma, steps);
      RunRow(settings, name, landmarks.GetSize(parameters, 1), [&] {
        Settings once = settings;
        once.repetition.count = 1;
        const Landmarks & data = landmarks.Get();
        double            loss = 0.0;
        const std::size_t bytes = PeakDeviceBytes(settings.device, [&] { TimeGradient(once, parameters, data, loss); });
        settings.reportMemory({ name, SizeOf(data, parameters, 1), bytes });
      });
    }
  }
}

} // namespace

void
RunLandmarks(const Settings & settings, const Limits & limits)
{
  const bool isQuick = settings.isQuick;
  // Wang's experiment. A CPU, which takes minutes for each, matches two of the targets.
  const int     steps = isQuick ? 5 : 40;
  LazyLandmarks landmarks(isQuick ? 200 : 1847, settings.device.IsCuda() && !isQuick ? 34 : 2);
  RunGradients(settings, limits, steps, landmarks);
  RunMemory(settings, steps, "landmarks gradient, memory", landmarks);
  RunMatchings(settings, limits, landmarks);
  RunFields(settings, limits, steps, isQuick ? 16 : 256, landmarks);
  if (settings.device.IsCuda() || isQuick)
  {
    LazyLandmarks many(isQuick ? 1000 : 100000, 1);
    RunLargeGradient(settings, limits, "landmarks gradient, sigma 1.5, call", paperSigma, many);
    RunLargeGradient(settings, limits, "landmarks gradient, sigma 30, call", sigmaOfNearPairs, many);
    RunMemory(settings, 10, "landmarks gradient of many, memory", many);
  }
}

} // namespace cudaneuro::benchmark
