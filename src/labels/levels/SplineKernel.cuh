// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineKernel_cuh
#define cudaneuro_labels_levels_SplineKernel_cuh

#include "labels/levels/LabelLevelsKernel.cuh"
#include "labels/levels/SplineFormulas.h"

/** Kernels between the voxels of a band and the nodes of its splines. Numbers of all versions are side by side, and a
 * thread processes all of a voxel or node. */
namespace cudaneuro::gpu
{

/** SplineDomain on the device. */
struct DeviceDomain
{
  Extent box;
  Extent nodes;
  /** The voxels of the band as indices in the box; and for each voxel of the box, its number in the band. */
  const std::int32_t * voxels;
  const std::int32_t * voxelNumbers;
  /** The same for the nodes. */
  const std::int32_t * nodePlaces;
  const std::int32_t * nodeNumbers;
  const float *        inverseWeights;
  std::int32_t         numberOfVoxels;
  std::int32_t         numberOfNodes;

  /** Calls body(number of the node, weight) for the nodes of a voxel of the band. */
  template <typename TBody>
  __device__ void
  ForEachNodeOf(std::int64_t voxel, const TBody & body) const
  {
    const std::int32_t place = voxels[voxel];
    const int          x = place % box.x;
    const int          y = place / box.x % box.y;
    const int          z = place / box.x / box.y;
    ForEachNode(nodes, x, y, z, [&](std::int64_t node, float weight) { body(nodeNumbers[node], weight); });
  }
  /** The value of a field given at the nodes, at a voxel. */
  __device__ AllVersions
  SplineAt(const AllVersions * field, std::int64_t voxel) const
  {
    AllVersions sum{};
    this->ForEachNodeOf(voxel, [&](std::int32_t node, float weight) { sum = sum + weight * field[node]; });
    return sum;
  }
};

/** Ends a series of the nodes with new changes, and writes their extrapolation with momentum. */
__global__ void
__launch_bounds__(labelThreads) MomentumKernel(const __grid_constant__ DeviceBand   nodes,
                                               const __grid_constant__ DeviceSeries series,
                                               const __grid_constant__ SeriesArrays arrays,
                                               DeviceMomentum                       momentum,
                                               AllVersions *                        changes,
                                               AllVersions *                        ahead)
{
  const std::int64_t node = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (node >= nodes.count)
  {
    return;
  }
  const std::int64_t place = set * std::int64_t{ nodes.count } + node;
  const AllVersions  change = EndOfSeries(nodes, series, set, arrays, node);
  ahead[place] = change + momentum.Now() * (change - changes[place]);
  changes[place] = change;
}

/** Writes the values of fields given at the nodes, at the voxels, or adds them; block row k has set k. */
template <bool VAdds>
__global__ void
__launch_bounds__(labelThreads)
  SplineValuesKernel(const __grid_constant__ DeviceDomain domain, const AllVersions * fields, AllVersions * values)
{
  const std::int64_t voxel = LabelItem();
  if (voxel < domain.numberOfVoxels)
  {
    AllVersions &     own = values[blockIdx.y * std::int64_t{ domain.numberOfVoxels } + voxel];
    const AllVersions value = domain.SplineAt(fields + blockIdx.y * std::int64_t{ domain.numberOfNodes }, voxel);
    own = VAdds ? own + value : value;
  }
}

/** Writes the weighted mean of the level sets. \param weights at all nodes for each set, one set after the other. */
__global__ void
__launch_bounds__(labelThreads) MixLevelsKernel(const __grid_constant__ DeviceDomain domain,
                                                const float *                        weights,
                                                const AllVersions *                  levels,
                                                AllVersions *                        mixed)
{
  const std::int64_t voxel = LabelItem();
  if (voxel >= domain.numberOfVoxels)
  {
    return;
  }
  float own[numberOfFits] = {};
  domain.ForEachNodeOf(voxel, [&](std::int32_t node, float weight) {
    for (int set = 0; set < numberOfFits; ++set)
    {
      own[set] += weight * weights[std::int64_t{ set } * domain.numberOfNodes + node];
    }
  });
  AllVersions sum{};
  for (int set = 0; set < numberOfFits; ++set)
  {
    sum = sum + own[set] * levels[std::int64_t{ set } * domain.numberOfVoxels + voxel];
  }
  mixed[voxel] = sum;
}

} // namespace cudaneuro::gpu

#endif
