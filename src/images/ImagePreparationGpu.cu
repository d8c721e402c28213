// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImagePreparationFormulas.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

constexpr int threadsPerBlock = 256;

/** Calls operation(i), which reads and writes voxel i only, for each voxel, in a grid-stride loop. */
template <typename TOperation>
__global__ void
__launch_bounds__(threadsPerBlock) VoxelKernel(std::int64_t numberOfVoxels, TOperation operation)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * threadsPerBlock;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * threadsPerBlock + threadIdx.x; i < numberOfVoxels; i += step)
  {
    operation(i);
  }
}

/** Counts a voxel. Counts are integers, so that the order of additions does not matter. */
struct HistogramOperation
{
  const float *         image;
  const unsigned char * mask;
  HistogramScale        scale;
  unsigned long long *  counts; // the type that atomicAdd takes

  __device__ void
  operator()(std::int64_t i) const
  {
    if (mask == nullptr || mask[i] != 0)
    {
      atomicAdd(counts + scale.Bin(image[i]), 1ULL);
    }
  }
};

DeviceBuffer<float>
Upload(const GpuContext & gpu, const std::vector<float> & values)
{
  DeviceBuffer<float> array = gpu.AllocateArray<float>(values.size());
  CUDANEURO_CUDA(cudaMemcpyAsync(
    array.Data(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice, gpu.ComputeStream()));
  return array;
}

} // namespace

template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation)
{
  GpuContext &       gpu = GpuOf(context);
  const std::int64_t needed = DivideUp(numberOfVoxels, threadsPerBlock);
  const auto         blocks = std::min<std::int64_t>(needed, std::int64_t{ 16 } * gpu.NumberOfMultiprocessors());
  VoxelKernel<<<static_cast<unsigned int>(blocks), threadsPerBlock, 0, gpu.ComputeStream()>>>(numberOfVoxels,
                                                                                              operation);
  CUDANEURO_CUDA_LAUNCHED("VoxelKernel");
}

template void
ForVoxels(Context &, std::int64_t, const RescaleOperation &);
template void
ForVoxels(Context &, std::int64_t, const FillOperation &);
template void
ForVoxels(Context &, std::int64_t, const ValidOperation &);
template void
ForVoxels(Context &, std::int64_t, const OverlapOperation &);
template void
ForVoxels(Context &, std::int64_t, const SplitOperation &);
template void
ForVoxels(Context &, std::int64_t, const JoinOperation &);
template void
ForVoxels(Context &, std::int64_t, const SharpenOperation &);

void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image)
{
  const GpuContext &        gpu = GpuOf(context);
  const DeviceBuffer<float> from = Upload(gpu, map.from);
  const DeviceBuffer<float> to = Upload(gpu, map.to);
  const IntensityMapView    view{ from.Data(), to.Data(), static_cast<int>(map.from.size()) };
  ForVoxels(context, numberOfVoxels, MapOperation{ view, mask, image });
}

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume)
{
  CUDANEURO_CUDA(cudaMemsetAsync(
    volume, 0, static_cast<std::size_t>(numberOfVoxels) * sizeof(float), GpuOf(context).ComputeStream()));
}

std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          const HistogramBins & bins)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         count = static_cast<std::size_t>(bins.count);
  const auto         counts = gpu.AllocateArray<unsigned long long>(count);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, count * sizeof(unsigned long long), gpu.ComputeStream()));
  ForVoxels(context, numberOfVoxels, HistogramOperation{ image, mask, HistogramScale(bins), counts.Data() });
  const std::vector<unsigned long long> host = gpu.CopyToHost(counts, count);
  return { host.begin(), host.end() };
}

} // namespace cudaneuro::gpu
