// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/noisemap/NoiseMap.h"

#include "cuda/Reduce.cuh"
#include "denoising/noisemap/NoiseMapFormulas.h"

namespace cudaneuro::gpu
{
namespace
{

/** Returns the terms of a cube, or zeros if it extends beyond the image or a voxel is excluded. */
template <int VAxes, typename TTerms>
__device__ NoiseTerms
TermsOf(const NoiseImage & image, const NoiseNodes & nodes, const TTerms & terms, int x, int y, int z)
{
  constexpr int  corners = 1 << VAxes;
  const Extent & extent = image.extent;
  if (x >= extent.x - 1 || y >= extent.y - 1 || (VAxes == 3 && z >= extent.z - 1))
  {
    return { 0.0f, 0.0f, 0.0f };
  }
  const std::int64_t first = (static_cast<std::int64_t>(z) * extent.y + y) * extent.x + x;
  float              v[corners];
  bool               takesPart = true;
#pragma unroll
  for (int corner = 0; corner < corners; ++corner)
  {
    const std::int64_t i = first + corner % 2 + (corner / 2 % 2 != 0 ? extent.x : 0) +
                           (corner >= 4 ? static_cast<std::int64_t>(extent.x) * extent.y : 0);
    const float value = image.input[i];
    takesPart = takesPart && IsNoiseVoxel(value, image.limit) && (image.mask == nullptr || image.mask[i] != 0);
    v[corner] = value * image.scale;
  }
  float sigma = 0.0f;
  if constexpr (TTerms::usesSigma)
  {
    const float(&perVoxel)[3] = image.blocksPerVoxel;
    const NodePosition alongX(static_cast<float>(x) + 0.5f, perVoxel[0], nodes.extent.x);
    const NodePosition alongY(static_cast<float>(y) + 0.5f, perVoxel[1], nodes.extent.y);
    const NodePosition alongZ(static_cast<float>(z + image.firstPlane) + 0.5f, perVoxel[2], nodes.extent.z);
    const NodeRow      row(nodes.extent, alongY, alongZ);
    sigma = InterpolateBetween(row.At(nodes.sigma, alongX.lower), row.At(nodes.sigma, alongX.upper), alongX.fraction);
  }
  const NoiseTerms sum = terms(MakeNoiseCube(v), sigma);
  return takesPart ? sum : NoiseTerms{ 0.0f, 0.0f, 0.0f };
}

/** Returns the sums over the \p lanes lanes of a warp that hold one row of a block of cubes. */
__device__ inline NoiseTerms
SumLanes(NoiseTerms sum, int lanes)
{
  for (int distance = lanes / 2; distance > 0; distance /= 2)
  {
    sum.Include({ __shfl_xor_sync(0xffffffffu, sum.x, distance),
                  __shfl_xor_sync(0xffffffffu, sum.y, distance),
                  __shfl_xor_sync(0xffffffffu, sum.z, distance) });
  }
  return sum;
}

/** Returns how many blocks of cubes a block of threads sums, which covers 32 cubes along x. */
CUDANEURO_HOST_DEVICE int
NodesOfGroup(const NoiseImage & image)
{
  return tileThreadsX / image.block[0];
}

/** Reads the voxels of NodesOfGroup blocks of cubes and, for WeightedTerms, the nodes around them; writes the sums of
 * these blocks. There is one block of threads for each group of nodes along x, in the order of the nodes. Its warps
 * share the rows of cubes. */
template <int VAxes, typename TTerms>
__global__ void
__launch_bounds__(tileThreads) NoiseSumsKernel(const __grid_constant__ NoiseImage image,
                                               const __grid_constant__ NoiseNodes nodes,
                                               TTerms                             terms,
                                               unsigned int                       groupsX)
{
  __shared__ NoiseTerms partials[tileThreadsY][tileThreadsX];
  const int(&block)[3] = image.block;
  const int          rowBits = __ffs(block[1]) - 1;
  const unsigned int row = blockIdx.x / groupsX;
  const int          group = static_cast<int>(blockIdx.x - row * groupsX);
  const int          nodeY = static_cast<int>(row % static_cast<unsigned int>(nodes.extent.y));
  const int          nodeZ = static_cast<int>(row / static_cast<unsigned int>(nodes.extent.y));
  const int          lane = static_cast<int>(threadIdx.x);
  const int          warp = static_cast<int>(threadIdx.y);
  NoiseTerms         sum{ 0.0f, 0.0f, 0.0f };
  for (int i = warp; i < block[1] * block[2]; i += tileThreadsY)
  {
    const int y = nodeY * block[1] + (i & (block[1] - 1));
    const int z = nodeZ * block[2] + (i >> rowBits);
    sum.Include(TermsOf<VAxes>(image, nodes, terms, group * tileThreadsX + lane, y, z));
  }
  sum = SumLanes(sum, block[0]);
  if (lane % block[0] == 0)
  {
    partials[warp][lane / block[0]] = sum;
  }
  __syncthreads();
  const int node = group * NodesOfGroup(image) + lane;
  if (warp == 0 && lane < NodesOfGroup(image) && node < nodes.extent.x)
  {
    NoiseTerms all = partials[0][lane];
    for (int other = 1; other < tileThreadsY; ++other)
    {
      all.Include(partials[other][lane]);
    }
    const std::int64_t first = static_cast<std::int64_t>(image.firstPlane / block[2]) * nodes.extent.y;
    const std::int64_t i = (first + row) * nodes.extent.x + node;
    nodes.sums.x[i] = all.x;
    nodes.sums.y[i] = all.y;
    nodes.sums.z[i] = all.z;
  }
}

template <int VAxes, typename TTerms>
void
LaunchSums(Context & context, const NoiseImage & image, const NoiseNodes & nodes, const TTerms & terms)
{
  const auto groupsX = static_cast<unsigned int>(DivideUp(nodes.extent.x, NodesOfGroup(image)));
  const auto rows =
    static_cast<unsigned int>(std::int64_t{ nodes.extent.y } * NumberOfNoiseNodes(image.extent.z, image.block[2]));
  NoiseSumsKernel<VAxes>
    <<<groupsX * rows, TileBlock(), 0, GpuOf(context).ComputeStream()>>>(image, nodes, terms, groupsX);
  CUDANEURO_CUDA_LAUNCHED("NoiseSumsKernel");
}

template <typename TTerms>
void
SumBlocks(Context & context, const NoiseImage & image, const NoiseNodes & nodes, const TTerms & terms)
{
  image.axes == 3 ? LaunchSums<3>(context, image, nodes, terms) : LaunchSums<2>(context, image, nodes, terms);
}

/** Reads and writes the values of the nodes, one thread for each. */
__global__ void
__launch_bounds__(tileThreads)
  NodeStepKernel(NodeStep step, const __grid_constant__ NoiseNodes nodes, std::int64_t count)
{
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * tileThreads + threadIdx.x;
  if (i < count)
  {
    UpdateNode(step, nodes, i);
  }
}

constexpr int planesOfTile = 8;

/** Reads the image, the mask and the nodes; writes the map. Each thread block processes every gridDim.x-th tile and
 * writes the statistics of its voxels to its element of partials. */
__global__ void
__launch_bounds__(tileThreads) NoiseMapKernel(const __grid_constant__ VoxelTiles tiles,
                                              std::int64_t                       numberOfTiles,
                                              const __grid_constant__ NoiseImage image,
                                              const __grid_constant__ NoiseNodes nodes,
                                              float *                            map,
                                              NoiseMapPartial *                  partials)
{
  const Extent &  extent = image.extent;
  const float     unscale = 1.0f / image.scale;
  NoiseMapPartial partial = NoiseMapPartial::Empty();
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), planesOfTile);
    if (!voxel.IsOnGrid(extent))
    {
      continue;
    }
    const NodePosition alongX(static_cast<float>(voxel.x), image.blocksPerVoxel[0], nodes.extent.x);
    const NodePosition alongY(static_cast<float>(voxel.y), image.blocksPerVoxel[1], nodes.extent.y);
    std::int64_t       i = voxel.Index<std::int64_t>(extent);
    const int          end = min(voxel.z + planesOfTile, extent.z);
    for (int z = voxel.z; z < end; ++z, i += static_cast<std::int64_t>(extent.x) * extent.y)
    {
      if (!IsNoiseVoxel(image.input[i], image.limit) || (image.mask != nullptr && image.mask[i] == 0))
      {
        map[i] = 0.0f;
        continue;
      }
      const NodePosition alongZ(static_cast<float>(z + image.firstPlane), image.blocksPerVoxel[2], nodes.extent.z);
      const NodeRow      row(nodes.extent, alongY, alongZ);
      const bool  isNear = row.IsPositive(nodes.count, alongX.lower) || row.IsPositive(nodes.count, alongX.upper);
      const float sigma =
        InterpolateBetween(row.At(nodes.sigma, alongX.lower), row.At(nodes.sigma, alongX.upper), alongX.fraction);
      const float value = isNear ? sigma * unscale : 0.0f;
      map[i] = value;
      partial.Add(value);
    }
  }
  ReduceBlock(partial, partials + blockIdx.x);
}

} // namespace

