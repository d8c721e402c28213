// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearRun.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

LinearRun::LinearRun(Context &                            context,
                     const LinearRegistrationParameters & parameters,
                     const LinearImages &                 images,
                     const LinearRegistrationObserver &   observer,
                     LinearRegistrationResult &           result)
  : m_Context(context)
  , m_Parameters(parameters)
  , m_Images(images)
  , m_Observer(observer)
  , m_Result(result)
  , m_Corners(images.GetVolumes().fixedGeometry)
{
  m_Range.emplace(context, 0.0, 0.0);
}

void
LinearRun::Evaluate(const LinearLevel & level, std::vector<LinearMetricEvaluation> & evaluations, bool withDerivatives)
{
  m_Context.ReportProgress(0.0);
  level.metric->Evaluate(evaluations, withDerivatives);
  m_Result.numberOfEvaluations += static_cast<std::int64_t>(evaluations.size());
  for (LinearMetricEvaluation & evaluation : evaluations)
  {
    const double overlap = this->OverlapOf(evaluation);
    m_LargestOverlap = std::max(m_LargestOverlap, overlap);
    if (overlap < m_Parameters.minimumOverlap)
    {
      evaluation.value = std::numeric_limits<double>::infinity();
    }
  }
}

double
LinearRun::OverlapOf(const LinearMetricEvaluation & evaluation) const
{
  if (m_Parameters.metric.isSymmetric)
  {
    return evaluation.overlap; // the mean of both
  }
  const LinearImage & fixed = m_Images.GetFixed();
  const LinearImage & moving = m_Images.GetMoving();
  // Of an image without a mask no more can be reached than the mask of the other image.
  const double smaller = std::min(fixed.GetSize(), moving.GetSize());
  const bool   isFixedMasked = fixed.GetMask().data != nullptr;
  const bool   isMovingMasked = moving.GetMask().data != nullptr;
  const double fixedSize = isMovingMasked && !isFixedMasked ? smaller : fixed.GetSize();
  const double movingSize = isFixedMasked && !isMovingMasked ? smaller : moving.GetSize();
  const double shared = evaluation.overlap * fixed.GetSize();
  return std::min(shared / fixedSize, shared * std::abs(Determinant(evaluation.map.matrix)) / movingSize);
}

double
LinearRun::ScoreOf(const LinearCandidate & candidate) const
{
  if (std::isinf(candidate.value))
  {
    return candidate.value;
  }
  // No information; no correlation; the difference of two intensities that have the variance 1.
  const RegistrationMetric metric = m_Parameters.metric.metric;
  const double             unlike = metric == RegistrationMetric::MutualInformation  ? 0.0
                                    : metric == RegistrationMetric::LocalCorrelation ? 1.0
                                                                                     : 2.0;
  return candidate.coverage * candidate.value + (1.0 - candidate.coverage) * unlike;
}

void
LinearRun::Sort(std::vector<LinearCandidate> & candidates) const
{
  std::stable_sort(candidates.begin(), candidates.end(), [this](const auto & a, const auto & b) {
    return this->ScoreOf(a) < this->ScoreOf(b);
  });
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
}

bool
LinearRun::Observe(LinearRegistrationIteration iteration)
{
  iteration.iteration = m_NumberOfObserved++;
  return !m_Observer || m_Observer(iteration);
}

} // namespace cudaneuro
