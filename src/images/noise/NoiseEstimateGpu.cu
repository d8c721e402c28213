// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/noise/NoiseEstimate.h"

#include "images/noise/NoiseBrightness.cuh"
#include "images/noise/NoiseEstimateFormulas.h"
#include "images/noise/NoiseMedian.cuh"
#include "images/noise/NoisePasses.cuh"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

#include <functional>
#include <numeric>
#include <optional>
#include <vector>

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, and for each of two
 * medians three counting passes over a small volume. In a large one, NoiseMedian.cuh finds a median in one pass, and
 * the host waits once. */

namespace cudaneuro::gpu
{

namespace
{

/** Calls get, and ignores a failure to allocate if the device has less memory than it reported. */
template <typename TGet>
void
DoWithoutIfItDoesNotFit(const GpuContext & gpu, const TGet & get)
{
  try
  {
    get();
  }
  catch (const OutOfMemoryError & error)
  {
    if (error.GetBound() == OutOfMemoryError::Bound::Limit)
    {
      throw;
    }
    gpu.SynchronizeNoThrow();
  }
}

/** The memory of a NoiseList. */
class NoiseListBuffer
{
public:
  /** Allocates room for one voxel in eight, about four times the expected number; none if the device has little. */
  explicit NoiseListBuffer(const ResidualPasses & residuals)
  {
    const GpuContext & gpu = residuals.Gpu();
    const unsigned int blocks = residuals.NumberOfBlocks();
    const std::int64_t voxels = residuals.Volume().grid.NumberOfVoxels();
    const auto         capacity = static_cast<std::size_t>(std::min<std::int64_t>(voxels / 8 / blocks + 4096, 1 << 30));
    if ((capacity + 1) * blocks * sizeof(std::uint32_t) > gpu.GetBudget().GetRemaining() / 4)
    {
      return;
    }
    DoWithoutIfItDoesNotFit(gpu, [&] {
      m_Counts = gpu.AllocateArray<unsigned int>(blocks);
      m_Bits = gpu.AllocateArray<std::uint32_t>(capacity * blocks);
      CUDANEURO_CUDA(cudaMemsetAsync(m_Counts.Data(), 0, blocks * sizeof(unsigned int), gpu.ComputeStream()));
      m_List = { m_Bits.Data(), m_Counts.Data(), static_cast<unsigned int>(capacity) };
    });
  }

  /** Returns the list, whose pointers are null if there is no memory. */
  const NoiseList &
  Get() const
  {
    return m_List;
  }

private:
  DeviceBuffer<std::uint32_t> m_Bits;
  DeviceBuffer<unsigned int>  m_Counts;
  NoiseList                   m_List;
};

/** Finds the median of a large volume, or a range that holds it. */
NoiseMedian
FindByList(const ResidualPasses & residuals, const std::function<void()> & proceed)
{
  constexpr std::int64_t fewestVoxels = std::int64_t{ 1 } << 20;
  if (residuals.Volume().grid.NumberOfVoxels() < fewestVoxels)
  {
    return {};
  }
  const GpuContext &    gpu = residuals.Gpu();
  const unsigned int    blocks = residuals.NumberOfBlocks();
  const NoiseListBuffer buffer(residuals);
  const NoiseList &     list = buffer.Get();
  if (list.bits == nullptr)
  {
    return {};
  }
  // The counts of the sample, of the list, and of the list in a part of its range.
  constexpr std::size_t           size = numberOfTotals + sharedCounters;
  const DeviceBuffer<Count>       counts = gpu.AllocateArray<Count>(3 * size);
  const DeviceBuffer<NoiseMedian> onDevice = gpu.AllocateArray<NoiseMedian>(1);
  NoiseMedian * const             median = onDevice.Data();
  const cudaStream_t              stream = gpu.ComputeStream();
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, 3 * size * sizeof(Count), stream));
  CUDANEURO_CUDA(cudaMemsetAsync(median, 0, sizeof(NoiseMedian), stream));

