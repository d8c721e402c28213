// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/RobustMean.h"
#include "atlas/means/RobustMeanFormulas.h"
#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

constexpr int threadsPerBlock = 128;
/** Number of values that a thread sorts in registers, each with its weight; 64 of them use all registers. */
constexpr int longestRun = 64;

/** The arguments of the kernels. */
struct VoxelColumns
{
  std::int64_t          voxels;
  int                   images;
  const float *         values;
  std::int64_t          stride;
  const std::uint32_t * weights; // one for each image
  double                trimmedFraction;
  float *               output;
};

/** Reads the weights and writes them as integers. One block. */
__global__ void
__launch_bounds__(threadsPerBlock) IntegerWeightsKernel(int images, const float * weights, std::uint32_t * integers)
{
  __shared__ float largest[threadsPerBlock];
  largest[threadIdx.x] = 0.0f;
  for (int k = static_cast<int>(threadIdx.x); k < images; k += threadsPerBlock)
  {
    largest[threadIdx.x] = fmaxf(largest[threadIdx.x], weights[k]);
  }
  for (int half = threadsPerBlock / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (threadIdx.x < half)
    {
      largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + half]);
    }
  }
  __syncthreads();
  const double scale = WeightScale(largest[0], images);
  for (int k = static_cast<int>(threadIdx.x); k < images; k += threadsPerBlock)
  {
    integers[k] = IntegerWeight(weights[k], scale);
  }
}

/** Values of one voxel in registers. All loops over them are unrolled. */
template <int VLength>
struct Run
{
  float         keys[VLength];
  std::uint32_t weights[VLength];

  /** Reads images [firstImage, firstImage + VLength), as far as they exist, and sorts their values. */
  __device__ __forceinline__
  Run(const VoxelColumns & columns, std::int64_t voxel, int firstImage)
  {
    const int remaining = columns.images - firstImage;
#pragma unroll
    for (int k = 0; k < VLength; ++k)
    {
      keys[k] = k < remaining ? columns.values[(firstImage + k) * columns.stride + voxel] : absentValue;
    }
#pragma unroll
    for (int k = 0; k < VLength; ++k)
    {
      TakePart(keys[k], k < remaining ? columns.weights[firstImage + k] : 0, keys[k], weights[k]);
    }
    this->Merge<1, 1>();
  }

  /** The comparisons of one distance, followed by those of all later ones. */
  template <int VRun, int VDistance>
  __device__ __forceinline__ void
  Merge()
  {
#pragma unroll
    for (int i = 0; i < VLength - VDistance; ++i)
    {
      if (IsCompared(i, VDistance, VRun))
      {
        PutInOrder(keys[i], keys[i + VDistance], weights[i], weights[i + VDistance]);
      }
    }
    if constexpr (VDistance > 1)
    {
      this->Merge<VRun, VDistance / 2>();
    }
    else if constexpr (2 * VRun < VLength)
    {
      this->Merge<2 * VRun, 2 * VRun>();
    }
  }

  __device__ __forceinline__ std::uint32_t
                             TotalWeight() const
  {
    std::uint32_t total = 0;
#pragma unroll
    for (int k = 0; k < VLength; ++k)
    {
      total += weights[k];
    }
    return total;
  }
};

/** Writes the result of each voxel from at most VLength images. Reads all of them, 4 bytes each. A thread per voxel, so
 * that neighboring threads read neighbors. */
template <int VLength, typename TSums>
__global__ void
__launch_bounds__(threadsPerBlock) RobustMeanKernel(const __grid_constant__ VoxelColumns columns)
{
  const std::int64_t voxel = std::int64_t{ blockIdx.x } * threadsPerBlock + threadIdx.x;
  if (voxel >= columns.voxels)
  {
    return;
  }
  const Run<VLength>  run(columns, voxel, 0);
  const std::uint32_t total = run.TotalWeight();
  const KeptWeight    kept(total, columns.trimmedFraction);
  std::uint32_t       below = 0;
  float               first = 0.0f;
  double              sum = 0.0;
#pragma unroll
  for (int k = 0; k < VLength; ++k)
  {
    TSums::Add(kept, below, run.keys[k > 0 ? k - 1 : 0], run.keys[k], first, sum);
    below += run.weights[k];
  }
  columns.output[voxel] = total > 0 ? TSums::Result(kept, first, sum) : NAN;
}

/** Global memory of all threads, interleaved element by element between neighboring threads: sorted runs of a voxel's
 * values, their weights, and for each run the number of values that have been taken. */
struct RunStorage
{
  float *         keys;
  std::uint32_t * weights;
  int *           taken;
  int             runs;
};

/** The sorted runs of a thread's voxel, merged while they are read. */
class MergedRuns
{
public:
  __device__
  MergedRuns(const RunStorage & storage, std::int64_t thread, std::int64_t threads)
    : m_Storage(storage)
    , m_Thread(thread)
    , m_Threads(threads)
  {}

  /** Sorts the images of a voxel and writes them to the storage. Returns the sum of the weights. */
  __device__ std::uint32_t
             Fill(const VoxelColumns & columns, std::int64_t voxel)
  {
    std::uint32_t total = 0;
    for (int r = 0; r < m_Storage.runs; ++r)
    {
      const Run<longestRun> run(columns, voxel, r * longestRun);
      total += run.TotalWeight();
#pragma unroll
      for (int k = 0; k < longestRun; ++k)
      {
        const std::int64_t element = this->Element(r * longestRun + k);
        m_Storage.keys[element] = run.keys[k];
        m_Storage.weights[element] = run.weights[k];
      }
      m_Storage.taken[this->Element(r)] = 0;
    }
    return total;
  }

