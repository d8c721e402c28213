// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

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
constexpr int countingThreads = 1024;
constexpr int countingColumns = 32;
constexpr int countingPlanes = 16;

/** Calls visit(order bits of a(i)) for the voxels of the block's tiles that count. Reads the planes and the plane on
 * either side. */
template <typename TVisit>
__device__ __forceinline__ void
ForEachResidual(const NoisePlanes & planes, float threshold, const TVisit & visit)
{
  const std::int64_t strides[3] = { 1, planes.size[0], planes.size[0] * planes.size[1] };
  const std::int64_t tilesX = (planes.size[0] + countingColumns - 1) / countingColumns;
  const std::int64_t tilesY = (planes.size[1] + countingColumns - 1) / countingColumns;
  const std::int64_t tilesZ = (planes.zEnd - planes.zBegin + countingPlanes - 1) / countingPlanes;
  for (std::int64_t tile = blockIdx.x; tile < tilesX * tilesY * tilesZ; tile += gridDim.x)
  {
    const std::int64_t row = tile / tilesX;
    std::int64_t       position[3] = { (tile - row * tilesX) * countingColumns + threadIdx.x,
                                       row % tilesY * countingColumns + threadIdx.y,
                                       planes.zBegin + row / tilesY * countingPlanes };
    if (position[0] >= planes.size[0] || position[1] >= planes.size[1])
    {
      continue;
    }
    const std::int64_t end = min(position[2] + countingPlanes, planes.zEnd);
    std::int64_t       i = position[0] + position[1] * strides[1] + position[2] * strides[2];
    for (; position[2] < end; ++position[2], i += strides[2])
    {
      const float value = planes.input[i];
      bool        counts = planes.TakesPart(i) && value > threshold;
      float       sum = 0.0f;
#pragma unroll
      for (int axis = 0; axis < 3; ++axis)
      {
        if (counts && planes.size[axis] > 1)
        {
          const std::int64_t lower = i - strides[axis];
          const std::int64_t upper = i + strides[axis];
          counts = position[axis] > 0 && position[axis] < planes.size[axis] - 1 && planes.TakesPart(lower) &&
                   planes.TakesPart(upper);
          sum = counts ? AddNoiseDifferences(sum, value, planes.input[lower], planes.input[upper]) : sum;
        }
      }
      if (counts)
      {
        visit(NoiseOrderBits(sum));
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

/** Adds to the counts, NoiseDigit::bins for each prefix. A block counts in its shared memory first. */
__global__ void
__launch_bounds__(countingThreads) NoiseCountKernel(const __grid_constant__ NoisePlanes planes,
                                                    const __grid_constant__ NoiseDigit  digit,
                                                    float                               threshold,
                                                    Count *                             counts)
{
  __shared__ unsigned int own[noiseUpperBins];
  const int               bins = digit.sets * digit.bins;
  const int               thread = static_cast<int>(threadIdx.y * countingColumns + threadIdx.x);
  for (int bin = thread; bin < bins; bin += countingThreads)
  {
    own[bin] = 0;
  }
  __syncthreads();
  ForEachResidual(planes, threshold, [&](std::uint32_t bits) {
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
    if (own[bin] != 0)
    {
      atomicAdd(counts + bin, Count{ own[bin] });
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
  constexpr unsigned int    blocksPerMultiprocessor = 2;
  const GpuContext &        gpu = GpuOf(context);
  const auto                bins = static_cast<std::size_t>(digit.sets) * static_cast<std::size_t>(digit.bins);
  const DeviceBuffer<Count> counts = gpu.AllocateArray<Count>(bins);
  const unsigned int        blocks = blocksPerMultiprocessor * static_cast<unsigned int>(gpu.NumberOfMultiprocessors());
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, bins * sizeof(Count), gpu.ComputeStream()));
  RunPass(context, volume, 1, [&](const NoisePlanes & planes, std::int64_t) {
    NoiseCountKernel<<<blocks, dim3(countingColumns, countingThreads / countingColumns), 0, gpu.ComputeStream()>>>(
      planes, digit, threshold, counts.Data());
    CUDANEURO_CUDA_LAUNCHED("NoiseCountKernel");
  });
  return gpu.CopyToHost(counts, bins);
}

/** The mean of the two middle values of a(i); 0 where there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, float threshold)
{
  constexpr int          allBits = 31;
  constexpr int          middleBits = noiseLowerBits / 2;
  Context::ProgressSteps progress(context);
  progress.UpTo(0.4);
  std::vector<Count> counts =
    CountDigit(context, volume, threshold, { { 0, 0 }, 1, allBits, noiseLowerBits, static_cast<int>(noiseUpperBins) });
  const Count count = std::accumulate(counts.begin(), counts.end(), Count{ 0 });
  if (count == 0)
  {
    return 0.0;
  }
  std::uint32_t bits[2];
  std::uint64_t ranks[2] = { LowerMedianRank(count), UpperMedianRank(count) };
  for (int i = 0; i < 2; ++i)
  {
    const HistogramPosition position = FindRank(counts.data(), noiseUpperBins, ranks[i]);
    bits[i] = position.bin;
    ranks[i] = position.rankInBin;
  }
  for (const int shift : { middleBits, 0 })
  {
    progress.UpTo(shift > 0 ? 0.7 : 1.0);
    constexpr int bins = 1 << middleBits;
    const int     sets = bits[0] == bits[1] ? 1 : 2;
    counts = CountDigit(context, volume, threshold, { { bits[0], bits[1] }, sets, shift + middleBits, shift, bins });
    for (int i = 0; i < 2; ++i)
    {
      const HistogramPosition position = FindRank(counts.data() + std::min(i, sets - 1) * bins, bins, ranks[i]);
      bits[i] = bits[i] << middleBits | position.bin;
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
