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

/** Runs independent tasks at the same time, each with a context of its own on the device of \p context, as many as there
 * are threads and memory for, those that take the most memory first. A task that finds too little memory runs once more
 * when it is alone.
 *
 * Reports progress by bytes. Results must not depend on the number of threads.
 *
 * \param bytes that each task takes about
 * \param run called with a context and the number of a task; the first exception is thrown again when no task runs any
 * more */
void
RunConcurrently(Context &                                                 context,
                const std::vector<std::size_t> &                          bytes,
                const std::function<void(Context & own, std::size_t i)> & run);

} // namespace cudaneuro

#endif
