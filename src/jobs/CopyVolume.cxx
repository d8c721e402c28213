// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/CopyVolume.h"

#include "core/BuildConfiguration.h"
#include "jobs/ConvertCpu.h"

namespace cudaneuro
{

void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to)
{
  if constexpr (builtWithCuda)
  {
    if (from.space == MemorySpace::Device || to.space == MemorySpace::Device)
    {
      gpu::CopyVolume(context, grid, from, to);
      return;
    }
  }
  cpu::Convert(context, grid.NumberOfVoxels(), from.data, from.type, to.data, to.type);
}

} // namespace cudaneuro
