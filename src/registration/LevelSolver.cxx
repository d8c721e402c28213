// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

LevelHistory::LevelHistory(const RegistrationParameters & parameters, int level)
  : m_MaximumStep(parameters.maximumStep)
  , m_BiasWeight(parameters.unbiasedWeight)
{
  m_Accepted.level = level;
}

RegistrationIteration
LevelHistory::Add(const StepRecord & record)
{
  RegistrationIteration iteration = m_Accepted;
  iteration.iteration = m_NumberOfIterations++;
  iteration.wasShortened = record.hasFolded != 0;
  iteration.step = m_MaximumStep * static_cast<double>(record.stepFraction);
  if (record.hasFolded)
  {
    ++m_NumberOfShortenedSteps;
    return iteration;
  }
  iteration.imageEnergy = record.imageEnergy;
  iteration.biasEnergy = record.biasEnergy;
  iteration.energy = record.imageEnergy + m_BiasWeight * record.biasEnergy;
  iteration.minimumJacobian = static_cast<double>(record.minimumJacobian);
  m_Accepted = iteration;
  return iteration;
}

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  CUDANEURO_DISPATCH(context, RunLevel(context, parameters, problem, displacement, observer));
}

} // namespace cudaneuro
