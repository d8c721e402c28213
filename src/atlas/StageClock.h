// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_StageClock_h
#define cudaneuro_atlas_StageClock_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"

#include <memory>

namespace cudaneuro
{

/** Measures the time that a context's device spends on one of several stages that take turns. */
class StageClock
{
public:
  virtual ~StageClock() = default;

  /** The stage begins with what is enqueued next. */
  virtual void
  Start() = 0;
  /** It ends with what was enqueued last. */
  virtual void
  Stop() = 0;
  /** Seconds of all turns since the last call. On a GPU, waits for the last turn. */
  virtual double
  Read() = 0;
};

CUDANEURO_DISPATCHED(std::unique_ptr<StageClock> MakeStageClock(Context & context));

} // namespace cudaneuro

#endif
