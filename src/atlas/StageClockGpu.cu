// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/StageClock.h"
#include "cuda/GpuContext.h"

#include <deque>

namespace cudaneuro::gpu
{

namespace
{

class DeviceClock : public StageClock
{
public:
  explicit DeviceClock(Context & context)
    : m_Stream(GpuOf(context).ComputeStream())
  {}

  void
  Start() override
  {
    m_Turns.emplace_back(m_Stream);
  }
  void
  Stop() override
  {
    m_Turns.back().Stop();
  }
  double
  Read() override
  {
    double milliseconds = 0.0;
    for (const StreamTimer & turn : m_Turns)
    {
      milliseconds += turn.GetMilliseconds();
    }
    m_Turns.clear();
    return 1e-3 * milliseconds;
  }

private:
  cudaStream_t            m_Stream;
  std::deque<StreamTimer> m_Turns;
};

} // namespace

std::unique_ptr<StageClock>
MakeStageClock(Context & context)
{
  return std::make_unique<DeviceClock>(context);
}

} // namespace cudaneuro::gpu
