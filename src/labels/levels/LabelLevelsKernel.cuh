// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelLevelsKernel_cuh
#define cudaneuro_labels_levels_LabelLevelsKernel_cuh

#include "cuda/Reduce.cuh"
#include "labels/levels/LabelFormulas.h"

#include <cstdint>

/** Kernels of level sets in a band. Numbers of all versions of a voxel are side by side, and a thread processes all of
 * them, since these kernels are bound by reading the neighbors' numbers. Block rows have one level set each. */
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
  /** Clenshaw's sums of odd and of even steps. */
  float * sums[2];
};

__device__ __forceinline__ std::int64_t
                           LabelItem()
{
  return std::int64_t{ blockIdx.x } * labelThreads + threadIdx.x;
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

/** The terms of a step of the recurrence at a thread's voxel. */
struct ClenshawTerms
{
  AllVersions input;
  /** The mean over neighbors of the sum of step k + 1. */
  AllVersions mean;
  /** The sum of step k + 2. */
  AllVersions beforeLast;
};

/** Reads the terms of step k. The first step has no sums yet, and the second one lacks those of two steps before. */
__device__ __forceinline__ ClenshawTerms
ReadTerms(
  const DeviceBand & band, const DeviceSeries & series, int set, int k, const SeriesArrays & arrays, std::int64_t voxel)
{
  const int                 degree = series.degrees[set];
  const float               highest = series.Get(set, degree);
  const std::int64_t        first = set * std::int64_t{ band.count };
  const auto * const        inputs = reinterpret_cast<const AllVersions *>(arrays.input) + first;
  const auto * const        last = reinterpret_cast<const AllVersions *>(arrays.sums[(k + 1) % 2]) + first;
  const auto * const        sums = reinterpret_cast<const AllVersions *>(arrays.sums[k % 2]) + first;
  const AllVersions * const of = k == degree - 1 ? inputs : last;
  const AllVersions         mean = MeanOfNeighbors(band.shares,
                                           of[band.Neighbor(0, voxel)],
                                           of[band.Neighbor(1, voxel)],
                                           of[band.Neighbor(2, voxel)],
                                           of[band.Neighbor(3, voxel)],
                                           of[band.Neighbor(4, voxel)],
                                           of[band.Neighbor(5, voxel)]);
  ClenshawTerms             terms{ inputs[voxel], k == degree - 1 ? highest * mean : mean, {} };
  if (k < degree - 1)
  {
    terms.beforeLast = k == degree - 2 ? highest * terms.input : sums[voxel];
  }
  return terms;
}

/** Step k of the recurrence, for level sets of higher degree. Reads the input and the sums of step k + 1, and replaces
 * those of step k + 2. */
__global__ void
__launch_bounds__(labelThreads) ClenshawKernel(const __grid_constant__ DeviceBand   band,
                                               const __grid_constant__ DeviceSeries series,
                                               int                                  k,
                                               const __grid_constant__ SeriesArrays arrays)
{
  const std::int64_t voxel = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (voxel < band.count && k < series.degrees[set])
  {
    const ClenshawTerms terms = ReadTerms(band, series, set, k, arrays, voxel);
    reinterpret_cast<AllVersions *>(arrays.sums[k % 2])[set * std::int64_t{ band.count } + voxel] =
      NextClenshaw(series.Get(set, k), terms.input, terms.mean, terms.beforeLast);
  }
}

/** The value of the series, from the sums of steps 1 and 2. */
__device__ __forceinline__ AllVersions
EndOfSeries(
  const DeviceBand & band, const DeviceSeries & series, int set, const SeriesArrays & arrays, std::int64_t voxel)
{
  const ClenshawTerms terms = ReadTerms(band, series, set, 0, arrays, voxel);
  return EndClenshaw(series.Get(set, 0), terms.input, terms.mean, terms.beforeLast);
}

/** Writes the values of the series.
 * \param start summands of the values; may be null
 * \param results may be the input */
__global__ void
__launch_bounds__(labelThreads) EndKernel(const __grid_constant__ DeviceBand   band,
                                          const __grid_constant__ DeviceSeries series,
                                          const __grid_constant__ SeriesArrays arrays,
                                          const AllVersions *                  start,
                                          AllVersions *                        results)
{
  const std::int64_t voxel = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (voxel < band.count)
  {
    const std::int64_t place = set * std::int64_t{ band.count } + voxel;
    const AllVersions  value = EndOfSeries(band, series, set, arrays, voxel);
    results[place] = start != nullptr ? start[place] + value : value;
  }
}

/** Arguments of the solutions for all level sets. */
struct SolutionArrays
{
  const float * levels;
  float *       changes;
  float *       weights;
  /** tau of each set, and the reach of its labels. */
  float widths[numberOfFits];
  float reaches[numberOfFits];
};

/** The momentum of each step, and the number of the present step. */
struct DeviceMomentum
{
  const float * values;
  int *         step;

  __device__ float
  Now() const
  {
    return values[*step];
  }
};

/** Advances to the next step. One thread. */
__global__ void
NextStepKernel(DeviceMomentum momentum)
{
  ++*momentum.step;
}

/** Writes the labels' weights and the first gradient step.
 * \param votes weights of the voxels, or null
 * \param input receives the step; may be null */
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
  if (input != nullptr)
  {
    input[place] = GradientStep(level, 0.0f, weight, weight < 0.0f ? -1.0f : 1.0f, arrays.widths[set]);
  }
}

