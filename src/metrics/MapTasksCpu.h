// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MapTasksCpu_h
#define cudaneuro_metrics_MapTasksCpu_h

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "metrics/MappedRowCpu.h"
#include "metrics/MetricEvaluator.h"

#include <algorithm>

namespace cudaneuro::cpu
{

/** The evaluation of many maps, divided into tasks for threads. The division of a map depends on the fixed grid only,
 * so that results, which are summed in the order of the tasks, depend neither on threads nor on other maps. */
class MapTasks
{
public:
  explicit MapTasks(const ImageComparison & comparison)
    : m_Fixed(comparison.fixedExtent)
    , m_Moving(comparison.movingExtent)
    , m_Extended(comparison.extended)
    , m_Reach(comparison.Reach())
    , m_Rows(std::int64_t{ m_Fixed.y } * m_Fixed.z)
    , m_RowsPerTask(std::max<std::int64_t>(DivideUp<std::int64_t>(leastVoxels, m_Fixed.x),
                                           DivideUp<std::int64_t>(m_Rows, mostTasks)))
  {}

  std::int64_t
  TasksPerMap() const
  {
    return DivideUp(m_Rows, m_RowsPerTask);
  }

  /** Calls body(map, task, forRows) for all tasks of \p count maps, compiled for the processor's SIMD vectors;
   * forRows(row) calls row(mapped row, y, z, index of the row's first voxel) for the rows of the task. */
  template <typename TBody>
  void
  Run(Context & context, const MapEvaluation * evaluations, std::int64_t count, const TBody & body) const
  {
    context.ParallelFor(count * this->TasksPerMap(), [&](std::int64_t i) {
      VectorDispatch([this, evaluations, &body, i] {
        const std::int64_t map = i / this->TasksPerMap();
        const std::int64_t task = i % this->TasksPerMap();
        body(map, task, [this, evaluations, map, task](const auto & row) {
          const std::int64_t end = std::min(m_Rows, (task + 1) * m_RowsPerTask);
          for (std::int64_t r = task * m_RowsPerTask; r < end; ++r)
          {
            const int y = static_cast<int>(r % m_Fixed.y);
            const int z = static_cast<int>(r / m_Fixed.y);
            row(MapRow(evaluations[map].indexMap, y, z, m_Fixed.x, m_Moving, m_Extended, m_Reach), y, z, r * m_Fixed.x);
          }
        });
      });
    });
  }

private:
  static constexpr std::int64_t leastVoxels = 16384;
  static constexpr std::int64_t mostTasks = 64;

  Extent       m_Fixed;
  Extent       m_Moving;
  GridSides    m_Extended;
  double       m_Reach;
  std::int64_t m_Rows;
  std::int64_t m_RowsPerTask;
};

} // namespace cudaneuro::cpu

#endif
