// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LandmarkMatchings.h"

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

/** Returns the distances of landmarks from their targets, in mm, and the effort: means over the targets. */
Record
RecordOf(const std::string & name, const Size & size, const States & states, double milliseconds)
{
  double     meanBefore = 0.0;
  double     maximumBefore = 0.0;
  double     meanAfter = 0.0;
  double     maximumAfter = 0.0;
  double     iterations = 0.0;
  double     evaluations = 0.0;
  const auto share = 1.0 / static_cast<double>(states.size());
  for (const auto & state : states)
  {
    meanBefore += share * state.losses.front().meanDistance;
    maximumBefore += share * state.losses.front().maximumDistance;
    meanAfter += share * state.losses.back().meanDistance;
    maximumAfter += share * state.losses.back().maximumDistance;
    iterations += share * state.GetNumberOfIterations();
    evaluations += share * state.numberOfEvaluations;
  }
  Record record;
  record.section = "landmark_matching";
  record.name = name;
  record.size = size;
  record.text = Padded(Rounded(milliseconds)) + " ms  mean " + Rounded(meanBefore) + " to " + Rounded(meanAfter) +
                ", maximum " + Rounded(maximumBefore) + " to " + Rounded(maximumAfter) + " mm";
  record.values = { { "mean_before", meanBefore },     { "maximum_before", maximumBefore },
                    { "mean_after", meanAfter },       { "maximum_after", maximumAfter },
                    { "iterations", iterations },      { "evaluations", evaluations },
                    { "seconds", 1e-3 * milliseconds } };
  return record;
}

/** The results of one way of matching, and its times in milliseconds: the median for all, and the last of each target
 * where they are matched one after another. */
struct Matching
{
  States              states;
  double              milliseconds = 0.0;
  std::vector<double> ofTargets;
};

/** Returns the row of one way of matching targets, with records of its results. */
Row
MatchingRow(const Settings &                        settings,
            const std::string &                     name,
            const LazyLandmarks &                   landmarks,
            int                                     numberOfTargets,
            const std::function<void(Matching &)> & match)
{
  const GeodesicShootingParameters parameters = ParametersOf(settings);
  const Size                       size = landmarks.GetSize(parameters, numberOfTargets);
  const auto                       matching = std::make_shared<Matching>();
  const auto                       limit = [=](const Limits & limits) {
    double evaluations = 0.0;
    for (const auto & state : matching->states)
    {
      evaluations += state.numberOfEvaluations;
    }
    const std::vector<double> & points = landmarks.Get().points;
    const double                pairs = limits.ex2 > 0.0 ? CountNearPairs(parameters.sigma, points, points) : 0.0;
    return GradientFloor(parameters, limits, evaluations * pairs);
  };
  const auto run = [=, &settings] {
    matching->milliseconds = MedianByTheClock(settings.repetition, [&] { match(*matching); });
    return matching->milliseconds;
  };
  const auto distances = [=] {
    const std::string   nameOfAll = name + (numberOfTargets > 1 ? ", means" : "");
    std::vector<Record> records{ RecordOf(nameOfAll, size, matching->states, matching->milliseconds) };
    for (std::size_t target = 0; target < matching->ofTargets.size(); ++target)
    {
      records.push_back(RecordOf("landmarks matched to target " + std::to_string(target),
                                 landmarks.GetSize(parameters, 1),
                                 { matching->states[target] },
                                 matching->ofTargets[target]));
    }
    return records;
  };
  return { name, size, limit, run, false, nullptr, distances };
}

} // namespace

Table
MatchingRows(const Settings & settings, const LazyLandmarks & landmarks)
{
  const int           count = landmarks.numberOfTargets;
  const Lazy<Context> context([device = settings.device] { return Context(device); });
  const auto          matchAll = [=, &settings](int numberOfTargets) {
    return [=, &settings](Matching & matching) {
      matching.states = Match(settings, context.Get(), landmarks.Get(), 0, numberOfTargets);
    };
  };
  const auto matchInTurn = [=, &settings](Matching & matching) {
    matching.states.clear();
    matching.ofTargets.assign(static_cast<std::size_t>(count), 0.0);
    for (int target = 0; target < count; ++target)
    {
      matching.ofTargets[static_cast<std::size_t>(target)] = WallMilliseconds([&] {
        matching.states.push_back(std::move(Match(settings, context.Get(), landmarks.Get(), target, 1).front()));
      });
    }
  };
  const std::string iterations = std::to_string(IterationsOf(settings)) + " iterations";
  const std::string all = "landmarks matched to " + std::to_string(count) + " targets";
  return { MatchingRow(settings, "landmarks matched, " + iterations + ", call", landmarks, 1, matchAll(1)),
           MatchingRow(settings, all + ", in turn, call", landmarks, count, matchInTurn),
           MatchingRow(settings, all + ", as a batch, call", landmarks, count, matchAll(count)) };
}

} // namespace cudaneuro::benchmark