/** The changes of all versions after gradient steps. */
__device__ __forceinline__ AllVersions
GradientSteps(const SolutionArrays & solution, int set, std::int64_t place, const AllVersions & changes)
{
  const AllVersions levels = reinterpret_cast<const AllVersions *>(solution.levels)[place];
  const AllVersions weights = reinterpret_cast<const AllVersions *>(solution.weights)[place];
  AllVersions       steps;
  for (int v = 0; v < versions; ++v)
  {
    const float weight = weights.values[v];
    const float step =
      GradientStep(levels.values[v], changes.values[v], weight, weight < 0.0f ? -1.0f : 1.0f, solution.widths[set]);
    steps.values[v] = changes.values[v] + step;
  }
  return steps;
}

/** Ends a series with the new changes, and replaces the input by the next gradient step. Each thread reads the input
 * only at its own place. */
__global__ void
__launch_bounds__(labelThreads) GradientKernel(const __grid_constant__ DeviceBand     band,
                                               const __grid_constant__ DeviceSeries   series,
                                               const __grid_constant__ SeriesArrays   arrays,
                                               const __grid_constant__ SolutionArrays solution,
                                               DeviceMomentum                         momentum)
{
  const std::int64_t voxel = LabelItem();
  const int          set = static_cast<int>(blockIdx.y);
  if (voxel >= band.count)
  {
    return;
  }
  const std::int64_t place = set * std::int64_t{ band.count } + voxel;
  const AllVersions  change = EndOfSeries(band, series, set, arrays, voxel);
  AllVersions &      last = reinterpret_cast<AllVersions *>(solution.changes)[place];
  const AllVersions  ahead = change + momentum.Now() * (change - last);
  last = change;
  reinterpret_cast<AllVersions *>(arrays.input)[place] = GradientSteps(solution, set, place, ahead);
}

/** Writes four candidates side by side as versions, those from 4 g on in block row g, and zeros beyond the last one.
 * \param values of all candidates, one after the other */
__global__ void
__launch_bounds__(labelThreads)
  InterleaveKernel(std::int64_t count, int candidates, const float * values, AllVersions * interleaved)
{
  const std::int64_t i = LabelItem();
  if (i >= count)
  {
    return;
  }
  AllVersions all{};
  for (int v = 0; v < versions; ++v)
  {
    const int candidate = static_cast<int>(blockIdx.y) * versions + v;
    all.values[v] = candidate < candidates ? values[candidate * count + i] : 0.0f;
  }
  interleaved[blockIdx.y * count + i] = all;
}

/** Copies each number to all versions. */
__global__ void
__launch_bounds__(labelThreads) RepeatKernel(std::int64_t count, const float * values, AllVersions * repeated)
{
  const std::int64_t i = LabelItem();
  if (i < count)
  {
    const float value = values[i];
    repeated[i] = { { value, value, value, value } };
  }
}

/** Replaces values by the difference of version 0 from them. */
__global__ void
__launch_bounds__(labelThreads) DifferenceKernel(std::int64_t count, const AllVersions * levels, float * values)
{
  const std::int64_t i = LabelItem();
  if (i < count)
  {
    values[i] = levels[i].values[0] - values[i];
  }
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
