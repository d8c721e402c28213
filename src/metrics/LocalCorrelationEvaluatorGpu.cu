// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/LocalCorrelationEvaluator.h"

#include "cuda/GpuContext.h"
#include "metrics/ComparisonFormulas.h"
#include "metrics/correlation/LocalCorrelationLaunch.cuh"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

constexpr int additionThreads = 256;
constexpr int seeThreadsX = 32;
constexpr int seeThreadsY = 8;
constexpr int seeThreads = seeThreadsX * seeThreadsY;
/** The number of planes that a thread of MapDerivativeKernel processes. */
constexpr int derivativePlanes = 16;

constexpr int mapDerivatives = correlationEvaluationSums - correlationMatrixSums;

/** Arguments of the kernels that sample the moving image through a map. */
struct SeenArguments
{
  ImageComparison images;
  IndexTransform  transform;
  /** The moving image at the mapped voxels of the fixed image, NaN for excluded voxels. */
  float * seen;
};

/** Samples the moving image at the mapped voxels of the fixed image. Reads the moving image (4 bytes per voxel) and the
 * masks, if there are any; writes 4 bytes per voxel. */
template <typename TIndex>
__global__ void
__launch_bounds__(seeThreads) SeeMovingImageKernel(const __grid_constant__ SeenArguments arguments)
{
  const ImageComparison & images = arguments.images;
  const Extent &          extent = images.fixedExtent;
  const int               x = blockIdx.x * seeThreadsX + threadIdx.x;
  const int               y = blockIdx.y * seeThreadsY + threadIdx.y;
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

/** Multiplies the derivative by the sampled image with the moving image gradient, and writes sums of each block for
 * the derivatives by the map, by WriteBlockSums. Reads 8 bytes per voxel, and the moving image (4 bytes). */
template <typename TIndex>
__global__ void
__launch_bounds__(seeThreads)
  MapDerivativeKernel(const __grid_constant__ SeenArguments seen, const float * derivative, double * blockSums)
{
  const ImageComparison & images = seen.images;
  const Extent &          extent = images.fixedExtent;
  const int               x = blockIdx.x * seeThreadsX + threadIdx.x;
  const int               y = blockIdx.y * seeThreadsY + threadIdx.y;
  const int               begin = blockIdx.z * derivativePlanes;
  const int               end = min(begin + derivativePlanes, extent.z);
  double                  byPosition[3] = {};
  double                  timesZ[3] = {};
  for (int z = begin; z < end && x < extent.x && y < extent.y; ++z)
  {
    const TIndex i = (static_cast<TIndex>(z) * extent.y + y) * extent.x + x;
    const float  w = seen.seen[i];
    if (w == w)
    {
      const SplitPosition    position = MapVoxel<TIndex>(seen.transform, x, y, z);
      const ValueAndGradient moving =
        SampleWithGradient(SampleCellOf<TIndex>(position, images.movingExtent), images.moving);
      const float gradient[3] = { moving.x, moving.y, moving.z };
      for (int axis = 0; axis < 3; ++axis)
      {
        const auto product = static_cast<double>(derivative[i] * gradient[axis]);
        byPosition[axis] += product;
        timesZ[axis] += product * z;
      }
    }
  }
  double values[mapDerivatives];
  for (int axis = 0; axis < 3; ++axis)
  {
    values[3 * axis] = byPosition[axis] * x;
    values[3 * axis + 1] = byPosition[axis] * y;
    values[3 * axis + 2] = timesZ[axis];
    values[9 + axis] = byPosition[axis];
  }
  WriteBlockSums<seeThreads>(values, blockSums);
}

/** Reads arrays of block sums, and writes the total of each, in a fixed order; one block of threads per array. */
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
    , m_Launch(gpu, comparison.fixedExtent, shape.correlationRadius)
    , m_Volumes(gpu.AllocateArray<float>(static_cast<std::size_t>(NumberOfVoxels(comparison.fixedExtent)) *
                                         (2 + correlationTerms)))
    , m_SeeBlocks(DivideUp(comparison.fixedExtent.x, seeThreadsX),
                  DivideUp(comparison.fixedExtent.y, seeThreadsY),
                  comparison.fixedExtent.z)
    , m_DerivativeBlocks(m_SeeBlocks.x, m_SeeBlocks.y, DivideUp(comparison.fixedExtent.z, derivativePlanes))
    , m_EnergyTerms(
        gpu.AllocateArray<double>(static_cast<std::size_t>(m_Launch.NumberOfBlocks()) * correlationMatrixSums))
    , m_DerivativeTerms(
        gpu.AllocateArray<double>(static_cast<std::size_t>(this->NumberOfDerivativeBlocks()) * mapDerivatives))
  {
    const std::int64_t voxels = NumberOfVoxels(comparison.fixedExtent);
    float *            volume = m_Volumes.Data();
    m_Seen.images = comparison;
    m_Seen.seen = volume;
    m_Arguments.extent = comparison.fixedExtent;
    m_Arguments.radius = shape.correlationRadius;
    m_Arguments.fixed = comparison.fixed;
    m_Arguments.weights = comparison.fixedWeights;
    m_Arguments.deformed = volume;
    m_Arguments.derivative = volume += voxels;
    m_Arguments.planes = m_Launch.NumberOfPlanes();
    for (float *& term : m_Arguments.terms.volume)
    {
      term = volume += voxels;
    }
    m_Arguments.energyTerms = m_EnergyTerms.Data();
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
  /** Enqueues the kernels. Without derivatives, their sums are not written. */
  template <typename TIndex>
  void
  Enqueue(bool withDerivatives, double * sums)
  {
    const cudaStream_t stream = m_Gpu.ComputeStream();
    const dim3         threads(seeThreadsX, seeThreadsY);
    SeeMovingImageKernel<TIndex><<<m_SeeBlocks, threads, 0, stream>>>(m_Seen);
    CUDANEURO_CUDA_LAUNCHED("SeeMovingImageKernel");
    if (withDerivatives)
    {
      this->EnqueueTerms<true>(stream);
      m_Launch.EnqueueDerivative(stream, m_Arguments);
      MapDerivativeKernel<TIndex>
        <<<m_DerivativeBlocks, threads, 0, stream>>>(m_Seen, m_Arguments.derivative, m_DerivativeTerms.Data());
      CUDANEURO_CUDA_LAUNCHED("MapDerivativeKernel");
      EnqueueAddition(
        stream, m_DerivativeTerms, mapDerivatives, this->NumberOfDerivativeBlocks(), sums + correlationMatrixSums);
    }
    else
    {
      this->EnqueueTerms<false>(stream);
    }
    EnqueueAddition(stream, m_EnergyTerms, correlationMatrixSums, m_Launch.NumberOfBlocks(), sums);
  }

  template <bool VWithTerms>
  void
  EnqueueTerms(cudaStream_t stream)
  {
    m_Arguments.weights == nullptr ? m_Launch.EnqueueTerms<BoxesOf::VoxelsWithValue, VWithTerms>(stream, m_Arguments)
                                   : m_Launch.EnqueueTerms<BoxesOf::WeightedVoxels, VWithTerms>(stream, m_Arguments);
  }

  /** Enqueues the addition of arrays of block sums. */
  static void
  EnqueueAddition(
    cudaStream_t stream, const DeviceBuffer<double> & blockSums, int arrays, int elementsOfArray, double * sums)
  {
    AddBlockSumsKernel<<<arrays, additionThreads, 0, stream>>>(blockSums.Data(), elementsOfArray, sums);
    CUDANEURO_CUDA_LAUNCHED("AddBlockSumsKernel");
  }

  int
  NumberOfDerivativeBlocks() const
  {
    return static_cast<int>(m_DerivativeBlocks.x * m_DerivativeBlocks.y * m_DerivativeBlocks.z);
  }

  const GpuContext &     m_Gpu;
  bool                   m_IsSmall;
  LocalCorrelationLaunch m_Launch;
  DeviceBuffer<float>    m_Volumes;
  dim3                   m_SeeBlocks;
  dim3                   m_DerivativeBlocks;
  DeviceBuffer<double>   m_EnergyTerms;
  DeviceBuffer<double>   m_DerivativeTerms;
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
