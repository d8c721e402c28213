// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansLoopsCpu_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansLoopsCpu_h

#include "core/Dispatch.h"
#include "core/VectorDispatch.h"
#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"
#include "jobs/TileCpu.h"

#include <algorithm>
#include <cstdint>

/** The inner loops of non-local means. Each runs over n contiguous elements, which may be several rows, and is compiled
 * for the processor's SIMD vectors. An array that is written overlaps no other. */
namespace cudaneuro::cpu
{

CUDANEURO_ALWAYS_INLINE bool
BothTakePart(float a, float b)
{
  // Bitwise and, to avoid a branch.
  return (a < takesNoPart) & (b < takesNoPart);
}

/** terms = 2^(-(a - b)^2), which is 0 where a or b is excluded, unless a and b are the same element. */
inline void
ComputePatchSumTerms(std::int64_t n, const float * a, const float * b, float * terms)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      terms[k] = PatchSumTerm(a[k] - b[k]);
    }
  });
}

/** terms as above, where the noise varies: \p precision holds the precision of a. */
inline void
ComputePatchSumTerms(std::int64_t n, const float * a, const float * b, const float * precision, float * terms)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      terms[k] = PatchSumTerm(a[k] - b[k], precision[k]);
    }
  });
}

/** terms = (a - b)^2, or 0 where a or b is excluded. */
inline void
ComputeSquaredDifferences(std::int64_t n, const float * a, const float * b, float * terms)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      const float difference = a[k] - b[k];
      terms[k] = BothTakePart(a[k], b[k]) ? difference * difference : 0.0f;
    }
  });
}

/** counts = 1 where neither a nor b is excluded, else 0. */
inline void
ComputePairCounts(std::int64_t n, const float * a, const float * b, float * counts)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      counts[k] = BothTakePart(a[k], b[k]) ? 1.0f : 0.0f;
    }
  });
}

/** sums = rows[0] + ... + rows[VCount - 1] and nextSums = rows[1] + ... + rows[VCount]. The terms that they share are
 * loaded and added once. */
template <int VCount>
CUDANEURO_ALWAYS_INLINE void
SumTwo(std::int64_t n, const float * const * rows, float * sums, float * nextSums)
{
  const float * r[VCount + 1];
  for (int m = 0; m <= VCount; ++m)
  {
    r[m] = rows[m];
  }
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t k = 0; k < n; ++k)
  {
    float common = r[1][k];
    for (int m = 2; m < VCount; ++m)
    {
      common += r[m][k];
    }
    sums[k] = r[0][k] + common;
    nextSums[k] = common + r[VCount][k];
  }
}

/** sums = rows[0] + ... + rows[count - 1] */
CUDANEURO_ALWAYS_INLINE void
SumOne(std::int64_t n, const float * const * rows, std::int64_t count, float * sums)
{
  const float * const first = rows[0];
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t k = 0; k < n; ++k)
  {
    sums[k] = first[k];
  }
  for (std::int64_t m = 1; m < count; ++m)
  {
    const float * const row = rows[m];
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      sums[k] += row[k];
    }
  }
}

/** sums[i] = rows[i] + ... + rows[i + count - 1], computed two successive sums at a time if VCount is \p count, and one
 * at a time if VCount is 1. */
template <int VCount>
void
SumRowsInPairs(
  std::int64_t n, const float * const * rows, std::int64_t count, float * const * sums, std::int64_t numberOfSums)
{
  VectorDispatch([=] {
    std::int64_t i = 0;
    for (; VCount > 1 && i + 2 <= numberOfSums; i += 2)
    {
      SumTwo<VCount>(n, rows + i, sums[i], sums[i + 1]);
    }
    for (; i < numberOfSums; ++i)
    {
      SumOne(n, rows + i, count, sums[i]);
    }
  });
}

/** sums[i] = rows[i] + ... + rows[i + count - 1] for i in [0, numberOfSums); \p count is odd. */
inline void
SumRows(std::int64_t n, const float * const * rows, std::int64_t count, float * const * sums, std::int64_t numberOfSums)
{
  const bool isDone = WithConstant<3, 5, 7>(
    static_cast<int>(count), [&](auto constant) { SumRowsInPairs<constant()>(n, rows, count, sums, numberOfSums); });
  if (!isDone)
  {
    SumRowsInPairs<1>(n, rows, count, sums, numberOfSums);
  }
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE float
SumOfSuccessive(const float * in)
{
  float sum = in[0];
  for (int m = 1; m < VCount; ++m)
  {
    sum += in[m];
  }
  return sum;
}

template <int VCount>
void
SumAlongXFixed(std::int64_t n, const float * in, float * sums)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      sums[k] = SumOfSuccessive<VCount>(in + k);
    }
  });
}

/** sums[k] = in[k] + in[k + 1] + ... + in[k + count - 1]; count is odd. */
inline void
SumAlongX(std::int64_t n, const float * in, std::int64_t count, float * sums)
{
  WithConstant<1, 3, 5, 7>(static_cast<int>(std::min<std::int64_t>(count, 7)),
                           [&](auto constant) { SumAlongXFixed<constant()>(n, in, sums); });
  for (std::int64_t m = 7; m < count; ++m)
  {
    VectorDispatch([=] {
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (std::int64_t k = 0; k < n; ++k)
      {
        sums[k] += in[k + m];
      }
    });
  }
}

