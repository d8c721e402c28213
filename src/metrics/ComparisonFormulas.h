// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_ComparisonFormulas_h
#define cudaneuro_metrics_ComparisonFormulas_h

#include "fields/WarpFormulas.h"
#include "metrics/MetricEvaluator.h"

/** Which voxels of a comparison take part, for both compilers. */
namespace cudaneuro
{

/** Whether a voxel of the fixed image whose mapped position is \p position takes part. TIndex as in Sampling.h, for both
 * grids. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE bool
TakesPart(const ImageComparison & images, TIndex voxel, const SplitPosition & position)
{
  return (images.fixedMask == nullptr || images.fixedMask[voxel] != 0) && IsInside(position, images.movingExtent) &&
         (images.movingMask == nullptr || images.movingMask[NearestVoxel<TIndex>(position, images.movingExtent)] != 0);
}

} // namespace cudaneuro

#endif