  NoiseRange sampled;
  sampled.shift = sampledShift;
  residuals.Count(sampled, sampledOneOf, counts.Data());
  const double mostListed = 0.5 * static_cast<double>(list.capacityOfBlock) * blocks;
  NoiseRangeKernel<<<1, findingThreads, 0, stream>>>(counts.Data(), mostListed, median);
  CUDANEURO_CUDA_LAUNCHED("NoiseRangeKernel");
  proceed();
  Count * const totals = counts.Data() + size;
  residuals.List(list, median, totals);
  for (const bool isFirst : { true, false })
  {
    Count * const bins = isFirst ? totals + numberOfTotals : totals + size;
    NoiseListCountKernel<<<blocks, residualThreads, 0, stream>>>(list, median, bins);
    CUDANEURO_CUDA_LAUNCHED("NoiseListCountKernel");
    NoiseNarrowKernel<<<1, findingThreads, 0, stream>>>(isFirst ? totals : nullptr, bins, median);
    CUDANEURO_CUDA_LAUNCHED("NoiseNarrowKernel");
  }
  return gpu.CopyToHost(onDevice, 1)[0];
}

/** Counts the residuals of a volume, one range per pass. Waits for each pass. */
class NoiseCounter
{
public:
  explicit NoiseCounter(const ResidualPasses & residuals)
    : m_Residuals(residuals)
  {}

  void
  Count(const NoiseRange & range)
  {
    const GpuContext & gpu = m_Residuals.Gpu();
    m_Sets = range.sets;
    m_BinsOfSet = static_cast<std::size_t>(range.NumberOfBins());
    const std::size_t              size = numberOfTotals + static_cast<std::size_t>(m_Sets) * m_BinsOfSet;
    const DeviceBuffer<gpu::Count> counts = gpu.AllocateArray<gpu::Count>(size);
    CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, size * sizeof(gpu::Count), gpu.ComputeStream()));
    m_Residuals.Count(range, 1, counts.Data());
    m_Counts = gpu.CopyToHost(counts, size);
  }

  gpu::Count
  Total(NoiseTotal total) const
  {
    return m_Counts[total];
  }
  /** Returns the number of residuals in the first range. */
  gpu::Count
  NumberInside() const
  {
    return std::accumulate(this->Set(0), this->Set(0) + m_BinsOfSet, gpu::Count{ 0 });
  }
  /** Finds a rank. \param set number of the range; the first one is used if there is only one */
  HistogramPosition
  Find(int set, std::uint64_t rank) const
  {
    return FindRank(this->Set(set), static_cast<std::uint32_t>(m_BinsOfSet), rank);
  }

private:
  const gpu::Count *
  Set(int set) const
  {
    return m_Counts.data() + numberOfTotals + static_cast<std::size_t>(std::min(set, m_Sets - 1)) * m_BinsOfSet;
  }

  const ResidualPasses &  m_Residuals;
  int                     m_Sets = 1;
  std::size_t             m_BinsOfSet = 0;
  std::vector<gpu::Count> m_Counts;
};

/** Finds the two middle values, starting with a range that may hold them.
 * \returns their range, or nothing if there are no residuals */
std::optional<NoiseRange>
FindByCounting(const ResidualPasses & residuals, NoiseRange range, const std::function<void()> & proceed)
{
  NoiseCounter counter(residuals);
  range.DivideInto(4096);
  counter.Count(range);
  gpu::Count count = counter.Total(allResiduals);
  if (count == 0)
  {
    return std::nullopt;
  }
  std::uint64_t ranks[2] = { LowerMedianRank(count), UpperMedianRank(count) };
  std::uint64_t below = counter.Total(residualsBelow);
  if (ranks[0] < below || ranks[1] >= below + counter.NumberInside())
  {
    // The sample differed from the rest, so the search starts again with the full range.
    range = NoiseRange();
    range.DivideInto(4096);
    below = 0;
    proceed();
    counter.Count(range);
  }
  ranks[0] -= below;
  ranks[1] -= below;
  for (;;)
  {
    std::uint32_t bins[2];
    for (int i = 0; i < 2; ++i)
    {
      const HistogramPosition position = counter.Find(i, ranks[i]);
      bins[i] = position.bin;
      ranks[i] = position.rankInBin;
    }
    const bool isLast = range.shift == 0;
    range.Narrow(bins[0], bins[1]);
    if (isLast)
    {
      return range;
    }
    range.DivideInto(1024);
    proceed();
    counter.Count(range);
  }
}

