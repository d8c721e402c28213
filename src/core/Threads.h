// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_Threads_h
#define cudaneuro_core_Threads_h

#include <exception>
#include <thread>
#include <vector>

namespace cudaneuro
{

/** Starts threads that run body(index), until \p threads has \p count of them. If the system grants fewer, there are
 * fewer; the body must not rely on their number. */
template <typename TBody>
void
StartThreads(std::vector<std::thread> & threads, unsigned int count, const TBody & body)
{
  try
  {
    threads.reserve(count);
    for (auto index = static_cast<unsigned int>(threads.size()); index < count; ++index)
    {
      threads.emplace_back(body, index);
    }
  }
  catch (const std::exception &)
  {
    // The system has no more threads, or no memory for them: those that run do the work.
  }
}

template <typename TBody>
std::vector<std::thread>
StartThreads(unsigned int count, const TBody & body)
{
  std::vector<std::thread> threads;
  StartThreads(threads, count, body);
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
