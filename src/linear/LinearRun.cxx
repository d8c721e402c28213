// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearRun.h"

#include "linear/MapShape.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

LinearRun::LinearRun(Context &                            context,
                     const LinearRegistrationParameters & parameters,
                     const LinearImages &                 images,
                     const AffineMap &                    initialTransform,
                     const LinearRegistrationObserver &   observer,
                     LinearRegistrationResult &           result)
  : m_Context(context)
  , m_Parameters(parameters)
  , m_Images(images)
  , m_Observer(observer)
  , m_Result(result)
  , m_Corners(images.GetVolumes().fixedGeometry)
  , m_FromInitial(Inverse(initialTransform).matrix)
  , m_MinimumOverlap(parameters.minimumOverlap)
{
  const std::array<double, 9> & direction = images.GetVolumes().fixedGeometry.direction;
  const double                  length = std::hypot(direction[2], direction[5], direction[8]);
  m_Normal = { direction[2] / length, direction[5] / length, direction[8] / length };
  m_Range.emplace(context, 0.0, 0.0);
}

void
LinearRun::Evaluate(const LinearLevel & level, std::vector<LinearTrial> & trials, bool withDerivatives)
{
  m_Context.ReportProgress(0.0);
  level.metric->Evaluate(trials, withDerivatives);
  m_Result.numberOfEvaluations += static_cast<std::int64_t>(trials.size());
  for (LinearTrial & trial : trials)
  {
    const double overlap = this->OverlapOf(trial);
    m_LargestOverlap = std::max(m_LargestOverlap, overlap);
    if (overlap < m_MinimumOverlap || !IsWithinLimits(this->ShapeOf(trial.map), m_Parameters))
    {
      trial.value = trial.score = std::numeric_limits<double>::infinity();
    }
  }
}

LinearMapShape
LinearRun::ShapeOf(const AffineMap & map) const
{
  return cudaneuro::ShapeOf(Compose({ map.matrix, {} }, { m_FromInitial, {} }).matrix, m_Normal);
}

double
LinearRun::OverlapOf(const LinearMetricEvaluation & evaluation) const
{
  if (m_Parameters.metric.useSymmetricMetric)
  {
    return evaluation.overlap;
  }
  const double fixedSize = m_Images.GetFixed().GetSize();
  const double movingSize = m_Images.GetMoving().GetSize() / std::abs(Determinant(evaluation.map.matrix));
  return std::min(1.0, evaluation.overlap * fixedSize / std::min(fixedSize, movingSize));
}

void
LinearRun::RelaxMinimumOverlap(const LinearLevel & level, const std::vector<LinearCandidate> & candidates)
{
  std::vector<LinearTrial> trials(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i)
  {
    trials[i].map = candidates[i].map;
  }
  m_LargestOverlap = 0.0;
  m_MinimumOverlap = 0.0;
  this->Evaluate(level, trials, false);
  m_MinimumOverlap = std::min(m_Parameters.minimumOverlap, m_LargestOverlap);
}

void
LinearRun::Report(double fraction)
{
  m_Progress = std::max(m_Progress, fraction);
  m_Range.reset();
  m_Range.emplace(m_Context, m_Progress, m_Progress);
  m_Context.ReportProgress(0.0);
}

void
LinearRun::SetBest(const LinearCandidate & best)
{
  m_Result.transform = best.map;
  m_Result.start = best.start;
  m_Result.value = best.value;
  m_Result.overlap = best.overlap;
  m_Result.channelValues.assign(best.channelValues.begin(),
                                best.channelValues.begin() + 1 + m_Parameters.furtherChannels.size());
  m_Result.shape = this->ShapeOf(best.map);
}

bool
LinearRun::Observe(LinearRegistrationIteration iteration)
{
  iteration.iteration = m_NumberOfObserved++;
  return !m_Observer || m_Observer(iteration);
}

void
Take(const LinearTrial & trial, LinearCandidate & candidate)
{
  candidate.map = trial.map;
  candidate.value = trial.value;
  candidate.overlap = trial.overlap;
  candidate.score = trial.score;
  candidate.channelValues = trial.channelValues;
}

void
Sort(std::vector<LinearCandidate> & candidates)
{
  std::stable_sort(
    candidates.begin(), candidates.end(), [](const auto & a, const auto & b) { return a.score < b.score; });
}

} // namespace cudaneuro
