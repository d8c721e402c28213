// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/TaskQueue.h"

#include <chrono>
#include <future>

namespace
{

/** Messages between processes. A process asks for a task, and gets its number or an empty text. */
enum MessageKind
{
  AskForTask,
  HandOutTask,
  ReturnResult,
  EndOfWork
};

constexpr int firstRank = 0;

} // namespace

TaskQueue::TaskQueue(const Processes & processes, const std::vector<std::size_t> & tasks, Collector collect)
  : m_Group(processes.GetGroup())
  , m_IsFirst(processes.IsFirst())
  , m_Collect(std::move(collect))
  , m_Tasks(tasks.begin(), tasks.end())
{
  if (m_IsFirst && processes.GetSize() > 1)
  {
    m_Server = std::thread([this] { this->Serve(); });
  }
}

TaskQueue::~TaskQueue()
{
  // The thread still exists only if this process fails, which ends the others.
  m_IsGivenUp = true;
  if (m_Server.joinable())
  {
    m_Server.join();
  }
}

std::optional<std::size_t>
TaskQueue::Take()
{
  if (m_IsFirst)
  {
    return this->TakeHere();
  }
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_Group->Send(firstRank, AskForTask, "");
  const std::string task = m_Group->Receive(firstRank).text;
  return task.empty() ? std::nullopt : std::optional(static_cast<std::size_t>(std::stoull(task)));
}

void
TaskQueue::Return(const std::string & result)
{
  if (m_IsFirst)
  {
    this->ReturnHere(result);
    return;
  }
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_Group->Send(firstRank, ReturnResult, result);
}

void
TaskQueue::Finish()
{
  if (!m_IsFirst)
  {
    m_Group->Send(firstRank, EndOfWork, "");
  }
  if (m_Server.joinable())
  {
    m_Server.join();
  }
  if (m_Failure)
  {
    std::rethrow_exception(m_Failure);
  }
}

std::optional<std::size_t>
TaskQueue::TakeHere()
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (m_Tasks.empty() || m_Failure)
  {
    return std::nullopt;
  }
  const std::size_t task = m_Tasks.front();
  m_Tasks.pop_front();
  return task;
}

void
TaskQueue::ReturnHere(const std::string & result)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  try
  {
    m_Collect(result);
  }
  catch (...)
  {
    m_Failure = m_Failure ? m_Failure : std::current_exception();
  }
}

void
TaskQueue::Serve()
{
  // Short beside a task, which takes seconds.
  constexpr std::chrono::milliseconds interval(1);
  int                                 numberOfOthers = m_Group->GetSize() - 1;
  while (numberOfOthers > 0 && !m_IsGivenUp)
  {
    const std::optional<ProcessMessage> message = m_Group->TryReceive();
    message ? this->Answer(*message, numberOfOthers) : std::this_thread::sleep_for(interval);
  }
}

void
TaskQueue::Answer(const ProcessMessage & message, int & numberOfOthers)
{
  switch (message.kind)
  {
    case AskForTask:
    {
      const std::optional<std::size_t> task = this->TakeHere();
      m_Group->Send(message.rank, HandOutTask, task ? std::to_string(*task) : "");
      break;
    }
    case ReturnResult:
      this->ReturnHere(message.text);
      break;
    default:
      --numberOfOthers;
  }
}

void
RunWorkers(std::size_t count, const std::function<void(std::size_t worker)> & work)
{
  std::vector<std::future<void>> workers;
  for (std::size_t worker = 0; worker < count; ++worker)
  {
    workers.push_back(std::async(std::launch::async, work, worker));
  }
  for (const std::future<void> & worker : workers)
  {
    worker.wait();
  }
  for (std::future<void> & worker : workers)
  {
    worker.get();
  }
}
