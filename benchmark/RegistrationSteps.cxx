// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "RegistrationSteps.h"

#include "core/Dispatch.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"
#include "registration/step/Step.h"

#include <functional>
#include <memory>
#include <optional>

namespace cudaneuro::benchmark
{

namespace
{

ImagePair
ImagesOf(const RegistrationPair & pair)
{
  ImagePair images;
  images.extent = ExtentOf(pair.geometry.grid);
  images.fixed = static_cast<const float *>(pair.fixed.data);
  images.moving = static_cast<const float *>(pair.moving.data);
  return images;
}

void
Start(Context & context, const StepBuffers & buffers)
{
  CUDANEURO_DISPATCH(context, StartSteps(context, buffers));
}

/** Returns a function that runs a part of a step any number of times. All arguments must outlive it. */
std::function<void(StepPart)>
MakeParts(Context &                      context,
          const RegistrationParameters & parameters,
          const ImagePair &              images,
          VelocitySolver &               solver,
          const StepBuffers &            buffers)
{
  const auto onDevice =
    [&](const auto & plan, const auto & derivative, const auto & force, const auto & velocity, const auto & advection) {
      return [&context, &parameters, &solver, &buffers, plan, derivative, force, velocity, advection](StepPart part) {
        switch (part)
        {
          case StepPart::Force:
            derivative(*plan, buffers, buffers.force);
            return force(*plan, buffers);
          case StepPart::Velocity:
            return velocity(context, solver, buffers, false);
          case StepPart::Advection:
            return advection(context, parameters, buffers);
        }
      };
    };
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return onDevice(gpu::MakeForcePlan(context, parameters, images),
                      gpu::EnqueueDerivative,
                      gpu::EnqueueForce,
                      gpu::EnqueueVelocity,
                      gpu::EnqueueAdvection);
    }
  }
  return onDevice(cpu::MakeForcePlan(context, parameters, images),
                  cpu::EnqueueDerivative,
                  cpu::EnqueueForce,
                  cpu::EnqueueVelocity,
                  cpu::EnqueueAdvection);
}

} // namespace

double
TimeStep(const Repetition &             repetition,
         Context &                      context,
         const RegistrationPair &       pair,
         const RegistrationParameters & parameters,
         StepPart                       part)
{
  const ImagePair                 images = ImagesOf(pair);
  SoAFieldMemory                  displacement;
  std::unique_ptr<VelocitySolver> solver;
  std::optional<StepMemory>       memory;
  std::function<void(StepPart)>   run;
  RunDeviceJob(context, [&] {
    displacement = ReadField(context, pair.geometry, pair.geometry, pair.halfWay);
    solver = MakeVelocitySolver(context, VelocityParameters(parameters, 0), images.extent);
    const bool needsScratch = NeedsScratch(parameters, *solver);
    memory.emplace(context, StepMemorySetting{ images.extent, displacement.View(), {}, 1, needsScratch });
    Start(context, memory->GetBuffers());
    run = MakeParts(context, parameters, images, *solver, memory->GetBuffers());
    // These runs compute the inputs of every part that may be timed.
    run(StepPart::Force);
    run(StepPart::Velocity);
  });
  // A part is repeated within a job, so that the start of the job does not count.
  const int    times = context.GetDevice().IsCuda() ? 10 : 1;
  const double milliseconds = MedianOnDevice(repetition, context, [&] {
    RunDeviceJob(context, [&] {
      for (int time = 0; time < times; ++time)
      {
        run(part);
      }
    });
  });
  return milliseconds / times;
}

} // namespace cudaneuro::benchmark
