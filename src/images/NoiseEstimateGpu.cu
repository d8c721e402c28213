// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/IntegerMath.h"
#include "cuda/Reduce.cuh"
#include "cuda/WarpReduce.cuh"
#include "images/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceVolumes.h"
#include "jobs/ReductionStage.h"

#include <numeric>
#include <optional>
#include <vector>

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, and passes of counting, three
 * of them in a small volume. In a large one, a sample of its voxels says where the median is to a few percent, which
 * saves one of three, and most of the time that threads wait for others that count in the same place. */

namespace cudaneuro::gpu
{

namespace
{

using Count = unsigned long long;

constexpr int threadsPerBlock = 256;
constexpr int blocksPerPlane = 16;

/** The planes of a slab that a pass reads, from slab plane zBegin on. */
struct NoisePlanes
{
  const float *         input;
  const unsigned char * mask; // null: all take part
  float                 limit;
  std::int64_t          size[3];
  std::int64_t          zBegin;
  std::int64_t          zEnd;
};

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

/** A block that counts has a tile of columns along z, one for each thread, and goes from tile to tile. */
constexpr int countingThreads = 512;
constexpr int countingColumns = 32;
constexpr int countingRows = countingThreads / countingColumns;
constexpr int countingPlanes = 16;
/** Planes whose voxels a thread reads before it counts any, so that it waits once for all. */
constexpr int planesAtOnce = 4;
static_assert(countingPlanes % planesAtOnce == 0);

/** A thread's voxels in some planes, with their neighbors. */
template <bool VHasMask, bool VIsWide>
struct NoiseColumn
{
  const NoisePlanes & planes;
  float               threshold;
  /** The voxel of plane 0, and from it to its neighbors along y. */
  std::int64_t inPlane;
  std::int64_t offsetY;
  std::int64_t plane;

