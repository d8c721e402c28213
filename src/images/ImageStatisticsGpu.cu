// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageStatisticsFormulas.h"

#include "core/IntegerMath.h"
#include "cuda/Reduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Reads the volume and, unless it is null, the mask. Each thread block writes the statistics of its voxels to its
 * element of partials. */
__global__ void
__launch_bounds__(tileThreads) StatisticsKernel(std::int64_t          numberOfVoxels,
                                                const float *         input,
                                                const unsigned char * mask,
                                                StatisticsPartial *   partials)
{
  const std::int64_t stride = std::int64_t{ gridDim.x } * tileThreads;
  const std::int64_t first = std::int64_t{ blockIdx.x } * tileThreads + threadIdx.y * tileThreadsX + threadIdx.x;
  ShiftedSums        sums;
  for (std::int64_t i = first; i < numberOfVoxels; i += stride)
  {
    if (!mask || mask[i] != 0)
    {
      sums.Add(input[i]);
    }
  }
  ReduceBlock(sums.ToPartial(), partials + blockIdx.x);
}

} // namespace

ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask)
{
  GpuContext &       gpu = GpuOf(context);
  const std::int64_t needed = DivideUp(numberOfVoxels, tileThreads);
  const auto         blocks = static_cast<unsigned int>(std::min<std::int64_t>(reductionBlocks, needed));
  const auto         partials = gpu.AllocateArray<StatisticsPartial>(blocks);
  StatisticsKernel<<<blocks, TileBlock(), 0, gpu.ComputeStream()>>>(numberOfVoxels, input, mask, partials.Data());
  CUDANEURO_CUDA_LAUNCHED("StatisticsKernel");
  return MakeImageStatistics(ReduceOnHost(gpu, partials, blocks));
}

} // namespace cudaneuro::gpu
