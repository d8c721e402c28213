// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_JointHistogramCpu_h
#define cudaneuro_metrics_JointHistogramCpu_h

#include "metrics/MutualInformationFormulas.h"
#include "metrics/VoxelChunkCpu.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

/** The joint histogram of two images and its mutual information, on the CPU. */
namespace cudaneuro::cpu
{

/** Weights are summed as integers, so that a growing sum loses no digits. */
constexpr int unitOfWeights = 1 << 30;

/** The sums of the four weights of all voxels with the same bins. In separate bins, they would overlap with the sums
 * of neighboring cells, and processors are slow at loads that overlap with a recent store. */
struct alignas(32) WeightSums
{
  std::int64_t sums[4] = {};
};

/** The weights that a task has summed, with the bins of the moving image fastest. */
using HistogramPart = std::vector<std::int64_t>;

inline void
Include(const HistogramPart & other, HistogramPart & part)
{
  std::transform(part.begin(), part.end(), other.begin(), part.begin(), std::plus<>());
}

/** Returns the number of voxels in a part of a histogram. */
inline double
CountOf(const HistogramPart & part)
{
  return static_cast<double>(std::accumulate(part.begin(), part.end(), std::int64_t{ 0 })) / unitOfWeights;
}

/** The place of a voxel in the histogram. */
struct HistogramPlace
{
  /** The row of the fixed image's bin and the column of the second one of the moving image's bins, in one number. */
  int   cell;
  float fraction;
};

CUDANEURO_ALWAYS_INLINE HistogramPlace
PlaceOf(float fixed, float moving, int bins)
{
  const int column = HistogramBin(moving, bins);
  return { HistogramBin(fixed, bins) * bins + column, moving - static_cast<float>(column) };
}

/** Adds the voxels of a chunk. \tparam VWeighted whether voxels have the chunk's weights. */
template <bool VWeighted>
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
    const float          ofVoxel = VWeighted ? chunk.weight[i] : 1.0f;
    const auto           toInteger = [ofVoxel](float weight) {
      return static_cast<int>(weight * ofVoxel * static_cast<float>(unitOfWeights));
    };
    const int first = toInteger(w.weight[0]);
    const int third = toInteger(w.weight[2]);
    const int last = toInteger(w.weight[3]);
    cells[i] = place.cell;
    weights[4 * i] = first;
    weights[4 * i + 1] = toInteger(1.0f) - first - third - last;
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

/** Logarithms of probabilities, from which the derivatives of mutual information are computed; 0 for empty bins. */
struct InformationLogs
{
  /** log(p(f, m) / p(m)): the derivatives of the mutual information, times the number of voxels, by the weights of
   * the moving image's windows, without terms that vanish because the sum of a voxel's weights is constant. */
  std::vector<float> ofElements;
  /** The logarithms log p(f). */
  std::vector<float> ofRows;
};

/** Computes the logarithms. \returns the mutual information */
inline double
MutualInformationOf(const HistogramPart & part, int bins, InformationLogs & logs)
{
  const double        scale = 1.0 / (static_cast<double>(unitOfWeights) * CountOf(part));
  std::vector<double> ofFixed(bins, 0.0);
  std::vector<double> ofMoving(bins, 0.0);
  for (int i = 0; i < bins * bins; ++i)
  {
    const double probability = scale * static_cast<double>(part[i]);
    ofFixed[i / bins] += probability;
    ofMoving[i % bins] += probability;
  }
  logs.ofElements.assign(part.size(), 0.0f);
  logs.ofRows.assign(bins, 0.0f);
  double sum = 0.0;
  for (int i = 0; i < bins * bins; ++i)
  {
    if (part[i] > 0)
    {
      const double probability = scale * static_cast<double>(part[i]);
      const double logarithm = std::log(probability / ofMoving[i % bins]);
      const double ofRow = std::log(ofFixed[i / bins]);
      logs.ofElements[i] = static_cast<float>(logarithm);
      logs.ofRows[i / bins] = static_cast<float>(ofRow);
      sum += probability * (logarithm - ofRow);
    }
  }
  return sum;
}

} // namespace cudaneuro::cpu

#endif
