// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

LevelHistory::LevelHistory(const RegistrationParameters & parameters, int level)
  : m_MaximumStep(parameters.maximumStep)
  , m_NumberOfChannels(1 + parameters.furtherChannels.size())
  , m_Decision(parameters, Extent())
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
  iteration.channelEnergies = { record.imageEnergy };
  for (std::size_t term = 0; term + 1 < m_NumberOfChannels; ++term)
  {
    iteration.channelEnergies.push_back(record.termEnergies[term]);
  }
  iteration.imageEnergy = ImageEnergyOf(m_Decision, record);
  iteration.biasEnergy = record.biasEnergy;
  iteration.pointEnergy = record.termEnergies[pointTerm];
  iteration.labelEnergy = record.termEnergies[labelTerm];
  iteration.energy = EnergyOf(m_Decision, record);
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
