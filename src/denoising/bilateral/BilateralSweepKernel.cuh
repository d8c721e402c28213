// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepKernel_cuh
#define cudaneuro_denoising_bilateral_BilateralSweepKernel_cuh

#include "core/IntegerMath.h"
#include "denoising/bilateral/BilateralKernel.cuh"
#include "denoising/bilateral/BilateralSweepPlan.h"

namespace cudaneuro
{
namespace gpu
{

/** Domain sigmas that one launch serves: their sums stay in registers. */
constexpr int sweepSigmas = 8;
/** Distances in x that a part of a group covers: taps at 4 part to 4 part + 3 from the center. */
constexpr int sweepPartLength = 4;

/** A block computes 64 rows of 8 voxels. With the halo a row is 24 floats, so that 4 consecutive rows of the block's
 * are in different banks of shared memory. */
constexpr int sweepBlockX = 8;
constexpr int sweepRowsPerBlock = 64;
constexpr int sweepHaloX = 8;
constexpr int sweepRowStride = sweepBlockX + 2 * sweepHaloX;

/** Voxels in a row that a thread computes; with 4 fewer threads fit, and an H200 takes 6 % longer. */
constexpr int sweepVoxels = 2;
constexpr int sweepThreads = sweepRowsPerBlock * sweepBlockX / sweepVoxels;
constexpr int sweepBlocksPerMultiprocessor = 3;

/** A part of a BilateralSweepGroup, packed. Bits 0 to 7 are the number of pairs of its rows, 8 to 15 the code of the
 * taps that it has (see SweepTapsCode), 16 to 23 the first pair of sigmas that have a weight there, and from 24 on the
 * distance in x of the first tap that it could have, a multiple of sweepPartLength, in bytes. */
using BilateralSweepPart = int;

inline BilateralSweepPart
MakeBilateralSweepPart(std::size_t numberOfPairs, int taps, int firstSigmaPair, int x)
{
  return static_cast<int>(numberOfPairs) | taps << 8 | firstSigmaPair << 16 | x * static_cast<int>(sizeof(float)) << 24;
}

/** Taps [first, last] of a part, without or with those at x = 0, which stand on one side only. */
__host__ __device__ constexpr int
SweepTapsCode(int first, int last, bool hasCenter)
{
  return hasCenter ? 16 + last : 4 * first + last;
}

/** What the kernel works on. */
struct BilateralSweepArguments
{
  /** Input, mask, sizes, planes and scale; the rest is not used. */
  BilateralArguments image;
  /** Rows of a block in y and z: powers of 2, whose product is sweepRowsPerBlock. */
  int log2BlockY;
  int log2BlockZ;
  int blocksX;
  int blocksY;
  int numberOfRadii;
  /** End of the parts of each radius' shell. */
  int                        partsEnd[largestBilateralSweepRadius];
  const BilateralSweepPart * parts;
  /** Distance of the rows of each pair from the center's in shared memory, in bytes, part after part: one row is so
   * much after it, the other as much before it. */
  const int * rows;
  /** Weights in space by part, by pair of sigmas, by tap of the part, by sigma. Sigmas rise. */
  const float4 * spatialWeights;
  /** The voxel at (0, 0, zBegin) of each output, or null. */
  float * outputs[largestBilateralSweepRadius][sweepSigmas];
};

/** Sums of a thread's voxels. */
struct BilateralSweepSums
{
  float weight[sweepVoxels];
  float weightedDifference[sweepVoxels];
};

/** Reads the values of as many voxels as a thread has. */
__device__ __forceinline__ void
ReadSweepVoxels(const float * from, float * to)
{
  const float2 v = *reinterpret_cast<const float2 *>(from);
  to[0] = v.x;
  to[1] = v.y;
}

/** The address that is so many bytes further. */
__device__ __forceinline__ const float *
AdvanceBytes(const float * from, int bytes)
{
  return reinterpret_cast<const float *>(reinterpret_cast<const char *>(from) + bytes);
}

/** Adds the term of a neighbor to the sums of a tap's class. */
__device__ __forceinline__ void
AddSweepTerm(float neighbor, float center, float & weight, float & weightedDifference)
{
  const float d = neighbor - center;
  const float w = Exp2(BilateralExponent(0.0f, d));
  weight += w;
  weightedDifference = fmaf(w, d, weightedDifference);
}

/** What a thread walks through: the parts' pairs of rows, one after the other, the next of which is known ahead. */
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