/** Sets weights to 0 where one voxel of the pair is excluded. */
inline void
MaskWeights(std::int64_t n, const float * a, const float * b, float * weights)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      weights[k] = BothTakePart(a[k], b[k]) ? weights[k] : 0.0f;
    }
  });
}

/** Turns sums of squared differences into weights. The mean of a patch is sum * inverseCount * factor. */
inline void
ComputeDistanceWeights(
  std::int64_t n, const float * a, const float * b, const float * inverseCount, float factor, float * weights)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      const float weight = PatchDistanceWeight(weights[k] * (inverseCount[k] * factor));
      weights[k] = BothTakePart(a[k], b[k]) ? weight : 0.0f;
    }
  });
}

/** Computes the weights where the noise varies: \p precision is that of the voxels for which the weights are. The
 * weights may overwrite the sums. */
inline void
ComputeDistanceWeights(std::int64_t  n,
                       const float * a,
                       const float * b,
                       const float * inverseCount,
                       float         factor,
                       const float * precision,
                       const float * sums,
                       float *       weights)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      const float weight = PatchDistanceWeight(sums[k] * (inverseCount[k] * factor) * precision[k]);
      weights[k] = BothTakePart(a[k], b[k]) ? weight : 0.0f;
    }
  });
}

/** counts = 1 / counts, or 0 where it is 0. */
inline void
InvertCounts(std::int64_t n, float * counts)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      const float count = counts[k];
      counts[k] = count > 0.0f ? 1.0f / count : 0.0f;
    }
  });
}

/** Returns the scaled difference of two intensities, or of their squares. With x = (V - reference) * scale, the latter
 * is (x - y) (x + y + 2 * reference * scale), which is precise far from 0, too. */
template <bool VSquares>
CUDANEURO_ALWAYS_INLINE float
DifferenceToAverage(float value, float center, float twiceReference)
{
  const float difference = value - center;
  return VSquares ? difference * (value + center + twiceReference) : difference;
}

/** Adds weights, and weighted differences of values (or of their squares) from the centers: these are small and so
 * round little. Where the weight is 0, the difference is finite. */
template <bool VSquares>
void
AccumulateTerms(std::int64_t  n,
                const float * weights,
                const float * centers,
                const float * values,
                float         twiceReference,
                float *       sums,
                float *       weightSums)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      sums[k] += weights[k] * DifferenceToAverage<VSquares>(values[k], centers[k], twiceReference);
      weightSums[k] += weights[k];
    }
  });
}

/** maxima = max(maxima, weights) */
inline void
AccumulateMaxima(std::int64_t n, const float * weights, float * maxima)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      maxima[k] = weights[k] > maxima[k] ? weights[k] : maxima[k];
    }
  });
}

/** The pairs (a, b) of one plane, and the sums of both ends. No two of the six arrays overlap. */
struct PairSums
{
  const float * a;
  const float * b;
  /** Where the noise varies, the precision of both ends, and the sums of the PatchSum terms of b. */
  const float * precisionOfA;
  const float * precisionOfB;
  const float * inOfB;
  float         twiceReference;
  float *       sumsOfA;
  float *       weightSumsOfA;
  float *       sumsOfB;
  float *       weightSumsOfB;
};

/** Does the last steps of a plane in one loop, for both ends of the pairs: box filter along x of the sums over y and z,
 * weights, and accumulation. The mean in PatchDistance is the sum times inverseCount times factor. */
template <bool VPatchSum, bool VSquares, bool VMap, int VCount>
void
AccumulatePairsFixed(std::int64_t n, const float * in, const float * inverseCount, float factor, const PairSums & pairs)
{
  VectorDispatch([=] {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k)
    {
      const float a = pairs.a[k];
      const float b = pairs.b[k];
      const float sum = SumOfSuccessive<VCount>(in + k);
      float       weight = sum;
      float       weightOfB = sum;
      if constexpr (!VPatchSum)
      {
        const float mean = sum * (inverseCount[k] * factor);
        weight = PatchDistanceWeight(VMap ? mean * pairs.precisionOfA[k] : mean);
        weightOfB = VMap ? PatchDistanceWeight(mean * pairs.precisionOfB[k]) : weight;
      }
      else if constexpr (VMap)
      {
        weightOfB = SumOfSuccessive<VCount>(pairs.inOfB + k);
      }
      const bool takesPart = BothTakePart(a, b);
      weight = takesPart ? weight : 0.0f;
      weightOfB = takesPart ? weightOfB : 0.0f;
      const float difference = DifferenceToAverage<VSquares>(b, a, pairs.twiceReference);
      pairs.sumsOfA[k] += weight * difference;
      pairs.weightSumsOfA[k] += weight;
      pairs.sumsOfB[k] -= weightOfB * difference;
      pairs.weightSumsOfB[k] += weightOfB;
    }
  });
}

/** Calls AccumulatePairsFixed. \returns false, without computing anything, if \p count is above 7 */
template <bool VPatchSum, bool VSquares, bool VMap>
bool
AccumulatePairs(std::int64_t     n,
                const float *    in,
                std::int64_t     count,
                const float *    inverseCount,
                float            factor,
                const PairSums & pairs)
{
  return WithConstant<1, 3, 5, 7>(static_cast<int>(count), [&](auto constant) {
    AccumulatePairsFixed<VPatchSum, VSquares, VMap, constant()>(n, in, inverseCount, factor, pairs);
  });
}

} // namespace cudaneuro::cpu

#endif
