// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LandmarkRuns_h
#define LandmarkRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the wanted rows of landmark matching by the clock: gradients, matchings, displacement fields; and on the CPU
 * the plain loops beside them. Their names begin with "landmarks".
 * \throws exceptions of the engine */
void
RunLandmarks(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
