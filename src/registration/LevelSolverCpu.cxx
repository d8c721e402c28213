// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"

namespace cudaneuro::cpu
{

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  const Extent &      extent = problem.images.extent;
  const auto          plan = MakeForcePlan(context, parameters, problem.images);
  const auto          solver = MakeVelocitySolver(context, VelocityParameters(parameters), extent);
  const StepMemory    memory(context, extent, displacement, problem.iterations + 1, true);
  const StepBuffers & buffers = memory.GetBuffers();
  LevelHistory        history(parameters, problem.level);
  LevelResult         result;
  StartSteps(context, buffers);
  try
  {
    for (int iteration = 0; iteration <= problem.iterations && buffers.state->isRunning; ++iteration)
    {
      EnqueueForce(*plan, buffers);
      EnqueueDecision(*plan, buffers);
      result.final = history.Add(buffers.records[iteration]);
      // The last evaluation is that of the result and no iteration.
      if (iteration < problem.iterations)
      {
        if (!observer.Observe(result.final))
        {
          result.wasStopped = true;
          break;
        }
        EnqueueVelocity(context, *solver, buffers, iteration == 0);
        EnqueueAdvection(context, parameters, buffers);
        EnqueueLimit(context, parameters, buffers);
      }
    }
  }
  catch (...)
  {
    // The copy must not be aborted, too.
    const Context::ProgressPause pause(context);
    FinishSteps(context, buffers);
    throw;
  }
  FinishSteps(context, buffers);
  result.numberOfShortenedSteps = history.GetNumberOfShortenedSteps();
  return result;
}

} // namespace cudaneuro::cpu
