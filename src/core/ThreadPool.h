// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ThreadPool_h
#define cudaneuro_core_ThreadPool_h

#include <functional>

namespace cudaneuro
{

/** Calls work() on this thread and, at the same time, on up to \p helpers others, and returns when all these calls have
 * returned. They divide what is to be done among themselves, because helpers may come late, or never. The work must not
 * throw; it may call this function.
 *
 * The helpers are threads of the process that are kept from one call to the next, because starting threads takes longer
 * than many loops do. Between calls they poll for some hundred microseconds, and then sleep. Nobody waits for a helper
 * that wakes up when the work is done already: on a busy machine, a loop takes no longer than it would alone. Helpers
 * round as this thread does (fesetenv). A process that was forked has none of its parent's threads, and starts its own. */
void
RunOnThreads(unsigned int helpers, const std::function<void()> & work);

} // namespace cudaneuro

#endif
