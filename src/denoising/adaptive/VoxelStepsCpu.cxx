// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParallelRanges.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

namespace cudaneuro::cpu
{

template <typename TStep>
void
ForEachIndex(Context & context, std::int64_t count, const TStep & step)
{
  ForEachInRanges(context, count, step);
}

template void
ForEachIndex(Context &, std::int64_t, const ScaleVoxel &);
template void
ForEachIndex(Context &, std::int64_t, const FillGap &);
template void
ForEachIndex(Context &, std::int64_t, const FindVariance &);
template void
ForEachIndex(Context &, std::int64_t, const EstimateVoxel &);
template void
ForEachIndex(Context &, std::int64_t, const WriteVoxel &);

void
ClearResiduals(Context & context, std::int64_t numberOfVoxels, const ResidualSums & residuals)
{
  ForEachInRanges(context, numberOfVoxels, [&](std::int64_t voxel) {
    residuals.sums[voxel] = 0;
    residuals.counts[voxel] = 0;
  });
}

} // namespace cudaneuro::cpu
