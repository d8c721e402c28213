// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/DerivativeSumsCpu.h"
#include "metrics/MapTasksCpu.h"
#include "metrics/MetricEvaluatorsCpu.h"
#include "metrics/MutualInformationFormulas.h"
#include "metrics/VoxelChunkCpu.h"

#include <cmath>
#include <limits>
#include <vector>

namespace cudaneuro::cpu
{

namespace
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

std::vector<std::int64_t>
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
double
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

/** Sets the derivatives of the mutual information, times the number of voxels, by the moving image at the voxels, and 0
 * behind the last. */
CUDANEURO_ALWAYS_INLINE void
DerivativesByValue(const VoxelChunk & chunk, int bins, const float * byWeight, float * byValue)
{
  const int padded = chunk.PaddedCount();
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (int i = 0; i < padded; ++i)
  {
    const HistogramPlace place = PlaceOf(chunk.fixed[i], chunk.value[i], bins);
    const ParzenWeights  d = CubicDerivatives(place.fraction);
    const float * const  first = byWeight - 1;
    byValue[i] = d.weight[0] * first[place.cell] + d.weight[1] * first[place.cell + 1] +
                 d.weight[2] * first[place.cell + 2] + d.weight[3] * first[place.cell + 3];
  }
  for (int i = chunk.count; i < padded; ++i)
  {
    byValue[i] = 0.0f;
  }
}

class MutualInformationEvaluator : public MetricEvaluator
{
public:
  MutualInformationEvaluator(Context & context, int numberOfHistogramBins, const ImageComparison & comparison)
    : m_Context(context)
    , m_Bins(numberOfHistogramBins)
    , m_Reader(comparison)
    , m_Tasks(comparison)
  {}

  void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) override
  {
    // The histograms of all tasks are kept until they are added up.
    constexpr std::int64_t mostHistograms = 1024;
    const int              atOnce = static_cast<int>(std::max<std::int64_t>(1, mostHistograms / m_Tasks.TasksPerMap()));
    Context::ProgressSteps progress(m_Context);
    for (int begin = 0; begin < count; begin += atOnce)
    {
      const int end = std::min(count, begin + atOnce);
      progress.UpTo(static_cast<double>(end) / count);
      this->EvaluateSome(evaluations + begin, end - begin, withDerivatives);
    }
  }

private:
  void
  EvaluateSome(MapEvaluation * evaluations, int count, bool withDerivatives)
  {
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(withDerivatives ? 0.5 : 0.9);
    std::vector<HistogramPart>      parts = this->CountParts(evaluations, count);
    std::vector<std::vector<float>> byWeight(count);
    progress.UpTo(withDerivatives ? 0.55 : 1.0);
    m_Context.ParallelFor(count, [&](std::int64_t map) {
      const HistogramPart total = this->AddParts(map, parts);
      evaluations[map].count = total.count;
      evaluations[map].value =
        total.count > 0 ? -MutualInformationOf(total, m_Bins, byWeight[map]) : std::numeric_limits<double>::infinity();
    });
    if (withDerivatives)
    {
      progress.UpTo(1.0);
      this->Differentiate(evaluations, count, byWeight);
    }
  }

  std::vector<HistogramPart>
  CountParts(const MapEvaluation * evaluations, int count) const
  {
    const std::int64_t         tasks = m_Tasks.TasksPerMap();
    std::vector<HistogramPart> parts(static_cast<std::size_t>(count * tasks));
    m_Tasks.Run(m_Context, evaluations, count, [&](std::int64_t map, std::int64_t task, const auto & forRows) {
      HistogramPart &         part = parts[static_cast<std::size_t>(map * tasks + task)];
      std::vector<WeightSums> histogram(static_cast<std::size_t>(m_Bins) * m_Bins);
      VoxelChunk              chunk;
      forRows([&](const MappedRow & row, int, int, std::int64_t firstVoxel) {
        m_Reader.ForChunks<false>(row, firstVoxel, chunk, [&](const VoxelChunk & voxels) {
          part.count += voxels.count;
          AddToHistogram(voxels, m_Bins, histogram.data());
        });
      });
      part.joint = JointHistogram(histogram);
    });
    return parts;
  }

  HistogramPart
  AddParts(std::int64_t map, std::vector<HistogramPart> & parts) const
  {
    const auto    tasks = static_cast<std::size_t>(m_Tasks.TasksPerMap());
    HistogramPart total = std::move(parts[map * tasks]);
    for (std::size_t task = 1; task < tasks; ++task)
    {
      const HistogramPart & part = parts[map * tasks + task];
      total.count += part.count;
      std::transform(total.joint.begin(), total.joint.end(), part.joint.begin(), total.joint.begin(), std::plus<>());
    }
    return total;
  }

  void
  Differentiate(MapEvaluation * evaluations, int count, const std::vector<std::vector<float>> & byWeight) const
  {
    const std::int64_t          tasks = m_Tasks.TasksPerMap();
    std::vector<DerivativeSums> sums(static_cast<std::size_t>(count * tasks));
    m_Tasks.Run(m_Context, evaluations, count, [&](std::int64_t map, std::int64_t task, const auto & forRows) {
      DerivativeSums    sum;
      VoxelChunk        chunk;
      alignas(64) float byValue[VoxelChunk::length];
      forRows([&](const MappedRow & row, int y, int z, std::int64_t firstVoxel) {
        m_Reader.ForChunks<true>(row, firstVoxel, chunk, [&](const VoxelChunk & voxels) {
          DerivativesByValue(voxels, m_Bins, byWeight[map].data(), byValue);
          sum.Add(voxels, byValue, y, z);
        });
      });
      sums[static_cast<std::size_t>(map * tasks + task)] = sum;
    });
    for (std::int64_t map = 0; map < count; ++map)
    {
      DerivativeSums total;
      for (std::int64_t task = 0; task < tasks; ++task)
      {
        total.Add(sums[static_cast<std::size_t>(map * tasks + task)]);
      }
      const std::int64_t voxels = evaluations[map].count;
      total.CopyScaled(voxels > 0 ? -1.0 / static_cast<double>(voxels) : 0.0, evaluations[map]);
    }
  }

  Context &   m_Context;
  int         m_Bins;
  ChunkReader m_Reader;
  MapTasks    m_Tasks;
};

} // namespace

std::unique_ptr<MetricEvaluator>
MakeMutualInformationEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison)
{
  return std::make_unique<MutualInformationEvaluator>(context, shape.numberOfHistogramBins, comparison);
}

} // namespace cudaneuro::cpu
