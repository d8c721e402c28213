// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/FixedPoint.h"
#include "atlas/means/ImageSums.h"
#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

namespace cudaneuro::gpu
{
namespace
{

constexpr int threadsX = 64;
constexpr int threadsY = 4;

/** Reads 4 bytes per voxel of the box and volume; reads and writes the sums (12 bytes, or 8 without weights). */
template <int VCount, bool VWeighted>
__global__ void
__launch_bounds__(threadsX * threadsY) AddVolumesKernel(const __grid_constant__ SumOfVolumes sum)
{
  const Extent & extent = sum.extent;
  const int      x = sum.box.begin[0] + static_cast<int>(blockIdx.x * threadsX + threadIdx.x);
  const int      y = sum.box.begin[1] + static_cast<int>(blockIdx.y * threadsY + threadIdx.y);
  if (x >= sum.box.end[0] || y >= sum.box.end[1])
  {
    return;
  }
  for (int z = sum.box.begin[2] + static_cast<int>(blockIdx.z); z < sum.box.end[2]; z += static_cast<int>(gridDim.z))
  {
    const int onGrid = (z * extent.y + y) * extent.x + x;
    const int sizeX = sum.box.end[0] - sum.box.begin[0];
    const int sizeY = sum.box.end[1] - sum.box.begin[1];
    const int inBox = ((z - sum.box.begin[2]) * sizeY + y - sum.box.begin[1]) * sizeX + x - sum.box.begin[0];
    float     values[VCount];
#pragma unroll
    for (int k = 0; k < VCount; ++k)
    {
      values[k] = __ldcs(sum.volumes[k] + onGrid);
    }
    std::int64_t total = sum.isFirst ? 0 : sum.sums[inBox];
    std::int32_t weight = VWeighted && !sum.isFirst ? sum.sumsOfWeights[inBox] : 0;
#pragma unroll
    for (int k = 0; k < VCount; ++k)
    {
      const bool hasValue = values[k] == values[k];
      total += ToFixedPoint(hasValue ? values[k] : 0.0f, sum.factors[k]);
      weight += hasValue ? sum.weights[k] : 0;
    }
    sum.sums[inBox] = total;
    if (VWeighted)
    {
      sum.sumsOfWeights[inBox] = weight;
    }
  }
}

/** Reads 12 bytes per voxel of the box, or 8 without weights, and writes 4 per voxel of the grid. */
__global__ void
__launch_bounds__(threadsX * threadsY) DivideSumsKernel(const __grid_constant__ MeanOfSums mean)
{
  const Extent & extent = mean.extent;
  const int      x = static_cast<int>(blockIdx.x * threadsX + threadIdx.x);
  const int      y = static_cast<int>(blockIdx.y * threadsY + threadIdx.y);
  if (x >= extent.x || y >= extent.y)
  {
    return;
  }
  const VoxelBox & box = mean.box;
  for (int z = static_cast<int>(blockIdx.z); z < extent.z; z += static_cast<int>(gridDim.z))
  {
    float value = mean.outside;
    if (x >= box.begin[0] && x < box.end[0] && y >= box.begin[1] && y < box.end[1] && z >= box.begin[2] &&
        z < box.end[2])
    {
      const int    sizeX = box.end[0] - box.begin[0];
      const int    sizeY = box.end[1] - box.begin[1];
      const int    inBox = ((z - box.begin[2]) * sizeY + y - box.begin[1]) * sizeX + x - box.begin[0];
      const double weight = mean.sumsOfWeights ? static_cast<double>(mean.sumsOfWeights[inBox]) : mean.weight;
      value = weight > 0.0 ? FromFixedPoint(mean.sums[inBox], mean.inverseScale, weight) : __int_as_float(0x7fffffff);
    }
    mean.mean[(z * extent.y + y) * extent.x + x] = value;
  }
}

dim3
BlocksFor(const Extent & extent)
{
  return dim3(DivideUp(extent.x, threadsX), DivideUp(extent.y, threadsY), std::min(extent.z, 65535));
}

template <int VCount>
void
Launch(Context & context, const SumOfVolumes & sum)
{
  const auto kernel = sum.sumsOfWeights ? AddVolumesKernel<VCount, true> : AddVolumesKernel<VCount, false>;
  kernel<<<BlocksFor(sum.box.GetExtent()), dim3(threadsX, threadsY), 0, GpuOf(context).ComputeStream()>>>(sum);
  CUDANEURO_CUDA_LAUNCHED("AddVolumesKernel");
}

} // namespace

void
AddVolumes(Context & context, const SumOfVolumes & sum)
{
  if (sum.count == 0 && sum.isFirst)
  {
    const cudaStream_t stream = GpuOf(context).ComputeStream();
    const auto         voxels = static_cast<std::size_t>(NumberOfVoxels(sum.box.GetExtent()));
    CUDANEURO_CUDA(cudaMemsetAsync(sum.sums, 0, voxels * sizeof(std::int64_t), stream));
    if (sum.sumsOfWeights)
    {
      CUDANEURO_CUDA(cudaMemsetAsync(sum.sumsOfWeights, 0, voxels * sizeof(std::int32_t), stream));
    }
  }
  else if (!sum.box.IsEmpty())
  {
    WithConstant<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, mostAddends>(sum.count,
                                                                 [&](auto count) { Launch<count()>(context, sum); });
  }
}

void
DivideSums(Context & context, const MeanOfSums & mean)
{
  DivideSumsKernel<<<BlocksFor(mean.extent), dim3(threadsX, threadsY), 0, GpuOf(context).ComputeStream()>>>(mean);
  CUDANEURO_CUDA_LAUNCHED("DivideSumsKernel");
}

} // namespace cudaneuro::gpu
