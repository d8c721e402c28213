// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImagePreparationGpu.h"
#include "core/IntegerMath.h"

#include "cuda/GpuContext.h"
#include "images/ImagePreparationFormulas.h"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

constexpr int threadsPerBlock = 256;

__device__ __forceinline__ float
NoValue()
{
  return __int_as_float(0x7fffffff);
}

/** Calls operation(i) for each voxel; reads and writes what it does. */
template <typename TOperation>
static __global__ void
__launch_bounds__(threadsPerBlock) VoxelKernel(std::int64_t numberOfVoxels, TOperation operation)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * threadsPerBlock;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * threadsPerBlock + threadIdx.x; i < numberOfVoxels; i += step)
  {
    operation(i);
  }
}

template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation)
{
  GpuContext &       gpu = context.Gpu();
  const std::int64_t needed = DivideUp(numberOfVoxels, threadsPerBlock);
  const auto         blocks = std::min<std::int64_t>(needed, std::int64_t{ 16 } * gpu.NumberOfMultiprocessors());
  VoxelKernel<<<static_cast<unsigned int>(blocks), threadsPerBlock, 0, gpu.ComputeStream()>>>(numberOfVoxels,
                                                                                              operation);
  CUDANEURO_CUDA_LAUNCHED("VoxelKernel");
}

struct MapOperation
{
  IntensityMapView      map;
  const unsigned char * mask;
  float *               image;

  __device__ void
  operator()(std::int64_t i) const
  {
    const bool isInside = mask == nullptr || mask[i] != 0;
    image[i] = isInside && HasValue(image[i]) ? MappedIntensity(map, image[i]) : NoValue();
  }
};

struct OverlapOperation
{
  const float *   a;
  const float *   b;
  unsigned char * mask;

  __device__ void
  operator()(std::int64_t i) const
  {
    mask[i] = HasValue(a[i]) && HasValue(b[i]) ? 1 : 0;
  }
};

struct SplitOperation
{
  float * image;
  float * weight;

  __device__ void
  operator()(std::int64_t i) const
  {
    const float value = image[i];
    weight[i] = HasValue(value) ? 1.0f : 0.0f;
    image[i] = HasValue(value) ? value : 0.0f;
  }
};

struct JoinOperation
{
  const float * weight;
  float *       image;

  __device__ void
  operator()(std::int64_t i) const
  {
    image[i] = weight[i] >= 0.5f ? image[i] / weight[i] : NoValue();
  }
};

/** Counts are integers: their order does not matter. */
struct HistogramOperation
{
  const float *         image;
  const unsigned char * mask;
  float                 minimum;
  float                 binsPerUnit;
  int                   bins;
  unsigned long long *  counts;

  __device__ void
  operator()(std::int64_t i) const
  {
    if (mask[i] != 0)
    {
      atomicAdd(counts + HistogramBin(image[i], minimum, binsPerUnit, bins), 1ULL);
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

void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image)
{
  const GpuContext &        gpu = context.Gpu();
  const DeviceBuffer<float> from = Upload(gpu, map.from);
  const DeviceBuffer<float> to = Upload(gpu, map.to);
  const IntensityMapView    view{ from.Data(), to.Data(), static_cast<int>(map.from.size()) };
  ForVoxels(context, numberOfVoxels, MapOperation{ view, mask, image });
}

void
MarkOverlap(Context & context, std::int64_t numberOfVoxels, const float * a, const float * b, unsigned char * mask)
{
  ForVoxels(context, numberOfVoxels, OverlapOperation{ a, b, mask });
}

void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight)
{
  ForVoxels(context, numberOfVoxels, SplitOperation{ image, weight });
}

void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float * image)
{
  ForVoxels(context, numberOfVoxels, JoinOperation{ weight, image });
}

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume)
{
  CUDANEURO_CUDA(cudaMemsetAsync(
    volume, 0, static_cast<std::size_t>(numberOfVoxels) * sizeof(float), context.Gpu().ComputeStream()));
}

std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          float                 minimum,
          float                 binsPerUnit,
          int                   bins)
{
  const GpuContext & gpu = context.Gpu();
  const auto         count = static_cast<std::size_t>(bins);
  const auto         counts = gpu.AllocateArray<unsigned long long>(count);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, count * sizeof(unsigned long long), gpu.ComputeStream()));
  ForVoxels(context, numberOfVoxels, HistogramOperation{ image, mask, minimum, binsPerUnit, bins, counts.Data() });
  const std::vector<unsigned long long> host = gpu.CopyToHost(counts, count);
  return { host.begin(), host.end() };
}

} // namespace cudaneuro::gpu
