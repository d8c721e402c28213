// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/LocalCorrelationEvaluator.h"

#include "cuda/GpuContext.h"
#include "metrics/ComparisonFormulas.h"
#include "metrics/LocalCorrelationLaunch.cuh"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

constexpr int additionThreads = 256;

constexpr int mapDerivatives = correlationEvaluationSums - correlationMatrixSums;

/** Arguments of the kernels that see the moving image through a map. */
struct SeenArguments
{
  ImageComparison images;
  IndexTransform  transform;
  /** The moving image as the voxels of the fixed image see it, NaN for those that do not take part. */
  float * seen;
};

/** Makes the moving image as the fixed image's voxels see it. Reads the moving image (4 bytes per voxel) and the masks, if
 * there are any; writes 4. */
template <typename TIndex>
__global__ void
__launch_bounds__(correlationThreads) SeeMovingImageKernel(const __grid_constant__ SeenArguments arguments)
{
  const ImageComparison & images = arguments.images;
  const Extent &          extent = images.fixedExtent;
  const int               x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int               y = blockIdx.y * correlationColumnsY + threadIdx.y;
  const int               z = blockIdx.z;
  if (x >= extent.x || y >= extent.y)
  {
    return;
  }
  const TIndex        i = (static_cast<TIndex>(z) * extent.y + y) * extent.x + x;
  const SplitPosition position = MapVoxel<TIndex>(arguments.transform, x, y, z);
  float               value;
  const bool          takesPart = SampleMoving<TIndex>(images, i, position, value);
  arguments.seen[i] = takesPart ? value : __int_as_float(0x7fffffff); // NaN
}

/** Completes the sums of terms along z, and multiplies the derivative by the seen image with the moving image's gradient.
 * Writes the sums of each block that make the derivatives by the map, as WriteBlockSums does. Reads 24 bytes per
 * voxel. */
template <typename TIndex>
__global__ void
__launch_bounds__(correlationThreads) MapDerivativeKernel(const __grid_constant__ SeenArguments        seen,
                                                          const __grid_constant__ CorrelationArguments arguments,
                                                          double *                                     blockSums)
{
  extern __shared__ float ring[];
  const ImageComparison & images = seen.images;
  const Extent &          extent = images.fixedExtent;
  const int               x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int               y = blockIdx.y * correlationColumnsY + threadIdx.y;
  int                     z = blockIdx.z * correlationPlanes;
  double                  byPosition[3] = {};
  double                  timesZ[3] = {};
  if (x < extent.x && y < extent.y)
  {
    ForBoxesAlongZ(extent,
                   arguments.radius,
                   x,
                   y,
                   arguments.termSums,
                   ring,
                   [&](std::int64_t i, const float(&sums)[correlationTerms]) {
                     const float w = arguments.deformed[i];
                     if (w == w)
                     {
                       const float            derivative = w * sums[1] - arguments.fixed[i] * sums[0] + sums[2];
                       const SplitPosition    position = MapVoxel<TIndex>(seen.transform, x, y, z);
                       const ValueAndGradient moving =
                         SampleWithGradient(SampleCellOf<TIndex>(position, images.movingExtent), images.moving);
                       const float gradient[3] = { moving.x, moving.y, moving.z };
                       for (int axis = 0; axis < 3; ++axis)
                       {
                         const auto product = static_cast<double>(derivative * gradient[axis]);
                         byPosition[axis] += product;
                         timesZ[axis] += product * z;
                       }
                     }
                     ++z;
                   });
  }
  double values[mapDerivatives];
  for (int axis = 0; axis < 3; ++axis)
  {
    values[3 * axis] = byPosition[axis] * x;
    values[3 * axis + 1] = byPosition[axis] * y;
    values[3 * axis + 2] = timesZ[axis];
    values[9 + axis] = byPosition[axis];
  }
  WriteBlockSums(values, blockSums);
}

/** Adds up one array of sums of blocks per block, in a fixed order. */
__global__ void
__launch_bounds__(additionThreads) AddBlockSumsKernel(const double * blockSums, int count, double * sums)
{
  const double * const from = blockSums + std::int64_t{ blockIdx.x } * count;
  double               sum = 0.0;
  for (int i = threadIdx.x; i < count; i += additionThreads)
  {
    sum += from[i];
  }
  __shared__ double shared[additionThreads];
  shared[threadIdx.x] = sum;
  for (int half = additionThreads / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
    {
      sum += shared[threadIdx.x + half];
      shared[threadIdx.x] = sum;
    }
  }
  if (threadIdx.x == 0)
  {
    sums[blockIdx.x] = sum;
  }
}