/** Returns the mean of the two middle values of a(i) in every \p planeStep-th plane; 0 if there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, const NoiseCubeChoiceOnDevice & choice, int planeStep)
{
  Context::ProgressSteps progress(context);
  double                 fraction = 0.0;
  const auto             proceed = [&] {
    fraction += 0.4 * (1.0 - fraction);
    progress.UpTo(fraction);
  };
  const ResidualPasses residuals(context, volume, choice, planeStep);
  proceed();
  const NoiseMedian         median = FindByList(residuals, proceed);
  std::optional<NoiseRange> found = median.range;
  if (median.stage != NoiseStage::found)
  {
    proceed();
    found = FindByCounting(residuals, median.stage == NoiseStage::estimated ? median.range : NoiseRange(), proceed);
  }
  progress.UpTo(1.0);
  context.ReportProgress(1.0);
  return found ? 0.5 * (static_cast<double>(NoiseValueOf(found->begins[0])) +
                        static_cast<double>(NoiseValueOf(found->begins[1])))
               : 0.0;
}

/** Returns whether a host volume should be copied to the device, so that it is uploaded once for all passes: not if the
 * device, or the limit, leaves little memory. */
bool
IsToBeCopied(const GpuContext & gpu, const Grid & grid, const ConstVolume & volume, PixelType type)
{
  const std::size_t bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * PixelSize(type);
  return volume.data != nullptr && volume.space == MemorySpace::Host && bytes <= gpu.GetBudget().GetRemaining() / 4 &&
         bytes <= gpu.AvailableBytes() / 4;
}

} // namespace

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  const GpuContext &        gpu = GpuOf(context);
  const DeviceScope         scope(gpu.GetDevice());
  std::optional<FloatInput> source;
  std::optional<MaskInput>  inside;
  Context::ProgressSteps    progress(context);
  progress.UpTo(0.3);
  if (IsToBeCopied(gpu, grid, input, PixelType::Float))
  {
    DoWithoutIfItDoesNotFit(gpu, [&] { source.emplace(context, grid, input); });
  }
  progress.UpTo(0.6);
  if (IsToBeCopied(gpu, grid, mask, PixelType::UnsignedChar))
  {
    DoWithoutIfItDoesNotFit(gpu, [&] { inside.emplace(context, grid, mask); });
  }
  NoiseVolume volume{ grid, input, mask, NoiseLimit(SampleIntensities(context, grid, input, mask)) };
  if (source)
  {
    volume.input = { source->Data(), PixelType::Float, MemorySpace::Device };
  }
  if (inside)
  {
    volume.mask = { inside->Data(), PixelType::UnsignedChar, MemorySpace::Device };
  }
  progress.UpTo(0.7);
  double     sigma = 0.0;
  const auto compute = [&] {
    const DeviceBuffer<float> brightness = ComputeBrightness(context, volume);
    double                    fraction = 0.7;
    sigma = NoiseSigmaWithoutEdges(grid, [&](float mostEdges, int planeStep) {
      fraction += 0.15;
      progress.UpTo(fraction);
      return ComputeMedian(context, volume, { brightness.Data(), mostEdges }, planeStep);
    });
  };
  if (volume.IsOnDevice())
  {
    RunDeviceJob(context, compute);
  }
  else
  {
    compute(); // without a job around it, because passes are jobs
  }
  return sigma;
}

} // namespace cudaneuro::gpu
