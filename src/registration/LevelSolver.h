// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelSolver_h
#define cudaneuro_registration_LevelSolver_h

#include "core/Dispatch.h"
#include "registration/step/StepFormulas.h"

namespace cudaneuro
{

struct LevelPoints;
struct LabelTerm;

struct LevelProblem
{
  Extent extent;
  /** The images of the parameters' channels. */
  std::vector<ImagePair> channels;
  /** Null where there are none. */
  const LevelPoints * points = nullptr;
  const LabelTerm *   labels = nullptr;
  /** The map from the middle to the fixed image in a symmetric registration; null otherwise. */
  SoAField toFixed{};
  int      level = 0;
  int      iterations = 0;
  /** Volumes to work in: see StepMemorySetting. */
  std::vector<float *> borrowed{};
};

/** Receives the iterations of a level in order as they become known. */
class LevelObserver
{
public:
  virtual ~LevelObserver() = default;

  /** \returns false to end the level.
   * \throws Aborted */
  virtual bool
  Observe(const RegistrationIteration & iteration) = 0;
};

struct LevelResult
{
  /** The state of the map that the level ends with. */
  RegistrationIteration final;
  int                   numberOfShortenedSteps = 0;
  /** The observer ended the level. */
  bool wasStopped = false;
};

/** Translates the records of a level's candidates, in order, to iterations. */
class LevelHistory
{
public:
  LevelHistory(const RegistrationParameters & parameters, int level);

  /** The next iteration. One that folded has the energies of the map that was accepted last. */
  RegistrationIteration
  Add(const StepRecord & record);

  /** The iteration that was accepted last. */
  const RegistrationIteration &
  GetAccepted() const
  {
    return m_Accepted;
  }
  int
  GetNumberOfShortenedSteps() const
  {
    return m_NumberOfShortenedSteps;
  }

private:
  double                m_MaximumStep;
  std::size_t           m_NumberOfChannels;
  DecisionParameters    m_Decision;
  int                   m_NumberOfIterations = 0;
  int                   m_NumberOfShortenedSteps = 0;
  RegistrationIteration m_Accepted;
};

/** Improves the map x + displacement(x), which must not fold. After an exception it holds the map that was
 * accepted last. */
CUDANEURO_DISPATCHED(LevelResult RunLevel(Context &                      context,
                                          const RegistrationParameters & parameters,
                                          const LevelProblem &           problem,
                                          const SoAField &               displacement,
                                          LevelObserver &                observer));

} // namespace cudaneuro

#endif
