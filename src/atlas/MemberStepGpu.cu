// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/MemberStepKernel.cuh"
#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <utility>

namespace cudaneuro::gpu
{

namespace
{

class Stepper : public MemberStepper
{
public:
  Stepper(Context & context, const StepperSetting & setting)
    : m_Context(context)
    , m_Stream(GpuOf(context).ComputeStream())
    , m_Setting(setting)
    , m_Solver(MakeVelocitySolver(context, VelocityParameters(setting.parameters, 0), setting.extent))
    , m_Plan(MakeForcePlan(context, setting.parameters, ImagesOf(setting, nullptr)))
    , m_Blocks(DivideUp(setting.extent.x, deformThreadsX),
               DivideUp(setting.extent.y, deformThreadsY),
               DivideUp(setting.extent.z, deformPlanes))
    , m_NumberOfExtremes(m_Blocks.x * m_Blocks.y * m_Blocks.z)
    , m_Extremes(GpuOf(context).AllocateArray<MapExtremes>(m_NumberOfExtremes))
  {}

  bool
  Step(const MemberVisit & visit) override
  {
    this->Evaluate(visit);
    StepBuffers buffers = BuffersOf(m_Setting, visit);
    const bool  isInScratch = EnqueueVelocityEitherWay(*m_Solver, buffers, visit.isFirst);
    if (isInScratch)
    {
      std::swap(buffers.velocity, buffers.scratch);
    }
    EnqueueAdvection(m_Context, m_Setting.parameters, buffers);
    this->Deform(visit);
    return isInScratch;
  }

  void
  Evaluate(const MemberVisit & visit) override
  {
    const StepBuffers buffers = BuffersOf(m_Setting, visit);
    ChangeImages(*m_Plan, ImagesOf(m_Setting, visit.moving));
    EnqueueDerivative(*m_Plan, buffers);
    EnqueueForce(*m_Plan, buffers);
    EnqueueDecision(*m_Plan, buffers);
  }

  void
  Deform(const MemberVisit & visit) override
  {
    DeformArguments arguments{};
    arguments.extent = m_Setting.extent;
    arguments.grid = CellGrid(m_Setting.extent);
    arguments.moving = visit.moving;
    arguments.map = visit.map;
    arguments.candidate = visit.next;
    arguments.next = visit.next;
    arguments.deformed = visit.deformed;
    arguments.extremes = m_Extremes.Data();
    arguments.numberOfExtremes = static_cast<int>(m_NumberOfExtremes);
    arguments.state = visit.state;
    const dim3 threads(deformThreadsX, deformThreadsY);
    DeformKernel<<<m_Blocks, threads, 0, m_Stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("DeformKernel");
    SettleKernel<<<1, settleThreads, 0, m_Stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("SettleKernel");
    RestoreKernel<<<m_Blocks, threads, 0, m_Stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("RestoreKernel");
  }

private:
  Context &                       m_Context;
  cudaStream_t                    m_Stream;
  StepperSetting                  m_Setting;
  std::unique_ptr<VelocitySolver> m_Solver;
  std::shared_ptr<ForcePlan>      m_Plan;
  dim3                            m_Blocks;
  unsigned int                    m_NumberOfExtremes;
  DeviceBuffer<MapExtremes>       m_Extremes;
};

} // namespace

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  return std::make_unique<Stepper>(context, setting);
}

} // namespace cudaneuro::gpu
