// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_TemplateSum_h
#define cudaneuro_atlas_TemplateSum_h

#include "atlas/AtlasPlan.h"
#include "atlas/means/ImageSums.h"
#include "atlas/StageClock.h"

namespace cudaneuro
{

/** The weighted sum of a share's deformed images of a channel. Several images are added in one pass over the sums. */
class TemplateSum
{
public:
  /** \param channel 0 for the first one
   * \param sum describes the sums, which start from 0 */
  TemplateSum(
    Context & context, const AtlasPlan & plan, std::size_t channel, StageClock & clock, const SumOfVolumes & sum);

  /** The number of volumes that have not been added yet, and must not change. */
  int
  GetNumberOfWaiting() const
  {
    return m_Sum.count;
  }
  void
  Add(int image, const float * volume);
  /** Adds the remaining volumes. */
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