void
SumComponents(Context & context, const NoiseImage & image, const NoiseNodes & nodes)
{
  SumBlocks(context, image, nodes, ComponentTerms());
}

void
SumWeighted(Context & context, const NoiseImage & image, const NoiseNodes & nodes)
{
  SumBlocks(context, image, nodes, WeightedTerms(image));
}

void
UpdateNodes(Context & context, NodeStep step, const NoiseNodes & nodes)
{
  const std::int64_t count = NumberOfVoxels(nodes.extent);
  const auto         blocks = static_cast<unsigned int>(DivideUp(count, std::int64_t{ tileThreads }));
  NodeStepKernel<<<blocks, tileThreads, 0, GpuOf(context).ComputeStream()>>>(step, nodes, count);
  CUDANEURO_CUDA_LAUNCHED("NodeStepKernel");
}

NoiseMapPartial
WriteNoiseMap(Context & context, const NoiseImage & image, const NoiseNodes & nodes, float * map)
{
  const GpuContext & gpu = GpuOf(context);
  const VoxelTiles   tiles(image.extent, planesOfTile);
  const unsigned int blocks = NumberOfReductionBlocks(tiles);
  const auto         partials = gpu.AllocateArray<NoiseMapPartial>(blocks);
  NoiseMapKernel<<<blocks, TileBlock(), 0, gpu.ComputeStream()>>>(
    tiles, tiles.Count(), image, nodes, map, partials.Data());
  CUDANEURO_CUDA_LAUNCHED("NoiseMapKernel");
  return ReduceOnHost(gpu, partials, blocks);
}

} // namespace cudaneuro::gpu
