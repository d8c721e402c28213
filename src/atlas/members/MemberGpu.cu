// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/Member.h"
#include "cuda/GpuContext.h"

namespace cudaneuro::gpu
{

void
ShareDevice(Context & context, int contextsOfDevice)
{
  GpuOf(context).ShareDevice(contextsOfDevice);
}

} // namespace cudaneuro::gpu
