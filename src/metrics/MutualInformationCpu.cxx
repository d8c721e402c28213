// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/DerivativeSumsCpu.h"
#include "metrics/JointHistogramCpu.h"
#include "metrics/MapTasksCpu.h"
#include "metrics/MetricEvaluatorsCpu.h"

#include <limits>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** Sets the derivatives of the mutual information, times the number of voxels, by the moving image at the voxels, and 0
 * after the last voxel. */
template <bool VWeighted>
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
    if constexpr (VWeighted)
    {
      byValue[i] *= chunk.weight[i];
    }
  }
  for (int i = chunk.count; i < padded; ++i)
  {
    byValue[i] = 0.0f;
  }
}

/** Turns the gradients of a fading chunk, and \p byValue, into those of the sum over its voxels, including the change
 * of their weights: a voxel adds its weight times its pointwise mutual information. */
void
IncludeFading(const InformationLogs & logs, int bins, VoxelChunk & chunk, float * byValue)
{
  for (int i = 0; i < chunk.PaddedCount(); ++i)
  {
    const HistogramPlace place = PlaceOf(chunk.fixed[i], chunk.value[i], bins);
    const ParzenWeights  w = CubicWeights(place.fraction);
    float                information = -logs.ofRows[place.cell / bins];
    for (int k = 0; k < 4; ++k)
    {
      information += w.weight[k] * logs.ofElements[place.cell + k - 1];
    }
    const bool isVoxel = i < chunk.count;
    chunk.gradientX[i] = isVoxel ? byValue[i] * chunk.gradientX[i] + information * chunk.fadeX[i] : 0.0f;
    chunk.gradientY[i] = isVoxel ? byValue[i] * chunk.gradientY[i] + information * chunk.fadeY[i] : 0.0f;
    chunk.gradientZ[i] = isVoxel ? byValue[i] * chunk.gradientZ[i] + information * chunk.fadeZ[i] : 0.0f;
    byValue[i] = 1.0f;
  }
}

/** The evaluator of mutual information. \tparam VWeighted whether the comparison IsWeighted. */
template <bool VWeighted>
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
    // The histograms of all tasks of these maps are kept until they are added.
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
    std::vector<HistogramPart>   parts = this->CountParts(evaluations, count);
    std::vector<InformationLogs> logs(count);
    progress.UpTo(withDerivatives ? 0.55 : 1.0);
    m_Context.ParallelFor(count, [&](std::int64_t map) {
      const HistogramPart total = this->AddParts(map, parts);
      evaluations[map].count = CountOf(total);
      evaluations[map].value = evaluations[map].count > 0.0 ? -MutualInformationOf(total, m_Bins, logs[map])
                                                            : std::numeric_limits<double>::infinity();
    });
    if (withDerivatives)
    {
      progress.UpTo(1.0);
      this->Differentiate(evaluations, count, logs);
    }
  }

  std::vector<HistogramPart>
  CountParts(const MapEvaluation * evaluations, int count) const
  {
    const std::int64_t         tasks = m_Tasks.TasksPerMap();
    std::vector<HistogramPart> parts(static_cast<std::size_t>(count * tasks));
    m_Tasks.Run(m_Context, evaluations, count, [&](std::int64_t map, std::int64_t task, const auto & forRows) {
      std::vector<WeightSums> histogram(static_cast<std::size_t>(m_Bins) * m_Bins);
      VoxelChunk              chunk;
      forRows([&](const MappedRow & row, int, int, std::int64_t firstVoxel) {
        m_Reader.template ForChunks<false, VWeighted>(row, firstVoxel, chunk, [&](const VoxelChunk & voxels) {
          AddToHistogram<VWeighted>(voxels, m_Bins, histogram.data());
        });
      });
      parts[static_cast<std::size_t>(map * tasks + task)] = JointHistogram(histogram);
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
      Include(parts[map * tasks + task], total);
    }
    return total;
  }

  void
  Differentiate(MapEvaluation * evaluations, int count, const std::vector<InformationLogs> & logs) const
  {
    const std::int64_t          tasks = m_Tasks.TasksPerMap();
    std::vector<DerivativeSums> sums(static_cast<std::size_t>(count * tasks));
    m_Tasks.Run(m_Context, evaluations, count, [&](std::int64_t map, std::int64_t task, const auto & forRows) {
      DerivativeSums    sum;
      VoxelChunk        chunk;
      alignas(64) float byValue[VoxelChunk::length];
      forRows([&](const MappedRow & row, int y, int z, std::int64_t firstVoxel) {
        m_Reader.template ForChunks<true, VWeighted>(row, firstVoxel, chunk, [&](VoxelChunk & voxels) {
          DerivativesByValue<VWeighted>(voxels, m_Bins, logs[map].ofElements.data(), byValue);
          if (VWeighted && voxels.isFading)
          {
            IncludeFading(logs[map], m_Bins, voxels, byValue);
          }
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
      const double voxels = evaluations[map].count;
      total.CopyScaled(voxels > 0.0 ? -1.0 / voxels : 0.0, evaluations[map]);
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
  if (comparison.IsWeighted())
  {
    return std::make_unique<MutualInformationEvaluator<true>>(context, shape.numberOfHistogramBins, comparison);
  }
  return std::make_unique<MutualInformationEvaluator<false>>(context, shape.numberOfHistogramBins, comparison);
}

} // namespace cudaneuro::cpu
