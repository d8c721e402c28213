// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_Threads_h
#define cudaneuro_core_Threads_h

#include <system_error>
#include <thread>
#include <vector>

namespace cudaneuro
{

/** Starts up to \p count threads that run body(index). If the system grants fewer, fewer are returned; the body
 * must not rely on their number. */
template <typename TBody>
std::vector<std::thread>
StartThreads(unsigned int count, const TBody & body)
{
  std::vector<std::thread> threads;
  threads.reserve(count);
  try
  {
    for (unsigned int index = 0; index < count; ++index)
    {
      threads.emplace_back(body, index);
    }
  }
  catch (const std::system_error &)
  {
    // The system has no more threads: those that run do the work.
  }
  return threads;
}

inline void
JoinThreads(std::vector<std::thread> & threads)
{
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  threads.clear();
}

} // namespace cudaneuro

#endif
