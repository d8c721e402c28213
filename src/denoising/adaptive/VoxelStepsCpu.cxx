// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParallelRanges.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include <algorithm>

namespace cudaneuro::cpu
{

void
ForEachIndex(Context & context, std::int64_t count, const ScaleVoxel & step)
{
  ForEachInRanges(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const FillGap & step)
{
  ForEachInRanges(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const FindVariance & step)
{
  ForEachInRanges(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const EstimateVoxel & step)
{
  ForEachInRanges(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const WriteVoxel & step)
{
  ForEachInRanges(context, count, step);
}

void
ClearResiduals(Context & context, std::int64_t numberOfVoxels, const ResidualSums & residuals)
{
  ForEachInRanges(context, numberOfVoxels, [&](std::int64_t voxel) {
    residuals.sums[voxel] = 0;
    residuals.counts[voxel] = 0;
  });
}

} // namespace cudaneuro::cpu
