// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_StageClock_h
#define cudaneuro_atlas_StageClock_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"

#include <memory>

namespace cudaneuro
{

/** Measures the time that a context's device spends in a stage that alternates with others. */
class StageClock
{
public:
  virtual ~StageClock() = default;

  /** Starts the clock before the work that is enqueued next. */
  virtual void
  Start() = 0;
  /** Stops the clock after the work that was enqueued last. */
  virtual void
  Stop() = 0;
  /** Seconds between all starts and stops since the last call. On a GPU, waits for the last stop. */
  virtual double
  Read() = 0;
};

CUDANEURO_DISPATCHED(std::unique_ptr<StageClock> MakeStageClock(Context & context));

} // namespace cudaneuro

#endif
