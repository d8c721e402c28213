// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/noise/NoiseEstimate.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/NoiseEstimate.h"

#include <algorithm>

namespace cudaneuro
{
namespace
{

/** Returns the grid with its axes of one voxel last. The order of voxels in memory stays the same. */
Grid
WithLongAxesFirst(const Grid & grid)
{
  Grid ordered = grid;
  std::stable_partition(ordered.size.begin(), ordered.size.end(), [](std::int64_t size) { return size > 1; });
  return ordered;
}

} // namespace

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  CUDANEURO_DISPATCH(context, EstimateNoiseSigma(context, WithLongAxesFirst(grid), input, mask));
}

} // namespace cudaneuro
