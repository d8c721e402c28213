// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationRuns_h
#define RegistrationRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the rows of registration that are wanted, on the sizes of each method that it takes, and measures device memory.
 * \throws what the engine throws */
void
RunRegistrations(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
