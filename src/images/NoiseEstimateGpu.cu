// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "cuda/QuadAlignment.h"
#include "cuda/Reduce.cuh"
#include "images/NoiseEstimateFormulas.h"
#include "images/NoiseMedian.cuh"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "jobs/ReductionStage.h"

#include <limits>
#include <numeric>
#include <optional>
#include <vector>

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, and for each of two
 * medians three passes of counting in a small volume. In a large one, NoiseMedian.cuh finds a median in one pass, and
 * the host waits once. */

namespace cudaneuro::gpu
{

namespace
{

constexpr int threadsPerBlock = 256;
constexpr int blocksPerPlane = 16;
constexpr int thresholdThreads = 512;

/** The sum and the number of some voxels. */
struct NoiseSum
{
  double sum;
  Count  count;

  CUDANEURO_HOST_DEVICE static NoiseSum
  Empty()
  {
    return { 0.0, 0 };
  }
  CUDANEURO_HOST_DEVICE void
  Include(const NoiseSum & other)
  {
    sum += other.sum;
    count += other.count;
  }
};

/** Writes the sum of the voxels that take part in each of the blocksPerPlane parts of each plane, one for each
 * blockIdx.y. */
__global__ void
NoiseSumKernel(NoisePlanes planes, NoiseSum * sums)
{
  const std::int64_t planeVoxels = planes.size[0] * planes.size[1];
  const std::int64_t first = (planes.zBegin + blockIdx.y) * planeVoxels;
  NoiseSum           sum = NoiseSum::Empty();
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threadsPerBlock + threadIdx.x; i < planeVoxels;
       i += threadsPerBlock * blocksPerPlane)
  {
    const float value = planes.input[first + i];
    if (IsWithinNoiseLimit(value, planes.limit) && (planes.mask == nullptr || planes.mask[first + i] != 0))
    {
      sum.Include({ value, 1 });
    }
  }
  ReduceBlock<threadsPerBlock>(
    sum, static_cast<int>(threadIdx.x), sums + static_cast<std::int64_t>(blockIdx.y) * blocksPerPlane + blockIdx.x);
}

/** Computes the brightness that cubes of \p corners voxels must exceed from the sums of all parts. */
__global__ void
NoiseBrightnessKernel(const NoiseSum * sums, std::size_t parts, float corners, float * brightness)
{
  __shared__ NoiseSum total;
  NoiseSum            sum = NoiseSum::Empty();
  for (std::size_t i = threadIdx.x; i < parts; i += thresholdThreads)
  {
    sum.Include(sums[i]);
  }
  ReduceBlock<thresholdThreads>(sum, static_cast<int>(threadIdx.x), &total);
  if (threadIdx.x == 0)
  {
    *brightness = corners * NoiseBrightnessThreshold(total.sum, total.count);
  }
}

/** Adds to the counts, which are the totals, and NumberOfBins for each range.
 * \param oneOf of ForEachResidual */
template <bool VHasMask, typename TShape>
__global__ void
__launch_bounds__(residualThreads, VHasMask ? 1 : 2) NoiseCountKernel(const __grid_constant__ NoisePlanes planes,
                                                                      const __grid_constant__ NoiseRange  range,
                                                                      int                                 oneOf,
                                                                      const NoiseCubeChoiceOnDevice       choice,
                                                                      Count *                             counts)
{
  __shared__ unsigned int counters[sharedCounters];
  NoiseBlockCounts        block(range, counters);
  NoiseThreadTotals       counted;
  __syncthreads();
  ForEachResidual<VHasMask, TShape>(planes, choice.Get(), oneOf, [&](const std::uint32_t(&bits)[TShape::cubes]) {
    counted.Add(bits, range.begins[0]);
#pragma unroll
    for (int i = 0; i < TShape::cubes; ++i)
    {
      block.Add(bits[i]);
    }
  });
  counted.Store(counts);
  __syncthreads();
  block.Store(counts + numberOfTotals);
}

/** The volume that the passes read, each in the same way. */
struct NoiseVolume
{
  Grid        grid;
  ConstVolume input;
  ConstVolume mask;
  /** Largest magnitude that is not a code or an error. */
  float limit;

