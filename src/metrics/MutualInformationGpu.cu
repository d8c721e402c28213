// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MetricEvaluatorsGpu.h"

#include "core/Dispatch.h"
#include "cuda/SharedMemoryLimit.h"
#include "cudaneuro/Error.h"
#include "metrics/HistogramLaunch.cuh"
#include "metrics/MapBatchGpu.h"
#include "metrics/MutualInformationKernel.cuh"

#include <algorithm>
#include <limits>

namespace cudaneuro::gpu
{
namespace
{

template <typename TPack>
using Kernel = void (*)(MutualInformationArguments<TPack>);

constexpr int histogramVoxels = 1;
constexpr int derivativeThreads = 512;
constexpr int derivativeBlocks = 2;
constexpr int derivativeVoxels = 2;

template <bool VMask, typename TPack>
Kernel<TPack>
HistogramKernelOf(int threads, int copies)
{
  Kernel<TPack> kernel = nullptr;
  WithConstant<512, 1024>(threads, [&](auto ofBlock) {
    WithConstant<fewestCopies, 8, 16, 32>(copies, [&](auto ofHistogram) {
      kernel = HistogramKernel<ofBlock(), ofHistogram(), histogramVoxels, VMask, TPack>;
    });
  });
  return kernel;
}

/** The evaluator of mutual information, in three kernels: histograms, then logarithms and values, then derivatives. */
template <typename TPack>
class MutualInformationEvaluator : public MapBatchEvaluator
{
public:
  MutualInformationEvaluator(Context &                      context,
                             const MetricShape &            metric,
                             const ImageComparison &        comparison,
                             const MutualInformationShape & launch)
    : MapBatchEvaluator(context, comparison)
    , m_Bins(metric.numberOfHistogramBins)
    , m_Copies(launch.histogramCopies > 0 ? launch.histogramCopies
                                          : ChooseCopies(this->Gpu(), comparison.fixedExtent, m_Bins))
    , m_Threads(launch.histogramThreads > 0 ? launch.histogramThreads : ChooseThreads(comparison.fixedExtent, m_Copies))
    , m_Fixed(comparison, m_Bins, launch.tileWidth, launch.packs)
    , m_Moving(comparison)
    , m_Quads(MakeQuads(this->Gpu(), m_Moving, m_Bins))
    , m_Histogram(comparison.movingMask ? HistogramKernelOf<true, TPack>(m_Threads, m_Copies)
                                        : HistogramKernelOf<false, TPack>(m_Threads, m_Copies))
    , m_Derivative(comparison.movingMask
                     ? DerivativeKernel<derivativeThreads, derivativeBlocks, derivativeVoxels, true, TPack>
                     : DerivativeKernel<derivativeThreads, derivativeBlocks, derivativeVoxels, false, TPack>)
  {
    AllowAllSharedMemory(m_Histogram);
    AllowAllSharedMemory(m_Derivative);
    int resident = 0;
    CUDANEURO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &resident, m_Histogram, m_Threads, BytesOfHistogram(m_Bins, m_Copies)));
    if (resident == 0)
    {
      throw Error("Mutual information on a CUDA device", "a multiprocessor has not enough shared memory for a block");
    }
    m_ResidentBlocks = launch.histogramBlocks > 0 ? launch.histogramBlocks : resident;
    const auto elements = static_cast<std::size_t>(this->Elements());
    this->SetParts(DivideUp(m_Fixed.Tiles(), derivativeThreads / lanesOfTile),
                   elements * sizeof(std::uint64_t) + static_cast<std::size_t>(NumberOfLogs(m_Bins)) * sizeof(float));
  }

protected:
  void
  PrepareOrder(int order) override
  {
    m_Fixed.Make(this->Gpu(), order);
  }

  void
  ReserveForKernels(int maps) override;

  void
  Enqueue(const OrderedTransform * maps, int count, bool withDerivatives, const MapSums & sums) override;

  void
  Finish(const double * numbers, MapEvaluation & evaluation, bool withDerivatives) const override
  {
    evaluation.count = numbers[countNumber];
    const bool isEmpty = evaluation.count == 0.0;
    evaluation.value = isEmpty ? std::numeric_limits<double>::infinity() : numbers[valueNumber];
    if (withDerivatives)
    {
      SetDerivatives(numbers, isEmpty ? 0.0 : 1.0 / numbers[countNumber], evaluation);
    }
  }

private:
  int
  Elements() const
  {
    return HistogramElements(m_Bins);
  }
  unsigned int
  HistogramBlocks(int maps) const;

