// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_JointHistogramCpu_h
#define cudaneuro_metrics_JointHistogramCpu_h

#include "metrics/MutualInformationFormulas.h"
#include "metrics/VoxelChunkCpu.h"

#include <cmath>
#include <functional>
#include <vector>

/** The joint histogram of two images and its mutual information, on the CPU. */
namespace cudaneuro::cpu
{

/** Weights are summed as integers: their sum does not lose digits as it grows. */
constexpr int unitOfWeights = 1 << 30;

/** Sums of the four weights of all voxels that have the same bins. As bins of their own they would overlap those of the
 * neighboring cells, and processors are slow at loads that overlap with the store before. */
struct alignas(32) WeightSums
{
  std::int64_t sums[4] = {};
};

/** What a task counts. */
struct HistogramPart
{
  std::int64_t count = 0;
  /** Bins of the moving image fastest. */
  std::vector<std::int64_t> joint;

  void
  Include(const HistogramPart & other)
  {
    count += other.count;
    std::transform(joint.begin(), joint.end(), other.joint.begin(), joint.begin(), std::plus<>());
  }
};

/** Where a voxel is in the histogram. */
struct HistogramPlace
{
  /** Row of the fixed image's bin and column of the second of the moving image's bins, in one number. */
  int   cell;
  float fraction;
};

CUDANEURO_ALWAYS_INLINE HistogramPlace
PlaceOf(float fixed, float moving, int bins)
{
  const int column = HistogramBin(moving, bins);
  return { HistogramBin(fixed, bins) * bins + column, moving - static_cast<float>(column) };
}

CUDANEURO_ALWAYS_INLINE void
AddToHistogram(const VoxelChunk & chunk, int bins, WeightSums * histogram)
{
  alignas(64) int cells[VoxelChunk::length];
  alignas(64) int weights[4 * VoxelChunk::length];
  const int       padded = chunk.PaddedCount();
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (int i = 0; i < padded; ++i)
  {
    const HistogramPlace place = PlaceOf(chunk.fixed[i], chunk.value[i], bins);
    const ParzenWeights  w = CubicWeights(place.fraction);
    const auto toInteger = [](float weight) { return static_cast<int>(weight * static_cast<float>(unitOfWeights)); };
    const int  first = toInteger(w.weight[0]);
    const int  third = toInteger(w.weight[2]);
    const int  last = toInteger(w.weight[3]);
    cells[i] = place.cell;
    weights[4 * i] = first;
    weights[4 * i + 1] = unitOfWeights - first - third - last;
    weights[4 * i + 2] = third;
    weights[4 * i + 3] = last;
  }
  for (int i = 0; i < chunk.count; ++i)
  {
    std::int64_t * const sums = histogram[cells[i]].sums;
    for (int k = 0; k < 4; ++k)
    {
      sums[k] += weights[4 * i + k];
    }
  }
}

inline std::vector<std::int64_t>
JointHistogram(const std::vector<WeightSums> & histogram)
{
  std::vector<std::int64_t> joint(histogram.size());
  // The first and the last bins hold only tails of windows, so that all four bins exist.
  for (std::size_t cell = 1; cell + 2 < histogram.size(); ++cell)
  {
    for (int k = 0; k < 4; ++k)
    {
      joint[cell + k - 1] += histogram[cell].sums[k];
    }
  }
  return joint;
}

/** Sets \p byWeight to the derivatives of the mutual information, times the number of voxels, by the weights of the moving
 * image's windows: log(p(f, m) / p(m)), but for terms that vanish since the sum of all weights stays as it is.
 * \returns the mutual information */
inline double
MutualInformationOf(const HistogramPart & part, int bins, std::vector<float> & byWeight)
{
  const double        scale = 1.0 / (static_cast<double>(unitOfWeights) * static_cast<double>(part.count));
  std::vector<double> ofFixed(bins, 0.0);
  std::vector<double> ofMoving(bins, 0.0);
  for (int i = 0; i < bins * bins; ++i)
  {
    const double probability = scale * static_cast<double>(part.joint[i]);
    ofFixed[i / bins] += probability;
    ofMoving[i % bins] += probability;
  }
  byWeight.assign(part.joint.size(), 0.0f);
  double sum = 0.0;
  for (int i = 0; i < bins * bins; ++i)
  {
    if (part.joint[i] > 0)
    {
      const double probability = scale * static_cast<double>(part.joint[i]);
      const double logarithm = std::log(probability / ofMoving[i % bins]);
      byWeight[i] = static_cast<float>(logarithm);
      sum += probability * (logarithm - std::log(ofFixed[i / bins]));
    }
  }
  return sum;
}

} // namespace cudaneuro::cpu

#endif
