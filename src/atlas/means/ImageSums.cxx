// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/ImageSums.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

void
AddVolumes(Context & context, const SumOfVolumes & sum)
{
  CUDANEURO_DISPATCH(context, AddVolumes(context, sum));
}

void
DivideSums(Context & context, const MeanOfSums & mean)
{
  CUDANEURO_DISPATCH(context, DivideSums(context, mean));
}

} // namespace cudaneuro
