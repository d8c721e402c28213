// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_ConcurrentTasks_h
#define cudaneuro_jobs_ConcurrentTasks_h

#include "cudaneuro/Context.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace cudaneuro
{

/** Runs independent tasks concurrently, each with its own context on the device of \p context, as many as threads and
 * memory allow; tasks that need the most memory start first. A task that runs out of memory is run once more, alone,
 * after the others.
 *
 * Progress is reported by bytes. Results must not depend on the number of threads.
 *
 * \param bytes approximate memory of each task
 * \param run called with a context and the number of a task; the first exception is rethrown once no task runs any
 * more */
void
RunConcurrently(Context &                                                 context,
                const std::vector<std::size_t> &                          bytes,
                const std::function<void(Context & own, std::size_t i)> & run);

} // namespace cudaneuro

#endif
