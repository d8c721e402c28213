// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearRefinement.h"

#include "linear/QuasiNewton.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace cudaneuro
{

namespace
{

/** Distance, in voxels of the level, at which a minimizer that has ended probes along each parameter. Mutual
 * information has kinks where voxels coincide, which end a descent; probes get past them. */
constexpr double probeDistance = 0.25;
/** Minimum gain of a probe. Metrics are about 1, and sums of many voxels are rounded differently for each map: a
 * smaller gain would move images that are aligned already. */
constexpr double leastGain = 1e-9;

/** Steps in voxels of the level: coarse metrics are reliable over longer distances. */
QuasiNewtonParameters
StepsOf(const LinearLevel & level, const LinearStage & stage, const LinearCandidate & candidate)
{
  QuasiNewtonParameters parameters;
  parameters.iterations = std::max(0, stage.iterations - static_cast<int>(candidate.iterations.size()));
  parameters.firstStep = 0.5 * level.voxel;
  parameters.longestStep = 2.0 * level.voxel;
  parameters.shortestStep = stage.convergenceThreshold * level.voxel;
  return parameters;
}

/** The minimization of a candidate at a level: a sequence of descents, each of which starts from the best probe around
 * the end of the previous one. */
class Refiner
{
public:
  Refiner(const LinearRun & run, const LinearLevel & level, const LinearStage & stage, LinearCandidate & candidate)
    : m_Candidate(candidate)
    , m_Level(level)
    , m_Stage(stage)
    , m_Corners(run.GetCorners())
    , m_Parameters(stage.type, run.GetCorners(), candidate.map)
  {
    candidate.value = candidate.score = std::numeric_limits<double>::infinity();
    this->BeginDescent(std::vector<double>(m_Parameters.GetCount()));
  }
  Refiner(const Refiner &) = delete;
  Refiner &
  operator=(const Refiner &) = delete;

  bool
  IsDone() const
  {
    return m_IsDone;
  }
  /** Whether the trials are all probes around the end of a descent, whose derivatives are not needed. */
  bool
  IsProbing() const
  {
    return !m_IsDone && m_Minimizer->IsDone();
  }

  /** Adds the maps to evaluate. */
  void
  AddTrials(std::vector<LinearTrial> & trials) const
  {
    if (!this->IsProbing())
    {
      trials.emplace_back().map = m_Parameters.MapOf(m_Minimizer->GetTrial());
      return;
    }
    for (std::size_t i = 0; i < m_Parameters.GetCount(); ++i)
    {
      for (const double sign : { -1.0, 1.0 })
      {
        trials.emplace_back().map = m_Parameters.MapOf(this->ProbeAt(i, sign));
      }
    }
  }

  /** Processes the metric of the trials, in their order.
   * \returns whether that ended an iteration */
  bool
  Advance(const LinearTrial * trials)
  {
    return this->IsProbing() ? this->AdvanceProbes(trials) : this->AdvanceDescent(trials[0]);
  }

  const LinearCandidate &
  GetCandidate() const
  {
    return m_Candidate;
  }

private:
  void
  BeginDescent(std::vector<double> start)
  {
    m_Minimizer.emplace(StepsOf(m_Level, m_Stage, m_Candidate),
                        std::move(start),
                        [this](const std::vector<double> & from, const std::vector<double> & to) {
                          return m_Corners.LargestDistance(m_Parameters.MapOf(from), m_Parameters.MapOf(to));
                        });
  }

  std::vector<double>
  ProbeAt(std::size_t parameter, double sign) const
  {
    std::vector<double> point = m_Minimizer->GetPoint();
    point[parameter] += sign * probeDistance * m_Level.voxel;
    return point;
  }

  void
  EndIteration(double step)
  {
    const int iteration = static_cast<int>(m_Candidate.iterations.size());
    m_Candidate.iterations.push_back({ m_Stage.level, iteration, m_Candidate.value, step });
  }

  bool
  AdvanceDescent(const LinearTrial & trial)
  {
    const bool isBegin = !m_Minimizer->HasBegun();
    const bool isIteration = m_Minimizer->Advance(trial.value, m_Parameters.Gradient(m_Minimizer->GetTrial(), trial));
    if (isBegin || isIteration)
    {
      Take(trial, m_Candidate);
    }
    if (isIteration)
    {
      this->EndIteration(m_Minimizer->GetStep());
    }
    const bool isExhausted = static_cast<int>(m_Candidate.iterations.size()) >= m_Stage.iterations;
    m_IsDone = m_Minimizer->IsDone() && (isExhausted || !m_Stage.looksAround || std::isinf(m_Candidate.value));
    return isIteration;
  }

  bool
  AdvanceProbes(const LinearTrial * trials)
  {
    const LinearTrial * const best = std::min_element(
      trials, trials + 2 * m_Parameters.GetCount(), [](const auto & a, const auto & b) { return a.value < b.value; });
    m_IsDone = !(best->value < m_Candidate.value - leastGain);
    if (!m_IsDone)
    {
      const auto   index = static_cast<std::size_t>(best - trials);
      const double step = m_Corners.LargestDistance(m_Candidate.map, best->map);
      Take(*best, m_Candidate);
      this->EndIteration(step);
      this->BeginDescent(this->ProbeAt(index / 2, index % 2 == 0 ? -1.0 : 1.0));
    }
    return !m_IsDone;
  }

  LinearCandidate &          m_Candidate;
  const LinearLevel &        m_Level;
  const LinearStage &        m_Stage;
  const GridCorners &        m_Corners;
  LinearTransformParameters  m_Parameters;
  std::optional<QuasiNewton> m_Minimizer;
  bool                       m_IsDone = false;
};

using Refiners = std::vector<std::unique_ptr<Refiner>>;

/** Evaluates the trials of all refiners that are not done, either of those that are probing or of the other ones.
 * \param finished receives those that ended an iteration */
void
AdvanceAll(LinearRun &                    run,
           const LinearLevel &            level,
           const Refiners &               refiners,
           bool                           isProbing,
           std::vector<const Refiner *> & finished)
{
  std::vector<Refiner *>   active;
  std::vector<std::size_t> begins;
  std::vector<LinearTrial> trials;
  for (const auto & refiner : refiners)
  {
    if (!refiner->IsDone() && refiner->IsProbing() == isProbing)
    {
      active.push_back(refiner.get());
      begins.push_back(trials.size());
      refiner->AddTrials(trials);
    }
  }
  if (trials.empty())
  {
    return;
  }
  run.Evaluate(level, trials, !isProbing);
  for (std::size_t i = 0; i < active.size(); ++i)
  {
    if (active[i]->Advance(&trials[begins[i]]))
    {
      finished.push_back(active[i]);
    }
  }
}

/** Runs all refiners until they are done, or the observer ends the registration. */
bool
RunRefiners(LinearRun &                          run,
            const LinearLevel &                  level,
            const LinearStage &                  stage,
            const Refiners &                     refiners,
            const std::vector<LinearCandidate> & candidates)
{
  while (!std::all_of(refiners.begin(), refiners.end(), [](const auto & refiner) { return refiner->IsDone(); }))
  {
    std::vector<const Refiner *> finished;
    AdvanceAll(run, level, refiners, true, finished);
    AdvanceAll(run, level, refiners, false, finished);
    const LinearCandidate & best = *std::min_element(
      candidates.begin(), candidates.end(), [&](const auto & a, const auto & b) { return a.score < b.score; });
    if (std::isinf(best.value))
    {
      continue;
    }
    run.SetBest(best);
    if (std::any_of(finished.begin(), finished.end(), [&](const Refiner * r) { return &r->GetCandidate() == &best; }))
    {
      const double done = static_cast<double>(best.iterations.size()) / stage.iterations;
      run.Report(stage.begin + (stage.end - stage.begin) * std::min(1.0, done));
      if (!run.Observe(best.iterations.back()))
      {
        return false;
      }
    }
  }
  return true;
}

} // namespace

bool
RefineCandidates(LinearRun &                    run,
                 const LinearLevel &            level,
                 const LinearStage &            stage,
                 std::vector<LinearCandidate> & candidates)
{
  Refiners refiners;
  for (LinearCandidate & candidate : candidates)
  {
    refiners.push_back(std::make_unique<Refiner>(run, level, stage, candidate));
  }
  const bool goesOn = RunRefiners(run, level, stage, refiners, candidates);
  refiners.clear();
  Sort(candidates);
  while (!candidates.empty() && std::isinf(candidates.back().value))
  {
    candidates.pop_back();
  }
  return goesOn;
}

} // namespace cudaneuro
