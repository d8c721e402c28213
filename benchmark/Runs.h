// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Runs_h
#define Runs_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times all cases that are wanted on volumes of one size.
 * \throws what the engine and the filters throw */
void
RunSize(const Settings & settings, const Limits & limits, const Size & size);

} // namespace cudaneuro::benchmark

#endif
