// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelLevelsKernel_cuh
#define cudaneuro_labels_LabelLevelsKernel_cuh

#include "cuda/Reduce.cuh"
#include "labels/LabelFormulas.h"

#include <cstdint>

/** Kernels of level sets in a band. Numbers of all versions of a voxel stand side by side, so that neighboring threads,
 * which have one version each, read 16 bytes on end. Block rows have one level set each. */
namespace cudaneuro::gpu
{

constexpr int labelThreads = 256;

/** LabelBand on the device. */
struct DeviceBand
{
  std::int32_t         count;
  const std::int32_t * neighbors;
  const std::uint8_t * codes;
  AxisShares           shares;
  /** 1 / (2 spacing). */
  float halves[3];

  CUDANEURO_HOST_DEVICE std::int64_t
                        Size() const
  {
    return std::int64_t{ versions } * count;
  }
  __device__ std::int32_t
             Neighbor(int direction, std::int64_t voxel) const
  {
    return neighbors[std::int64_t{ direction } * count + voxel];
  }
  /** The mean over the neighbors of a number's voxel, of the same version. */
  __device__ float
  MeanAt(const float * values, std::int64_t number) const
  {
    const std::int64_t voxel = number / versions;
    const int          version = static_cast<int>(number % versions);
    float              near[6];
    for (int direction = 0; direction < 6; ++direction)
    {
      near[direction] = values[std::int64_t{ versions } * this->Neighbor(direction, voxel) + version];
    }
    return MeanOfNeighbors(shares, near[0], near[1], near[2], near[3], near[4], near[5]);
  }
  __device__ float
  DistanceAt(const float * levels, std::int64_t voxel, int version) const
  {
    float differences[3];
    for (int axis = 0; axis < 3; ++axis)
    {
      const float low = levels[std::int64_t{ versions } * this->Neighbor(2 * axis, voxel) + version];
      const float high = levels[std::int64_t{ versions } * this->Neighbor(2 * axis + 1, voxel) + version];
      differences[axis] = halves[axis] * (high - low);
    }
    return DistanceOf(levels[versions * voxel + version], differences[0], differences[1], differences[2]);
  }
};

/** A Chebyshev series for each level set. */
struct DeviceSeries
{
  /** The coefficients of level set k begin at k * stride. */
  const float * coefficients;
  int           stride;
  int           degrees[numberOfFits];

