// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/IntegerMath.h"
#include "cuda/Reduce.cuh"
#include "images/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceVolumes.h"
#include "jobs/ReductionStage.h"

#include <numeric>
#include <optional>
#include <vector>

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, three passes of counting. */

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

  __device__ bool
  TakesPart(std::int64_t i) const
  {
    return IsWithinNoiseLimit(input[i], limit) && (mask == nullptr || mask[i] != 0);
  }
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
    if (planes.TakesPart(first + i))
    {
      sum.Include({ planes.input[first + i], 1 });
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

/** What voxels take part. */
template <bool VHasMask>
struct NoiseMembers
{
  const unsigned char * mask;
  float                 limit;

  /** \param offset from voxel i to another one */
  __device__ __forceinline__ bool
  Take(float value, std::int64_t i, std::int64_t offset) const
  {
    return IsWithinNoiseLimit(value, limit) && (!VHasMask || mask[i + offset] != 0);
  }
};

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
    constexpr std::int64_t       offsetX = VIsWide ? 1 : 0;
    const std::int64_t           nz = planes.size[2];
    const NoiseMembers<VHasMask> members{ planes.mask, planes.limit };
    const auto                   placeOf = [&](int k) {
      const std::int64_t z = begin + k - 1;
      return (VIsInside ? z : min(max(z, std::int64_t{ 0 }), nz - 1)) * plane + inPlane;
    };
    float column[planesAtOnce + 2];
    bool  takesPart[planesAtOnce + 2];
#pragma unroll
    for (int k = 0; k < planesAtOnce + 2; ++k)
    {
      column[k] = planes.input[placeOf(k)];
      takesPart[k] = members.Take(column[k], placeOf(k), 0);
    }
    float sums[planesAtOnce];
    bool  counts[planesAtOnce];
#pragma unroll
    for (int k = 0; k < planesAtOnce; ++k)
    {
      const std::int64_t  i = placeOf(k + 1);
      const float * const at = planes.input + i;
      const float         value = column[k + 1];
      const float         lowX = at[-offsetX];
      const float         highX = at[offsetX];
      const float         lowY = at[-offsetY];
      const float         highY = at[offsetY];
      counts[k] = (value > threshold) & takesPart[k] & takesPart[k + 1] & takesPart[k + 2] &
                  members.Take(lowX, i, -offsetX) & members.Take(highX, i, offsetX) & members.Take(lowY, i, -offsetY) &
                  members.Take(highY, i, offsetY);
      if constexpr (!VIsInside)
      {
        const std::int64_t z = begin + k;
        counts[k] = counts[k] && z < end && (nz == 1 || (z > 0 && z < nz - 1));
      }
      sums[k] = AddNoiseDifferences(0.0f, value, lowX, highX);
      sums[k] = AddNoiseDifferences(sums[k], value, lowY, highY);
      sums[k] = AddNoiseDifferences(sums[k], value, column[k], column[k + 2]);
    }
#pragma unroll
    for (int k = 0; k < planesAtOnce; ++k)
    {
      if (counts[k])
      {
        visit(NoiseOrderBits(sums[k]));
      }
    }
  }
};

/** Calls visit(order bits of a(i)) for the voxels of the block's tiles that count. Reads the planes and the plane on
 * either side.
 * \tparam VIsWide whether there are several voxels along x */
template <bool VHasMask, bool VIsWide, typename TVisit>
__device__ __forceinline__ void
ForEachResidual(const NoisePlanes & planes, float threshold, const TVisit & visit)
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

/** Which a(i) a pass counts, and by which bits: those of the order bits from \c shift on, of which there are \c bins.
 * Those count whose bits from \c prefixShift on are one of the prefixes. */
struct NoiseDigit
{
  std::uint32_t prefixes[2];
  /** 1 where both are the same. */
  int sets;
  int prefixShift;
  int shift;
  int bins;
};

/** Counters in a block's shared memory. */
constexpr int sharedCounters = 8192;

/** Adds to the counts, NoiseDigit::bins for each prefix. A block counts in its shared memory first, in several copies if
 * there is room, since a warp waits for those of its threads that count in one bin. */
