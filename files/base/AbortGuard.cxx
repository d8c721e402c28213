// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/AbortGuard.h"

#include <csetjmp>
#include <csignal>
#include <utility>

namespace cudaneuro::files
{

namespace
{

thread_local std::jmp_buf * wayBack = nullptr;

/** Handles the signal of abort() in the thread that called it. Without a way back the program ends. */
extern "C" void
GoBack(int)
{
  if (wayBack != nullptr)
  {
    std::longjmp(*wayBack, 1);
  }
}

class AbortHandler
{
public:
  explicit AbortHandler(std::jmp_buf & place)
    : m_Outer(std::exchange(wayBack, &place))
    , m_Former(std::signal(SIGABRT, GoBack))
  {}
  ~AbortHandler()
  {
    std::signal(SIGABRT, m_Former);
    wayBack = m_Outer;
  }
  AbortHandler(const AbortHandler &) = delete;
  AbortHandler &
  operator=(const AbortHandler &) = delete;

private:
  std::jmp_buf * const m_Outer;
  void (*const m_Former)(int);
};

} // namespace

bool
EndsWithoutAbort(const std::function<void()> & call)
{
  std::jmp_buf       place;
  const AbortHandler handler(place);
  if (setjmp(place) != 0)
  {
    return false;
  }
  call();
  return true;
}

} // namespace cudaneuro::files
