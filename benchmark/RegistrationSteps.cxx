// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "RegistrationSteps.h"

#include "Cases.h"
#include "Timing.h"
#include "core/BuildConfiguration.h"
#include "fields/FieldComposition.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "registration/RegistrationForceCpu.h"
#include "registration/VelocityCpu.h"

#include <memory>

namespace cudaneuro::benchmark
{

namespace
{

/** An iteration half way between the images of a pair. */
class HalfWay
{
public:
  HalfWay(Context & context, const RegistrationPair & pair, const RegistrationParameters & parameters)
    : m_Context(context)
    , m_Parameters(parameters)
  {
    m_Problem.extent = ExtentOf(pair.geometry.grid);
    m_Problem.fixed = static_cast<const float *>(pair.fixed.data);
    m_Problem.moving = static_cast<const float *>(pair.moving.data);
    RunDeviceJob(context, [&] { this->Prepare(pair); });
  }
  HalfWay(const HalfWay &) = delete;
  HalfWay &
  operator=(const HalfWay &) = delete;

  /** \param times more than one for steps so short that starting a job would count. */
  void
  Run(const std::function<void()> & step, int times)
  {
    RunDeviceJob(m_Context, [&] {
      for (int time = 0; time < times; ++time)
      {
        step();
      }
    });
  }

  const RegistrationSteps &
  GetSteps() const
  {
    return m_Steps;
  }

private:
  void
  Prepare(const RegistrationPair & pair)
  {
    const std::int64_t voxels = pair.geometry.grid.NumberOfVoxels();
    for (SoAFieldMemory & field : m_Memory)
    {
      field = SoAFieldMemory(m_Context, voxels);
    }
    const StepFields fields{
      m_Memory[0].View(), m_Memory[1].View(), m_Memory[2].View(), m_Memory[3].View(), m_Memory[4].View()
    };
    const SoAFieldMemory        way = ReadField(m_Context, pair.geometry, pair.geometry, pair.halfWay);
    const std::array<double, 3> negative{ -1.0, -1.0, -1.0 };
    ResampleField(
      m_Context, m_Problem.extent, way.View(), AffineMap(), negative, m_Problem.extent, fields.displacement);
    m_Steps = this->MakeSteps(fields);
    // Each step has what it reads, whichever is timed.
    m_Steps.force();
    m_Steps.velocity();
  }

  RegistrationSteps
  MakeSteps(const StepFields & fields)
  {
    if constexpr (builtWithCuda)
    {
      if (m_Context.GetDevice().IsCuda())
      {
        return MakeCudaSteps(m_Context, m_Parameters, m_Problem, fields);
      }
    }
    return MakeHostSteps(m_Context, m_Parameters, m_Problem, fields);
  }

  Context &                     m_Context;
  const RegistrationParameters  m_Parameters;
  LevelProblem                  m_Problem;
  std::array<SoAFieldMemory, 5> m_Memory;
  RegistrationSteps             m_Steps;
};

} // namespace

RegistrationSteps
MakeHostSteps(Context &                      context,
              const RegistrationParameters & parameters,
              const LevelProblem &           problem,
              const StepFields &             fields)
{
  const std::shared_ptr<cpu::VelocityMaker> maker = cpu::MakeVelocityMaker(context, parameters, problem.extent);
  RegistrationSteps                         steps;
  steps.force = [&context, &parameters, &problem, fields] {
    cpu::RegistrationForce(context, parameters, problem, fields.displacement, nullptr, fields.force);
  };
  steps.velocity = [maker, fields] { maker->Make(fields.force, fields.velocity, fields.scratch, false); };
  return steps;
}

double
TimeStep(const Repetition &             repetition,
         Context &                      context,
         const RegistrationPair &       pair,
         const RegistrationParameters & parameters,
         std::function<void()> RegistrationSteps::*step)
{
  HalfWay   halfWay(context, pair, parameters);
  const int times = context.GetDevice().IsCuda() ? 10 : 1;
  return MedianOfRuns(repetition, [&] {
    return DeviceMilliseconds(context, [&] { halfWay.Run(halfWay.GetSteps().*step, times); }) / times;
  });
}

} // namespace cudaneuro::benchmark
