// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_PlaneBatches_h
#define cudaneuro_jobs_PlaneBatches_h

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{

/** The number of planes that a stage receives at once if they are transferred from or to the host. Large batches fill
 * the device better; but the device waits for the first batch, and the host for the last one. */
struct PlaneBatches
{
  std::int64_t first = 1;
  /** The ratio of the size of a batch to that of the previous batch. */
  double growth = 1.0;
  /** Planes at the end that no larger batch includes; they come in batches of the first one's size. */
  std::int64_t last = 0;
};

/** Decides when a stage receives the available planes. */
class BatchPlan
{
public:
  /** \param most maximum number of planes of a batch: more would delay progress reports */
  BatchPlan(const PlaneBatches & batches, std::int64_t planes, std::int64_t most)
    : m_Batches(batches)
    , m_Planes(planes)
    , m_Most(static_cast<double>(most))
    , m_Wanted(static_cast<double>(batches.first))
  {}

  /** Returns whether a batch begins now that planes [0, available) are available. */
  bool
  Begins(std::int64_t available)
  {
    const std::int64_t beginOfLast = m_Planes - m_Batches.last;
    const bool         areAllButLast = m_Given < beginOfLast && available >= beginOfLast;
    const bool         areEnough = static_cast<double>(available - m_Given) >= std::min(m_Wanted, m_Most);
    if (available < m_Planes && !areAllButLast && !areEnough)
    {
      return false;
    }
    m_Given = available;
    m_Wanted = available < beginOfLast ? m_Wanted * m_Batches.growth : static_cast<double>(m_Batches.first);
    return true;
  }

private:
  PlaneBatches m_Batches;
  std::int64_t m_Planes;
  double       m_Most;
  double       m_Wanted;
  std::int64_t m_Given = 0;
};

} // namespace cudaneuro

#endif