  /** Whether passes can read it where it is. */
  bool
  IsOnDevice() const
  {
    return input.type == PixelType::Float && input.space == MemorySpace::Device &&
           (mask.data == nullptr || mask.space == MemorySpace::Device);
  }
};

/** Calls launch(planes, first plane in the whole volume) for all planes. Where the volume is on the device, it does not
 * wait for what is launched. */
template <typename TLaunch>
void
RunPass(Context & context, const NoiseVolume & volume, std::int64_t halo, const TLaunch & launch)
{
  const auto planesOf =
    [&](const float * input, const unsigned char * mask, const Grid & grid, std::int64_t begin, std::int64_t end) {
      return NoisePlanes{ input, mask, volume.limit, { grid.size[0], grid.size[1], grid.size[2] }, begin, end, 0 };
    };
  if (volume.IsOnDevice())
  {
    launch(planesOf(static_cast<const float *>(volume.input.data),
                    static_cast<const unsigned char *>(volume.mask.data),
                    volume.grid,
                    0,
                    volume.grid.size[2]),
           0);
    context.ReportProgress(1.0);
    return;
  }
  PlaneJob job;
  job.grid = volume.grid;
  job.inputs = { volume.input };
  job.mask = volume.mask;
  job.halo = halo;
  job.operationsPerVoxel = 16.0;
  job.makeStage = [&](GpuContext &, const DeviceSlab & slab) {
    return std::make_unique<ReductionStage>(
      slab, halo, [&launch, &planesOf, slab](std::int64_t begin, std::int64_t end) {
        launch(planesOf(slab.inputs[0], slab.mask, slab.grid, begin, end), slab.firstPlane + begin);
      });
  };
  RunPlaneJob(context, job);
}

/** Enqueues the computation of the brightness that cubes must exceed. */
DeviceBuffer<float>
ComputeBrightness(Context & context, const NoiseVolume & volume)
{
  const GpuContext & gpu = GpuOf(context);
  const std::size_t  parts = static_cast<std::size_t>(volume.grid.size[2]) * blocksPerPlane;
  const auto         sums = gpu.AllocateArray<NoiseSum>(parts);
  const auto         corners = static_cast<float>(1 << NumberOfNoiseAxes(volume.grid));
  auto               brightness = gpu.AllocateArray<float>(1);
  RunPass(context, volume, 0, [&](NoisePlanes planes, std::int64_t plane) {
    constexpr std::int64_t mostPlanes = 65535; // the largest gridDim.y
    for (; planes.zBegin < planes.zEnd; planes.zBegin += mostPlanes, plane += mostPlanes)
    {
      const auto count = static_cast<unsigned int>(std::min(mostPlanes, planes.zEnd - planes.zBegin));
      NoiseSumKernel<<<dim3(blocksPerPlane, count), threadsPerBlock, 0, gpu.ComputeStream()>>>(
        planes, sums.Data() + plane * blocksPerPlane);
      CUDANEURO_CUDA_LAUNCHED("NoiseSumKernel");
    }
  });
  NoiseBrightnessKernel<<<1, thresholdThreads, 0, gpu.ComputeStream()>>>(
    sums.Data(), parts, corners, brightness.Data());
  CUDANEURO_CUDA_LAUNCHED("NoiseBrightnessKernel");
  return brightness;
}

/** Calls get, and does without what it would get where the device has less memory than it said. */
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

/** Calls with(has mask, ResidualShape) for the kernels that read these planes. */
template <typename TFunction>
void
WithResidualKernels(const NoisePlanes & planes, int axes, int planeStep, const TFunction & with)
{
  const auto withAxes = [&](auto hasMask, auto axesConstant, auto stepConstant) {
    if (IsQuadAligned(planes.input, planes.size[0]))
    {
      with(hasMask, ResidualShape<axesConstant(), 4, stepConstant()>());
    }
    else
    {
      with(hasMask, ResidualShape<axesConstant(), 1, stepConstant()>());
    }
  };
  const auto withShape = [&](auto hasMask) {
    if (axes == 3)
    {
      WithConstant<1, 4>(planeStep, [&](auto step) { withAxes(hasMask, std::integral_constant<int, 3>(), step); });
    }
    else
    {
      WithConstant<1, 2>(axes, [&](auto constant) { withAxes(hasMask, constant, std::integral_constant<int, 1>()); });
    }
  };
  if (planes.mask != nullptr)
  {
    withShape(std::true_type());
  }
  else
  {
    withShape(std::false_type());
  }
}

/** What passes over the residuals of a volume have in common. */
class NoiseResiduals
{
public:
  /** \param planeStep of so many planes, the cubes of one are looked at */
  NoiseResiduals(Context & context, const NoiseVolume & volume, const NoiseCubeChoiceOnDevice & choice, int planeStep)
    : m_Context(context)
    , m_Volume(volume)
    , m_Choice(choice)
    , m_PlaneStep(planeStep)
  {}