  int                         m_Bins;
  int                         m_Copies;
  int                         m_Threads;
  int                         m_ResidentBlocks = 1;
  FixedCopies<TPack>          m_Fixed;
  MovingImage                 m_Moving;
  DeviceBuffer<uint2>         m_Quads;
  Kernel<TPack>               m_Histogram;
  Kernel<TPack>               m_Derivative;
  DeviceBuffer<std::uint64_t> m_Histograms;
  DeviceBuffer<float>         m_Logs;
};

/** Returns the number of blocks of a map: enough to fill the device, and to avoid overflows of a block's histogram. */
template <typename TPack>
unsigned int
MutualInformationEvaluator<TPack>::HistogramBlocks(int maps) const
{
  const int warps = m_Threads / lanesOfTile;
  // The number of voxels of a tile that are added to one copy.
  const int voxelsOfCopy = m_Fixed.VoxelsOfColumn() * lanesOfTile / m_Copies;
  const int mostTurns = voxelsOfElement / (voxelsOfCopy * warps);
  if (mostTurns < 1)
  {
    throw Error("JointHistogram", "the counts of a block would overflow");
  }
  const int wanted = DivideUp(m_ResidentBlocks * this->Gpu().MultiprocessorsOfShare(), maps);
  const int turns = std::clamp(DivideUp(m_Fixed.Tiles(), warps * wanted), 1, mostTurns);
  return static_cast<unsigned int>(DivideUp(m_Fixed.Tiles(), warps * turns));
}

template <typename TPack>
void
MutualInformationEvaluator<TPack>::ReserveForKernels(int maps)
{
  const std::size_t elements = static_cast<std::size_t>(maps) * static_cast<std::size_t>(this->Elements());
  m_Histograms = this->Gpu().AllocateArray<std::uint64_t>(elements);
  CUDANEURO_CUDA(
    cudaMemsetAsync(m_Histograms.Data(), 0, elements * sizeof(std::uint64_t), this->Gpu().ComputeStream()));
  m_Logs =
    this->Gpu().AllocateArray<float>(static_cast<std::size_t>(maps) * static_cast<std::size_t>(NumberOfLogs(m_Bins)));
}

template <typename TPack>
void
MutualInformationEvaluator<TPack>::Enqueue(const OrderedTransform * maps,
                                           int                      count,
                                           bool                     withDerivatives,
                                           const MapSums &          sums)
{
  const cudaStream_t                      stream = this->Gpu().ComputeStream();
  const MutualInformationArguments<TPack> arguments{
    m_Fixed.With(m_Moving), MovingQuads(m_Quads.Data(), m_Bins), m_Bins, maps, m_Histograms.Data(), m_Logs.Data(), sums,
  };
  const auto mapBlocks = static_cast<unsigned int>(count);
  const dim3 histogramBlocks(this->HistogramBlocks(count), mapBlocks);
  m_Histogram<<<histogramBlocks, m_Threads, BytesOfHistogram(m_Bins, m_Copies), stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("HistogramKernel");

  const std::size_t   sumBytes = HistogramSums::Count(m_Bins) * sizeof(std::uint64_t);
  const Kernel<TPack> table = withDerivatives ? TableKernel<true, TPack> : TableKernel<false, TPack>;
  table<<<dim3(1, mapBlocks), tableThreads, sumBytes, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("TableKernel");
  if (withDerivatives)
  {
    const auto rows = static_cast<std::size_t>(HistogramRows(m_Bins));
    const dim3 blocks(static_cast<unsigned int>(this->Parts()), mapBlocks);
    m_Derivative<<<blocks, derivativeThreads, rows * rows * sizeof(InformationSlope), stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("DerivativeKernel");
  }
}

} // namespace

std::unique_ptr<MetricEvaluator>
MakeMutualInformationEvaluator(Context &                      context,
                               const MetricShape &            shape,
                               const ImageComparison &        comparison,
                               const MutualInformationShape & launch)
{
  const DeviceScope scope(GpuOf(context).GetDevice());
  if (comparison.IsWeighted())
  {
    return std::make_unique<MutualInformationEvaluator<PackOfWeightedRows>>(context, shape, comparison, launch);
  }
  return std::make_unique<MutualInformationEvaluator<PackOfRows>>(context, shape, comparison, launch);
}

} // namespace cudaneuro::gpu
