// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Timing_h
#define Timing_h

#include "cudaneuro/Context.h"

#include <chrono>
#include <functional>

namespace cudaneuro::benchmark
{

/** The number of runs of a row. */
struct Repetition
{
  /** Number of timed runs after the first, which is not counted; 0 chooses the number by time. */
  int count = 0;
  /** Limits without a count: runs stop at mostRuns, or after this many seconds once there are three. */
  int    mostRuns = 15;
  double seconds = 0.4;
};

/** Returns the wall-clock time of work(), in milliseconds. */
template <typename TWork>
double
WallMilliseconds(TWork && work)
{
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/** Returns the milliseconds of a job: on a CUDA device by its events, on the CPU by the clock. */
double
DeviceMilliseconds(Context & context, const std::function<void()> & work);

/** Returns the median of the results of \p run, the milliseconds of one run. The first run warms up and does not count,
 * unless it took so long that it is the only one. */
double
MedianOfRuns(const Repetition & repetition, const std::function<double()> & run);

/** Returns the median of the wall-clock times of \p work. */
double
MedianByTheClock(const Repetition & repetition, const std::function<void()> & work);

/** Returns the median of the times of a job by DeviceMilliseconds(). */
double
MedianOnDevice(const Repetition & repetition, Context & context, const std::function<void()> & work);

/** Returns the peak bytes of this library's memory on a CUDA device during \p work, minus those in use before. \p work
 * must end with its memory freed and its kernels done. 0 without CUDA and on devices without memory pools.
 * \throws Error, and the exceptions of \p work */
double
PeakDeviceBytes(const Device & device, const std::function<void()> & work);

/** The part of PeakDeviceBytes that needs CUDA. */
double
PeakBytesOfPool(const Device & device, const std::function<void()> & work);

} // namespace cudaneuro::benchmark

#endif
