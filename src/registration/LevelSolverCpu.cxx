// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSteps.h"

namespace cudaneuro::cpu
{

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  LevelSteps<CpuSteps> steps(context, parameters, problem, displacement);
  const StepBuffers &  buffers = steps.GetBuffers();
  LevelHistory         history(parameters, problem.level);
  LevelResult          result;
  steps.Start();
  try
  {
    for (int iteration = 0; iteration <= problem.iterations && buffers.state->isRunning; ++iteration)
    {
      steps.Evaluate();
      result.final = history.Add(buffers.records[iteration]);
      // The last evaluation belongs to the result and is not an iteration.
      if (iteration < problem.iterations)
      {
        if (!observer.Observe(result.final))
        {
          result.wasStopped = true;
          break;
        }
        steps.Move(iteration == 0);
      }
    }
  }
  catch (...)
  {
    // An abort must not interrupt the copy, too.
    const Context::ProgressPause pause(context);
    steps.Finish();
    throw;
  }
  steps.Finish();
  result.numberOfShortenedSteps = history.GetNumberOfShortenedSteps();
  return result;
}

} // namespace cudaneuro::cpu
