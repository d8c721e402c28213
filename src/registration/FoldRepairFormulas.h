// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_FoldRepairFormulas_h
#define cudaneuro_registration_FoldRepairFormulas_h

#include "fields/Sampling.h"
#include "registration/FoldRepair.h"

/** The wrong voxels of a joined map, the voxels of the halves that cause them, and the weight of smoothing there, for
 * both compilers. */
namespace cudaneuro
{

/** Whether the map folds at a voxel, or its Jacobian determinant is below the bound. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE bool
IsBelowBound(const WrongVoxels & wrong, TIndex index)
{
  const float jacobian = wrong.jacobian[index];
  return !(jacobian > 0.0f && jacobian >= wrong.bound); // NaN counts as below
}

/** Whether the map is farther than largestInverseError from the inverse of the other one at voxel (x, y, z), element
 * \p index. Voxels that the map takes off the grid are excluded. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE bool
IsFarFromInverse(const WrongVoxels & wrong, int x, int y, int z, TIndex index)
{
  const float rx = wrong.residual.x[index];
  const float ry = wrong.residual.y[index];
  const float rz = wrong.residual.z[index];
  const bool  isNear = rx * rx + ry * ry + rz * rz <= largestInverseError * largestInverseError;
  return !isNear && IsInside({ x, y, z, wrong.map.x[index], wrong.map.y[index], wrong.map.z[index] }, wrong.extent);
}

/** The voxel of the middle grid nearest to the position to which toMiddle takes voxel (x, y, z). */
template <typename TIndex>
CUDANEURO_HOST_DEVICE TIndex
NearestInMiddle(const WrongVoxels & wrong, int x, int y, int z)
{
  const Extent &   extent = wrong.extent;
  const TIndex     index = (static_cast<TIndex>(z) * extent.y + y) * extent.x + x;
  const SamplePair alongX = SamplePairAt<TIndex>(x, wrong.toMiddle.x[index], extent.x);
  const SamplePair alongY = SamplePairAt<TIndex>(y, wrong.toMiddle.y[index], extent.y);
  const SamplePair alongZ = SamplePairAt<TIndex>(z, wrong.toMiddle.z[index], extent.z);
  const auto       nearest = [](const SamplePair & pair) { return pair.fraction < 0.5f ? pair.lower : pair.upper; };
  return (static_cast<TIndex>(nearest(alongZ)) * extent.y + nearest(alongY)) * extent.x + nearest(alongX);
}

/** Calls mark(index) for the voxels of the middle grid that cause the error at voxel (x, y, z), element \p index. An
 * error of the inverse has one origin; a determinant has those of the voxel's neighbors, too. */
template <typename TIndex, typename TMark>
CUDANEURO_HOST_DEVICE void
ForOrigins(const WrongVoxels & wrong, int x, int y, int z, TIndex index, const TMark & mark)
{
  const Extent & extent = wrong.extent;
  const bool     isBelowBound = IsBelowBound(wrong, index);
  if (!isBelowBound && !IsFarFromInverse(wrong, x, y, z, index))
  {
    return;
  }
  mark(NearestInMiddle<TIndex>(wrong, x, y, z));
  for (int step = -1; isBelowBound && step <= 1; step += 2)
  {
    if (x + step >= 0 && x + step < extent.x)
    {
      mark(NearestInMiddle<TIndex>(wrong, x + step, y, z));
    }
    if (y + step >= 0 && y + step < extent.y)
    {
      mark(NearestInMiddle<TIndex>(wrong, x, y + step, z));
    }
    if (z + step >= 0 && z + step < extent.z)
    {
      mark(NearestInMiddle<TIndex>(wrong, x, y, z + step));
    }
  }
}

/** value + min(1, mark * scale) * (smoothed - value) */
CUDANEURO_HOST_DEVICE float
Repaired(float mark, float scale, float smoothed, float value)
{
  const float weight = mark * scale;
  return value + (weight < 1.0f ? weight : 1.0f) * (smoothed - value);
}

} // namespace cudaneuro

#endif
