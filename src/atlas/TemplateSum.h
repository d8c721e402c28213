// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_TemplateSum_h
#define cudaneuro_atlas_TemplateSum_h

#include "atlas/AtlasPlan.h"
#include "atlas/means/ImageSums.h"
#include "atlas/StageClock.h"

namespace cudaneuro
{

/** The weighted sum of a share's deformed images of a channel, several of which are added in one pass over the sums. */
class TemplateSum
{
public:
  /** \param channel 0 for the first one
   * \param sum says where; it starts from 0. */
  TemplateSum(
    Context & context, const AtlasPlan & plan, std::size_t channel, StageClock & clock, const SumOfVolumes & sum);

  /** The number of volumes that wait to be added, which must stay as they are. */
  int
  GetNumberOfWaiting() const
  {
    return m_Sum.count;
  }
  void
  Add(int image, const float * volume);
  /** Adds those that wait. */
  void
  Finish();

private:
  void
  Flush();

  Context &         m_Context;
  const AtlasPlan & m_Plan;
  std::size_t       m_Channel;
  StageClock &      m_Clock;
  SumOfVolumes      m_Sum;
};

} // namespace cudaneuro

#endif
