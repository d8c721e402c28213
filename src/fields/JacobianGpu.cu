// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/Jacobian.h"

#include "cuda/Reduce.cuh"
#include "fields/JacobianFormulas.h"
#include "fields/JacobianStatistics.h"
#include "fields/Sampling.h"

namespace cudaneuro::gpu
{
namespace
{

constexpr int jacobianPlanes = 4;

struct JacobianArguments
{
  VoxelTiles        tiles;
  std::int64_t      numberOfTiles;
  ConstSoAField     field;
  float *           output;
  JacobianPartial * partials;
  std::uint64_t *   counts; // numbers of determinants by bin
};

/** Reads the field at the neighbors of each voxel and writes the determinant, unless output is null. Each thread block
 * processes every gridDim.x-th tile, writes its statistics to its element of partials, and adds to counts. */
template <typename TIndex>
__global__ void
__launch_bounds__(tileThreads) JacobianKernel(const __grid_constant__ JacobianArguments arguments)
{
  __shared__ unsigned int counts[jacobianBins];
  const int               thread = static_cast<int>(threadIdx.y * tileThreadsX + threadIdx.x);
  for (int bin = thread; bin < jacobianBins; bin += tileThreads)
  {
    counts[bin] = 0;
  }
  __syncthreads();
  const Extent &  extent = arguments.tiles.extent;
  const TIndex    planeVoxels = static_cast<TIndex>(extent.x) * extent.y;
  JacobianPartial partial = JacobianPartial::Empty();
  for (std::int64_t tile = blockIdx.x; tile < arguments.numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(arguments.tiles, static_cast<unsigned int>(tile), jacobianPlanes);
    if (!voxel.IsOnGrid(extent))
    {
      continue;
    }
    const TIndex begin = voxel.Index<TIndex>(extent);
#pragma unroll
    for (int plane = 0; plane < jacobianPlanes; ++plane)
    {
      const int z = voxel.z + plane;
      if (z < extent.z)
      {
        const FieldGradient gradient = GradientAt<TIndex>(arguments.field, extent, voxel.x, voxel.y, z);
        const float         determinant = Determinant(IdentityPlus(gradient));
        partial.Add(determinant);
        if (determinant > 0.0f)
        {
          atomicAdd(counts + JacobianBin(determinant), 1u);
        }
        if (arguments.output)
        {
          __stcs(arguments.output + begin + plane * planeVoxels, determinant);
        }
      }
    }
  }
  ReduceBlock(partial, arguments.partials + blockIdx.x); // waits for all threads of the block
  for (int bin = thread; bin < jacobianBins; bin += tileThreads)
  {
    if (counts[bin] != 0)
    {
      atomicAdd(reinterpret_cast<unsigned long long *>(arguments.counts + bin), counts[bin]);
    }
  }
}

} // namespace

JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output)
{
  GpuContext &            gpu = GpuOf(context);
  const VoxelTiles        tiles(extent, jacobianPlanes);
  const unsigned int      blocks = NumberOfReductionBlocks(tiles);
  const auto              partials = gpu.AllocateArray<JacobianPartial>(blocks);
  const auto              counts = gpu.AllocateArray<std::uint64_t>(jacobianBins);
  const JacobianArguments arguments{ tiles, tiles.Count(), field, output, partials.Data(), counts.Data() };
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, jacobianBins * sizeof(std::uint64_t), gpu.ComputeStream()));
  const auto kernel = IsSmall(extent) ? JacobianKernel<std::uint32_t> : JacobianKernel<std::int64_t>;
  kernel<<<blocks, TileBlock(), 0, gpu.ComputeStream()>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("JacobianKernel");
  const std::vector<std::uint64_t> ofBins = gpu.CopyToHost(counts, jacobianBins);
  return MakeJacobianResult(ReduceOnHost(gpu, partials, blocks), { ofBins.begin(), ofBins.end() });
}

} // namespace cudaneuro::gpu
