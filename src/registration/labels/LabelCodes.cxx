// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/labels/LabelCodes.h"

namespace cudaneuro
{

void
ResampleLabels(Context & context, const LabelResampling & resampling)
{
  CUDANEURO_DISPATCH(context, ResampleLabels(context, resampling));
}

void
ShrinkLabels(Context & context, const LabelShrinking & shrinking)
{
  CUDANEURO_DISPATCH(context, ShrinkLabels(context, shrinking));
}

int
LargestLabel(Context & context, std::int64_t numberOfVoxels, const std::uint16_t * labels)
{
  CUDANEURO_DISPATCH(context, LargestLabel(context, numberOfVoxels, labels));
}

} // namespace cudaneuro