  /** The offset of the pair; one more than there are pairs is read. */
  __device__ __forceinline__ int
  Take()
  {
    const int taken = next;
    next = __ldg(rows + ++nextIndex);
    return taken;
  }
};

/** Weights in space of a part for a pair of sigmas. */
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

/** Adds the sums of the classes of a part's taps, times their weights in space, to the sums of each sigma. The weights
 * of one pair of sigmas are read while those of the pair before are used; one more pair than there are is read. */
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

/** Adds to the sums of each sigma what a part with taps [VFirst, VLast] has for the thread's voxels. \p from is the
 * first of them in shared memory. */
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
  // Values from 4 before the first voxel, or from it, to 3 after the last, which may be more than the taps need.
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

/** Adds any part: chooses the code for its taps, the same for the whole block. */
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

/** The block's place in the volume and in shared memory. */
struct BilateralSweepBlock
{
  int x0;
  int y0;
  int z0;
  /** Rows of the tile in y and z, halo included. */
  int tileY;
  int tileZ;
};

__device__ __forceinline__ BilateralSweepBlock
MakeBilateralSweepBlock(const BilateralSweepArguments & a)
{
  const unsigned int  blockX = blockIdx.x % a.blocksX;
  const unsigned int  rest = blockIdx.x / a.blocksX;
  BilateralSweepBlock block{};
  block.x0 = static_cast<int>(blockX) * sweepBlockX;
  block.y0 = static_cast<int>(rest % a.blocksY) << a.log2BlockY;
  block.z0 = a.image.zBegin + (static_cast<int>(rest / a.blocksY) << a.log2BlockZ);
  block.tileY = (1 << a.log2BlockY) + 2 * a.image.radius[1];
  block.tileZ = (1 << a.log2BlockZ) + 2 * a.image.radius[2];
  return block;
}

/** Reads a quad of the block's tile, scaled; voxels that take no part are bilateralExcluded. */
__device__ __forceinline__ float4
LoadTileQuad(const BilateralArguments & image, const BilateralSweepBlock & block, int quad)
{
  constexpr int quadsPerRow = sweepRowStride / 4;
  const int     row = quad / quadsPerRow;
  const int     plane = row / block.tileY;
  const int     x = block.x0 - sweepHaloX + 4 * (quad - row * quadsPerRow);
  const int     y = block.y0 - image.radius[1] + row - plane * block.tileY;
  const int     z = block.z0 - image.radius[2] + plane;
  float4        v = make_float4(bilateralNan, bilateralNan, bilateralNan, bilateralNan);
  if (x >= 0 && x < image.size[0] && y >= 0 && y < image.size[1] && z >= 0 && z < image.size[2])
  {
    v = LoadBilateralQuad(image, x, (static_cast<std::int64_t>(z) * image.size[1] + y) * image.size[0] + x);
  }
  return make_float4(ScaleBilateralIntensity(image, v.x),
                     ScaleBilateralIntensity(image, v.y),
                     ScaleBilateralIntensity(image, v.z),
                     ScaleBilateralIntensity(image, v.w));
}

/** Writes the outputs of one radius for the thread's voxels from x on, the first of which is element \p index from
 * zBegin on. */
__device__ __forceinline__ void
WriteSweepVoxels(const BilateralSweepArguments & a,
                 int                             radius,
                 int                             x,
                 std::int64_t                    index,
                 const float (&center)[sweepVoxels],
                 const BilateralSweepSums (&sums)[sweepSigmas])
{
  const std::int64_t  plane = static_cast<std::int64_t>(a.image.size[0]) * a.image.size[1];
  const float * const input = a.image.input + a.image.zBegin * plane + index;
  float               value[sweepVoxels];
#pragma unroll
  for (int i = 0; i < sweepVoxels; ++i)
  {
    value[i] = x + i < a.image.size[0] ? __ldg(input + i) : 0.0f;
  }
#pragma unroll
  for (int s = 0; s < sweepSigmas; ++s)
  {
    float * const output = a.outputs[radius][s];
    if (output == nullptr)
    {
      continue;
    }
#pragma unroll
    for (int i = 0; i < sweepVoxels; ++i)
    {
      const float change = BilateralMean(sums[s].weightedDifference[i], sums[s].weight[i]) * a.image.inverseRangeScale;
      if (x + i < a.image.size[0])
      {
        output[index + i] = center[i] == bilateralExcluded ? value[i] : value[i] + change;
      }
    }
  }
}

/** Reads the block's tile from input and mask. */
__device__ __forceinline__ void
LoadSweepTile(const BilateralArguments & image, const BilateralSweepBlock & block, float4 * tile)
{
  const int     quads = sweepRowStride / 4 * block.tileY * block.tileZ;
  constexpr int atOnce = 4; // loads in flight
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x); first < quads; first += atOnce * sweepThreads)
  {
    float4 v[atOnce];
#pragma unroll
    for (int k = 0; k < atOnce; ++k)
    {
      v[k] = LoadTileQuad(image, block, first + k * sweepThreads);
    }
#pragma unroll
    for (int k = 0; k < atOnce; ++k)
    {
      if (first + k * sweepThreads < quads)
      {
        tile[first + k * sweepThreads] = v[k];
      }
    }
  }
}

