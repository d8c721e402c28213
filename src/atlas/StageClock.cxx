// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/StageClock.h"

#include "core/Dispatch.h"

#include <chrono>

namespace cudaneuro
{

std::unique_ptr<StageClock>
MakeStageClock(Context & context)
{
  CUDANEURO_DISPATCH(context, MakeStageClock(context));
}

namespace cpu
{

namespace
{

class HostClock : public StageClock
{
public:
  void
  Start() override
  {
    m_Begin = Clock::now();
  }
  void
  Stop() override
  {
    m_Seconds += std::chrono::duration<double>(Clock::now() - m_Begin).count();
  }
  double
  Read() override
  {
    const double seconds = m_Seconds;
    m_Seconds = 0.0;
    return seconds;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_Begin;
  double            m_Seconds = 0.0;
};

} // namespace

std::unique_ptr<StageClock>
MakeStageClock(Context &)
{
  return std::make_unique<HostClock>();
}

} // namespace cpu
} // namespace cudaneuro
