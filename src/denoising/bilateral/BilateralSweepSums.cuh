// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepSums_cuh
#define cudaneuro_denoising_bilateral_BilateralSweepSums_cuh

#include "denoising/bilateral/BilateralSums.cuh"
#include "denoising/bilateral/BilateralSweepArguments.cuh"

namespace cudaneuro::gpu
{

/** The sums of a thread's voxels. */
struct BilateralSweepSums
{
  float weight[sweepVoxels];
  float weightedDifference[sweepVoxels];
};

/** Reads the values of sweepVoxels voxels. */
__device__ __forceinline__ void
ReadSweepVoxels(const float * from, float * to)
{
  const float2 v = *reinterpret_cast<const float2 *>(from);
  to[0] = v.x;
  to[1] = v.y;
}

/** Returns the address \p bytes further. */
__device__ __forceinline__ const float *
AdvanceBytes(const float * from, int bytes)
{
  return reinterpret_cast<const float *>(reinterpret_cast<const char *>(from) + bytes);
}

/** Adds a neighbor to the sums over the neighbors at one distance. */
__device__ __forceinline__ void
AddSweepTerm(float neighbor, float center, float & weight, float & weightedDifference)
{
  const float d = neighbor - center;
  const float w = Exp2(BilateralExponent(0.0f, d));
  weight += w;
  weightedDifference = fmaf(w, d, weightedDifference);
}

/** The offsets of all pairs of rows in their order. The next offset is loaded one pair ahead, to hide its latency. */
struct BilateralSweepRows
{
  const int * rows;
  int         nextIndex;
  int         next;

  __device__ __forceinline__ explicit BilateralSweepRows(const int * offsets)
    : rows(offsets)
    , nextIndex(0)
    , next(__ldg(offsets))
  {}

  /** Returns the offset of the next pair. Reads one element beyond the last pair. */
  __device__ __forceinline__ int
  Take()
  {
    const int taken = next;
    next = __ldg(rows + ++nextIndex);
    return taken;
  }
};

/** The spatial weights of a part for a pair of sigmas. */
struct SweepWeights
{
  float values[2 * sweepPartLength];

