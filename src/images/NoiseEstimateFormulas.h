// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_NoiseEstimateFormulas_h
#define cudaneuro_images_NoiseEstimateFormulas_h

#include "core/HostDevice.h"
#include "cudaneuro/Volume.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace cudaneuro
{

/** The noise estimate takes the exact median of a(i) = |sum over the 2n axis neighbors k of (V_i - V_k)|, which is the
 * absolute pseudo-residual up to a constant factor.
 *
 * Non-negative floats are ordered as their bit patterns are. So the median is found by passes of counting: first
 * of the upper 13 of the 31 bits of every a(i), then of the lower 18 bits of those that share the upper bits of the
 * median; on the GPU in three, whose counts fit into shared memory, or by a list (NoiseMedian.cuh). Counts are integers,
 * and a(i) is made of sums alone, in the order x, y, z, lower neighbor first: the CPU and the GPU get the same bits. */

constexpr int           noiseLowerBits = 18;
constexpr std::uint32_t noiseUpperBins = 1u << (31 - noiseLowerBits);
constexpr std::uint32_t noiseLowerBins = 1u << noiseLowerBits;

/** Whether a voxel inside the mask takes part; \p limit is IntensitySample::limit. */
CUDANEURO_HOST_DEVICE bool
IsWithinNoiseLimit(float value, float limit)
{
  // False for NaN.
  return fabsf(value) <= limit;
}

/** Adds the two neighbors along one axis to the sum a(i) is the absolute value of; start from 0, axes of size 1 left
 * out. */
CUDANEURO_HOST_DEVICE float
AddNoiseDifferences(float sum, float value, float lowerNeighbor, float upperNeighbor)
{
  return sum + ((value - lowerNeighbor) + (value - upperNeighbor));
}

/** Whether a voxel is looked at: the mean of it and its neighbors, V - sum / count, is above the threshold. The voxel's
 * own intensity would choose by the noise that is to be measured. This mean is independent of the residual where noise
 * is normal: the voxel's noise has as much of both as the neighbors' has with the other sign.
 * \param sum the a(i) of the voxel, with its sign
 * \param count of the voxel and its neighbors, 2n + 1 */
CUDANEURO_HOST_DEVICE bool
IsBrightForNoise(float value, float sum, float threshold, float count)
{
  // A product that is compared is not fused with a sum, so that all processors compute the same bits.
  return (value - threshold) * count > sum;
}

/** The 31 bits by which |sum| is ordered. */
CUDANEURO_HOST_DEVICE std::uint32_t
                      NoiseOrderBits(float sum)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &sum, sizeof(bits));
  return bits & 0x7fffffffu;
}

CUDANEURO_HOST_DEVICE std::uint32_t
                      NoiseUpperBin(std::uint32_t orderBits)
{
  return orderBits >> noiseLowerBits;
}

CUDANEURO_HOST_DEVICE std::uint32_t
                      NoiseLowerBin(std::uint32_t orderBits)
{
  return orderBits & (noiseLowerBins - 1);
}

/** Where the element of rank \c rank (from 0) of a counted set is. */
struct HistogramPosition
{
  std::uint32_t bin = 0;
  /** Rank among the elements of that bin. */
  std::uint64_t rankInBin = 0;
};

/** \param counts of \p numberOfBins bins, which hold more than \p rank elements. */
template <typename TCount>
HistogramPosition
FindRank(const TCount * counts, std::uint32_t numberOfBins, std::uint64_t rank)
{
  HistogramPosition position;
  position.rankInBin = rank;
  while (position.bin + 1 < numberOfBins && position.rankInBin >= counts[position.bin])
  {
    position.rankInBin -= counts[position.bin];
    ++position.bin;
  }
  return position;
}

/** The a(i) that has these order bits. */
inline float
NoiseValueOf(std::uint32_t bits)
{
  float value = 0.0f;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/** Axes longer than 1. */
inline int
NumberOfNoiseAxes(const Grid & grid)
{
  return (grid.size[0] > 1 ? 1 : 0) + (grid.size[1] > 1 ? 1 : 0) + (grid.size[2] > 1 ? 1 : 0);
}

/** Sigma from the median of a(i): 1.4826 makes the median absolute value of a Gaussian its standard deviation,
 * sqrt(2n / (2n + 1)) / (2n) turns a(i) into a residual of the variance of the noise. */
inline double
NoiseSigmaFromMedian(double median, int numberOfAxes)
{
  const double numberOfNeighbors = 2.0 * numberOfAxes;
  return numberOfAxes == 0
           ? 0.0
           : 1.4826 * std::sqrt(numberOfNeighbors / (numberOfNeighbors + 1.0)) / numberOfNeighbors * median;
}

/** The brightness above which means of neighborhoods are looked at, from the sum over the \p count voxels that take
 * part. A float, so that sums of different order give the same answer. */
CUDANEURO_HOST_DEVICE float
NoiseBrightnessThreshold(double sum, std::uint64_t count)
{
  return count == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(count));
}

/** Ranks of the two elements whose mean is the median of \p count >= 1 elements; equal for an odd count. */
CUDANEURO_HOST_DEVICE std::uint64_t
                      LowerMedianRank(std::uint64_t count)
{
  return (count - 1) / 2;
}
CUDANEURO_HOST_DEVICE std::uint64_t
                      UpperMedianRank(std::uint64_t count)
{
  return count / 2;
}

} // namespace cudaneuro

#endif
