// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/labels/LabelCodesFormulas.h"

#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

/** Planes in a tile of the output, which one thread computes for its column. */
constexpr int labelPlanes = 4;
constexpr int searchThreads = 256;

/** output = labelOf(x, y, z, index in memory), which reads other memory. Each block has one tile. */
template <typename TLabelOf>
__global__ void
__launch_bounds__(tileThreads)
  FillLabelsKernel(VoxelTiles tiles, std::uint16_t * output, const __grid_constant__ TLabelOf labelOf)
{
  const Extent &  extent = tiles.extent;
  const TileVoxel voxel(tiles, blockIdx.x, labelPlanes);
  if (!voxel.IsOnGrid(extent))
  {
    return;
  }
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  const int          end = min(voxel.z + labelPlanes, extent.z);
  auto               i = voxel.Index<std::int64_t>(extent);
  for (int z = voxel.z; z < end; ++z, i += plane)
  {
    output[i] = labelOf(voxel.x, voxel.y, z, i);
  }
}

template <typename TLabel>
struct ResampledLabel
{
  LabelSource<TLabel> source;

  __device__ std::uint16_t
             operator()(int x, int y, int z, std::int64_t i) const
  {
    return source.LabelOf(x, y, z, i);
  }
};

struct FrequentLabel
{
  LabelShrinking shrinking;

  __device__ std::uint16_t
             operator()(int x, int y, int z, std::int64_t) const
  {
    return LabelBlock(shrinking, x, y, z).MostFrequent();
  }
};

template <typename TLabelOf>
void
FillLabels(Context & context, const Extent & extent, std::uint16_t * output, const TLabelOf & labelOf)
{
  const VoxelTiles tiles(extent, labelPlanes);
  FillLabelsKernel<<<static_cast<unsigned int>(tiles.Count()), TileBlock(), 0, GpuOf(context).ComputeStream()>>>(
    tiles, output, labelOf);
  CUDANEURO_CUDA_LAUNCHED("FillLabelsKernel");
}

/** The largest label, by an atomic maximum, which does not depend on the order of threads. */
__global__ void
__launch_bounds__(searchThreads)
  LargestLabelKernel(std::int64_t numberOfVoxels, const std::uint16_t * labels, unsigned int * largest)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * searchThreads;
  unsigned int       found = 0;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * searchThreads + threadIdx.x; i < numberOfVoxels; i += step)
  {
    found = max(found, static_cast<unsigned int>(labels[i]));
  }
  atomicMax(largest, found);
}

} // namespace

void
ResampleLabels(Context & context, const LabelResampling & resampling)
{
  if (resampling.isWide)
  {
    FillLabels(context,
               resampling.outputExtent,
               resampling.output,
               ResampledLabel<std::uint16_t>{ LabelSource<std::uint16_t>(resampling) });
  }
  else
  {
    FillLabels(context,
               resampling.outputExtent,
               resampling.output,
               ResampledLabel<std::uint8_t>{ LabelSource<std::uint8_t>(resampling) });
  }
}

void
ShrinkLabels(Context & context, const LabelShrinking & shrinking)
{
  FillLabels(context, shrinking.outputExtent, shrinking.output, FrequentLabel{ shrinking });
}

int
LargestLabel(Context & context, std::int64_t numberOfVoxels, const std::uint16_t * labels)
{
  const GpuContext &               gpu = GpuOf(context);
  const DeviceBuffer<unsigned int> largest = gpu.AllocateArray<unsigned int>(1);
  const std::int64_t               needed = DivideUp(numberOfVoxels, searchThreads);
  const auto                       blocks = std::min<std::int64_t>(needed, 8LL * gpu.NumberOfMultiprocessors());
  CUDANEURO_CUDA(cudaMemsetAsync(largest.Data(), 0, sizeof(unsigned int), gpu.ComputeStream()));
  LargestLabelKernel<<<static_cast<unsigned int>(blocks), searchThreads, 0, gpu.ComputeStream()>>>(
    numberOfVoxels, labels, largest.Data());
  CUDANEURO_CUDA_LAUNCHED("LargestLabelKernel");
  return static_cast<int>(gpu.CopyToHost(largest, 1).front());
}

} // namespace cudaneuro::gpu