  __device__ __forceinline__ explicit SweepWeights(const float4 * from)
  {
    const float4 a = __ldg(from);
    const float4 b = __ldg(from + 1);
    values[0] = a.x;
    values[1] = a.y;
    values[2] = a.z;
    values[3] = a.w;
    values[4] = b.x;
    values[5] = b.y;
    values[6] = b.z;
    values[7] = b.w;
  }
};

/** Adds the sums over a part's taps, multiplied by their spatial weights, to the sums of each sigma. The weights of a
 * pair of sigmas are loaded one pair ahead; this reads one pair beyond the last. */
template <int VFirst, int VTaps>
__device__ __forceinline__ void
AddSweepClasses(BilateralSweepPart part,
                const float4 *     spatialWeights,
                const BilateralSweepSums (&classSums)[VTaps],
                BilateralSweepSums (&sums)[sweepSigmas])
{
  const int      firstSigmaPair = part >> 16 & 0xff;
  const float4 * from = spatialWeights + 2 * firstSigmaPair;
  SweepWeights   weights(from);
#pragma unroll
  for (int pair = 0; pair < sweepSigmas / 2; ++pair)
  {
    if (pair < firstSigmaPair)
    {
      continue;
    }
    from += 2;
    const SweepWeights next(from);
#pragma unroll
    for (int tap = 0; tap < VTaps; ++tap)
    {
#pragma unroll
      for (int s = 0; s < 2; ++s)
      {
        const float          weight = weights.values[2 * (VFirst + tap) + s];
        BilateralSweepSums & sum = sums[2 * pair + s];
#pragma unroll
        for (int i = 0; i < sweepVoxels; ++i)
        {
          sum.weight[i] = fmaf(weight, classSums[tap].weight[i], sum.weight[i]);
          sum.weightedDifference[i] = fmaf(weight, classSums[tap].weightedDifference[i], sum.weightedDifference[i]);
        }
      }
    }
    weights = next;
  }
}

/** Adds a part with taps [VFirst, VLast] to the sums of each sigma. \p from is the thread's first voxel in shared
 * memory. */
template <int VFirst, int VLast, bool VHasCenter>
__device__ __forceinline__ void
AddSweepPart(BilateralSweepPart   part,
             BilateralSweepRows & rows,
             const float4 *       spatialWeights,
             const float *        from,
             const float (&center)[sweepVoxels],
             BilateralSweepSums (&sums)[sweepSigmas])
{
  constexpr int      taps = VLast - VFirst + 1;
  BilateralSweepSums classSums[taps] = {};
  const int          x = VHasCenter ? 0 : part >> 24; // bytes
  // Values are read in whole groups, which may be more than the taps need.
  constexpr int values = sweepVoxels + sweepPartLength;
  int           pair = part & 0xff;
#pragma unroll 1
  do
  {
    const int offset = rows.Take();
#pragma unroll
    for (int side = 0; side < 2; ++side)
    {
      float               before[values];
      float               after[values];
      const float * const row = AdvanceBytes(from, side == 0 ? offset : -offset);
#pragma unroll
      for (int i = 0; i < values; i += sweepVoxels)
      {
        ReadSweepVoxels(AdvanceBytes(row, -x) - sweepPartLength + i, before + i);
        ReadSweepVoxels(AdvanceBytes(row, x) + i, after + i);
      }
#pragma unroll
      for (int tap = 0; tap < taps; ++tap)
      {
#pragma unroll
        for (int i = 0; i < sweepVoxels; ++i)
        {
          const int distance = VFirst + tap;
          float &   weight = classSums[tap].weight[i];
          float &   weightedDifference = classSums[tap].weightedDifference[i];
          AddSweepTerm(after[i + distance], center[i], weight, weightedDifference);
          if (!VHasCenter || distance != 0)
          {
            const float neighbor = before[sweepPartLength + i - distance];
            AddSweepTerm(neighbor, center[i], weight, weightedDifference);
          }
        }
      }
    }
  } while (--pair > 0);
  AddSweepClasses<VFirst>(part, spatialWeights, classSums, sums);
}

/** Adds a part with any taps. All threads of a block take the same branch. It is a switch, because the compiler makes a
 * jump table of it, while a chain of comparisons would cost time in the innermost loop. */
__device__ __forceinline__ void
AddAnySweepPart(BilateralSweepPart   part,
                BilateralSweepRows & rows,
                const float4 *       spatialWeights,
                const float *        from,
                const float (&center)[sweepVoxels],
                BilateralSweepSums (&sums)[sweepSigmas])
{
#define CUDANEURO_SWEEP_PART(first, last, hasCenter) \
  case SweepTapsCode(first, last, hasCenter): \
    AddSweepPart<first, last, hasCenter>(part, rows, spatialWeights, from, center, sums); \
    break
  switch (part >> 8 & 0xff)
  {
    CUDANEURO_SWEEP_PART(0, 0, true);
    CUDANEURO_SWEEP_PART(0, 1, true);
    CUDANEURO_SWEEP_PART(0, 2, true);
    CUDANEURO_SWEEP_PART(0, 3, true);
    CUDANEURO_SWEEP_PART(0, 0, false);
    CUDANEURO_SWEEP_PART(0, 1, false);
    CUDANEURO_SWEEP_PART(0, 2, false);
    CUDANEURO_SWEEP_PART(0, 3, false);
    CUDANEURO_SWEEP_PART(1, 1, false);
    CUDANEURO_SWEEP_PART(1, 2, false);
    CUDANEURO_SWEEP_PART(1, 3, false);
    CUDANEURO_SWEEP_PART(2, 2, false);
    CUDANEURO_SWEEP_PART(2, 3, false);
    CUDANEURO_SWEEP_PART(3, 3, false);
  }
#undef CUDANEURO_SWEEP_PART
}

} // namespace cudaneuro::gpu

#endif
