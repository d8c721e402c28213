// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepArguments_cuh
#define cudaneuro_denoising_bilateral_BilateralSweepArguments_cuh

#include "denoising/bilateral/BilateralArguments.cuh"
#include "denoising/bilateral/BilateralSweepPlan.h"

namespace cudaneuro::gpu
{

/** The number of domain sigmas that one launch serves, limited by the registers that hold their sums. */
constexpr int sweepSigmas = 8;
/** Distances in x per part of a group: part p has taps at distances 4 p to 4 p + 3 from the center. */
constexpr int sweepPartLength = 4;

/** A block computes 64 rows of 8 voxels. With its halo a row is 24 floats, which puts 4 consecutive rows into different
 * banks of shared memory. */
constexpr int sweepBlockX = 8;
constexpr int sweepRowsPerBlock = 64;
constexpr int sweepHaloX = 8;
constexpr int sweepRowStride = sweepBlockX + 2 * sweepHaloX;

/** Voxels in a row that a thread computes. With 4, fewer threads fit, and an H200 takes 6 % longer. */
constexpr int sweepVoxels = 2;
constexpr int sweepThreads = sweepRowsPerBlock * sweepBlockX / sweepVoxels;
constexpr int sweepBlocksPerMultiprocessor = 3;

/** A part of a BilateralSweepGroup, packed into an int:
 *
 * - bits 0 to 7: number of pairs of rows;
 * - bits 8 to 15: SweepTapsCode of the taps that the part has;
 * - bits 16 to 23: first pair of sigmas whose weights there are not 0;
 * - from bit 24 on: distance in x of the first tap that the part could have, a multiple of sweepPartLength, in
 *   bytes. */
using BilateralSweepPart = int;

inline BilateralSweepPart
MakeBilateralSweepPart(std::size_t numberOfPairs, int taps, int firstSigmaPair, int x)
{
  return static_cast<int>(numberOfPairs) | taps << 8 | firstSigmaPair << 16 | x * static_cast<int>(sizeof(float)) << 24;
}

/** Returns the code of taps [first, last] of a part. With \p hasCenter, the first tap is at x = 0, its own mirror. */
__host__ __device__ constexpr int
SweepTapsCode(int first, int last, bool hasCenter)
{
  return hasCenter ? 16 + last : 4 * first + last;
}

/** The arguments of BilateralSweepKernel. */
struct BilateralSweepArguments
{
  /** The input, mask, sizes, planes, and scales; the output and exponents are not used. */
  BilateralArguments image;
  /** log2 of the numbers of a block's rows in y and in z, whose product is sweepRowsPerBlock. */
  int log2BlockY;
  int log2BlockZ;
  int blocksX;
  int blocksY;
  int numberOfRadii;
  /** The end of the parts of each radius' shell. */
  int                        partsEnd[largestBilateralSweepRadius];
  const BilateralSweepPart * parts;
  /** For each pair of rows, part after part: the distance in shared memory, in bytes, from the center's row to the row
   * of the pair that follows it. The other row of the pair lies as far before the center's row. */
  const int * rows;
  /** Spatial weights by part, by pair of sigmas, by tap of the part, by sigma of the pair. Sigmas ascend. */
  const float4 * spatialWeights;
  /** The voxel at (0, 0, zBegin) of each output, or null. */
  float * outputs[largestBilateralSweepRadius][sweepSigmas];
};

} // namespace cudaneuro::gpu

#endif
