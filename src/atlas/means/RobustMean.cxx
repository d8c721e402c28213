// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/RobustMean.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"

namespace cudaneuro
{

void
RobustMean(Context & context, const RobustMeanArguments & arguments)
{
  RequireAtLeast("images", arguments.images, 1);
  if (arguments.voxels < 0)
  {
    ThrowInvalid("voxels", arguments.voxels, "at least 0");
  }
  if (arguments.stride < arguments.voxels)
  {
    ThrowInvalid("stride", arguments.stride, "at least the number of voxels, " + std::to_string(arguments.voxels));
  }
  if (!(arguments.trimmedFraction >= 0.0 && arguments.trimmedFraction < 0.5))
  {
    ThrowInvalid("TrimmedFraction", arguments.trimmedFraction, "at least 0 and below 0.5");
  }
  if (arguments.voxels == 0)
  {
    return;
  }
  CUDANEURO_DISPATCH(context, RobustMean(context, arguments));
}

} // namespace cudaneuro