  __device__ float
  Get(int set, int k) const
  {
    return coefficients[set * stride + k];
  }
};

/** Arrays of all level sets, each of DeviceBand::Size(), one after the other. */
struct SeriesArrays
{
  float * input;
  /** Clenshaw's sums: those of odd and of even steps. */
  float * sums[2];
};

__device__ __forceinline__ std::int64_t
                           LabelItem()
{
  return std::int64_t{ blockIdx.x } * labelThreads + threadIdx.x;
}

/** The sum of step k + 2 at the thread's own place, which is replaced in step k: nothing in the first step, and not
 * stored in the second. */
__device__ __forceinline__ float
SumBeforeLast(const DeviceSeries & series, int set, int k, float input, const float * sums, std::int64_t number)
{
  const int degree = series.degrees[set];
  if (k == degree - 1)
  {
    return 0.0f;
  }
  return k == degree - 2 ? series.Get(set, degree) * input : sums[number];
}

/** The mean over neighbors of the sum of step k + 1. */
__device__ __forceinline__ float
MeanOfLast(const DeviceBand &   band,
           const DeviceSeries & series,
           int                  set,
           int                  k,
           const SeriesArrays & arrays,
           std::int64_t         number)
{
  const std::int64_t first = set * band.Size();
  const int          degree = series.degrees[set];
  return k == degree - 1 ? series.Get(set, degree) * band.MeanAt(arrays.input + first, number)
                         : band.MeanAt(arrays.sums[(k + 1) % 2] + first, number);
}

/** The numbers of all versions of a voxel. */
struct alignas(16) AllVersions
{
  float values[versions];
};

__device__ __forceinline__ AllVersions
operator+(const AllVersions & a, const AllVersions & b)
{
  return {
    { a.values[0] + b.values[0], a.values[1] + b.values[1], a.values[2] + b.values[2], a.values[3] + b.values[3] }
  };
}

__device__ __forceinline__ AllVersions
operator*(float factor, const AllVersions & a)
{
  return { { factor * a.values[0], factor * a.values[1], factor * a.values[2], factor * a.values[3] } };
}

__device__ __forceinline__ AllVersions
operator-(const AllVersions & a, const AllVersions & b)
{
  return {
    { a.values[0] - b.values[0], a.values[1] - b.values[1], a.values[2] - b.values[2], a.values[3] - b.values[3] }
  };
}

/** Step k of the recurrence, for level sets whose degree is greater. Reads the input and the sums of step k + 1, and
 * replaces those of step k + 2. A thread has all versions of a voxel, since reading the neighbors' numbers binds. */
__global__ void
__launch_bounds__(labelThreads) ClenshawKernel(const __grid_constant__ DeviceBand   band,
                                               const __grid_constant__ DeviceSeries series,
                                               int                                  k,
                                               const __grid_constant__ SeriesArrays arrays)
{
  const std::int64_t voxel = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  const int          degree = series.degrees[set];
  if (voxel >= band.count || k >= degree)
  {
    return;
  }
  const std::int64_t        first = set * std::int64_t{ band.count };
  const auto * const        inputs = reinterpret_cast<const AllVersions *>(arrays.input) + first;
  const auto * const        last = reinterpret_cast<const AllVersions *>(arrays.sums[(k + 1) % 2]) + first;
  auto * const              sums = reinterpret_cast<AllVersions *>(arrays.sums[k % 2]) + first;
  const AllVersions * const of = k == degree - 1 ? inputs : last;
  const AllVersions         input = inputs[voxel];
  const AllVersions         mean = MeanOfNeighbors(band.shares,
                                           of[band.Neighbor(0, voxel)],
                                           of[band.Neighbor(1, voxel)],
                                           of[band.Neighbor(2, voxel)],
                                           of[band.Neighbor(3, voxel)],
                                           of[band.Neighbor(4, voxel)],
                                           of[band.Neighbor(5, voxel)]);
  const float               highest = series.Get(set, degree);
  const AllVersions beforeLast = k == degree - 1 ? AllVersions{} : k == degree - 2 ? highest * input : sums[voxel];
  sums[voxel] = NextClenshaw(series.Get(set, k), input, k == degree - 1 ? highest * mean : mean, beforeLast);
}

/** The value of the series, from the sums of steps 1 and 2. */
__device__ __forceinline__ float
EndOfSeries(
  const DeviceBand & band, const DeviceSeries & series, int set, const SeriesArrays & arrays, std::int64_t number)
{
  const std::int64_t place = set * band.Size() + number;
  const float        input = arrays.input[place];
  const float        mean = MeanOfLast(band, series, set, 0, arrays, number);
  return EndClenshaw(series.Get(set, 0), input, mean, SumBeforeLast(series, set, 0, input, arrays.sums[0], place));
}

/** Writes the values of the series. */
__global__ void
__launch_bounds__(labelThreads) EndKernel(const __grid_constant__ DeviceBand   band,
                                          const __grid_constant__ DeviceSeries series,
                                          const __grid_constant__ SeriesArrays arrays,
                                          float *                              results)
{
  const std::int64_t number = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (number < band.Size())
  {
    results[set * band.Size() + number] = EndOfSeries(band, series, set, arrays, number);
  }
}

/** What the solutions of all level sets have. */
struct SolutionArrays
{
  const float * levels;
  float *       changes;
  float *       weights;
  /** tau of each set, and how far labels count. */
  float widths[numberOfFits];
  float reaches[numberOfFits];
};

/** Writes the labels' weights, changes of 0, and the first gradient step.
 * \param votes of the voxels, or null */
__global__ void
__launch_bounds__(labelThreads) StartSolutionKernel(const __grid_constant__ DeviceBand     band,
                                                    const __grid_constant__ SolutionArrays arrays,
                                                    const float *                          votes,
                                                    float *                                input)
{
  const std::int64_t number = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (number >= band.Size())
  {
    return;
  }
  const std::int64_t place = set * band.Size() + number;
  const std::int64_t voxel = number / versions;
  const unsigned int code = band.codes[voxel];
  const float        vote = votes != nullptr ? votes[voxel] : 1.0f;
  const float        level = arrays.levels[place];
  const bool         isUsed = IsUsed(code, static_cast<int>(number % versions));
  const float        weight = isUsed ? SideOf(code) * vote * WeightAt(level, arrays.reaches[set]) : 0.0f;
  arrays.weights[place] = weight;
  arrays.changes[place] = 0.0f;
  input[place] = GradientStep(level, 0.0f, weight, weight < 0.0f ? -1.0f : 1.0f, arrays.widths[set]);
}

/** Ends a series with the new changes, and replaces the input by the next gradient step. The input is read at the
 * thread's own place only. */
__global__ void
__launch_bounds__(labelThreads) GradientKernel(const __grid_constant__ DeviceBand     band,
                                               const __grid_constant__ DeviceSeries   series,
                                               const __grid_constant__ SeriesArrays   arrays,
                                               const __grid_constant__ SolutionArrays solution,
                                               float                                  momentum)
{
  const std::int64_t number = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (number >= band.Size())
  {
    return;
  }
  const std::int64_t place = set * band.Size() + number;
  const float        change = EndOfSeries(band, series, set, arrays, number);
  const float        ahead = change + momentum * (change - solution.changes[place]);
  const float        weight = solution.weights[place];
  solution.changes[place] = change;
  arrays.input[place] =
    GradientStep(solution.levels[place], ahead, weight, weight < 0.0f ? -1.0f : 1.0f, solution.widths[set]);
}

/** Adds changes to level sets. */
__global__ void
__launch_bounds__(labelThreads) AddKernel(std::int64_t count, const float * changes, float * levels)
{
  const std::int64_t i = LabelItem();
  if (i < count)
  {
    levels[i] += changes[i];
  }
}

} // namespace cudaneuro::gpu

#endif
