// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Timing_h
#define Timing_h

#include "Benchmark.h"

#include <chrono>
#include <functional>

namespace cudaneuro::benchmark
{

/** Wall-clock time of work(), in milliseconds. */
template <typename TWork>
double
WallMilliseconds(TWork && work)
{
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/** Median of what \p run returns, the milliseconds of one run. The first run warms up and does not count, unless it
 * took so long that it is the only one. */
double
MedianOfRuns(const Repetition & repetition, const std::function<double()> & run);

} // namespace cudaneuro::benchmark

#endif
