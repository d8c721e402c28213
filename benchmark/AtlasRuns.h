// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef AtlasRuns_h
#define AtlasRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the wanted atlases by the clock, from images in ordinary host memory to the template there. Those of several
 * GPUs run where there are two or more.
 * \throws exceptions of the engine */
void
RunAtlases(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
