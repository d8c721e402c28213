// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/Step.h"

#include <algorithm>

namespace cudaneuro
{

bool
NeedsScratch(const RegistrationParameters & parameters, const VelocitySolver & velocitySolver)
{
  const auto & sigma = parameters.standardDeviations;
  return velocitySolver.NeedsScratch() ||
         std::any_of(sigma.begin(), sigma.end(), [](double value) { return value > 0.0; });
}

StepMemory::StepMemory(Context & context, const StepMemorySetting & setting)
  : m_Volumes(context, NumberOfVoxels(setting.extent), setting.borrowed)
  , m_State(context.Allocate(sizeof(StepState)))
  , m_LimitCounts(context.Allocate(sizeof(LimitCounts)))
  , m_Records(context.Allocate(sizeof(StepRecord) * static_cast<std::size_t>(setting.records)))
  , m_Terms(context.Allocate(2 * sizeof(double) * numberOfTerms))
{
  StepBuffers buffers;
  buffers.extent = setting.extent;
  buffers.maps = { m_Volumes.TakeField(), setting.displacement };
  buffers.force = m_Volumes.TakeField();
  buffers.velocity = m_Volumes.TakeField();
  buffers.state = static_cast<StepState *>(m_State.Data());
  buffers.limitCounts = static_cast<LimitCounts *>(m_LimitCounts.Data());
  buffers.records = static_cast<StepRecord *>(m_Records.Data());
  buffers.terms = static_cast<double *>(m_Terms.Data());
  if (setting.toFixed.x == nullptr)
  {
    buffers.scratch = setting.needsScratch ? m_Volumes.TakeField() : buffers.velocity;
    m_Sides = { buffers };
    return;
  }
  StepBuffers other = buffers;
  other.maps = { m_Volumes.TakeField(), setting.toFixed };
  other.force = m_Volumes.TakeField();
  other.velocitySign = -1.0f;
  other.terms += numberOfTerms;
  // Scratch is needed only after the forces have become a velocity: while one map moves, the other one's force is free.
  buffers.scratch = other.force;
  other.scratch = buffers.force;
  m_Sides = { buffers, other };
  for (std::size_t channel = 0; channel < setting.numberOfChannels; ++channel)
  {
    m_Kept.push_back(m_Volumes.Take());
  }
  m_Deformed = m_Volumes.Take();
  m_Derivative = setting.needsDerivative ? m_Volumes.Take() : nullptr;
}

} // namespace cudaneuro
