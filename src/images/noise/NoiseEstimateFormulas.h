// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseEstimateFormulas_h
#define cudaneuro_images_noise_NoiseEstimateFormulas_h

#include "core/HostDevice.h"
#include "cudaneuro/Volume.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace cudaneuro
{

/** The noise estimate takes the exact median of a(i), the magnitude of the alternating sum of the 2^n voxels of cube i,
 * up to a constant factor a coefficient of its Haar transform.
 *
 * Non-negative floats are ordered as their bit patterns are. So the median is found by passes of counting: first
 * of the upper 13 of the 31 bits of every a(i), then of the lower 18 bits of those that share the upper bits of the
 * median; on the GPU in three, whose counts fit into shared memory, or by a list (NoiseMedian.cuh). Counts are
 * integers, and a(i) is made of sums alone, along y, then x, then z: the CPU and the GPU get the same bits.
 *
 * Axes of one voxel are taken out of the grid before, so that the long ones are the first n. */

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

/** Two voxels. */
struct NoisePair
{
  float sum;
  float difference;
};

CUDANEURO_HOST_DEVICE NoisePair
MakeNoisePair(float lower, float upper)
{
  return { upper + lower, upper - lower };
}

/** Two pairs along y, side by side along x. */
struct NoiseSquare
{
  float sum;
  float alongX;
  float alongY;
  float alternating;
};

CUDANEURO_HOST_DEVICE NoiseSquare
MakeNoiseSquare(const NoisePair & left, const NoisePair & right)
{
  return {
    right.sum + left.sum, right.sum - left.sum, right.difference + left.difference, right.difference - left.difference
  };
}

/** What the estimate takes from the 2^n voxels of a cube. */
struct NoiseResidual
{
  float sum;
  /** The alternating sum, a(i) with a sign. Images that are smooth, and edges along an axis, vanish in it. */
  float residual;
  /** Sum of the magnitudes of all other differences, in which edges do not vanish. Those of noise do not depend on the
   * residual. */
  float edges;
};

/** The residual of a cube of one, two and three axes. */
CUDANEURO_HOST_DEVICE NoiseResidual
MakeNoiseResidual(const NoisePair & pair)
{
  return { pair.sum, pair.difference, 0.0f };
}
CUDANEURO_HOST_DEVICE NoiseResidual
MakeNoiseResidual(const NoiseSquare & square)
{
  return { square.sum, square.alternating, fabsf(square.alongX) + fabsf(square.alongY) };
}
CUDANEURO_HOST_DEVICE NoiseResidual
MakeNoiseResidual(const NoiseSquare & lower, const NoiseSquare & upper)
{
  const float alongZ = fabsf(upper.sum - lower.sum);
  const float alongX = fabsf(upper.alongX + lower.alongX) + fabsf(upper.alongX - lower.alongX);
  const float alongY = fabsf(upper.alongY + lower.alongY) + fabsf(upper.alongY - lower.alongY);
  return { upper.sum + lower.sum,
           upper.alternating - lower.alternating,
           alongZ + alongX + alongY + fabsf(upper.alternating + lower.alternating) };
}

/** Which cubes are looked at. */
struct NoiseCubeChoice
{
  /** What the sum of their voxels must exceed. The intensity of one voxel would choose by the noise that is to be
   * measured; the sum of all does not depend on the residual where noise is normal. */
  float brightness;
  /** The most that edges may be. */
  float edges;
};

/** Voxels of which all are the same say nothing. */
CUDANEURO_HOST_DEVICE bool
IsNoiseCube(const NoiseResidual & cube, const NoiseCubeChoice & choice)
{
  return (cube.sum > choice.brightness) & (cube.edges <= choice.edges) &
         ((cube.edges > 0.0f) | (cube.residual != 0.0f));
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

/** The median magnitude of normal noise times this is its standard deviation. */
constexpr double noiseSigmaOverMedian = 1.4826;

/** Sigma from the median of a(i), whose variance is 2^n times that of the noise. */
inline double
NoiseSigmaFromMedian(double median, int numberOfAxes)
{
  return noiseSigmaOverMedian * median / std::sqrt(static_cast<double>(1 << numberOfAxes));
}

/** Of the planes of a volume of many, one in so many has the cubes of the first median, which only tells what an edge
 * is. */
inline int
NoisePlaneStep(const Grid & grid)
{
  constexpr std::int64_t manyPlanes = 64;
  return NumberOfNoiseAxes(grid) == 3 && grid.size[2] >= manyPlanes ? 4 : 1;
}

/** The most that edges may be, from the first median of a(i): about half of the cubes of noise alone have less. With
 * one axis there is nothing to choose by, and nothing is known where the median is 0. */
inline float
LargestNoiseEdges(double median, int numberOfAxes)
{
  constexpr double share3D = 4.8;
  constexpr double share2D = 1.5;
  return median > 0.0 ? static_cast<float>(noiseSigmaOverMedian * median * (numberOfAxes == 3 ? share3D : share2D))
                      : std::numeric_limits<float>::max();
}

/** Sigma, from the two medians.
 * \param medianOf called as medianOf(most edges, plane step): the median of a(i) of the cubes with so many edges in one
 * of so many planes, or 0 where there is none */
template <typename TMedianOf>
double
NoiseSigmaWithoutEdges(const Grid & grid, const TMedianOf & medianOf)
{
  const int    axes = NumberOfNoiseAxes(grid);
  const double first = medianOf(std::numeric_limits<float>::max(), NoisePlaneStep(grid));
  const double second = medianOf(LargestNoiseEdges(first, axes), 1);
  return NoiseSigmaFromMedian(second > 0.0 ? second : first, axes);
}

/** The brightness above which means of cubes are looked at, from the sum over the \p count voxels that take
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
