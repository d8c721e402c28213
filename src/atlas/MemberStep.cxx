// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/MemberStep.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

ImagePair
ImagesOf(const StepperSetting & setting, const float * moving)
{
  return { setting.extent, moving, setting.target, setting.descentScale };
}

StepBuffers
BuffersOf(const StepperSetting & setting, const MemberVisit & visit)
{
  StepBuffers buffers;
  buffers.extent = setting.extent;
  buffers.maps = { visit.next, visit.map };
  buffers.force = setting.force;
  buffers.velocity = visit.velocity;
  buffers.scratch = visit.scratch;
  buffers.state = &visit.state->step;
  buffers.records = visit.state->records;
  return buffers;
}

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  CUDANEURO_DISPATCH(context, MakeMemberStepper(context, setting));
}

} // namespace cudaneuro
