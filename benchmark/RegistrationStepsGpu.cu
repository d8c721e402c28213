// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "RegistrationSteps.h"

#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "registration/RegistrationForceLaunch.cuh"
#include "registration/RegistrationStepKernel.cuh"
#include "registration/VelocityGpu.cuh"

#include <memory>

namespace cudaneuro::benchmark
{

namespace
{

/** The kernels of an iteration, as the level of a registration launches them, and what they have in device memory besides
 * fields. */
class Steps
{
public:
  Steps(Context &                      context,
        const RegistrationParameters & parameters,
        const LevelProblem &           problem,
        const StepFields &             fields)
    : m_Stream(context.Gpu().ComputeStream())
    , m_Fields(fields)
    , m_State(context.Gpu().AllocateArray<LevelState>(1))
    , m_Launch(problem.extent, context.Gpu().NumberOfMultiprocessors(), parameters)
    , m_Partials(context.Gpu().AllocateArray<ForcePartial>(m_Launch.NumberOfBlocks()))
    , m_Force(m_Launch.Arguments(parameters, problem))
    , m_Velocities(gpu::MakeVelocityEnqueuer(context, parameters, problem.extent))
  {
    // The first of a pair is the map as it is, the second the candidate.
    const LevelState state{ 1, 1, 0, 0, 0, 1.0f, 0, 0.0 };
    CUDANEURO_CUDA(cudaMemcpyAsync(m_State.Data(), &state, sizeof(state), cudaMemcpyHostToDevice, m_Stream));
    CUDANEURO_CUDA(cudaStreamSynchronize(m_Stream));
    m_Force.displacements = { fields.carried, fields.displacement };
    m_Force.state = m_State.Data();
    m_Force.force = fields.force;
    m_Force.partials = m_Partials.Data();
    m_Carry.extent = problem.extent;
    m_Carry.grid = CellGrid(problem.extent);
    m_Carry.displacements = { fields.displacement, fields.carried };
    m_Carry.state = m_State.Data();
    m_Carry.velocity = fields.velocity;
    m_Carry.maximumStep = static_cast<float>(parameters.maximumStep);
  }

  void
  EnqueueForce()
  {
    m_Launch.Enqueue(m_Stream, m_Force);
  }

  void
  EnqueueVelocity()
  {
    LevelState * const state = m_State.Data();
    const SoAField     scratch = m_Velocities->NeedsScratch() ? m_Fields.scratch : m_Fields.velocity;
    m_Velocities->Enqueue(m_Fields.force, m_Fields.velocity, scratch, false, &state->solve, &state->largestSquare);
  }

  void
  EnqueueCarry()
  {
    const Extent & extent = m_Carry.extent;
    const dim3     blocks(gpu::BlocksFor(extent.x, carryThreadsX),
                      gpu::BlocksFor(extent.y, carryThreadsY),
                      gpu::BlocksFor(extent.z, carryPlanes));
    AdvectMapKernel<<<blocks, dim3(carryThreadsX, carryThreadsY), 0, m_Stream>>>(m_Carry);
    CUDANEURO_CUDA_LAUNCHED("AdvectMapKernel");
  }

private:
  cudaStream_t                           m_Stream;
  StepFields                             m_Fields;
  DeviceBuffer<LevelState>               m_State;
  gpu::ForceLaunch                       m_Launch;
  DeviceBuffer<ForcePartial>             m_Partials;
  ForceArguments                         m_Force;
  CarryArguments                         m_Carry{};
  std::unique_ptr<gpu::VelocityEnqueuer> m_Velocities;
};

} // namespace

RegistrationSteps
MakeCudaSteps(Context &                      context,
              const RegistrationParameters & parameters,
              const LevelProblem &           problem,
              const StepFields &             fields)
{
  const auto steps = std::make_shared<Steps>(context, parameters, problem, fields);
  return { [steps] { steps->EnqueueForce(); },
           [steps] { steps->EnqueueVelocity(); },
           [steps] { steps->EnqueueCarry(); } };
}

} // namespace cudaneuro::benchmark
