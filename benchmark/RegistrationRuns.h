// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationRuns_h
#define RegistrationRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the wanted rows of registration on the sizes of each method, and measures device memory.
 * \throws exceptions of the engine */
void
RunRegistrations(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
