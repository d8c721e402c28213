// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ThreadProcesses_h
#define ThreadProcesses_h

#include "cudaneuro/Communicator.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

/** Threads of a test that stand for the processes of a program. */
namespace threadprocesses
{

/** Where threads that pretend to be processes add their values. */
class Processes
{
public:
  explicit Processes(int size)
    : m_Size(size)
  {}

  int
  GetSize() const
  {
    return m_Size;
  }

  template <typename T>
  void
  Sum(T * values, std::size_t count)
  {
    this->InTurn([&](int position) {
      m_Sums.resize(count);
      for (std::size_t i = 0; i < count; ++i)
      {
        m_Sums[i] = values[i] + (position == 0 ? 0 : m_Sums[i]);
      }
    });
    this->InTurn([&](int) { std::copy(m_Sums.begin(), m_Sums.end(), values); });
  }

private:
  /** Calls \p body(position) in each thread, one after the other, and returns when all have done it. */
  template <typename TBody>
  void
  InTurn(const TBody & body)
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    const int                    round = m_Done / m_Size;
    body(m_Done % m_Size);
    ++m_Done;
    m_Changed.notify_all();
    m_Changed.wait(lock, [&] { return m_Done / m_Size > round; });
  }

  int                       m_Size;
  int                       m_Done = 0;
  std::mutex                m_Mutex;
  std::condition_variable   m_Changed;
  std::vector<std::int64_t> m_Sums;
};

/** A process among others. */
class ProcessCommunicator : public cudaneuro::Communicator
{
public:
  ProcessCommunicator(Processes & processes, int rank)
    : m_Processes(processes)
    , m_Rank(rank)
  {}

  int
  GetRank() const override
  {
    return m_Rank;
  }
  int
  GetSize() const override
  {
    return m_Processes.GetSize();
  }
  void
  Sum(std::int64_t * values, std::size_t count) override
  {
    m_Processes.Sum(values, count);
  }
  void
  Sum(std::int32_t * values, std::size_t count) override
  {
    m_Processes.Sum(values, count);
  }

private:
  Processes & m_Processes;
  int         m_Rank;
};

} // namespace threadprocesses

#endif
