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
  /** What it was before the first level. */
  AffineMap start;
  /** The metric at the current level; infinite where the map cannot be taken. */
  double value = std::numeric_limits<double>::infinity();
  double overlap = 0.0;
  /** As LinearTrial has it. */
  double        score = std::numeric_limits<double>::infinity();
  ChannelValues channelValues{};
  /** The iterations of the current level. */
  std::vector<LinearRegistrationIteration> iterations;
};

/** What the stages of a registration share: evaluation of maps at a level, and what is told to the caller. */
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

  /** Evaluates all maps at once. The value of a map that cannot be taken, for its overlap or its shape, is set to
   * infinity.
   * \throws Aborted */
  void
  Evaluate(const LinearLevel & level, std::vector<LinearTrial> & trials, bool withDerivatives);

  /** The shape of a map against the initial transform. */
  LinearMapShape
  ShapeOf(const AffineMap & map) const;

  /** The largest overlap of all maps since RelaxMinimumOverlap, as minimumOverlap has it. */
  double
  GetLargestOverlap() const
  {
    return m_LargestOverlap;
  }

  /** Sets the progress to a fraction of the whole, if that is more than it is, and leaves it there, whatever threads
   * report.
   * \throws Aborted */
  void
  Report(double fraction);

  /** Takes note of the best candidate so far. */
  void
  SetBest(const LinearCandidate & best);

  /** Iterations that are told of are counted from 0 again. */
  void
  BeginLevel()
  {
    m_NumberOfObserved = 0;
  }

  /** Sees to it that the candidates can be taken at another level, where overlap is counted in other voxels: the
   * largest of theirs is the minimum there if it is less. */
  void
  RelaxMinimumOverlap(const LinearLevel & level, const std::vector<LinearCandidate> & candidates);

  /** Tells the observer of an iteration of the candidate that is the best.
   * \returns whether to go on */
  bool
  Observe(LinearRegistrationIteration iteration);

private:
  /** The part of the smaller image that the other one covers. */
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

/** Makes a map that was tried the candidate's. */
void
Take(const LinearTrial & trial, LinearCandidate & candidate);

/** Puts the candidate with the best score first. */
void
Sort(std::vector<LinearCandidate> & candidates);

} // namespace cudaneuro

#endif