class LocalCorrelationEvaluator : public MetricEvaluator
{
public:
  LocalCorrelationEvaluator(const GpuContext & gpu, const MetricShape & shape, const ImageComparison & comparison)
    : m_Gpu(gpu)
    , m_IsSmall(IsSmall(comparison.fixedExtent) && IsSmall(comparison.movingExtent))
    , m_Launch(comparison.fixedExtent)
    , m_Volumes(gpu.AllocateArray<float>(static_cast<std::size_t>(NumberOfVoxels(comparison.fixedExtent)) *
                                         (1 + correlationSums + correlationTerms)))
    , m_BlockSums(
        gpu.AllocateArray<double>(static_cast<std::size_t>(m_Launch.NumberOfBlocks()) * correlationEvaluationSums))
  {
    const std::int64_t voxels = NumberOfVoxels(comparison.fixedExtent);
    float *            volume = m_Volumes.Data();
    m_Seen.images = comparison;
    m_Seen.seen = volume;
    m_Arguments.extent = comparison.fixedExtent;
    m_Arguments.radius = shape.correlationRadius;
    m_Arguments.fixed = comparison.fixed;
    m_Arguments.deformed = volume;
    for (int channel = 0; channel < correlationSums; ++channel)
    {
      m_Arguments.sums.volume[channel] = volume += voxels;
    }
    for (int channel = 0; channel < correlationTerms; ++channel)
    {
      m_Arguments.terms.volume[channel] = volume += voxels;
      m_Arguments.termSums.volume[channel] = m_Arguments.sums.volume[channel];
    }
    m_Arguments.energyTerms = m_BlockSums.Data();
    AllowAllSharedMemory(MapDerivativeKernel<std::uint32_t>);
    AllowAllSharedMemory(MapDerivativeKernel<std::int64_t>);
  }

  void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) override
  {
    const std::size_t elements = static_cast<std::size_t>(count) * correlationEvaluationSums;
    const auto        sums = m_Gpu.AllocateArray<double>(elements);
    for (int i = 0; i < count; ++i)
    {
      m_Seen.transform = MakeIndexTransform(evaluations[i].indexMap);
      double * const sumsOfMap = sums.Data() + std::int64_t{ i } * correlationEvaluationSums;
      m_IsSmall ? this->Enqueue<std::uint32_t>(withDerivatives, sumsOfMap)
                : this->Enqueue<std::int64_t>(withDerivatives, sumsOfMap);
    }
    const std::vector<double> onHost = m_Gpu.CopyToHost(sums, elements);
    for (int i = 0; i < count; ++i)
    {
      SetEvaluation(onHost.data() + std::int64_t{ i } * correlationEvaluationSums, withDerivatives, evaluations[i]);
    }
  }

private:
  /** Without derivatives, their sums are not written. */
  template <typename TIndex>
  void
  Enqueue(bool withDerivatives, double * sums)
  {
    const cudaStream_t stream = m_Gpu.ComputeStream();
    const dim3         threads = LocalCorrelationLaunch::Threads();
    const int          blocks = m_Launch.NumberOfBlocks();
    SeeMovingImageKernel<TIndex><<<m_Launch.PlaneBlocks(), threads, 0, stream>>>(m_Seen);
    CUDANEURO_CUDA_LAUNCHED("SeeMovingImageKernel");
    if (withDerivatives)
    {
      m_Launch.EnqueueTerms<BoxesOf::VoxelsWithValue, true>(stream, m_Arguments);
      m_Launch.EnqueueTermSums(stream, m_Arguments);
      double * const    blockSums = m_BlockSums.Data() + std::int64_t{ correlationMatrixSums } * blocks;
      const std::size_t sharedBytes = BoxColumnSharedBytes(correlationTerms, m_Arguments.radius);
      MapDerivativeKernel<TIndex>
        <<<m_Launch.ColumnBlocks(), threads, sharedBytes, stream>>>(m_Seen, m_Arguments, blockSums);
      CUDANEURO_CUDA_LAUNCHED("MapDerivativeKernel");
    }
    else
    {
      m_Launch.EnqueueTerms<BoxesOf::VoxelsWithValue, false>(stream, m_Arguments);
    }
    const int arrays = withDerivatives ? correlationEvaluationSums : correlationMatrixSums;
    AddBlockSumsKernel<<<arrays, additionThreads, 0, stream>>>(m_BlockSums.Data(), blocks, sums);
    CUDANEURO_CUDA_LAUNCHED("AddBlockSumsKernel");
  }

  const GpuContext &     m_Gpu;
  bool                   m_IsSmall;
  LocalCorrelationLaunch m_Launch;
  DeviceBuffer<float>    m_Volumes;
  DeviceBuffer<double>   m_BlockSums;
  SeenArguments          m_Seen{};
  CorrelationArguments   m_Arguments{};
};

} // namespace

std::unique_ptr<MetricEvaluator>
MakeLocalCorrelationEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison)
{
  return std::make_unique<LocalCorrelationEvaluator>(GpuOf(context), shape, comparison);
}

} // namespace cudaneuro::gpu
