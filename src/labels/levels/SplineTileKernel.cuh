// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineTileKernel_cuh
#define cudaneuro_labels_levels_SplineTileKernel_cuh

#include "labels/levels/SplineKernel.cuh"
#include "labels/levels/SplineTiles.h"

/** Kernels from the voxels of a band to the nodes of its splines. A block has a tile of voxels and keeps the nodes
 * around it in shared memory. */
namespace cudaneuro::gpu
{

/** SplineTiles on the device. */
struct DeviceTiles
{
  Extent               extent;
  std::int32_t         count;
  const std::int32_t * places;
  const std::int32_t * numbers;
};

/** Calls body(voxel, weight) for the voxels of a node along an axis. */
template <typename TBody>
__device__ __forceinline__ void
ForEachTileVoxel(int node, const TBody & body)
{
  const int center = 2 * (node - 1);
  for (int voxel = max(center - 2, 0); voxel <= min(center + 2, tileSide - 1); ++voxel)
  {
    body(voxel, SplineWeight(voxel - center));
  }
}

/** The voxels' numbers, unchanged. */
struct ValuesOfVoxels
{
  static constexpr bool readsNodes = false;
  const float *         values;

  __device__ float
  operator()(int, std::int64_t place, float) const
  {
    return values[place];
  }
};

/** The gradient steps for the changes at the voxels. */
struct StepsOfVoxels
{
  static constexpr bool readsNodes = true;
  SolutionArrays        solution;