  /** Takes the smallest remaining value. \returns false if only excluded ones remain. */
  __device__ bool
  Take(float & key, std::uint32_t & weight)
  {
    key = absentValue;
    int          least = 0;
    std::int64_t from = 0;
    for (int r = 0; r < m_Storage.runs; ++r)
    {
      const int taken = m_Storage.taken[this->Element(r)];
      if (taken < longestRun)
      {
        const std::int64_t element = this->Element(r * longestRun + taken);
        const float        head = m_Storage.keys[element];
        const bool         isLess = head < key;
        key = isLess ? head : key;
        least = isLess ? r : least;
        from = isLess ? element : from;
      }
    }
    if (!(key < absentValue))
    {
      return false;
    }
    weight = m_Storage.weights[from];
    ++m_Storage.taken[this->Element(least)];
    return true;
  }

private:
  __device__ std::int64_t
             Element(int index) const
  {
    return index * m_Threads + m_Thread;
  }

  const RunStorage & m_Storage;
  std::int64_t       m_Thread;
  std::int64_t       m_Threads;
};

/** RobustMeanKernel for any number of images, in a grid-stride loop over voxels. Reads all images at the voxel, writes
 * them as sorted runs to the storage, 8 bytes each, and reads them in order. */
template <typename TSums>
__global__ void
__launch_bounds__(threadsPerBlock)
  ManyImagesKernel(const __grid_constant__ VoxelColumns columns, const __grid_constant__ RunStorage storage)
{
  const std::int64_t thread = std::int64_t{ blockIdx.x } * threadsPerBlock + threadIdx.x;
  const std::int64_t threads = std::int64_t{ gridDim.x } * threadsPerBlock;
  for (std::int64_t voxel = thread; voxel < columns.voxels; voxel += threads)
  {
    MergedRuns          runs(storage, thread, threads);
    const std::uint32_t total = runs.Fill(columns, voxel);
    const KeptWeight    kept(total, columns.trimmedFraction);
    std::uint32_t       below = 0;
    std::uint32_t       weight = 0;
    float               first = 0.0f;
    float               previous = 0.0f;
    float               key = 0.0f;
    double              sum = 0.0;
    while (runs.Take(key, weight))
    {
      TSums::Add(kept, below, previous, key, first, sum);
      below += weight;
      previous = key;
    }
    columns.output[voxel] = total > 0 ? TSums::Result(kept, first, sum) : NAN;
  }
}

template <typename TSums>
void
EnqueueManyImages(const GpuContext & gpu, const VoxelColumns & columns)
{
  // These blocks hide most of the latency; more would need more storage.
  constexpr int      blocksPerMultiprocessor = 4;
  const std::int64_t needed = DivideUp(columns.voxels, threadsPerBlock);
  const auto         blocks =
    static_cast<unsigned int>(std::min<std::int64_t>(needed, gpu.NumberOfMultiprocessors() * blocksPerMultiprocessor));
  const std::size_t threads = static_cast<std::size_t>(blocks) * threadsPerBlock;
  const int         runs = DivideUp(columns.images, longestRun);
  const auto        keys = gpu.AllocateArray<float>(threads * runs * longestRun);
  const auto        weights = gpu.AllocateArray<std::uint32_t>(threads * runs * longestRun);
  const auto        taken = gpu.AllocateArray<int>(threads * runs);
  const RunStorage  storage{ keys.Data(), weights.Data(), taken.Data(), runs };
  ManyImagesKernel<TSums><<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(columns, storage);
  CUDANEURO_CUDA_LAUNCHED("ManyImagesKernel");
}

template <typename TSums>
void
Enqueue(const GpuContext & gpu, const VoxelColumns & columns)
{
  const bool areFew = WithConstantFrom<4, 8, 16, 24, 32, 40, 48, longestRun>(columns.images, [&](auto length) {
    const auto blocks = static_cast<unsigned int>(DivideUp(columns.voxels, threadsPerBlock));
    RobustMeanKernel<length(), TSums><<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(columns);
    CUDANEURO_CUDA_LAUNCHED("RobustMeanKernel");
  });
  if (!areFew)
  {
    EnqueueManyImages<TSums>(gpu, columns);
  }
}

} // namespace

void
RobustMean(Context & context, const RobustMeanArguments & arguments)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         weights = gpu.AllocateArray<std::uint32_t>(arguments.images);
  IntegerWeightsKernel<<<1, threadsPerBlock, 0, gpu.ComputeStream()>>>(
    arguments.images, arguments.weights, weights.Data());
  CUDANEURO_CUDA_LAUNCHED("IntegerWeightsKernel");
  const VoxelColumns columns{ arguments.voxels, arguments.images,
                              arguments.values, arguments.stride,
                              weights.Data(),   arguments.isMedian ? medianFraction : arguments.trimmedFraction,
                              arguments.output };
  if (arguments.isMedian)
  {
    Enqueue<MedianSums>(gpu, columns);
  }
  else
  {
    Enqueue<TrimmedMeanSums>(gpu, columns);
  }
}

} // namespace cudaneuro::gpu
