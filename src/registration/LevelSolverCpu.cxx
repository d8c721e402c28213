// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"

#include "fields/CellSampler.h"
#include "registration/RegistrationForceCpu.h"
#include "registration/VelocityCpu.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

void
ForPlanes(Context &                                                         context,
          const Extent &                                                    extent,
          const std::function<void(std::int64_t begin, std::int64_t end)> & body)
{
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) { body(z * plane, (z + 1) * plane); });
}

void
CopyField(Context & context, const Extent & extent, const ConstSoAField & from, const SoAField & to)
{
  ForPlanes(context, extent, [&](std::int64_t begin, std::int64_t end) {
    std::copy(from.x + begin, from.x + end, to.x + begin);
    std::copy(from.y + begin, from.y + end, to.y + begin);
    std::copy(from.z + begin, from.z + end, to.z + begin);
  });
}

float
LargestLength(Context & context, const Extent & extent, const ConstSoAField & field)
{
  std::vector<float> largest(static_cast<std::size_t>(extent.z), 0.0f);
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    float square = 0.0f;
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
    {
      square = std::max(square, field.x[i] * field.x[i] + field.y[i] * field.y[i] + field.z[i] * field.z[i]);
    }
    largest[static_cast<std::size_t>(z)] = square;
  });
  return std::sqrt(*std::max_element(largest.begin(), largest.end()));
}

/** Carries the map along the velocity: to(x) = from(x - t v(x)) + t v(x). */
void
Carry(Context &             context,
      const Extent &        extent,
      const ConstSoAField & velocity,
      float                 time,
      const ConstSoAField & from,
      const SoAField &      to)
{
  const CellGrid grid(extent);
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    std::int64_t i = z * extent.y * extent.x;
    for (int y = 0; y < extent.y; ++y)
    {
      for (int x = 0; x < extent.x; ++x, ++i)
      {
        const float dx = time * velocity.x[i];
        const float dy = time * velocity.y[i];
        const float dz = time * velocity.z[i];
        const Cell  cell =
          Cell::Nearest(grid, static_cast<float>(x) - dx, static_cast<float>(y) - dy, static_cast<float>(z) - dz);
        to.x[i] = cell.Interpolate(grid, from.x) + dx;
        to.y[i] = cell.Interpolate(grid, from.y) + dy;
        to.z[i] = cell.Interpolate(grid, from.z) + dz;
      }
    }
  });
}

/** The iterations of a level, as AcceptStepKernel and its fellows do them on a GPU. */
class Level
{
public:
  Level(Context &                      context,
        const RegistrationParameters & parameters,
        const LevelProblem &           problem,
        const SoAField &               displacement)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_Problem(problem)
    , m_Displacement(displacement)
    , m_Voxels(NumberOfVoxels(problem.extent))
    , m_Other(context, m_Voxels)
    , m_Force(context, m_Voxels)
    , m_Velocity(context, m_Voxels)
    , m_Scratch(context, m_Voxels)
    , m_Maker(MakeVelocityMaker(context, parameters, problem.extent))
    , m_Current(m_Other.View())
    , m_Candidate(displacement)
  {
    const SoAField velocity = m_Velocity.View();
    ForPlanes(context, problem.extent, [&](std::int64_t begin, std::int64_t end) {
      std::fill(velocity.x + begin, velocity.x + end, 0.0f);
      std::fill(velocity.y + begin, velocity.y + end, 0.0f);
      std::fill(velocity.z + begin, velocity.z + end, 0.0f);
    });
    // The field that is not the candidate must be a map, too.
    CopyField(context, problem.extent, displacement, m_Other.View());
    if (parameters.metric == RegistrationMetric::LocalCorrelation)
    {
      m_Derivative = context.Allocate(static_cast<std::size_t>(m_Voxels) * sizeof(float));
    }
  }

