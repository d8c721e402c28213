// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/Step.h"

#include <algorithm>

namespace cudaneuro
{

bool
NeedsScratch(const RegistrationParameters & parameters, const VelocitySolver & velocitySolver)
{
  const auto & sigma = parameters.fieldSigma;
  return velocitySolver.NeedsScratch() ||
         std::any_of(sigma.begin(), sigma.end(), [](double value) { return value > 0.0; });
}

StepMemory::StepMemory(
  Context & context, const Extent & extent, const SoAField & displacement, int records, bool needsScratch)
  : m_First(context, NumberOfVoxels(extent))
  , m_Force(context, NumberOfVoxels(extent))
  , m_Velocity(context, NumberOfVoxels(extent))
  , m_Scratch(needsScratch ? SoAFieldMemory(context, NumberOfVoxels(extent)) : SoAFieldMemory())
  , m_State(context.Allocate(sizeof(StepState)))
  , m_LimitCounts(context.Allocate(sizeof(LimitCounts)))
  , m_Records(context.Allocate(sizeof(StepRecord) * static_cast<std::size_t>(records)))
{
  m_Buffers.extent = extent;
  m_Buffers.maps = { m_First.View(), displacement };
  m_Buffers.force = m_Force.View();
  m_Buffers.velocity = m_Velocity.View();
  m_Buffers.scratch = needsScratch ? m_Scratch.View() : m_Buffers.velocity;
  m_Buffers.state = static_cast<StepState *>(m_State.Data());
  m_Buffers.limitCounts = static_cast<LimitCounts *>(m_LimitCounts.Data());
  m_Buffers.records = static_cast<StepRecord *>(m_Records.Data());
}

} // namespace cudaneuro
