// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/MemberStep.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  CUDANEURO_DISPATCH(context, MakeMemberStepper(context, setting));
}

} // namespace cudaneuro