  /** Energy of the candidate and the force; accepts the candidate, or refuses it for folding, and chooses the scale of the
   * next step. \returns whether to go on. */
  bool
  Evaluate(int iteration)
  {
    ForceSums sums;
    double    offset = 0.0;
    auto *    derivative = static_cast<float *>(m_Derivative.Data());
    double    correlation = 0.0;
    if (derivative != nullptr)
    {
      offset = 1.0;
      correlation = LocalCorrelation(m_Context, m_Parameters, m_Problem, m_Candidate, derivative);
    }
    sums = RegistrationForce(m_Context, m_Parameters, m_Problem, m_Candidate, derivative, m_Force.View());

    RegistrationIteration next = m_Last;
    next.level = m_Problem.level;
    next.iteration = iteration;
    next.wasShortened = !(sums.minimumJacobian > 0.0f);
    bool goesOn = true;
    if (next.wasShortened)
    {
      m_Scale *= static_cast<float>(StepControl::scaleAfterFold);
      m_IsVelocityCurrent = true;
      ++m_NumberOfShortenedSteps;
    }
    else
    {
      const double perVoxel = 1.0 / static_cast<double>(m_Voxels);
      next.imageEnergy = offset + perVoxel * (sums.imageEnergy + correlation);
      next.biasEnergy = perVoxel * sums.biasEnergy;
      next.energy = next.imageEnergy + m_Parameters.unbiasedWeight * next.biasEnergy;
      next.minimumJacobian = static_cast<double>(sums.minimumJacobian);
      if (!m_Iterations.empty())
      {
        const double factor = next.energy > m_Last.energy ? StepControl::scaleAfterRise : StepControl::scaleAfterFall;
        m_Scale = std::min(1.0f, m_Scale * static_cast<float>(factor));
      }
      std::swap(m_Current, m_Candidate);
      m_IsVelocityCurrent = false;
      goesOn = !this->HasConverged(next.energy);
    }
    next.step = m_Parameters.maximumStep * static_cast<double>(m_Scale);
    m_Iterations.push_back(next);
    m_Last = next;
    return goesOn;
  }

  /** Velocity, unless it is still that of the refused candidate, and the next candidate. */
  void
  Move()
  {
    if (!m_IsVelocityCurrent)
    {
      m_Maker->Make(m_Force.View(), m_Velocity.View(), m_Scratch.View(), m_IsFirstVelocity);
      m_IsFirstVelocity = false;
      m_LargestLength = LargestLength(m_Context, m_Problem.extent, m_Velocity.View());
    }
    // Without a velocity the map stays as it is, to the bit.
    const float time =
      m_LargestLength > 0.0f ? static_cast<float>(m_Parameters.maximumStep) * m_Scale / m_LargestLength : 0.0f;
    Carry(m_Context, m_Problem.extent, m_Velocity.View(), time, m_Current, m_Candidate);
    SmoothDisplacement(m_Context, m_Parameters, m_Problem.extent, m_Candidate, m_Scratch.View());
  }

  const RegistrationIteration &
  GetLast() const
  {
    return m_Last;
  }
  int
  GetNumberOfShortenedSteps() const
  {
    return m_NumberOfShortenedSteps;
  }

  /** Puts the last good map where the caller has the displacement. */
  void
  Finish()
  {
    const bool isJudged = !m_Iterations.empty();
    if (isJudged && m_Current.x != m_Displacement.x)
    {
      CopyField(m_Context, m_Problem.extent, m_Current, m_Displacement);
    }
  }

private:
  bool
  HasConverged(double energy) const
  {
    const auto window = static_cast<std::ptrdiff_t>(m_Iterations.size()) - StepControl::convergenceWindow;
    if (m_Parameters.convergenceThreshold <= 0.0 || window < 0)
    {
      return false;
    }
    const RegistrationIteration & before = m_Iterations[static_cast<std::size_t>(window)];
    return !before.wasShortened && before.energy - energy < m_Parameters.convergenceThreshold * std::abs(before.energy);
  }

  Context &                          m_Context;
  const RegistrationParameters &     m_Parameters;
  const LevelProblem &               m_Problem;
  SoAField                           m_Displacement;
  std::int64_t                       m_Voxels;
  SoAFieldMemory                     m_Other;
  SoAFieldMemory                     m_Force;
  SoAFieldMemory                     m_Velocity;
  SoAFieldMemory                     m_Scratch;
  std::unique_ptr<VelocityMaker>     m_Maker;
  SoAField                           m_Current;
  SoAField                           m_Candidate;
  DeviceMemory                       m_Derivative;
  std::vector<RegistrationIteration> m_Iterations;
  RegistrationIteration              m_Last;
  float                              m_Scale = 1.0f;
  float                              m_LargestLength = 0.0f;
  bool                               m_IsVelocityCurrent = true;
  bool                               m_IsFirstVelocity = true;
  int                                m_NumberOfShortenedSteps = 0;
};

} // namespace

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  Level       level(context, parameters, problem, displacement);
  LevelResult result;
  try
  {
    for (int iteration = 0; iteration <= problem.iterations; ++iteration)
    {
      const bool goesOn = level.Evaluate(iteration);
      // The last evaluation is of the end result, and no iteration.
      if (iteration < problem.iterations && !observer.Observe(level.GetLast()))
      {
        result.wasStopped = true;
        break;
      }
      if (!goesOn)
      {
        break;
      }
      if (iteration < problem.iterations)
      {
        level.Move();
      }
    }
  }
  catch (...)
  {
    // The copy must not be aborted, too.
    const Context::ProgressPause pause(context);
    level.Finish();
    throw;
  }
  level.Finish();
  result.final = level.GetLast();
  result.numberOfShortenedSteps = level.GetNumberOfShortenedSteps();
  return result;
}

} // namespace cudaneuro::cpu
