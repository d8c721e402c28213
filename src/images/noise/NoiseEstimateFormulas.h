// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseEstimateFormulas_h
#define cudaneuro_images_noise_NoiseEstimateFormulas_h

#include "core/HostDevice.h"
#include "cudaneuro/Volume.h"
#include "images/ReferenceIntensity.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace cudaneuro
{

/** The noise estimate is based on the exact median of a(i), the magnitude of the alternating sum of the 2^n voxels of
 * cube i, which is, up to a constant factor, a coefficient of its Haar transform.
 *
 * Non-negative floats are ordered like their bit patterns. So the median is found by counting in passes: first
 * by the upper 13 of the 31 bits of every a(i), then by the lower 18 bits of those with the same upper bits as the
 * median; on the GPU in three passes, whose counts fit into shared memory, or by a list (NoiseMedian.cuh). Counts are
 * integers, and a(i) is computed by sums only, along y, then x, then z: the CPU and the GPU get the same bits.
 *
 * Axes of one voxel are removed from the grid before, so that the long axes are the first n. */

constexpr int           noiseLowerBits = 18;
constexpr std::uint32_t noiseUpperBins = 1u << (31 - noiseLowerBits);
constexpr std::uint32_t noiseLowerBins = 1u << noiseLowerBits;

/** Returns the largest magnitude of the voxels that count. Those of a constant bright background do not. */
inline float
NoiseLimit(const IntensitySample & sample)
{
  return std::fmin(sample.limit, std::nextafter(sample.plateau, 0.0f));
}

/** Returns whether a voxel inside the mask counts; \p limit is NoiseLimit(). */
CUDANEURO_HOST_DEVICE bool
IsWithinNoiseLimit(float value, float limit)
{
  // False for NaN.
  return fabsf(value) <= limit;
}

/** The sum and the difference of two voxels. */
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

/** The sums and differences of two pairs along y that are neighbors along x. */
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

/** The values that the estimate computes from the 2^n voxels of a cube. */
struct NoiseResidual
{
  float sum;
  /** The alternating sum, a(i) with its sign. It vanishes in smooth images and for edges along an axis. */
  float residual;
  /** The sum of the magnitudes of all other differences, in which edges do not vanish. For noise it is independent of
   * the residual. */
  float edges;
};

/** Returns the residual of a cube with one, two or three axes. */
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

/** The criteria by which cubes are selected. */
struct NoiseCubeChoice
{
  /** The sum of a cube's voxels must exceed this. The intensity of one voxel would select by the noise that is to be
   * measured; the sum of all voxels is independent of the residual if the noise is normal. */
  float brightness;
  /** The upper limit of NoiseResidual::edges. */
  float edges;
};

/** Returns whether a cube is selected. A cube whose voxels are all equal carries no information. */
CUDANEURO_HOST_DEVICE bool
IsNoiseCube(const NoiseResidual & cube, const NoiseCubeChoice & choice)
{
  return (cube.sum > choice.brightness) & (cube.edges <= choice.edges) &
         ((cube.edges > 0.0f) | (cube.residual != 0.0f));
}

/** Returns the 31 bits by which |sum| is ordered. */
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

/** The position of the element of rank \c rank (from 0) of a counted set. */
struct HistogramPosition
{
  std::uint32_t bin = 0;
  /** The rank among the elements of that bin. */
  std::uint64_t rankInBin = 0;
};

/** Finds an element by its rank. \param counts of \p numberOfBins bins, which hold more than \p rank elements. */
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

/** Returns the a(i) with these order bits. */
inline float
NoiseValueOf(std::uint32_t bits)
{
  float value = 0.0f;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/** Returns the number of axes longer than 1. */
inline int
NumberOfNoiseAxes(const Grid & grid)
{
  return (grid.size[0] > 1 ? 1 : 0) + (grid.size[1] > 1 ? 1 : 0) + (grid.size[2] > 1 ? 1 : 0);
}

/** The ratio of the standard deviation of normal noise to the median of its magnitude. */
constexpr double noiseSigmaOverMedian = 1.4826;

/** Returns sigma from the median of a(i), whose variance is 2^n times that of the noise. */
inline double
NoiseSigmaFromMedian(double median, int numberOfAxes)
{
  return noiseSigmaOverMedian * median / std::sqrt(static_cast<double>(1 << numberOfAxes));
}

/** Returns k: in a volume of many planes, every k-th plane provides the cubes of the first median, which only decides
 * what counts as an edge. */
inline int
NoisePlaneStep(const Grid & grid)
{
  constexpr std::int64_t manyPlanes = 64;
  return NumberOfNoiseAxes(grid) == 3 && grid.size[2] >= manyPlanes ? 4 : 1;
}

/** Returns the limit of edges from the first median of a(i): about half of the cubes with noise alone are below. With
 * one axis there is nothing to select by, and a median of 0 gives no limit. */
inline float
LargestNoiseEdges(double median, int numberOfAxes)
{
  constexpr double share3D = 4.8;
  constexpr double share2D = 1.5;
  return median > 0.0 ? static_cast<float>(noiseSigmaOverMedian * median * (numberOfAxes == 3 ? share3D : share2D))
                      : std::numeric_limits<float>::max();
}

/** Returns sigma, computed from the two medians.
 * \param medianOf called as medianOf(limit of edges, plane step): returns the median of a(i) of the cubes within the
 * limit in every plane-step-th plane, or 0 if there is none */
template <typename TMedianOf>
double
NoiseSigmaWithoutEdges(const Grid & grid, const TMedianOf & medianOf)
{
  const int    axes = NumberOfNoiseAxes(grid);
  const double first = medianOf(std::numeric_limits<float>::max(), NoisePlaneStep(grid));
  const double second = medianOf(LargestNoiseEdges(first, axes), 1);
  return NoiseSigmaFromMedian(second > 0.0 ? second : first, axes);
}

/** Returns the brightness that the mean of a cube must exceed, from the sum over the \p count voxels that are not
 * excluded. It is a float, so that sums in different orders give the same result. */
CUDANEURO_HOST_DEVICE float
NoiseBrightnessThreshold(double sum, std::uint64_t count)
{
  return count == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(count));
}

/** Return the ranks of the two elements whose mean is the median of \p count >= 1 elements; equal if count is odd. */
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