  /** Calls visit(order bits of a(i)) for the voxels of planesAtOnce planes from \p begin on that count.
   * \tparam VIsInside whether all of them are before \p end and have neighbors along z */
  template <bool VIsInside, typename TVisit>
  __device__ __forceinline__ void
  Visit(std::int64_t begin, std::int64_t end, const TVisit & visit) const
  {
    // Where an axis has one voxel, its neighbors are the voxel itself, which adds nothing to the sum.
    constexpr std::int64_t offsetX = VIsWide ? 1 : 0;
    const std::int64_t     nz = planes.size[2];
    const auto             placeOf = [&](int k) {
      const std::int64_t z = begin + k - 1;
      return (VIsInside ? z : min(max(z, std::int64_t{ 0 }), nz - 1)) * plane + inPlane;
    };
    float         column[planesAtOnce + 2];
    float         sides[planesAtOnce][4];
    const float * at = planes.input + placeOf(0);
#pragma unroll
    for (int k = 0; k < planesAtOnce + 2; ++k)
    {
      column[k] = at[0];
      if (k > 0 && k <= planesAtOnce)
      {
        sides[k - 1][0] = at[-offsetX];
        sides[k - 1][1] = at[offsetX];
        sides[k - 1][2] = at[-offsetY];
        sides[k - 1][3] = at[offsetY];
      }
      at = VIsInside ? at + plane : planes.input + placeOf(k + 1);
    }
#pragma unroll
    for (int k = 0; k < planesAtOnce; ++k)
    {
      const float value = column[k + 1];
      // Without branches.
      bool counts = (value > threshold) & IsWithinNoiseLimit(value, planes.limit) &
                    IsWithinNoiseLimit(column[k], planes.limit) & IsWithinNoiseLimit(column[k + 2], planes.limit) &
                    IsWithinNoiseLimit(sides[k][0], planes.limit) & IsWithinNoiseLimit(sides[k][1], planes.limit) &
                    IsWithinNoiseLimit(sides[k][2], planes.limit) & IsWithinNoiseLimit(sides[k][3], planes.limit);
      if constexpr (!VIsInside)
      {
        const std::int64_t z = begin + k;
        counts = counts && z < end && (nz == 1 || (z > 0 && z < nz - 1));
      }
      float sum = AddNoiseDifferences(0.0f, value, sides[k][0], sides[k][1]);
      sum = AddNoiseDifferences(sum, value, sides[k][2], sides[k][3]);
      sum = AddNoiseDifferences(sum, value, column[k], column[k + 2]);
      if (VHasMask && counts)
      {
        const unsigned char * const inside = planes.mask + placeOf(k + 1);
        counts = inside[0] != 0 && inside[-offsetX] != 0 && inside[offsetX] != 0 && inside[-offsetY] != 0 &&
                 inside[offsetY] != 0 && planes.mask[placeOf(k)] != 0 && planes.mask[placeOf(k + 2)] != 0;
      }
      if (counts)
      {
        visit(NoiseOrderBits(sum));
      }
    }
  }
};

/** Returns a number that looks random. */
__device__ __forceinline__ std::uint32_t
                           HashOf(std::uint32_t value)
{
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

/** Calls visit(order bits of a(i)) for the voxels of the block's tiles that count, or for a sample of them. Reads the
 * planes and the plane on either side.
 * \tparam VIsWide whether there are several voxels along x
 * \param oneOf a power of 2: of so many warps' rows in planesAtOnce planes, one is looked at */
template <bool VHasMask, bool VIsWide, typename TVisit>
__device__ __forceinline__ void
ForEachResidual(const NoisePlanes & planes, float threshold, int oneOf, const TVisit & visit)
{
  const std::int64_t nx = planes.size[0];
  const std::int64_t ny = planes.size[1];
  const std::int64_t tilesX = DivideUp(nx, std::int64_t{ countingColumns });
  const std::int64_t tilesY = DivideUp(ny, std::int64_t{ countingRows });
  const std::int64_t tilesZ = DivideUp(planes.zEnd - planes.zBegin, std::int64_t{ countingPlanes });
  const auto         hasBothNeighbors = [](std::int64_t place, std::int64_t size) {
    return size == 1 || (place > 0 && place < size - 1);
  };
  for (std::int64_t tile = blockIdx.x; tile < tilesX * tilesY * tilesZ; tile += gridDim.x)
  {
    const std::int64_t row = tile / tilesX;
    const std::int64_t x = (tile - row * tilesX) * countingColumns + threadIdx.x;
    const std::int64_t y = row % tilesY * countingRows + threadIdx.y;
    const std::int64_t first = planes.zBegin + row / tilesY * countingPlanes;
    const std::int64_t end = min(planes.zEnd, first + countingPlanes);
    if (x >= nx || y >= ny || !hasBothNeighbors(x, nx) || !hasBothNeighbors(y, ny))
    {
      continue;
    }
    const NoiseColumn<VHasMask, VIsWide> column{ planes, threshold, y * nx + x, ny > 1 ? nx : 0, nx * ny };
    for (std::int64_t z = first; z < end; z += planesAtOnce)
    {
      if (oneOf > 1)
      {
        const std::int64_t sampled =
          (tile * countingRows + threadIdx.y) * (countingPlanes / planesAtOnce) + (z - first) / planesAtOnce;
        if ((HashOf(static_cast<std::uint32_t>(sampled)) & static_cast<std::uint32_t>(oneOf - 1)) != 0)
        {
          continue;
        }
      }
      if (z > 0 && z + planesAtOnce <= end && z + planesAtOnce < planes.size[2])
      {
        column.template Visit<true>(z, end, visit);
      }
      else
      {
        column.template Visit<false>(z, end, visit);
      }
    }
  }
}

/** Which a(i) a pass counts, and in how narrow bins: those of size order bits from a beginning on, 2^shift in a bin. */
struct NoiseRange
{
  std::uint32_t begins[2] = { 0, 0 };
  int           sets = 1; // of ranges; 1 where both begin at the same bits
  std::uint32_t size = 1u << 31;
  int           shift = 0;
  int           oneOf = 1; // of ForEachResidual

  CUDANEURO_HOST_DEVICE int
  NumberOfBins() const
  {
    return static_cast<int>(DivideUp(size, 1u << shift));
  }
};

/** What counts come before those of bins. */
enum NoiseTotal
{
  allResiduals,
  residualsBelow, // the first range
  residualsNotListed,
  numberOfTotals
};

/** The order bits that were in a range, in a part of the memory for each block; further passes read these alone. */
struct NoiseList
{
  std::uint32_t * bits = nullptr; // null: none are listed
  /** Numbers of them, which may be above the capacity. */
  unsigned int * counts = nullptr;
  unsigned int   capacityOfBlock = 0;
};

/** Counters in a block's shared memory. */
constexpr int sharedCounters = 8192;

/** A block's counts, in shared memory, in several copies if there is room, since a warp waits for those of its threads
 * that count in one bin. */
class NoiseBlockCounts
{
public:
  /** All threads of the block call it. */
  __device__ __forceinline__
  NoiseBlockCounts(const NoiseRange & range, unsigned int * counters)
    : m_Range(range)
    , m_Counters(counters)
    , m_BinsOfSet(range.NumberOfBins())
    , m_Bins(range.sets * m_BinsOfSet)
    , m_Copies(sharedCounters / m_Bins)
  {
    for (int i = Thread(); i < sharedCounters; i += countingThreads)
    {
      m_Counters[i] = 0;
    }
    m_Own = m_Counters + Thread() % m_Copies * m_Bins;
  }

  /** Returns whether \p bits are in the first range. */
  __device__ __forceinline__ bool
  Add(std::uint32_t bits)
  {
    const std::uint32_t place = bits - m_Range.begins[0];
    const bool          isInside = place < m_Range.size;
    if (isInside)
    {
      atomicAdd(m_Own + (place >> m_Range.shift), 1u);
    }
    const std::uint32_t other = bits - m_Range.begins[1];
    if (m_Range.sets > 1 && other < m_Range.size)
    {
      atomicAdd(m_Own + m_BinsOfSet + (other >> m_Range.shift), 1u);
    }
    return isInside;
  }

  /** Adds the block's counts to \p counts, those of bins. All threads of the block call it after a barrier. */
  __device__ __forceinline__ void
  Store(Count * counts) const
  {
    for (int bin = Thread(); bin < m_Bins; bin += countingThreads)
    {
      Count sum = 0;
      for (int copy = 0; copy < m_Copies; ++copy)
      {
        sum += m_Counters[copy * m_Bins + bin];
      }
      if (sum != 0)
      {
        atomicAdd(counts + bin, sum);
      }
    }
  }

private:
  __device__ static __forceinline__ int
  Thread()
  {
    return static_cast<int>(threadIdx.y * countingColumns + threadIdx.x);
  }

  const NoiseRange & m_Range;
  unsigned int *     m_Counters;
  unsigned int *     m_Own;
  int                m_BinsOfSet;
  int                m_Bins;
  int                m_Copies;
};

/** Adds to the counts, which are the totals, and NumberOfBins for each range, and lists what is in the first range. */
template <bool VHasMask, bool VIsWide>
__global__ void
__launch_bounds__(countingThreads, VHasMask ? 1 : 2) NoiseCountKernel(const __grid_constant__ NoisePlanes planes,
                                                                      const __grid_constant__ NoiseRange  range,
                                                                      const __grid_constant__ NoiseList   list,
                                                                      float                               threshold,
                                                                      Count *                             counts)
{
  __shared__ unsigned int counters[sharedCounters];
  __shared__ unsigned int totals[numberOfTotals];
  __shared__ unsigned int listed;
  NoiseBlockCounts        block(range, counters);
  const bool              isFirst = threadIdx.x == 0 && threadIdx.y == 0;
  if (isFirst)
  {
    for (unsigned int & total : totals)
    {
      total = 0;
    }
    listed = list.bits != nullptr ? list.counts[blockIdx.x] : 0;
  }
  __syncthreads();
  std::uint32_t * const toList = list.bits + static_cast<std::size_t>(blockIdx.x) * list.capacityOfBlock;
  unsigned int          all = 0;
  unsigned int          below = 0;
  ForEachResidual<VHasMask, VIsWide>(planes, threshold, range.oneOf, [&](std::uint32_t bits) {
    ++all;
    below += bits < range.begins[0] ? 1u : 0u;
    if (block.Add(bits) && list.bits != nullptr)
    {
      const unsigned int place = atomicAdd(&listed, 1u);
      if (place < list.capacityOfBlock)
      {
        toList[place] = bits;
      }
    }
  });
  atomicAdd(&totals[allResiduals], all);
  atomicAdd(&totals[residualsBelow], below);
  __syncthreads();
  if (isFirst && list.bits != nullptr)
  {
    totals[residualsNotListed] = listed > list.capacityOfBlock ? listed - list.capacityOfBlock : 0;
    list.counts[blockIdx.x] = listed;
  }
  if (isFirst)
  {
    for (int total = 0; total < numberOfTotals; ++total)
    {
      atomicAdd(counts + total, Count{ totals[total] });
    }
  }
  block.Store(counts + numberOfTotals);
}

/** Adds the counts of what the same block of NoiseCountKernel has listed; totals are left as they are. */
__global__ void
__launch_bounds__(countingThreads)
  NoiseListKernel(const __grid_constant__ NoiseList list, const __grid_constant__ NoiseRange range, Count * counts)
{
  __shared__ unsigned int     counters[sharedCounters];
  NoiseBlockCounts            block(range, counters);
  const std::uint32_t * const bits = list.bits + static_cast<std::size_t>(blockIdx.x) * list.capacityOfBlock;
  const unsigned int          count = list.counts[blockIdx.x];
  __syncthreads();
  for (unsigned int i = threadIdx.y * countingColumns + threadIdx.x; i < count; i += countingThreads)
  {
    block.Add(bits[i]);
  }
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
};

/** Calls launch(planes, first plane in the whole volume) for all planes. */
template <typename TLaunch>
void
RunPass(Context & context, const NoiseVolume & volume, std::int64_t halo, const TLaunch & launch)
{
  PlaneJob job;
  job.grid = volume.grid;
  job.inputs = { volume.input };
  job.mask = volume.mask;
  job.halo = halo;
  job.operationsPerVoxel = 16.0;
  job.makeStage = [&](GpuContext &, const DeviceSlab & slab) {
    return std::make_unique<ReductionStage>(slab, halo, [&launch, &volume, slab](std::int64_t begin, std::int64_t end) {
      launch(NoisePlanes{ slab.inputs[0],
                          slab.mask,
                          volume.limit,
                          { slab.grid.size[0], slab.grid.size[1], slab.grid.size[2] },
                          begin,
                          end },
             slab.firstPlane + begin);
    });
  };
  RunPlaneJob(context, job);
}

/** The brightness that voxels must exceed. */
float
ComputeThreshold(Context & context, const NoiseVolume & volume)
{
  const GpuContext & gpu = GpuOf(context);
  const std::size_t  parts = static_cast<std::size_t>(volume.grid.size[2]) * blocksPerPlane;
  const auto         sums = gpu.AllocateArray<NoiseSum>(parts);
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
  const NoiseSum all = ReduceOnHost(gpu, sums, parts);
  return NoiseBrightnessThreshold(all.sum, all.count);
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

/** The memory of a NoiseList. */
class NoiseListBuffer
{
public:
  /** Lists nothing. */
  NoiseListBuffer() = default;

  /** For \p expected entries, and twice as many where a block has more than others. Lists nothing where the device has
   * little room, or where these are so many that a list would not be faster. */
  NoiseListBuffer(const GpuContext & gpu, const NoiseVolume & volume, double expected, unsigned int blocks)
  {
    const auto        voxels = static_cast<double>(volume.grid.NumberOfVoxels());
    const auto        capacity = static_cast<std::size_t>(2.0 * expected / blocks) + 4096;
    const std::size_t bytes = (capacity + 1) * blocks * sizeof(std::uint32_t);
    if (expected > 0.1 * voxels || bytes > gpu.GetBudget().GetRemaining() / 4)
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

/** Counts the residuals of a volume's voxels above a threshold, a range a pass. */
class NoiseCounter
{
public:
  NoiseCounter(Context & context, const NoiseVolume & volume, float threshold)
    : m_Context(context)
    , m_Volume(volume)
    , m_Threshold(threshold)
  {
    const bool isWide = volume.grid.size[0] > 1;
    const auto withMask = isWide ? NoiseCountKernel<true, true> : NoiseCountKernel<true, false>;
    const auto withoutMask = isWide ? NoiseCountKernel<false, true> : NoiseCountKernel<false, false>;
    m_Kernel = volume.mask.data != nullptr ? withMask : withoutMask;
    int blocksPerMultiprocessor = 0;
    CUDANEURO_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerMultiprocessor, m_Kernel, countingThreads, 0));
    m_Blocks =
      static_cast<unsigned int>(std::max(1, blocksPerMultiprocessor) * GpuOf(context).NumberOfMultiprocessors());
  }

  /** Counts those in \p range, and lists them if \p expected is not 0. */
  void
  Count(const NoiseRange & range, double expected = 0.0)
  {
    const GpuContext & gpu = GpuOf(m_Context);
    m_List = expected > 0.0 ? NoiseListBuffer(gpu, m_Volume, expected, m_Blocks) : NoiseListBuffer();
    this->Run(range, [&](gpu::Count * counts) {
      RunPass(m_Context, m_Volume, 1, [&](const NoisePlanes & planes, std::int64_t) {
        m_Kernel<<<m_Blocks, dim3(countingColumns, countingRows), 0, gpu.ComputeStream()>>>(
          planes, range, m_List.Get(), m_Threshold, counts);
        CUDANEURO_CUDA_LAUNCHED("NoiseCountKernel");
      });
    });
    m_IsListed = m_List.Get().bits != nullptr && m_Counts[residualsNotListed] == 0;
  }

  /** Counts those in \p range, a part of the one before. */
  void
  CountPart(const NoiseRange & range)
  {
    if (!m_IsListed)
    {
      this->Count(range);
      return;
    }
    this->Run(range, [&](gpu::Count * counts) {
      NoiseListKernel<<<m_Blocks, dim3(countingColumns, countingRows), 0, GpuOf(m_Context).ComputeStream()>>>(
        m_List.Get(), range, counts);
      CUDANEURO_CUDA_LAUNCHED("NoiseListKernel");
    });
  }

  gpu::Count
  Total(NoiseTotal total) const
  {
    return m_Counts[total];
  }
  /** Returns the number in bins [begin, end) of the first range. */
  gpu::Count
  NumberInside(std::size_t begin, std::size_t end) const
  {
    return std::accumulate(this->Set(0) + begin, this->Set(0) + end, gpu::Count{ 0 });
  }
  std::size_t
  NumberOfBins() const
  {
    return m_BinsOfSet;
  }
  /** \param set of ranges; the first if there is only one */
  HistogramPosition
  Find(int set, std::uint64_t rank) const
  {
    return FindRank(this->Set(set), static_cast<std::uint32_t>(m_BinsOfSet), rank);
  }

private:
  template <typename TLaunch>
  void
  Run(const NoiseRange & range, const TLaunch & launch)
  {
    const GpuContext & gpu = GpuOf(m_Context);
    m_Sets = range.sets;
    m_BinsOfSet = static_cast<std::size_t>(range.NumberOfBins());
    const std::size_t              size = numberOfTotals + static_cast<std::size_t>(m_Sets) * m_BinsOfSet;
    const DeviceBuffer<gpu::Count> counts = gpu.AllocateArray<gpu::Count>(size);
    CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, size * sizeof(gpu::Count), gpu.ComputeStream()));
    launch(counts.Data());
    m_Counts = gpu.CopyToHost(counts, size);
  }
  const gpu::Count *
  Set(int set) const
  {
    return m_Counts.data() + numberOfTotals + static_cast<std::size_t>(std::min(set, m_Sets - 1)) * m_BinsOfSet;
  }

  Context &           m_Context;
  const NoiseVolume & m_Volume;
  float               m_Threshold;
  void (*m_Kernel)(NoisePlanes, NoiseRange, NoiseList, float, gpu::Count *);
  unsigned int            m_Blocks = 0;
  NoiseListBuffer         m_List;
  bool                    m_IsListed = false;
  int                     m_Sets = 1;
  std::size_t             m_BinsOfSet = 0;
  std::vector<gpu::Count> m_Counts;
};

/** Where a sample says that the median is. */
struct NoiseEstimateRange
{
  NoiseRange range;          // all bits where a sample is too small to tell
  double     expected = 0.0; // residuals inside; 0 if unknown
};

NoiseEstimateRange
EstimateMedian(NoiseCounter & counter, const NoiseVolume & volume)
{
  // A sixty-fourth of a million voxels, of which half count, has a standard error of ranks of 0.6 %.
  constexpr std::int64_t fewestVoxels = std::int64_t{ 1 } << 20;
  constexpr double       margin = 0.02; // of ranks
  if (volume.grid.NumberOfVoxels() < fewestVoxels)
  {
    return {};
  }
  NoiseRange range;
  range.shift = 18;
  range.oneOf = 64;
  counter.Count(range);
  const auto count = static_cast<double>(counter.Total(allResiduals));
  if (count < 4096.0)
  {
    return {};
  }
  const std::uint32_t first = counter.Find(0, static_cast<std::uint64_t>((0.5 - margin) * count)).bin;
  const std::uint32_t end = counter.Find(0, static_cast<std::uint64_t>((0.5 + margin) * count)).bin + 1;
  NoiseEstimateRange  estimate;
  estimate.range.begins[0] = first << range.shift;
  estimate.range.size = (end - first) << range.shift;
  estimate.expected = static_cast<double>(range.oneOf) * static_cast<double>(counter.NumberInside(first, end));
  return estimate;
}

/** The mean of the two middle values of a(i); 0 where there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, float threshold)
{
  Context::ProgressSteps progress(context);
  double                 fraction = 0.0;
  const auto             proceed = [&](bool isLast) {
    fraction += isLast ? 1.0 - fraction : 0.4 * (1.0 - fraction);
    progress.UpTo(fraction);
  };
  NoiseCounter counter(context, volume, threshold);
  proceed(false);
  const NoiseEstimateRange estimate = EstimateMedian(counter, volume);
  NoiseRange               range = estimate.range;
  std::uint64_t            ranks[2];
  for (bool isFirst = true; isFirst || range.shift > 0; isFirst = false)
  {
    const std::uint32_t mostBins = isFirst ? 4096 : 1024;
    range.shift = 0;
    while (DivideUp(range.size, 1u << range.shift) > mostBins)
    {
      ++range.shift;
    }
    proceed(range.shift == 0);
    if (isFirst)
    {
      counter.Count(range, estimate.expected);
      const Count count = counter.Total(allResiduals);
      if (count == 0)
      {
        return 0.0;
      }
      const Count below = counter.Total(residualsBelow);
      ranks[0] = LowerMedianRank(count);
      ranks[1] = UpperMedianRank(count);
      if (ranks[0] < below || ranks[1] >= below + counter.NumberInside(0, counter.NumberOfBins()))
      {
        // The sample was not like the rest.
        range = NoiseRange();
        range.shift = 19;
        proceed(false);
        counter.Count(range);
      }
      else
      {
        ranks[0] -= below;
        ranks[1] -= below;
      }
    }
    else
    {
      counter.CountPart(range);
    }
    if (range.sets == 1)
    {
      range.begins[1] = range.begins[0];
    }
    for (int i = 0; i < 2; ++i)
    {
      const HistogramPosition position = counter.Find(i, ranks[i]);
      range.begins[i] += position.bin << range.shift;
      ranks[i] = position.rankInBin;
    }
    range.sets = range.begins[0] == range.begins[1] ? 1 : 2;
    range.size = 1u << range.shift;
  }
  return 0.5 *
         (static_cast<double>(NoiseValueOf(range.begins[0])) + static_cast<double>(NoiseValueOf(range.begins[1])));
}

/** Whether a host volume is to be copied to the device, so that it crosses once for the four passes: not where the
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
  const float threshold = ComputeThreshold(context, volume);
  progress.UpTo(1.0);
  return NoiseSigmaFromMedian(ComputeMedian(context, volume, threshold), NumberOfNoiseAxes(grid));
}

} // namespace cudaneuro::gpu
