// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"

#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** A map of a level, and the image that it deforms. */
struct Side
{
  ImagePair                  images;
  std::shared_ptr<ForcePlan> plan;
  StepMemory                 memory;
  StepBuffers                buffers;
  /** The image deformed by the candidate, if another map is compared with it. */
  DeviceMemory deformed;
};

/** The steps of the map to the moving image, and of that to the fixed one, if both move. */
class LevelSteps
{
public:
  LevelSteps(Context &                      context,
             const RegistrationParameters & parameters,
             const LevelProblem &           problem,
             const SoAField &               displacement)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_Solver(MakeVelocitySolver(context, VelocityParameters(parameters), problem.images.extent))
  {
    this->AddSide(problem.images, displacement, problem.iterations + 1);
    if (problem.toFixed.x != nullptr)
    {
      ImagePair swapped = problem.images;
      std::swap(swapped.moving, swapped.fixed);
      this->AddSide(swapped, problem.toFixed, problem.iterations + 1);
      this->JoinSides();
    }
  }

  const StepBuffers &
  GetBuffers() const
  {
    return m_Sides.front().buffers;
  }

  void
  Start()
  {
    for (const Side & side : m_Sides)
    {
      StartSteps(m_Context, side.buffers);
    }
  }

  void
  Finish()
  {
    for (const Side & side : m_Sides)
    {
      FinishSteps(m_Context, side.buffers);
    }
  }

  /** Forces on the candidates, and the decision about them. */
  void
  Evaluate()
  {
    if (m_Sides.size() > 1)
    {
      // Both before either force, so that no map goes before the other.
      for (const Side & side : m_Sides)
      {
        ImagePair alone = side.images;
        alone.fixed = nullptr;
        EnqueueDeformation(m_Context, alone, side.buffers, static_cast<float *>(side.deformed.Data()));
      }
    }
    for (const Side & side : m_Sides)
    {
      EnqueueForce(*side.plan, side.buffers);
    }
    if (m_Sides.size() > 1)
    {
      EnqueueDecision(*m_Sides[0].plan, *m_Sides[1].plan, this->GetBuffers());
    }
    else
    {
      EnqueueDecision(*m_Sides[0].plan, this->GetBuffers());
    }
  }

  /** The next candidates. */
  void
  Move(bool isFirst)
  {
    // The length of the step is that of the fastest voxel of all maps.
    for (const Side & side : m_Sides)
    {
      EnqueueVelocity(m_Context, *m_Solver, side.buffers, isFirst);
    }
    for (const Side & side : m_Sides)
    {
      EnqueueAdvection(m_Context, m_Parameters, side.buffers);
      EnqueueLimit(m_Context, m_Parameters, side.buffers);
    }
  }

private:
  void
  AddSide(const ImagePair & images, const SoAField & displacement, int records)
  {
    const StepMemory memory(m_Context, images.extent, displacement, records, true);
    m_Sides.push_back({ images, MakeForcePlan(m_Context, m_Parameters, images), memory, memory.GetBuffers(), {} });
  }

  /** Compares each deformed image with the other one, and lets both maps share one length of the step. */
  void
  JoinSides()
  {
    for (Side & side : m_Sides)
    {
      side.buffers.state = m_Sides[0].buffers.state;
      side.deformed = m_Context.Allocate(static_cast<std::size_t>(NumberOfVoxels(side.images.extent)) * sizeof(float));
    }
    for (std::size_t index = 0; index < 2; ++index)
    {
      ImagePair compared = m_Sides[index].images;
      compared.fixed = static_cast<const float *>(m_Sides[1 - index].deformed.Data());
      ChangeImages(*m_Sides[index].plan, compared);
    }
  }

  Context &                       m_Context;
  const RegistrationParameters &  m_Parameters;
  std::unique_ptr<VelocitySolver> m_Solver;
  std::vector<Side>               m_Sides;
};

} // namespace

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  LevelSteps          steps(context, parameters, problem, displacement);
  const StepBuffers & buffers = steps.GetBuffers();
  LevelHistory        history(parameters, problem.level);
  LevelResult         result;
  steps.Start();
  try
  {
    for (int iteration = 0; iteration <= problem.iterations && buffers.state->isRunning; ++iteration)
    {
      steps.Evaluate();
      result.final = history.Add(buffers.records[iteration]);
      // The last evaluation is that of the result and no iteration.
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
    // The copy must not be aborted, too.
    const Context::ProgressPause pause(context);
    steps.Finish();
    throw;
  }
  steps.Finish();
  result.numberOfShortenedSteps = history.GetNumberOfShortenedSteps();
  return result;
}

} // namespace cudaneuro::cpu
