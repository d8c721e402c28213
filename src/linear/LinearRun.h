// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearRun_h
#define cudaneuro_linear_LinearRun_h

#include "linear/LinearLevel.h"
#include "linear/LinearTransformParameters.h"

#include <limits>
#include <optional>

namespace cudaneuro
{

/** A map that may become the result. */
struct LinearCandidate
{
  AffineMap map;
  /** The map with which the candidate started, before the first level. */
  AffineMap start;
  /** The metric at the current level; infinite for an invalid map. */
  double value = std::numeric_limits<double>::infinity();
  double overlap = 0.0;
  /** See LinearTrial. */
  double        score = std::numeric_limits<double>::infinity();
  ChannelValues channelValues{};
  /** The iterations of the current level. */
  std::vector<LinearRegistrationIteration> iterations;
};

/** The common state of a registration's stages: evaluation of maps at a level, and reports to the caller. */
class LinearRun
{
public:
  LinearRun(Context &                            context,
            const LinearRegistrationParameters & parameters,
            const LinearImages &                 images,
            const AffineMap &                    initialTransform,
            const LinearRegistrationObserver &   observer,
            LinearRegistrationResult &           result);

  const LinearRegistrationParameters &
  GetParameters() const
  {
    return m_Parameters;
  }
  const LinearImages &
  GetImages() const
  {
    return m_Images;
  }
  const GridCorners &
  GetCorners() const
  {
    return m_Corners;
  }
  Context &
  GetContext() const
  {
    return m_Context;
  }

  /** Evaluates all maps at once. Sets the value of a map to infinity if its overlap or its shape is outside the
   * limits.
   * \throws Aborted */
  void
  Evaluate(const LinearLevel & level, std::vector<LinearTrial> & trials, bool withDerivatives);

  /** The shape of a map relative to the initial transform. */
  LinearMapShape
  ShapeOf(const AffineMap & map) const;

  /** The largest overlap of all maps evaluated since RelaxMinimumOverlap, defined as for minimumOverlap. */
  double
  GetLargestOverlap() const
  {
    return m_LargestOverlap;
  }

  /** Raises the progress to a fraction of the whole, unless it is higher already, and keeps it there, even if threads
   * report.
   * \throws Aborted */
  void
  Report(double fraction);

  /** Records the best candidate so far. */
  void
  SetBest(const LinearCandidate & best);

  /** Resets the number of observed iterations to 0. */
  void
  BeginLevel()
  {
    m_NumberOfObserved = 0;
  }

  /** Keeps candidates valid at another level, where overlap is counted in other voxels: lowers the minimum overlap to
   * the largest overlap of the candidates, if that is less. */
  void
  RelaxMinimumOverlap(const LinearLevel & level, const std::vector<LinearCandidate> & candidates);

  /** Reports an iteration of the best candidate to the observer.
   * \returns whether to continue */
  bool
  Observe(LinearRegistrationIteration iteration);

private:
  /** The fraction of the smaller image that the other one covers. */
  double
  OverlapOf(const LinearMetricEvaluation & evaluation) const;

  Context &                             m_Context;
  const LinearRegistrationParameters &  m_Parameters;
  const LinearImages &                  m_Images;
  const LinearRegistrationObserver &    m_Observer;
  LinearRegistrationResult &            m_Result;
  GridCorners                           m_Corners;
  std::array<double, 9>                 m_FromInitial;
  std::array<double, 3>                 m_Normal{};
  std::optional<Context::ProgressRange> m_Range;
  double                                m_Progress = 0.0;
  int                                   m_NumberOfObserved = 0;
  double                                m_LargestOverlap = 0.0;
  double                                m_MinimumOverlap;
};

/** Copies the map of a trial and its values to the candidate. */
void
Take(const LinearTrial & trial, LinearCandidate & candidate);

/** Sorts the candidates, best score first. */
void
Sort(std::vector<LinearCandidate> & candidates);

} // namespace cudaneuro

#endif
