// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimateGpu.h"

#include "images/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/ReductionStage.h"

#include <numeric>
#include <vector>

/** As NoiseEstimateFormulas.h describes: a pass for the brightness threshold and two passes of counting. */

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

/** Writes the sum and the number of the voxels that take part in each of the blocksPerPlane parts of each plane. */
__global__ void
NoiseSumKernel(NoisePlanes planes, double * sums, Count * counts)
{
  double sum = 0.0;
  Count  count = 0;
  ForEachVoxel(planes, [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t i) {
    if (planes.TakesPart(i))
    {
      sum += planes.input[i];
      ++count;
    }
  });
  __shared__ double blockSums[threadsPerBlock];
  __shared__ Count  blockCounts[threadsPerBlock];
  blockSums[threadIdx.x] = sum;
  blockCounts[threadIdx.x] = count;
  for (int half = threadsPerBlock / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (threadIdx.x < half)
    {
      blockSums[threadIdx.x] += blockSums[threadIdx.x + half];
      blockCounts[threadIdx.x] += blockCounts[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0)
  {
    const std::int64_t part = static_cast<std::int64_t>(blockIdx.y) * blocksPerPlane + blockIdx.x;
    sums[part] = blockSums[0];
    counts[part] = blockCounts[0];
  }
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

float
ComputeThreshold(Context & context, const NoiseVolume & volume)
{
  const GpuContext &         gpu = context.Gpu();
  const std::size_t          parts = static_cast<std::size_t>(volume.grid.size[2]) * blocksPerPlane;
  const DeviceBuffer<double> sums = gpu.AllocateArray<double>(parts);
  const DeviceBuffer<Count>  counts = gpu.AllocateArray<Count>(parts);
  RunPass(context, volume, 0, [&](const NoisePlanes & planes, dim3 blocks, std::int64_t plane) {
    NoiseSumKernel<<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(
      planes, sums.Data() + plane * blocksPerPlane, counts.Data() + plane * blocksPerPlane);
    CUDANEURO_CUDA_LAUNCHED("NoiseSumKernel");
  });
  const std::vector<double> hostSums = gpu.CopyToHost(sums, parts);
  const std::vector<Count>  hostCounts = gpu.CopyToHost(counts, parts);
  return NoiseBrightnessThreshold(std::accumulate(hostSums.begin(), hostSums.end(), 0.0),
                                  std::accumulate(hostCounts.begin(), hostCounts.end(), Count{ 0 }));
}

/** Runs a pass of counting into \p bins bins, which \p where says are the upper or the lower ones. */
std::vector<Count>
CountAll(Context &           context,
         const NoiseVolume & volume,
         NoiseCounting       counting,
         Count * NoiseCounting::*where,
         std::size_t             bins)
{
  const GpuContext &        gpu = context.Gpu();
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
  const std::vector<Count> upperCounts = [&] {
    const Context::ProgressRange range(context, 0.0, 0.5);
    return CountAll(context, volume, byUpperBits, &NoiseCounting::upperCounts, noiseUpperBins);
  }();
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
  const Context::ProgressRange range(context, 0.5, 1.0);
  const std::vector<Count>     lowerCounts =
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

/** A float copy of a host volume on the device, so that it crosses once for the three passes; the host volume itself
 * where the device, or the limit, has no room for it. */
ConstVolume
OnDevice(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type, DeviceMemory & memory)
{
  const std::size_t bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * PixelSize(type);
  if (volume.data == nullptr || volume.space == MemorySpace::Device ||
      bytes > context.Gpu().GetBudget().GetRemaining() / 4 || bytes > context.Gpu().AvailableBytes() / 4)
  {
    return volume;
  }
  memory = context.Allocate(bytes);
  CopyVolume(context, grid, volume, { memory.Data(), type, MemorySpace::Device });
  return { memory.Data(), type, MemorySpace::Device };
}

} // namespace

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  const DeviceScope scope(context.Gpu().GetDevice());
  DeviceMemory      inputMemory;
  DeviceMemory      maskMemory;
  NoiseVolume       volume{ grid, input, mask, SampleIntensities(context, grid, input, mask).limit };
  {
    const Context::ProgressRange range(context, 0.0, 0.6);
    volume.input = OnDevice(context, grid, input, PixelType::Float, inputMemory);
    volume.mask = OnDevice(context, grid, mask, PixelType::UnsignedChar, maskMemory);
  }
  const float threshold = [&] {
    const Context::ProgressRange range(context, 0.6, 0.7);
    return ComputeThreshold(context, volume);
  }();
  const Context::ProgressRange range(context, 0.7, 1.0);
  return NoiseSigmaFromMedian(ComputeMedian(context, volume, threshold), NumberOfNoiseAxes(grid));
}

} // namespace cudaneuro::gpu
