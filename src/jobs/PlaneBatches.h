// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_PlaneBatches_h
#define cudaneuro_jobs_PlaneBatches_h

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{

/** How many planes a stage is given at once, where they come from the host or go there. The more they are, the better
 * they fill the device; but it waits for the first ones, and the host for the last ones. */
struct PlaneBatches
{
  std::int64_t first = 1;
  /** How many times as many as the one before a batch has. */
  double growth = 1.0;
  /** Planes at the end that no batch before has; they come in batches as the first one. */
  std::int64_t last = 0;
};

/** Decides when a stage is given the planes that are there. */
class BatchPlan
{
public:
  /** \param most planes of a batch: more would keep progress waiting */
  BatchPlan(const PlaneBatches & batches, std::int64_t planes, std::int64_t most)
    : m_Batches(batches)
    , m_Planes(planes)
    , m_Most(static_cast<double>(most))
    , m_Wanted(static_cast<double>(batches.first))
  {}

  /** Whether a batch begins now that planes [0, available) are there. */
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
