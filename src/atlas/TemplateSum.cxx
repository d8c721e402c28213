// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/TemplateSum.h"

namespace cudaneuro
{

TemplateSum::TemplateSum(
  Context & context, const AtlasPlan & plan, std::size_t channel, StageClock & clock, const SumOfVolumes & sum)
  : m_Context(context)
  , m_Plan(plan)
  , m_Channel(channel)
  , m_Clock(clock)
  , m_Sum(sum)
{
  m_Sum.isFirst = true;
  m_Sum.count = 0;
}

void
TemplateSum::Add(int image, const float * volume)
{
  const std::int32_t weight = m_Plan.wholeWeights[static_cast<std::size_t>(image)];
  m_Sum.volumes[m_Sum.count] = volume;
  m_Sum.weights[m_Sum.count] = weight;
  m_Sum.factors[m_Sum.count] = weight * m_Plan.scales[m_Channel].sumScale;
  if (++m_Sum.count == mostAddends)
  {
    this->Flush();
  }
}

void
TemplateSum::Finish()
{
  if (m_Sum.count > 0 || m_Sum.isFirst)
  {
    this->Flush();
  }
}

void
TemplateSum::Flush()
{
  m_Clock.Start();
  AddVolumes(m_Context, m_Sum);
  m_Clock.Stop();
  m_Sum.count = 0;
  m_Sum.isFirst = false;
}

} // namespace cudaneuro
