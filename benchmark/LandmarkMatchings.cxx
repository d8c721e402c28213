// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LandmarkMatchings.h"

#include "Timing.h"
#include "itkCudaNeuroLandmarkMatching.h"

namespace cudaneuro::benchmark
{

namespace
{

using States = std::vector<itk::CudaNeuroDetail::LandmarkMatchingState>;

GeodesicShootingParameters
ParametersOf(const Settings & settings)
{
  GeodesicShootingParameters parameters;
  parameters.sigma = 1.5;
  parameters.lambda = 5e5;
  parameters.numberOfTimeSteps = settings.isQuick ? 5 : 40;
  return parameters;
}

unsigned int
IterationsOf(const Settings & settings)
{
  return settings.isQuick ? 5 : 400;
}

/** Matches targets from momenta 0. */
States
Match(const Settings & settings, Context & context, const Landmarks & landmarks, int firstTarget, int numberOfTargets)
{
  const auto shooting = MakeShooting(context, ParametersOf(settings), landmarks, firstTarget, numberOfTargets);
  itk::CudaNeuroDetail::LandmarkMatchingParameters parameters;
  parameters.maximumNumberOfIterations = IterationsOf(settings);
  States states;
  MatchLandmarks(context, *shooting, parameters, states);
  return states;
}

MatchingResult
ResultOf(const std::string & name, const Size & size, const States & states, double milliseconds)
{
  MatchingResult result;
  result.name = name;
  result.size = size;
  result.seconds = 1e-3 * milliseconds;
  const auto share = 1.0 / static_cast<double>(states.size());
  for (const auto & state : states)
  {
    result.meanBefore += share * state.losses.front().meanDistance;
    result.maximumBefore += share * state.losses.front().maximumDistance;
    result.meanAfter += share * state.losses.back().meanDistance;
    result.maximumAfter += share * state.losses.back().maximumDistance;
    result.iterations += share * state.GetNumberOfIterations();
    result.evaluations += share * state.numberOfEvaluations;
  }
  return result;
}

/** Runs and reports one way of matching targets.
 * \returns what it found. */
States
RunCase(const Settings &                settings,
        const Limits &                  limits,
        const std::string &             name,
        const Landmarks &               landmarks,
        int                             numberOfTargets,
        const std::function<States()> & match)
{
  States       states;
  const double milliseconds =
    MedianOfRuns(settings.repetition, [&] { return WallMilliseconds([&] { states = match(); }); });
  const GeodesicShootingParameters parameters = ParametersOf(settings);
  double                           evaluations = 0.0;
  for (const auto & state : states)
  {
    evaluations += state.numberOfEvaluations;
  }
  const double pairs = limits.ex2 > 0.0 ? CountNearPairs(parameters.sigma, landmarks.points, landmarks.points) : 0.0;
  const Size   size = SizeOf(landmarks, parameters, numberOfTargets);
  settings.report({ name, size, milliseconds, GradientFloor(parameters, limits, evaluations * pairs), {} });
  settings.reportMatching(ResultOf(name + (numberOfTargets > 1 ? ", means" : ""), size, states, milliseconds));
  return states;
}

/** Matches the targets one by one, and reports each. */
void
MatchInTurn(const Settings & settings, const Limits & limits, const std::string & name, const Landmarks & landmarks)
{
  Context             context(settings.device);
  const auto          count = static_cast<int>(landmarks.targets.size());
  std::vector<double> milliseconds(landmarks.targets.size());
  const States        states = RunCase(settings, limits, name, landmarks, count, [&] {
    States found;
    for (int target = 0; target < count; ++target)
    {
      milliseconds[static_cast<std::size_t>(target)] =
        WallMilliseconds([&] { found.push_back(std::move(Match(settings, context, landmarks, target, 1).front())); });
    }
    return found;
  });
  for (std::size_t target = 0; target < states.size(); ++target)
  {
    settings.reportMatching(ResultOf("landmarks matched to target " + std::to_string(target),
                                     SizeOf(landmarks, ParametersOf(settings), 1),
                                     { states[target] },
                                     milliseconds[target]));
  }
}

} // namespace

void
RunMatchings(const Settings & settings, const Limits & limits, LazyLandmarks & lazyLandmarks)
{
  const int         count = lazyLandmarks.GetNumberOfTargets();
  const Size        size = lazyLandmarks.GetSize(ParametersOf(settings), 1);
  const Size        sizeOfAll = lazyLandmarks.GetSize(ParametersOf(settings), count);
  const std::string iterations = std::to_string(IterationsOf(settings)) + " iterations";
  const std::string single = "landmarks matched, " + iterations + ", call";
  RunRow(settings, single, size, [&] {
    Context           context(settings.device);
    const Landmarks & landmarks = lazyLandmarks.Get();
    RunCase(settings, limits, single, landmarks, 1, [&] { return Match(settings, context, landmarks, 0, 1); });
  });
  const std::string all = "landmarks matched to " + std::to_string(count) + " targets";
  const std::string inTurn = all + ", in turn, call";
  RunRow(settings, inTurn, sizeOfAll, [&] { MatchInTurn(settings, limits, inTurn, lazyLandmarks.Get()); });
  const std::string batch = all + ", as a batch, call";
  RunRow(settings, batch, sizeOfAll, [&] {
    Context           context(settings.device);
    const Landmarks & landmarks = lazyLandmarks.Get();
    RunCase(settings, limits, batch, landmarks, count, [&] { return Match(settings, context, landmarks, 0, count); });
  });
}

} // namespace cudaneuro::benchmark
