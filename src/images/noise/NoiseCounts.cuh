// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseCounts_cuh
#define cudaneuro_images_noise_NoiseCounts_cuh

#include "cuda/WarpReduce.cuh"
#include "images/noise/NoiseResiduals.cuh"

namespace cudaneuro::gpu
{

using Count = unsigned long long;

/** The a(i) that are counted: \c size order bits from each of \c begins on, in bins of 2^shift. */
struct NoiseRange
{
  std::uint32_t begins[2] = { 0, 0 };
  int           sets = 1; // number of ranges; 1 if both begin at the same bits
  std::uint32_t size = 1u << 31;
  int           shift = 0;

  CUDANEURO_HOST_DEVICE int
  NumberOfBins() const
  {
    return static_cast<int>(DivideUp(size, 1u << shift));
  }
  /** Sets the width of bins so that there are at most \p mostBins. */
  CUDANEURO_HOST_DEVICE void
  DivideInto(std::uint32_t mostBins)
  {
    shift = 0;
    while (DivideUp(size, 1u << shift) > mostBins)
    {
      ++shift;
    }
  }
  /** Replaces the range by the bins that hold the two middle values. */
  CUDANEURO_HOST_DEVICE void
  Narrow(std::uint32_t firstBin, std::uint32_t secondBin)
  {
    const std::uint32_t second = sets == 1 ? begins[0] : begins[1];
    begins[0] += firstBin << shift;
    begins[1] = second + (secondBin << shift);
    sets = begins[0] == begins[1] ? 1 : 2;
    size = 1u << shift;
  }
};

/** The counts that precede those of bins. */
enum NoiseTotal
{
  allResiduals,
  residualsBelow, // below the first range
  residualsInside,
  numberOfTotals
};

/** The number of counters in a block's shared memory. */
constexpr int sharedCounters = 8192;

/** A block's counts in shared memory, in several copies if there is room, because threads of a warp that count in one
 * bin wait for each other. */
class NoiseBlockCounts
{
public:
  /** Sets all counters to 0. All threads of the block must call it. */
  __device__ __forceinline__
  NoiseBlockCounts(const NoiseRange & range, unsigned int * counters)
    : m_Range(range)
    , m_Counters(counters)
    , m_BinsOfSet(range.NumberOfBins())
    , m_Bins(range.sets * m_BinsOfSet)
    , m_Copies(sharedCounters / m_Bins)
  {
    for (int i = Thread(); i < sharedCounters; i += residualThreads)
    {
      m_Counters[i] = 0;
    }
    m_Own = m_Counters + Thread() % m_Copies * m_Bins;
  }

  /** Counts \p bits if they are in a range. */
  __device__ __forceinline__ void
  Add(std::uint32_t bits)
  {
    const std::uint32_t place = bits - m_Range.begins[0];
    if (place < m_Range.size)
    {
      atomicAdd(m_Own + (place >> m_Range.shift), 1u);
    }
    const std::uint32_t other = bits - m_Range.begins[1];
    if (m_Range.sets > 1 && other < m_Range.size)
    {
      atomicAdd(m_Own + m_BinsOfSet + (other >> m_Range.shift), 1u);
    }
  }

  /** Adds the block's counts of bins to \p counts. All threads of the block must call it, after a barrier. */
  __device__ __forceinline__ void
  Store(Count * counts) const
  {
    for (int bin = Thread(); bin < m_Bins; bin += residualThreads)
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
    return static_cast<int>(threadIdx.x);
  }

  const NoiseRange & m_Range;
  unsigned int *     m_Counters;
  unsigned int *     m_Own;
  int                m_BinsOfSet;
  int                m_Bins;
  int                m_Copies;
};

/** A thread's counts of all residuals and of those below a range. It sums sign bits, which takes one instruction each:
 * the bit is set in noResidual, and, after the beginning is subtracted, in noResidual and in residuals below it. */
struct NoiseThreadTotals
{
  unsigned int all = 0;
  unsigned int below = 0;

  template <int VCount>
  __device__ __forceinline__ void
  Add(const std::uint32_t (&bits)[VCount], std::uint32_t begin)
  {
    unsigned int none = 0;
    unsigned int noneOrBelow = 0;
#pragma unroll
    for (int i = 0; i < VCount; ++i)
    {
      none += bits[i] >> 31;
      noneOrBelow += (bits[i] - begin) >> 31;
    }
    all += VCount - none;
    below += noneOrBelow - none;
  }
  /** Adds the totals of all threads of a block to \p counts. */
  __device__ __forceinline__ void
  Store(Count * counts) const
  {
    AddTotal(counts + allResiduals, all);
    AddTotal(counts + residualsBelow, below);
  }
  __device__ static __forceinline__ void
  AddTotal(Count * count, unsigned int value)
  {
    const unsigned int sum = WarpReduce(value, [](unsigned int a, unsigned int b) { return a + b; });
    if (threadIdx.x % 32 == 0 && sum != 0)
    {
      atomicAdd(count, Count{ sum });
    }
  }
};

} // namespace cudaneuro::gpu

#endif
