// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ParallelRows_h
#define cudaneuro_core_ParallelRows_h

#include "core/IntegerMath.h"
#include "core/SoAField.h"
#include "core/VectorDispatch.h"

#include <algorithm>

namespace cudaneuro::cpu
{

/** The rows of a grid, divided into tasks for threads; the division depends on the grid only. */
class ParallelRows
{
public:
  explicit ParallelRows(const Extent & extent)
    : m_Extent(extent)
    , m_Rows(std::int64_t{ extent.y } * extent.z)
    , m_RowsPerTask(std::max<std::int64_t>(1, voxelsPerTask / extent.x))
  {}

  std::int64_t
  Count() const
  {
    return DivideUp(m_Rows, m_RowsPerTask);
  }

  /** Calls row(task, y, z, index of the row's first voxel), compiled for the processor's SIMD vectors. */
  template <typename TRow>
  void
  Run(Context & context, const TRow & row) const
  {
    context.ParallelFor(this->Count(), [this, &row](std::int64_t task) {
      VectorDispatch([this, &row, task] {
        const std::int64_t end = std::min(m_Rows, (task + 1) * m_RowsPerTask);
        for (std::int64_t i = task * m_RowsPerTask; i < end; ++i)
        {
          row(task, static_cast<int>(i % m_Extent.y), static_cast<int>(i / m_Extent.y), i * m_Extent.x);
        }
      });
    });
  }

private:
  static constexpr std::int64_t voxelsPerTask = 16384;

  Extent       m_Extent;
  std::int64_t m_Rows;
  std::int64_t m_RowsPerTask;
};

} // namespace cudaneuro::cpu

#endif
