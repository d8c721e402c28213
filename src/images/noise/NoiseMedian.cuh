// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseMedian_cuh
#define cudaneuro_images_noise_NoiseMedian_cuh

#include "images/noise/NoiseCounts.cuh"

/** The median of the residuals of a large volume, computed without the host: a sample gives a range that almost
 * certainly holds it, one pass lists the residuals in that range, and two counts of the list find it. */
namespace cudaneuro::gpu
{

enum class NoiseStage
{
  unknown,   // the sample is too small
  estimated, // the range is known, but its residuals are too many, or differ too much, to be listed
  listed,
  unlike, // the range does not hold the median, or the list does not hold the range
  found
};

/** What is known about the median. All members are initially zero. */
struct NoiseMedian
{
  NoiseStage stage;
  NoiseRange range;    // holds the two middle values; begins with them once they are found
  Count      count;    // all residuals
  Count      ranks[2]; // of the middle values, within the range
};

/** The order bits of the residuals in the range, in a separate part of the memory for each block. */
struct NoiseList
{
  std::uint32_t * bits = nullptr;
  /** The number of residuals of each block, which may exceed the capacity. */
  unsigned int * counts = nullptr;
  unsigned int   capacityOfBlock = 0;
};

constexpr int findingThreads = 512;

/** The range spans this fraction of all ranks on either side of the sample's median. A sample of a sixty-fourth of a
 * million voxels, of which half count, has a standard error of 0.6 %. */
constexpr double sampledMargin = 0.02;
constexpr int    sampledOneOf = 64;
constexpr int    sampledShift = 18;
constexpr Count  fewestSampled = 4096;

/** Bins of the first count of the list: few, because blocks add theirs to those of others. */
constexpr std::uint32_t firstListBins = 1024;

/** The size of a range in which two counts of the list find every value. */
constexpr std::uint32_t largestListedRange = firstListBins * (sharedCounters / 2);

/** The positions of two ranks among bins. */
struct NoisePositions
{
  std::uint32_t bins[2];
  Count         ranksInBins[2];
  Count         allBins;
};

/** Does the same as FindRank for ranks below the number in all bins. All findingThreads of a block must call it. */
static __device__ NoisePositions
FindRanksInBlock(const Count * counts, int bins, const Count (&ranks)[2])
{
  __shared__ Count          sums[findingThreads / 32];
  __shared__ NoisePositions found;
  const auto                thread = static_cast<int>(threadIdx.x);
  const int                 each = DivideUp(bins, findingThreads);
  const int                 begin = min(bins, thread * each);
  const int                 end = min(bins, begin + each);
  Count                     sum = 0;
#pragma unroll 8
  for (int bin = begin; bin < end; ++bin)
  {
    sum += counts[bin];
  }
  Count upTo = sum;
  for (int distance = 1; distance < 32; distance *= 2)
  {
    const Count before = __shfl_up_sync(0xffffffffu, upTo, distance);
    upTo += thread % 32 >= distance ? before : 0;
  }
  __syncthreads(); // the previous call has read sums
  if (thread % 32 == 31)
  {
    sums[thread / 32] = upTo;
  }
  __syncthreads();
  Count all = 0;
  Count before = upTo - sum;
  for (int warp = 0; warp < findingThreads / 32; ++warp)
  {
    before += warp < thread / 32 ? sums[warp] : 0;
    all += sums[warp];
  }
  for (int i = 0; i < 2; ++i)
  {
    if (ranks[i] >= before && ranks[i] - before < sum)
    {
      int   bin = begin;
      Count left = ranks[i] - before;
      for (; left >= counts[bin]; ++bin)
      {
        left -= counts[bin];
      }
      found.bins[i] = static_cast<std::uint32_t>(bin);
      found.ranksInBins[i] = left;
    }
  }
  if (thread == 0)
  {
    found.allBins = all;
  }
  __syncthreads();
  return found;
}

/** Reads the counts of a sample: totals, and bins of 2^sampledShift from 0 on; writes the range to median. One block.
 * \param mostListed the number of residuals for which a list has room */
static __global__ void
__launch_bounds__(findingThreads) NoiseRangeKernel(const Count * counts, double mostListed, NoiseMedian * median)
{
  constexpr int bins = 1 << (31 - sampledShift);
  const Count   count = counts[allResiduals];
  if (count < fewestSampled)
  {
    return;
  }
  const auto  rankOf = [&](double fraction) { return static_cast<Count>(fraction * static_cast<double>(count)); };
  const Count ranks[2] = { rankOf(0.5 - sampledMargin), rankOf(0.5 + sampledMargin) };
  const NoisePositions ends = FindRanksInBlock(counts + numberOfTotals, bins, ranks);
  if (threadIdx.x == 0)
  {
    const Count  below = ranks[0] - ends.ranksInBins[0];
    const Count  upTo = ranks[1] - ends.ranksInBins[1] + counts[numberOfTotals + ends.bins[1]];
    const double expected = static_cast<double>(sampledOneOf) * static_cast<double>(upTo - below);
    NoiseRange   range;
    range.begins[0] = ends.bins[0] << sampledShift;
    range.size = (ends.bins[1] + 1 - ends.bins[0]) << sampledShift;
    range.DivideInto(firstListBins);
    median->range = range;
    median->stage =
      expected <= mostListed && range.size <= largestListedRange ? NoiseStage::listed : NoiseStage::estimated;
  }
}

/** Reads the planes, writes the residuals in the range to the list, and adds to the totals. */
template <bool VHasMask, typename TShape>
__global__ void
__launch_bounds__(residualThreads, VHasMask ? 1 : 2) NoiseListKernel(const __grid_constant__ NoisePlanes planes,
                                                                     const __grid_constant__ NoiseList   list,
                                                                     const NoiseCubeChoiceOnDevice       choice,
                                                                     const NoiseMedian *                 median,
                                                                     Count *                             totals)
{
  __shared__ unsigned int listed;
  if (median->stage != NoiseStage::listed)
  {
    return;
  }
  if (threadIdx.x == 0)
  {
    listed = list.counts[blockIdx.x];
  }
  __syncthreads();
  std::uint32_t * const toList = list.bits + static_cast<std::size_t>(blockIdx.x) * list.capacityOfBlock;
  const std::uint32_t   begin = median->range.begins[0];
  const std::uint32_t   size = median->range.size;
  NoiseThreadTotals     counted;
  unsigned int          allInside = 0;
  ForEachResidual<VHasMask, TShape>(planes, choice.Get(), 1, [&](const std::uint32_t(&bits)[TShape::cubes]) {
    counted.Add(bits, begin);
    unsigned int notAbove = 0;
    unsigned int below = 0;
#pragma unroll
    for (int i = 0; i < TShape::cubes; ++i)
    {
      notAbove += (bits[i] - begin - size) >> 31;
      below += (bits[i] - begin) >> 31;
    }
    const unsigned int inside = notAbove - below;
    if (inside != 0)
    {
      const unsigned int place = atomicAdd(&listed, inside);
      if (place + inside <= list.capacityOfBlock)
      {
        std::uint32_t * to = toList + place;
#pragma unroll
        for (int i = 0; i < TShape::cubes; ++i)
        {
          if (bits[i] - begin < size)
          {
            *to++ = bits[i];
          }
        }
      }
      allInside += inside;
    }
  });
  counted.Store(totals);
  NoiseThreadTotals::AddTotal(totals + residualsInside, allInside);
  __syncthreads();
  if (threadIdx.x == 0)
  {
    list.counts[blockIdx.x] = listed;
  }
}

/** Reads the list that the same block of NoiseListKernel has written, and adds to the counts of bins. */
static __global__ void
__launch_bounds__(residualThreads)
  NoiseListCountKernel(const __grid_constant__ NoiseList list, const NoiseMedian * median, Count * bins)
{
  __shared__ unsigned int counters[sharedCounters];
  if (median->stage != NoiseStage::listed)
  {
    return;
  }
  const NoiseRange            range = median->range;
  NoiseBlockCounts            block(range, counters);
  const std::uint32_t * const bits = list.bits + static_cast<std::size_t>(blockIdx.x) * list.capacityOfBlock;
  const unsigned int          count = min(list.counts[blockIdx.x], list.capacityOfBlock);
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < count; i += residualThreads)
  {
    block.Add(bits[i]);
  }
  __syncthreads();
  block.Store(bins);
}

