// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_InformationTable_cuh
#define cudaneuro_metrics_InformationTable_cuh

#include "cuda/WarpReduce.cuh"
#include "metrics/JointHistogram.cuh"
#include "metrics/MetricSums.cuh"

/** The mutual information of a joint histogram, and the logarithms from which its derivatives are computed. */
namespace cudaneuro::gpu
{

constexpr int tableThreads = 256;

/** A map's histogram and the sums of its rows and columns, in shared memory. */
struct HistogramSums
{
  std::uint64_t * joint;
  std::uint64_t * ofRows;
  std::uint64_t * ofColumns;

  __device__
  HistogramSums(float4 * memory, int bins)
    : joint(reinterpret_cast<std::uint64_t *>(memory))
    , ofRows(joint + HistogramElements(bins))
    , ofColumns(ofRows + HistogramRows(bins))
  {}

  /** Returns the number of elements. */
  CUDANEURO_HOST_DEVICE static std::size_t
  Count(int bins)
  {
    return static_cast<std::size_t>(HistogramElements(bins) + HistogramRows(bins) + bins);
  }

  /** Reads the histogram, sets it to 0, and computes the sums. Called by a whole block; ends with a barrier. */
  __device__ void
  Take(std::uint64_t * histogram, int bins) const
  {
    const int thread = static_cast<int>(threadIdx.x);
    const int rows = HistogramRows(bins);
    for (int i = thread; i < rows * bins; i += tableThreads)
    {
      joint[i] = histogram[i];
      histogram[i] = 0;
    }
    __syncthreads();
    for (int row = thread / lanesOfTile; row < rows; row += tableThreads / lanesOfTile)
    {
      std::uint64_t sum = 0;
      for (int column = thread % lanesOfTile; column < bins; column += lanesOfTile)
      {
        sum += joint[row * bins + column];
      }
      ofRows[row] = WarpReduce(sum, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    if (thread < bins)
    {
      std::uint64_t sum = 0;
      for (int row = 0; row < rows; ++row)
      {
        sum += joint[row * bins + thread];
      }
      ofColumns[thread] = sum;
    }
    __syncthreads();
  }
};

struct HistogramInformation
{
  double value; // in nats
  double count; // of voxels
};

/** Returns the mutual information of a histogram, computed by a block of tableThreads; only thread 0 has the result.
 * \param logs with VLogs, receives log(p(row, column) / p(column)) for the elements, 0 for empty ones */
template <bool VLogs>
__device__ __forceinline__ HistogramInformation
InformationOf(const HistogramSums & histogram, int bins, float * logs)
{
  const int thread = static_cast<int>(threadIdx.x);
  const int rows = HistogramRows(bins);
  // The sums of h log(h / column) and of row log(row), and the total.
  double numbers[4] = {};
  for (int i = thread; i < rows * bins; i += tableThreads)
  {
    const auto   sum = static_cast<double>(histogram.joint[i]);
    const double ratio = sum > 0.0 ? log(sum / static_cast<double>(histogram.ofColumns[i % bins])) : 0.0;
    numbers[0] += sum * ratio;
    if constexpr (VLogs)
    {
      logs[i] = static_cast<float>(ratio);
    }
  }
  if (thread < rows)
  {
    const auto row = static_cast<double>(histogram.ofRows[thread]);
    numbers[1] = row > 0.0 ? row * log(row) : 0.0;
    numbers[2] = row;
  }
  using Sums = BlockSums<tableThreads>;
  __shared__ Sums::Memory memory;
  __shared__ double       sums[4];
  const Sums              ofBlock(memory);
  ofBlock.Put(0, numbers);
  __syncthreads();
  if (thread < 3)
  {
    ofBlock.Write(thread, sums);
  }
  __syncthreads();
  const double all = sums[2];
  return { all > 0.0 ? (sums[0] - sums[1]) / all + log(all) : 0.0, all / weightUnit };
}

} // namespace cudaneuro::gpu

#endif
