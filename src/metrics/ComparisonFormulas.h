// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_ComparisonFormulas_h
#define cudaneuro_metrics_ComparisonFormulas_h

#include "fields/warp/WarpFormulas.h"
#include "metrics/MetricEvaluator.h"

/** Which voxels of a comparison take part, for both compilers. */
namespace cudaneuro
{

/** As IsInside of fields/Sampling.h, for a grid that goes on beyond some of its sides. */
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

/** What is left along one axis of a voxel that sees beyond the grid, and the derivative of that by the position. */
struct Fade
{
  float left;
  float slope;
};

/** \param before how far the position is before the first center, and \param behind behind the last one; at most one is
 * positive. \param goesOnBefore and \param goesOnBehind whether the image goes on there. */
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

/** Samples the moving image at the mapped position of a voxel of the fixed image. TIndex as in Sampling.h, for both
 * grids.
 * \returns whether the voxel takes part */
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
