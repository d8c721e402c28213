// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_NonLocalMeansLevelSetFormulas_h
#define cudaneuro_surface_NonLocalMeansLevelSetFormulas_h

#include "core/ApproximateMath.h"
#include "core/IntegerMath.h"
#include "neighbors/NeighborFormulas.h"
#include "surface/BandFormulas.h"
#include "surface/NonLocalMeansLevelSet.h"

/** Patches, weights and joined distances, for both compilers. */
namespace cudaneuro
{

constexpr CUDANEURO_HOST_DEVICE int
PatchVoxels(int patchSize)
{
  return patchSize * patchSize * patchSize;
}

/** PatchStride as a constant expression. */
constexpr CUDANEURO_HOST_DEVICE int
PatchStrideOf(int patchSize)
{
  return RoundUp(PatchVoxels(patchSize), componentGranularity);
}

/** The value at an offset in voxels from a voxel of the band. */
CUDANEURO_HOST_DEVICE float
PatchValue(const BandView & band, const BandVoxel & voxel, int dx, int dy, int dz)
{
  const Extent & extent = band.extent;
  return band.distances[IndexOf(extent,
                                NearestIndex(voxel.x + dx, extent.x),
                                NearestIndex(voxel.y + dy, extent.y),
                                NearestIndex(voxel.z + dz, extent.z))];
}

/** The weight of voxel b in the average of voxel a, and the reverse.
 * \param squaredDistance that of their patches */
CUDANEURO_HOST_DEVICE float
NeighborWeight(const WeightRates & rates, const BandVoxel & a, const BandVoxel & b, float squaredDistance)
{
  const auto  x = static_cast<float>(a.x - b.x);
  const auto  y = static_cast<float>(a.y - b.y);
  const auto  z = static_cast<float>(a.z - b.z);
  const float inSpace = rates.spatial[0] * (x * x) + rates.spatial[1] * (y * y) + rates.spatial[2] * (z * z);
  return Exp2(-(inSpace + rates.similarity * squaredDistance));
}

/** JoinDistances at one voxel. */
CUDANEURO_HOST_DEVICE void
JoinAt(const JoinedDistances & join, std::int64_t i)
{
  if (join.mask != nullptr && join.mask[i] == 0)
  {
    return;
  }
  const float exact = join.exact[i];
  const float magnitude = std::fabs(join.distances[i]);
  const float beyond = magnitude > join.reach ? magnitude : join.reach;
  join.distances[i] = std::fabs(exact) < join.reach ? exact : (exact < 0.0f ? -beyond : beyond);
}

} // namespace cudaneuro

#endif
