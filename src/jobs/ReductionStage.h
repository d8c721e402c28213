// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_ReductionStage_h
#define cudaneuro_jobs_ReductionStage_h

#include "jobs/PlanePipeline.h"

#include <algorithm>

namespace cudaneuro
{

/** The stage of a reduction: calls a launch function once for each plane that a slab keeps, as soon as the plane and
 * \p halo planes on either side are available. */
class ReductionStage : public PlaneStage
{
public:
  /** Enqueues the work for planes [begin, end) of the slab. */
  using LaunchFunction = std::function<void(std::int64_t begin, std::int64_t end)>;

  ReductionStage(const DeviceSlab & slab, std::int64_t halo, LaunchFunction launch)
    : m_Slab(slab)
    , m_Halo(halo)
    , m_Done(slab.keepBegin)
    , m_Launch(std::move(launch))
  {}

  std::int64_t
  Advance(std::int64_t available) override
  {
    const std::int64_t planes = m_Slab.grid.size[2];
    const std::int64_t end = std::min(available == planes ? planes : available - m_Halo, m_Slab.keepEnd);
    if (end > m_Done)
    {
      m_Launch(m_Done, end);
      m_Done = end;
    }
    return available == planes ? planes : m_Done;
  }

private:
  DeviceSlab     m_Slab;
  std::int64_t   m_Halo;
  std::int64_t   m_Done;
  LaunchFunction m_Launch;
};

} // namespace cudaneuro

#endif