  __device__ float
  operator()(int set, std::int64_t place, float change) const
  {
    const float weight = solution.weights[place];
    return GradientStep(solution.levels[place], change, weight, weight < 0.0f ? -1.0f : 1.0f, solution.widths[set]);
  }
};

/** Writes the weighted sums of a tile's voxels at its nodes; those of tile t and set k begin at (k tiles + t)
 * tileNodes. A thread has a column of voxels along z of one version.
 * \param field at the nodes, whose values at the voxels are passed to \p source */
template <typename TSource>
__global__ void
__launch_bounds__(labelThreads) SumTilesKernel(const __grid_constant__ DeviceDomain domain,
                                               const __grid_constant__ DeviceTiles  tiles,
                                               const float *                        field,
                                               const __grid_constant__ TSource      source,
                                               float *                              sums)
{
  constexpr int numbersOfNodes = tileNodes * versions;
  static_assert(labelThreads == tileSide * tileSide * versions);
  __shared__ float   nodes[TSource::readsNodes ? numbersOfNodes : 1];
  __shared__ float   columns[tileNodeSide][labelThreads];
  const int          set = static_cast<int>(blockIdx.y);
  const std::int32_t tile = tiles.places[blockIdx.x];
  const int          tileX = tile % tiles.extent.x;
  const int          tileY = tile / tiles.extent.x % tiles.extent.y;
  const int          tileZ = tile / tiles.extent.x / tiles.extent.y;
  const int          thread = static_cast<int>(threadIdx.x);
  const int          version = thread % versions;
  const int          x = thread / versions % tileSide;
  const int          y = thread / versions / tileSide;
  float              changes[tileNodeSide] = {};
  if constexpr (TSource::readsNodes)
  {
    for (int n = thread; n < numbersOfNodes; n += labelThreads)
    {
      const int  i = FirstNodeOfTile(tileX) + n / versions % tileNodeSide;
      const int  j = FirstNodeOfTile(tileY) + n / versions / tileNodeSide % tileNodeSide;
      const int  k = FirstNodeOfTile(tileZ) + n / versions / tileNodeSide / tileNodeSide;
      const bool isInBox = i >= 0 && j >= 0 && k >= 0 && i < domain.nodes.x && j < domain.nodes.y && k < domain.nodes.z;
      const std::int32_t node =
        isInBox ? domain.nodeNumbers[(std::int64_t{ k } * domain.nodes.y + j) * domain.nodes.x + i] : -1;
      nodes[n] = node < 0 ? 0.0f : field[(set * std::int64_t{ domain.numberOfNodes } + node) * versions + n % versions];
    }
    __syncthreads();
    ForEachTileNode(y, [&](int j, float weightOfY) {
      ForEachTileNode(x, [&](int i, float weightOfX) {
#pragma unroll
        for (int k = 0; k < tileNodeSide; ++k)
        {
          changes[k] += weightOfX * weightOfY * nodes[((k * tileNodeSide + j) * tileNodeSide + i) * versions + version];
        }
      });
    });
  }
  float     ofColumn[tileNodeSide] = {};
  const int boxX = tileSide * tileX + x;
  const int boxY = tileSide * tileY + y;
#pragma unroll
  for (int z = 0; z < tileSide; ++z)
  {
    const int          boxZ = tileSide * tileZ + z;
    const bool         isInBox = boxX < domain.box.x && boxY < domain.box.y && boxZ < domain.box.z;
    const std::int32_t voxel =
      isInBox ? domain.voxelNumbers[(std::int64_t{ boxZ } * domain.box.y + boxY) * domain.box.x + boxX] : -1;
    if (voxel >= 0)
    {
      float change = 0.0f;
      ForEachTileNode(z, [&](int k, float weight) { change += weight * changes[k]; });
      const std::int64_t place = (set * std::int64_t{ domain.numberOfVoxels } + voxel) * versions + version;
      const float        value = source(set, place, change);
      ForEachTileNode(z, [&](int k, float weight) { ofColumn[k] += weight * value; });
    }
  }
#pragma unroll
  for (int k = 0; k < tileNodeSide; ++k)
  {
    columns[k][thread] = ofColumn[k];
  }
  __syncthreads();
  float * const own = sums + (set * std::int64_t{ tiles.count } + blockIdx.x) * numbersOfNodes;
  for (int n = thread; n < numbersOfNodes; n += labelThreads)
  {
    const int k = n / versions / tileNodeSide / tileNodeSide;
    float     sum = 0.0f;
    ForEachTileVoxel(n / versions / tileNodeSide % tileNodeSide, [&](int voxelY, float weightOfY) {
      ForEachTileVoxel(n / versions % tileNodeSide, [&](int voxelX, float weightOfX) {
        sum += weightOfX * weightOfY * columns[k][(voxelY * tileSide + voxelX) * versions + n % versions];
      });
    });
    own[n] = sum;
  }
}

/** Calls body(tile, node relative to the tile's first one) along an axis for the tiles that have a node. */
template <typename TBody>
__device__ __forceinline__ void
ForEachTileOfNode(int node, int tiles, const TBody & body)
{
  constexpr int step = tileSide / 2;
  for (int tile = max(node - 1, 0) / step; tile <= min((node + 1) / step, tiles - 1); ++tile)
  {
    body(tile, node - FirstNodeOfTile(tile));
  }
}

/** Writes the means at the nodes from the tiles' sums; block row k has set k. */
__global__ void
__launch_bounds__(labelThreads) MeansOfTilesKernel(const __grid_constant__ DeviceDomain domain,
                                                   const __grid_constant__ DeviceTiles  tiles,
                                                   const AllVersions *                  sums,
                                                   AllVersions *                        means)
{
  const std::int64_t node = LabelItem();
  if (node >= domain.numberOfNodes)
  {
    return;
  }
  const AllVersions * const own = sums + blockIdx.y * std::int64_t{ tiles.count } * tileNodes;
  const std::int32_t        inBox = domain.nodePlaces[node];
  AllVersions               sum{};
  ForEachTileOfNode(inBox / domain.nodes.x / domain.nodes.y, tiles.extent.z, [&](int tileZ, int k) {
    ForEachTileOfNode(inBox / domain.nodes.x % domain.nodes.y, tiles.extent.y, [&](int tileY, int j) {
      ForEachTileOfNode(inBox % domain.nodes.x, tiles.extent.x, [&](int tileX, int i) {
        const std::int32_t tile =
          tiles.numbers[(std::int64_t{ tileZ } * tiles.extent.y + tileY) * tiles.extent.x + tileX];
        if (tile >= 0)
        {
          sum = sum + own[std::int64_t{ tile } * tileNodes + (k * tileNodeSide + j) * tileNodeSide + i];
        }
      });
    });
  });
  means[blockIdx.y * std::int64_t{ domain.numberOfNodes } + node] = domain.inverseWeights[node] * sum;
}

} // namespace cudaneuro::gpu

#endif
