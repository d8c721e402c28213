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

/** Tasks that the workers of all processes share: the next free worker takes the next task. Results go to the first
 * process, which alone has the list.
 *
 * Workers are threads of any process. In the first process a thread answers the workers of the others, if any. */
class TaskQueue
{
public:
  /** Records the result of a worker; called in the first process, by one thread at a time. */
  using Collector = std::function<void(const std::string & result)>;

  /** \param tasks used in the first process only */
  TaskQueue(const Processes & processes, const std::vector<std::size_t> & tasks, Collector collect);
  ~TaskQueue();
  TaskQueue(const TaskQueue &) = delete;
  TaskQueue &
  operator=(const TaskQueue &) = delete;

  /** Returns the next task; none if all are taken, or the collector has failed. */
  std::optional<std::size_t>
  Take();

  /** Sends the result of a task to the first process. */
  void
  Return(const std::string & result);

  /** Ends the work of this process after its workers have ended. The first process waits for the others.
   * \throws the collector's exception */
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

/** Runs a function for each of several workers in its own thread, and waits for all.
 * \throws the first exception */
void
RunWorkers(std::size_t count, const std::function<void(std::size_t worker)> & work);

#endif
