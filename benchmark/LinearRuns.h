// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearRuns_h
#define LinearRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the wanted rows of linear registration, whose names begin with "linear". A row whose result is wrong has no
 * time.
 * \throws std::runtime_error for a wrong result, exceptions of the engine */
void
RunLinear(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
