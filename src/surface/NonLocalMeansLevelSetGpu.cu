// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/NonLocalMeansLevelSetKernel.cuh"

#include "core/Dispatch.h"
#include "cuda/GpuContext.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro::gpu
{
namespace
{

unsigned int
BlocksFor(std::int64_t count, std::int64_t countPerBlock)
{
  return static_cast<unsigned int>(DivideUp(count, countPerBlock));
}

/** Number of blocks for kernels with strided loops: as many as the work requires, or as are resident on the device at
 * once. */
unsigned int
ResidentBlocksFor(const GpuContext & gpu, std::int64_t count, std::int64_t countPerBlock)
{
  return static_cast<unsigned int>(
    std::min<std::int64_t>(DivideUp(count, countPerBlock), std::int64_t{ 8 } * gpu.NumberOfMultiprocessors()));
}

/** Calls body with the number of groups of 32 neighbors as a constant. */
template <typename TBody>
void
WithChunks(const SimilarVoxels & similar, const TBody & body)
{
  WithConstantFrom<1, 2, 3, 4>(DivideUp(similar.neighbors, 32), body);
}

} // namespace

void
GatherPatches(Context & context, const BandView & band, int patchSize, float * patches)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  WithConstant<3, 5, 7>(patchSize, [&](auto size) {
    const unsigned int blocks = BlocksFor(band.count * PatchStrideOf(size()), levelSetThreads);
    PatchKernel<size()><<<blocks, levelSetThreads, 0, stream>>>(band, patches);
    CUDANEURO_CUDA_LAUNCHED("PatchKernel");
  });
}

std::vector<float>
DistancesOfNeighbor(Context & context, const SimilarVoxels & similar, int neighbor)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         count = static_cast<std::size_t>(similar.voxels);
  const auto         column = gpu.AllocateArray<float>(count);
  ColumnKernel<<<BlocksFor(similar.voxels, levelSetThreads), levelSetThreads, 0, gpu.ComputeStream()>>>(
    similar, neighbor, column.Data());
  CUDANEURO_CUDA_LAUNCHED("ColumnKernel");
  return gpu.CopyToHost(column, count);
}

float
ComputeWeights(Context & context, const WeightRates & rates, const BandVoxel * voxels, const SimilarVoxels & similar)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         largestSum = gpu.AllocateArray<unsigned int>(1);
  CUDANEURO_CUDA(cudaMemsetAsync(largestSum.Data(), 0, sizeof(unsigned int), gpu.ComputeStream()));
  const unsigned int blocks = ResidentBlocksFor(gpu, similar.voxels, levelSetWarps);
  WithChunks(similar, [&](auto chunks) {
    WeightKernel<chunks()>
      <<<blocks, levelSetThreads, 0, gpu.ComputeStream()>>>(rates, voxels, similar, largestSum.Data());
    CUDANEURO_CUDA_LAUNCHED("WeightKernel");
  });
  const unsigned int bits = gpu.CopyToHost(largestSum, 1)[0];
  float              largest = 0.0f;
  std::memcpy(&largest, &bits, sizeof(largest));
  return largest;
}

void
ReadBand(Context & context, const BandView & band, float * values)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  ReadBandKernel<<<BlocksFor(band.count, levelSetThreads), levelSetThreads, 0, stream>>>(band, values);
  CUDANEURO_CUDA_LAUNCHED("ReadBandKernel");
}

void
Diffuse(Context & context, const SimilarVoxels & similar, float timeStep, int iterations, BandValues & values)
{
  // Without waiting now and then, the host would report progress far ahead of the device.
  constexpr int      iterationsBetweenReports = 256;
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  const unsigned int blocks = BlocksFor(similar.voxels, levelSetWarps);
  WithChunks(similar, [&](auto chunks) {
    for (int done = 0; done < iterations;)
    {
      StepKernel<chunks()><<<blocks, levelSetThreads, 0, stream>>>(similar, timeStep, values.now, values.next);
      CUDANEURO_CUDA_LAUNCHED("StepKernel");
      std::swap(values.now, values.next);
      if (++done % iterationsBetweenReports == 0)
      {
        CUDANEURO_CUDA(cudaStreamSynchronize(stream));
        context.ReportProgress(static_cast<double>(done) / iterations);
      }
    }
  });
}

void
WriteBand(Context & context, const BandView & band, const float * values, float * distances)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  WriteBandKernel<<<BlocksFor(band.count, levelSetThreads), levelSetThreads, 0, stream>>>(band, values, distances);
  CUDANEURO_CUDA_LAUNCHED("WriteBandKernel");
}

void
JoinDistances(Context & context, std::int64_t numberOfVoxels, const JoinedDistances & join)
{
  const GpuContext & gpu = GpuOf(context);
  const unsigned int blocks = ResidentBlocksFor(gpu, numberOfVoxels, levelSetThreads);
  JoinKernel<<<blocks, levelSetThreads, 0, gpu.ComputeStream()>>>(numberOfVoxels, join);
  CUDANEURO_CUDA_LAUNCHED("JoinKernel");
}

void
CopyDistances(Context & context, std::int64_t numberOfVoxels, const float * from, float * to)
{
  CUDANEURO_CUDA(cudaMemcpyAsync(to,
                                 from,
                                 static_cast<std::size_t>(numberOfVoxels) * sizeof(float),
                                 cudaMemcpyDeviceToDevice,
                                 GpuOf(context).ComputeStream()));
}

} // namespace cudaneuro::gpu