/** Reads the counts of bins and narrows the range. One block.
 * \param totals counts of NoiseListKernel; null for the second narrowing, to one value */
static __global__ void
__launch_bounds__(findingThreads) NoiseNarrowKernel(const Count * totals, const Count * bins, NoiseMedian * median)
{
  if (median->stage != NoiseStage::listed)
  {
    return;
  }
  NoiseRange range = median->range;
  Count      ranks[2] = { median->ranks[0], median->ranks[1] };
  const bool isFirst = totals != nullptr;
  if (isFirst)
  {
    const Count count = totals[allResiduals];
    const Count below = totals[residualsBelow];
    const bool  isInside =
      count > 0 && LowerMedianRank(count) >= below && UpperMedianRank(count) - below < totals[residualsInside];
    __syncthreads(); // all threads have read the stage
    if (!isInside)
    {
      if (threadIdx.x == 0)
      {
        median->stage = NoiseStage::unlike;
      }
      return;
    }
    ranks[0] = LowerMedianRank(count) - below;
    ranks[1] = UpperMedianRank(count) - below;
  }
  const int            binsOfSet = range.NumberOfBins();
  const NoisePositions first = FindRanksInBlock(bins, binsOfSet, ranks);
  const NoisePositions second = range.sets == 1 ? first : FindRanksInBlock(bins + binsOfSet, binsOfSet, ranks);
  if (threadIdx.x == 0)
  {
    range.Narrow(first.bins[0], second.bins[1]);
    range.DivideInto(sharedCounters / 2);
    median->range = range;
    median->ranks[0] = first.ranksInBins[0];
    median->ranks[1] = second.ranksInBins[1];
    if (isFirst)
    {
      median->count = totals[allResiduals];
      median->stage = first.allBins == totals[residualsInside] ? NoiseStage::listed : NoiseStage::unlike;
    }
    else
    {
      median->stage = NoiseStage::found;
    }
  }
}

} // namespace cudaneuro::gpu

#endif