  /** Blocks of every kernel: as many as multiprocessors take at once. */
  unsigned int
  NumberOfBlocks() const
  {
    return 2u * static_cast<unsigned int>(this->Gpu().NumberOfMultiprocessors());
  }
  const GpuContext &
  Gpu() const
  {
    return GpuOf(m_Context);
  }
  const NoiseVolume &
  Volume() const
  {
    return m_Volume;
  }

  /** Enqueues the addition of what is in \p range to \p counts. */
  void
  Count(const NoiseRange & range, int oneOf, gpu::Count * counts) const
  {
    this->Run([&](const NoisePlanes & planes, auto hasMask, auto shape) {
      NoiseCountKernel<decltype(hasMask)::value, decltype(shape)>
        <<<this->NumberOfBlocks(), residualThreads, 0, this->Gpu().ComputeStream()>>>(
          planes, range, oneOf, m_Choice, counts);
      CUDANEURO_CUDA_LAUNCHED("NoiseCountKernel");
    });
  }
  /** Enqueues the listing of what is in the range. */
  void
  List(const NoiseList & list, const NoiseMedian * median, gpu::Count * totals) const
  {
    this->Run([&](const NoisePlanes & planes, auto hasMask, auto shape) {
      NoiseListKernel<decltype(hasMask)::value, decltype(shape)>
        <<<this->NumberOfBlocks(), residualThreads, 0, this->Gpu().ComputeStream()>>>(
          planes, list, m_Choice, median, totals);
      CUDANEURO_CUDA_LAUNCHED("NoiseListKernel");
    });
  }

private:
  /** Calls launch(planes, has mask, ResidualShape) for all planes. */
  template <typename TLaunch>
  void
  Run(const TLaunch & launch) const
  {
    RunPass(m_Context, m_Volume, 1, [&](NoisePlanes planes, std::int64_t plane) {
      planes.skipped = (m_PlaneStep - plane % m_PlaneStep) % m_PlaneStep;
      WithResidualKernels(planes, NumberOfNoiseAxes(m_Volume.grid), m_PlaneStep, [&](auto hasMask, auto shape) {
        launch(planes, hasMask, shape);
      });
    });
  }

  Context &               m_Context;
  const NoiseVolume &     m_Volume;
  NoiseCubeChoiceOnDevice m_Choice;
  int                     m_PlaneStep;
};

/** The memory of a NoiseList. */
class NoiseListBuffer
{
public:
  /** Room for one voxel in eight, some four times what is to be expected; none where the device has little. */
  explicit NoiseListBuffer(const NoiseResiduals & residuals)
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

  /** Without memory where there is none. */
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

/** Finds the median of a large volume, or where it may be. */
NoiseMedian
FindByList(const NoiseResiduals & residuals, const std::function<void()> & proceed)
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
  // Those of the sample, of the list, and of the list in a part of its range.
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

/** Counts the residuals of a volume, a range a pass. Waits for each. */
class NoiseCounter
{
public:
  explicit NoiseCounter(const NoiseResiduals & residuals)
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
  /** Returns the number in the first range. */
  gpu::Count
  NumberInside() const
  {
    return std::accumulate(this->Set(0), this->Set(0) + m_BinsOfSet, gpu::Count{ 0 });
  }
  /** \param set of ranges; the first if there is only one */
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

  const NoiseResiduals &  m_Residuals;
  int                     m_Sets = 1;
  std::size_t             m_BinsOfSet = 0;
  std::vector<gpu::Count> m_Counts;
};

/** Finds the two middle values, from where they may be on.
 * \returns their range, or none where there are no residuals */
std::optional<NoiseRange>
FindByCounting(const NoiseResiduals & residuals, NoiseRange range, const std::function<void()> & proceed)
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
    // The sample was not like the rest.
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

/** The mean of the two middle values of a(i) in one of \p planeStep planes; 0 where there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, const NoiseCubeChoiceOnDevice & choice, int planeStep)
{
  Context::ProgressSteps progress(context);
  double                 fraction = 0.0;
  const auto             proceed = [&] {
    fraction += 0.4 * (1.0 - fraction);
    progress.UpTo(fraction);
  };
  const NoiseResiduals residuals(context, volume, choice, planeStep);
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

/** Whether a host volume is to be copied to the device, so that it crosses once for all passes: not where the
 * device, or the limit, has little room. */
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
  NoiseVolume volume{ grid, input, mask, SampleIntensities(context, grid, input, mask).limit };
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
    compute(); // passes are jobs
  }
  return sigma;
}

} // namespace cudaneuro::gpu
