// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/DerivativeSumsCpu.h"
#include "metrics/MapTasksCpu.h"
#include "metrics/MetricEvaluatorsCpu.h"
#include "metrics/VoxelChunkCpu.h"

#include <limits>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

struct SquaresSums
{
  std::int64_t   count = 0;
  double         squares = 0.0;
  DerivativeSums derivatives;
};

/** Computes the differences of the moving and the fixed image, and sets 0 after the last voxel.
 * \returns the sum of their squares */
CUDANEURO_ALWAYS_INLINE double
Differences(const VoxelChunk & chunk, float * differences)
{
  constexpr int lanes = VoxelChunk::lanes;
  const int     padded = chunk.PaddedCount();
  for (int i = 0; i < padded; ++i)
  {
    differences[i] = i < chunk.count ? chunk.value[i] - chunk.fixed[i] : 0.0f;
  }
  float squares[lanes] = {};
  for (int i = 0; i < padded; i += lanes)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      squares[lane] += differences[i + lane] * differences[i + lane];
    }
  }
  return static_cast<double>(SumOfLanes(squares));
}

class MeanSquaresEvaluator : public MetricEvaluator
{
public:
  MeanSquaresEvaluator(Context & context, const ImageComparison & comparison)
    : m_Context(context)
    , m_Reader(comparison)
    , m_Tasks(comparison)
  {}

  void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) override
  {
    const std::int64_t       tasks = m_Tasks.TasksPerMap();
    std::vector<SquaresSums> sums(static_cast<std::size_t>(count * tasks));
    if (withDerivatives)
    {
      this->Sum<true>(evaluations, count, sums);
    }
    else
    {
      this->Sum<false>(evaluations, count, sums);
    }
    for (int map = 0; map < count; ++map)
    {
      SquaresSums total;
      for (std::int64_t task = 0; task < tasks; ++task)
      {
        const SquaresSums & part = sums[static_cast<std::size_t>(map * tasks + task)];
        total.count += part.count;
        total.squares += part.squares;
        total.derivatives.Add(part.derivatives);
      }
      const auto voxels = static_cast<double>(total.count);
      evaluations[map].count = total.count;
      evaluations[map].value = total.count > 0 ? 0.5 * total.squares / voxels : std::numeric_limits<double>::infinity();
      if (withDerivatives)
      {
        total.derivatives.CopyScaled(total.count > 0 ? 1.0 / voxels : 0.0, evaluations[map]);
      }
    }
  }

private:
  template <bool VWithDerivatives>
  void
  Sum(const MapEvaluation * evaluations, int count, std::vector<SquaresSums> & sums) const
  {
    m_Tasks.Run(m_Context, evaluations, count, [&](std::int64_t map, std::int64_t task, const auto & forRows) {
      SquaresSums       sum;
      VoxelChunk        chunk;
      alignas(64) float differences[VoxelChunk::length];
      forRows([&](const MappedRow & row, int y, int z, std::int64_t firstVoxel) {
        m_Reader.ForChunks<VWithDerivatives>(row, firstVoxel, chunk, [&](const VoxelChunk & voxels) {
          sum.count += voxels.count;
          sum.squares += Differences(voxels, differences);
          if constexpr (VWithDerivatives)
          {
            sum.derivatives.Add(voxels, differences, y, z);
          }
        });
      });
      sums[static_cast<std::size_t>(map * m_Tasks.TasksPerMap() + task)] = sum;
    });
  }

  Context &   m_Context;
  ChunkReader m_Reader;
  MapTasks    m_Tasks;
};

} // namespace

std::unique_ptr<MetricEvaluator>
MakeMeanSquaresEvaluator(Context & context, const ImageComparison & comparison)
{
  return std::make_unique<MeanSquaresEvaluator>(context, comparison);
}

} // namespace cudaneuro::cpu