template <bool VHasMask, bool VIsWide>
__global__ void
__launch_bounds__(countingThreads, 2) NoiseCountKernel(const __grid_constant__ NoisePlanes planes,
                                                       const __grid_constant__ NoiseDigit  digit,
                                                       float                               threshold,
                                                       Count *                             counts)
{
  __shared__ unsigned int counters[sharedCounters];
  const int               bins = digit.sets * digit.bins;
  const int               copies = sharedCounters / bins;
  const int               thread = static_cast<int>(threadIdx.y * countingColumns + threadIdx.x);
  unsigned int * const    own = counters + thread % copies * bins;
  for (int i = thread; i < sharedCounters; i += countingThreads)
  {
    counters[i] = 0;
  }
  __syncthreads();
  ForEachResidual<VHasMask, VIsWide>(planes, threshold, [&](std::uint32_t bits) {
    for (int set = 0; set < digit.sets; ++set)
    {
      if (bits >> digit.prefixShift == digit.prefixes[set])
      {
        atomicAdd(own + set * digit.bins + (bits >> digit.shift & (digit.bins - 1)), 1u);
      }
    }
  });
  __syncthreads();
  for (int bin = thread; bin < bins; bin += countingThreads)
  {
    Count sum = 0;
    for (int copy = 0; copy < copies; ++copy)
    {
      sum += counters[copy * bins + bin];
    }
    if (sum != 0)
    {
      atomicAdd(counts + bin, sum);
    }
  }
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

std::vector<Count>
CountDigit(Context & context, const NoiseVolume & volume, float threshold, const NoiseDigit & digit)
{
  constexpr unsigned int    blocksPerMultiprocessor = 3;
  const GpuContext &        gpu = GpuOf(context);
  const auto                bins = static_cast<std::size_t>(digit.sets) * static_cast<std::size_t>(digit.bins);
  const DeviceBuffer<Count> counts = gpu.AllocateArray<Count>(bins);
  const unsigned int        blocks = blocksPerMultiprocessor * static_cast<unsigned int>(gpu.NumberOfMultiprocessors());
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, bins * sizeof(Count), gpu.ComputeStream()));
  RunPass(context, volume, 1, [&](const NoisePlanes & planes, std::int64_t) {
    const bool isWide = planes.size[0] > 1;
    const auto withMask = isWide ? NoiseCountKernel<true, true> : NoiseCountKernel<true, false>;
    const auto withoutMask = isWide ? NoiseCountKernel<false, true> : NoiseCountKernel<false, false>;
    const auto kernel = planes.mask != nullptr ? withMask : withoutMask;
    kernel<<<blocks, dim3(countingColumns, countingRows), 0, gpu.ComputeStream()>>>(
      planes, digit, threshold, counts.Data());
    CUDANEURO_CUDA_LAUNCHED("NoiseCountKernel");
  });
  return gpu.CopyToHost(counts, bins);
}

/** The mean of the two middle values of a(i); 0 where there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, float threshold)
{
  struct Pass
  {
    int    shift;
    int    bits;
    double progress;
  };
  constexpr Pass         passes[] = { { 19, 12, 0.4 }, { 9, 10, 0.7 }, { 0, 9, 1.0 } };
  Context::ProgressSteps progress(context);
  std::uint32_t          bits[2] = { 0, 0 };
  std::uint64_t          ranks[2];
  for (const Pass & pass : passes)
  {
    progress.UpTo(pass.progress);
    const int                bins = 1 << pass.bits;
    const int                sets = bits[0] == bits[1] ? 1 : 2;
    const std::vector<Count> counts =
      CountDigit(context, volume, threshold, { { bits[0], bits[1] }, sets, pass.shift + pass.bits, pass.shift, bins });
    if (&pass == passes)
    {
      const Count count = std::accumulate(counts.begin(), counts.end(), Count{ 0 });
      if (count == 0)
      {
        return 0.0;
      }
      ranks[0] = LowerMedianRank(count);
      ranks[1] = UpperMedianRank(count);
    }
    for (int i = 0; i < 2; ++i)
    {
      const HistogramPosition position =
        FindRank(counts.data() + std::min(i, sets - 1) * bins, static_cast<std::uint32_t>(bins), ranks[i]);
      bits[i] = bits[i] << pass.bits | position.bin;
      ranks[i] = position.rankInBin;
    }
  }
  return 0.5 * (static_cast<double>(NoiseValueOf(bits[0])) + static_cast<double>(NoiseValueOf(bits[1])));
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

/** Does without the copy where the device has less memory than it said. */
template <typename TCopy>
void
CopyIfItFits(const GpuContext & gpu, const TCopy & copy)
{
  try
  {
    copy();
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
    CopyIfItFits(gpu, [&] { source.emplace(context, grid, input); });
  }
  progress.UpTo(0.6);
  if (IsToBeCopied(gpu, grid, mask, PixelType::UnsignedChar))
  {
    CopyIfItFits(gpu, [&] { inside.emplace(context, grid, mask); });
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
