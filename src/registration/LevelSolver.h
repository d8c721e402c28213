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
  /** The images of the channels, in the order of the parameters. */
  std::vector<ImagePair> channels;
  /** The pairs of points; null where there are none. */
  const LevelPoints * points = nullptr;
  const LabelTerm *   labels = nullptr;
  /** The displacement from the middle to the fixed image in a symmetric registration; null otherwise. */
  SoAField toFixed{};
  int      level = 0;
  int      iterations = 0;
  /** Borrowed volumes, which are overwritten: see StepMemorySetting. */
  std::vector<float *> borrowed{};
};

/** Receives the iterations of a level, in order, once they are known. */
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
  /** The iteration of the map with which the level ends. */
  RegistrationIteration final;
  int                   numberOfShortenedSteps = 0;
  /** Whether the observer ended the level. */
  bool wasStopped = false;
};

/** Converts the records of a level's candidates, in order, to iterations. */
class LevelHistory
{
public:
  LevelHistory(const RegistrationParameters & parameters, int level);

  /** The next iteration. After a rejected candidate it repeats the energies of the last accepted map. */
  RegistrationIteration
  Add(const StepRecord & record);

  /** The last accepted iteration. */
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

/** Improves the map x + displacement(x), which must not fold. If an exception is thrown, the displacement is that of
 * the last accepted map. */
CUDANEURO_DISPATCHED(LevelResult RunLevel(Context &                      context,
                                          const RegistrationParameters & parameters,
                                          const LevelProblem &           problem,
                                          const SoAField &               displacement,
                                          LevelObserver &                observer));

} // namespace cudaneuro

#endif
