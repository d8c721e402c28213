// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_ComparisonFormulas_h
#define cudaneuro_metrics_ComparisonFormulas_h

#include "fields/warp/WarpFormulas.h"
#include "metrics/MetricEvaluator.h"

/** The selection of the voxels that a comparison includes, for both compilers. */
namespace cudaneuro
{

/** Returns IsInside of fields/Sampling.h for a grid that is extended beyond some of its sides. */
CUDANEURO_HOST_DEVICE bool
IsInside(const SplitPosition & position, const Extent & extent, const GridSides & extended)
{
  const int   voxels[3] = { position.x, position.y, position.z };
  const float rests[3] = { position.restX, position.restY, position.restZ };
  const int   lengths[3] = { extent.x, extent.y, extent.z };
  bool        isInside = true;
  for (int axis = 0; axis < 3; ++axis)
  {
    const float first = -static_cast<float>(voxels[axis]);
    const float end = static_cast<float>(lengths[axis] - voxels[axis]);
    isInside = isInside && (extended.lower[axis] || rests[axis] >= first - 0.5f) &&
               (extended.upper[axis] || rests[axis] < end - 0.5f);
  }
  return isInside;
}

/** The weight that remains along one axis for a voxel mapped outside the grid, and its derivative by the position. */
struct Fade
{
  float left;
  float slope;
};

/** Returns the weight. \param before and \param behind distances of the position before the first and behind the last
 * center; at most one is positive. \param goesOnBefore and \param goesOnBehind whether the image is extended there. */
CUDANEURO_HOST_DEVICE Fade
FadeAt(float before, float behind, bool goesOnBefore, bool goesOnBehind)
{
  const float beyond =
    before > 0.0f ? (goesOnBefore ? 0.0f : before) : (behind > 0.0f && !goesOnBehind ? behind : 0.0f);
  if (beyond >= 1.0f)
  {
    return { 0.0f, 0.0f };
  }
  return { 1.0f - beyond, beyond > 0.0f ? (before > 0.0f ? 1.0f : -1.0f) : 0.0f };
}

/** Samples the moving image at the mapped position of a voxel of the fixed image. TIndex is as in Sampling.h, for both
 * grids.
 * \returns whether the voxel is included */
template <typename TIndex>
CUDANEURO_HOST_DEVICE bool
SampleMoving(const ImageComparison & images, TIndex voxel, const SplitPosition & position, float & value)
{
  value = InterpolateWeighted(SampleCellOf<TIndex>(position, images.movingExtent), images.moving);
  return (images.fixedMask == nullptr || images.fixedMask[voxel] != 0) &&
         IsInside(position, images.movingExtent, images.extended) &&
         (images.movingMask == nullptr || images.movingMask[NearestVoxel<TIndex>(position, images.movingExtent)] != 0);
}

} // namespace cudaneuro

#endif
