// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_test_Crowd_h
#define cudaneuro_test_Crowd_h

#include <condition_variable>
#include <mutex>

/** Waits until as many threads as there should be are in a loop at the same time. */
class Crowd
{
public:
  explicit Crowd(int size)
    : m_Size(size)
  {}
  void
  Join()
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    ++m_Here;
    m_AllHere.notify_all();
    m_AllHere.wait(lock, [this] { return m_Here >= m_Size; });
  }

private:
  const int               m_Size;
  int                     m_Here = 0;
  std::mutex              m_Mutex;
  std::condition_variable m_AllHere;
};

#endif
