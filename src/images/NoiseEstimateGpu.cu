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

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, two passes of counting. */

namespace cudaneuro::gpu
{

namespace
{

using Count = unsigned long long;

constexpr int threadsPerBlock = 256;
constexpr int blocksPerPlane = 16;

/** The planes of a slab that a pass reads, from slab plane zBegin on; one for each blockIdx.y. */
struct NoisePlanes
{
  const float *         input;
  const unsigned char * mask; // null: all take part
  float                 limit;
  std::int64_t          size[3];
  std::int64_t          zBegin;

  __device__ bool
  TakesPart(std::int64_t i) const
  {
    return IsWithinNoiseLimit(input[i], limit) && (mask == nullptr || mask[i] != 0);
  }
};

/** Calls visit(x, y, z, index) for this thread's share of the voxels of the block's plane. */
template <typename TVisit>
__device__ void
ForEachVoxel(const NoisePlanes & planes, const TVisit & visit)
{
  const std::int64_t z = planes.zBegin + blockIdx.y;
  const std::int64_t planeVoxels = planes.size[0] * planes.size[1];
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threadsPerBlock + threadIdx.x; i < planeVoxels;
       i += threadsPerBlock * blocksPerPlane)
  {
    const std::int64_t y = i / planes.size[0];
    visit(i - y * planes.size[0], y, z, z * planeVoxels + i);
  }
}

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

/** Writes the sum of the voxels that take part in each of the blocksPerPlane parts of each plane. */
__global__ void
NoiseSumKernel(NoisePlanes planes, NoiseSum * sums)
{
  NoiseSum sum = NoiseSum::Empty();
  ForEachVoxel(planes, [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t i) {
    if (planes.TakesPart(i))
    {
      sum.Include({ planes.input[i], 1 });
    }
  });
  ReduceBlock<threadsPerBlock>(
    sum, static_cast<int>(threadIdx.x), sums + static_cast<std::int64_t>(blockIdx.y) * blocksPerPlane + blockIdx.x);
}

/** Which a(i) a pass counts, and where. */
struct NoiseCounting
{
  float threshold;
  /** Counts by the upper bits; null in the pass that counts by the lower bits. */
  Count * upperCounts;
  /** The lower bits of those with these upper bits are counted, each into its own bins. */
  std::uint32_t upperBins[2];
  Count *       lowerCounts;
};

/** Reads the planes and the plane on either side; adds integers to the counts. */
__global__ void
NoiseCountKernel(NoisePlanes planes, NoiseCounting counting)
{
  const std::int64_t strides[3] = { 1, planes.size[0], planes.size[0] * planes.size[1] };
  ForEachVoxel(planes, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t i) {
    const float value = planes.input[i];
    if (!planes.TakesPart(i) || !(value > counting.threshold))
    {
      return;
    }
    const std::int64_t position[3] = { x, y, z };
    float              sum = 0.0f;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis)
    {
      if (planes.size[axis] == 1)
      {
        continue;
      }
      const std::int64_t lower = i - strides[axis];
      const std::int64_t upper = i + strides[axis];
      if (position[axis] == 0 || position[axis] == planes.size[axis] - 1 || !planes.TakesPart(lower) ||
          !planes.TakesPart(upper))
      {
        return;
      }
      sum = AddNoiseDifferences(sum, value, planes.input[lower], planes.input[upper]);
    }
    const std::uint32_t bits = NoiseOrderBits(sum);
    if (counting.upperCounts != nullptr)
    {
      atomicAdd(counting.upperCounts + NoiseUpperBin(bits), Count{ 1 });
      return;
    }
    for (int i = 0; i < 2; ++i)
    {
      if (NoiseUpperBin(bits) == counting.upperBins[i])
      {
        atomicAdd(counting.lowerCounts + i * noiseLowerBins + NoiseLowerBin(bits), Count{ 1 });
      }
    }
  });
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

/** Calls launch(planes, blocks, first plane in the whole volume) for all planes. */
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
      constexpr std::int64_t mostPlanes = 65535; // the largest gridDim.y
      for (std::int64_t z = begin; z < end; z += mostPlanes)
      {
        NoisePlanes planes{
          slab.inputs[0], slab.mask, volume.limit, { slab.grid.size[0], slab.grid.size[1], slab.grid.size[2] }, z
        };
        launch(
          planes, dim3(blocksPerPlane, static_cast<unsigned int>(std::min(mostPlanes, end - z))), slab.firstPlane + z);
      }
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
  RunPass(context, volume, 0, [&](const NoisePlanes & planes, dim3 blocks, std::int64_t plane) {
    NoiseSumKernel<<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(planes, sums.Data() + plane * blocksPerPlane);
    CUDANEURO_CUDA_LAUNCHED("NoiseSumKernel");
  });
  const NoiseSum all = ReduceOnHost(gpu, sums, parts);
  return NoiseBrightnessThreshold(all.sum, all.count);
}

/** Runs a pass of counting into \p bins bins, which \p where says are the upper or the lower ones. */
std::vector<Count>
CountAll(Context &           context,
         const NoiseVolume & volume,
         NoiseCounting       counting,
         Count * NoiseCounting::*where,
         std::size_t             bins)
{
  const GpuContext &        gpu = GpuOf(context);
  const DeviceBuffer<Count> counts = gpu.AllocateArray<Count>(bins);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, bins * sizeof(Count), gpu.ComputeStream()));
  counting.*where = counts.Data();
  RunPass(context, volume, 1, [&](const NoisePlanes & planes, dim3 blocks, std::int64_t) {
    NoiseCountKernel<<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(planes, counting);
    CUDANEURO_CUDA_LAUNCHED("NoiseCountKernel");
  });
  return gpu.CopyToHost(counts, bins);
}

/** The mean of the two middle values of a(i); 0 where there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, float threshold)
{
  NoiseCounting byUpperBits{};
  byUpperBits.threshold = threshold;
  Context::ProgressSteps progress(context);
  progress.UpTo(0.5);
  const std::vector<Count> upperCounts =
    CountAll(context, volume, byUpperBits, &NoiseCounting::upperCounts, noiseUpperBins);
  const Count count = std::accumulate(upperCounts.begin(), upperCounts.end(), Count{ 0 });
  if (count == 0)
  {
    return 0.0;
  }
  const HistogramPosition middle[2] = { FindRank(upperCounts.data(), noiseUpperBins, LowerMedianRank(count)),
                                        FindRank(upperCounts.data(), noiseUpperBins, UpperMedianRank(count)) };
  NoiseCounting           byLowerBits{};
  byLowerBits.threshold = threshold;
  byLowerBits.upperBins[0] = middle[0].bin;
  byLowerBits.upperBins[1] = middle[1].bin;
  progress.UpTo(1.0);
  const std::vector<Count> lowerCounts =
    CountAll(context, volume, byLowerBits, &NoiseCounting::lowerCounts, 2 * noiseLowerBins);
  double sum = 0.0;
  for (int i = 0; i < 2; ++i)
  {
    const HistogramPosition position =
      FindRank(lowerCounts.data() + i * noiseLowerBins, noiseLowerBins, middle[i].rankInBin);
    sum += NoiseValueFromBins(middle[i].bin, position.bin);
  }
  return 0.5 * sum;
}

/** Whether a host volume is to be copied to the device, so that it crosses once for the three passes: not where the
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
