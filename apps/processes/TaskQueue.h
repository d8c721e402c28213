// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_TaskQueue_h
#define apps_processes_TaskQueue_h

#include "processes/Processes.h"

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

/** Tasks that the workers of all processes share: the next worker that is free takes the next task. What became of a
 * task comes back to the first process, which alone has the list.
 *
 * Workers are threads of any process. In the first one a thread answers those of the others, if there are any. */
class TaskQueue
{
public:
  /** Takes up what a worker returned; called in the first process, by one thread at a time. */
  using Collector = std::function<void(const std::string & result)>;

  /** \param tasks of the first process; those of the others do not count */
  TaskQueue(const Processes & processes, const std::vector<std::size_t> & tasks, Collector collect);
  ~TaskQueue();
  TaskQueue(const TaskQueue &) = delete;
  TaskQueue &
  operator=(const TaskQueue &) = delete;

  /** The next task; none where all are taken, or the collector has failed. */
  std::optional<std::size_t>
  Take();

  /** Gives the result of a task to the first process. */
  void
  Return(const std::string & result);

  /** Ends the work of this process, whose workers have ended; the first waits for those of the others.
   * \throws what the collector has thrown */
  void
  Finish();

private:
  std::optional<std::size_t>
  TakeHere();
  void
  ReturnHere(const std::string & result);
  void
  Serve();
  void
  Answer(const ProcessMessage & message, int & numberOfOthers);

  ProcessGroup * const    m_Group;
  const bool              m_IsFirst;
  const Collector         m_Collect;
  std::mutex              m_Mutex;
  std::deque<std::size_t> m_Tasks;
  std::exception_ptr      m_Failure;
  std::thread             m_Server;
  std::atomic<bool>       m_IsGivenUp{ false };
};

/** Runs a function of each of several workers in a thread of its own, and waits for all.
 * \throws what the first that failed has thrown */
void
RunWorkers(std::size_t count, const std::function<void(std::size_t worker)> & work);

#endif