/** Reads input and mask, writes planes [zBegin, zEnd) of all outputs. A block keeps its voxels and their neighborhoods
 * in shared memory. A thread has sweepVoxels voxels in a row and their sums for each sigma in registers, to which it
 * adds shell after shell: first the sums of taps of one distance, which are the same for all sigmas, then these times
 * the weight in space. The order of the additions does not depend on where a block starts. */
static __global__ void
__launch_bounds__(sweepThreads, sweepBlocksPerMultiprocessor) BilateralSweepKernel(const BilateralSweepArguments a)
{
  extern __shared__ float4  sweepShared[];
  constexpr int             threadsX = sweepBlockX / sweepVoxels;
  const BilateralSweepBlock block = MakeBilateralSweepBlock(a);
  LoadSweepTile(a.image, block, sweepShared);
  __syncthreads();

  const int threadX = static_cast<int>(threadIdx.x) % threadsX;
  const int threadZ = static_cast<int>(threadIdx.x) / threadsX >> a.log2BlockY;
  const int threadY = static_cast<int>(threadIdx.x) / threadsX - (threadZ << a.log2BlockY);
  const int x = block.x0 + sweepVoxels * threadX;
  const int y = block.y0 + threadY;
  const int z = block.z0 + threadZ;
  if (x >= a.image.size[0] || y >= a.image.size[1] || z >= a.image.zEnd)
  {
    return;
  }
  const int           tileRow = (threadZ + a.image.radius[2]) * block.tileY + threadY + a.image.radius[1];
  const float * const from =
    reinterpret_cast<const float *>(sweepShared) + tileRow * sweepRowStride + sweepHaloX + sweepVoxels * threadX;
  const std::int64_t index =
    (static_cast<std::int64_t>(z - a.image.zBegin) * a.image.size[1] + y) * a.image.size[0] + x;

  float center[sweepVoxels];
  ReadSweepVoxels(from, center);
  BilateralSweepSums sums[sweepSigmas];
#pragma unroll
  for (int s = 0; s < sweepSigmas; ++s)
  {
#pragma unroll
    for (int i = 0; i < sweepVoxels; ++i)
    {
      sums[s].weight[i] = 1.0f;
      sums[s].weightedDifference[i] = 0.0f;
    }
  }
  BilateralSweepRows rows(a.rows);
  int                partIndex = 0;
  BilateralSweepPart next = __ldg(a.parts);
#pragma unroll 1
  for (int radius = 0; radius < a.numberOfRadii; ++radius)
  {
#pragma unroll 1
    while (partIndex < a.partsEnd[radius])
    {
      const BilateralSweepPart part = next;
      const float4 * const     spatialWeights = a.spatialWeights + partIndex * (sweepPartLength * sweepSigmas / 4);
      next = __ldg(a.parts + ++partIndex); // one more than there are parts is readable
      AddAnySweepPart(part, rows, spatialWeights, from, center, sums);
    }
    WriteSweepVoxels(a, radius, x, index, center, sums);
  }
}

/** Launches BilateralSweepKernel on planes [zBegin, zEnd). */
inline void
LaunchBilateralSweep(BilateralSweepArguments a, cudaStream_t stream)
{
  const auto blocks = [](int count, int blockSize) { return DivideUp(std::int64_t{ count }, blockSize); };
  const int  blockY = 1 << a.log2BlockY;
  const int  blockZ = 1 << a.log2BlockZ;
  a.blocksX = static_cast<int>(blocks(a.image.size[0], sweepBlockX));
  a.blocksY = static_cast<int>(blocks(a.image.size[1], blockY));
  const std::int64_t numberOfBlocks =
    std::int64_t{ a.blocksX } * a.blocksY * blocks(a.image.zEnd - a.image.zBegin, blockZ);
  const std::size_t sharedBytes =
    sizeof(float) * sweepRowStride * (blockY + 2 * a.image.radius[1]) * (blockZ + 2 * a.image.radius[2]);
  BilateralSweepKernel<<<static_cast<unsigned int>(numberOfBlocks), sweepThreads, sharedBytes, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("BilateralSweepKernel");
}

} // namespace gpu
} // namespace cudaneuro

#endif
