// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/MemberStepKernel.cuh"
#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <utility>
#include <vector>

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
    , m_Places(setting.parameters, setting.channelOrder)
    , m_Blocks(DivideUp(setting.extent.x, deformThreadsX),
               DivideUp(setting.extent.y, deformThreadsY),
               DivideUp(setting.extent.z, deformPlanes))
    , m_NumberOfExtremes(m_Blocks.x * m_Blocks.y * m_Blocks.z)
    , m_Extremes(GpuOf(context).AllocateArray<MapExtremes>(m_NumberOfExtremes))
    , m_Terms(GpuOf(context).AllocateArray<double>(numberOfTerms))
  {
    CUDANEURO_CUDA(cudaMemsetAsync(m_Terms.Data(), 0, numberOfTerms * sizeof(double), m_Stream));
    for (int place = 0; place < m_Places.GetSize(); ++place)
    {
      m_Plans.push_back(MakeForcePlan(
        context, m_Places.GetParameters(place), m_Places.GetImages(setting, place, {}), { place, m_Places.GetSize() }));
    }
  }

  bool
  Step(const MemberVisit & visit) override
  {
    this->Evaluate(visit);
    StepBuffers buffers = this->GetBuffers(visit);
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
    const StepBuffers buffers = this->GetBuffers(visit);
    for (std::size_t place = 0; place < m_Plans.size(); ++place)
    {
      ChangeImages(*m_Plans[place], m_Places.GetImages(m_Setting, static_cast<int>(place), visit.moving));
      EnqueueDerivative(*m_Plans[place], buffers, buffers.force);
    }
    ForChannels(m_Plans.size(), [&](std::size_t place) { EnqueueForce(*m_Plans[place], buffers); });
    EnqueueDecision(*m_Plans[0], buffers);
  }

  void
  Deform(const MemberVisit & visit) override
  {
    DeformArguments arguments{};
    arguments.extent = m_Setting.extent;
    arguments.grid = CellGrid(m_Setting.extent);
    arguments.moving = visit.moving[0];
    arguments.map = visit.map;
    arguments.candidate = visit.next;
    arguments.next = visit.next;
    arguments.deformed = visit.deformed[0];
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
    for (std::size_t channel = 1; channel < visit.moving.size() && visit.moving[channel] != nullptr; ++channel)
    {
      arguments.moving = visit.moving[channel];
      arguments.deformed = visit.deformed[channel];
      FollowKernel<<<m_Blocks, threads, 0, m_Stream>>>(arguments);
      CUDANEURO_CUDA_LAUNCHED("FollowKernel");
    }
  }

private:
  StepBuffers
  GetBuffers(const MemberVisit & visit) const
  {
    return BuffersOf(m_Setting, visit, m_Places.GetSize() > 1 ? m_Terms.Data() : nullptr);
  }

  Context &                               m_Context;
  cudaStream_t                            m_Stream;
  StepperSetting                          m_Setting;
  std::unique_ptr<VelocitySolver>         m_Solver;
  ChannelPlaces                           m_Places;
  std::vector<std::shared_ptr<ForcePlan>> m_Plans; // one per place
  dim3                                    m_Blocks;
  unsigned int                            m_NumberOfExtremes;
  DeviceBuffer<MapExtremes>               m_Extremes;
  DeviceBuffer<double>                    m_Terms;
};

} // namespace

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  return std::make_unique<Stepper>(context, setting);
}

} // namespace cudaneuro::gpu
