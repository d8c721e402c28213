// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ProgressBar.h"

#include "shared/ErrorStream.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>

#ifdef _WIN32
#  include <io.h>
#else
#  include <unistd.h>
#endif

namespace
{

// Threads print warnings.
std::atomic<bool> isBarOnTerminal{ false };

bool
IsStandardErrorATerminal()
{
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(STDERR_FILENO) != 0;
#endif
}

} // namespace

ProgressBar::ProgressBar(const std::string & label, bool isQuiet)
  : m_Label(label)
  , m_IsVisible(!isQuiet && IsStandardErrorATerminal())
{}

ProgressBar::~ProgressBar()
{
  Erase();
}

void
ProgressBar::Show(double fraction, const std::string & note)
{
  const Clock::time_point now = Clock::now();
  if (!m_IsVisible || now - m_LastDrawn < std::chrono::milliseconds(100))
  {
    return;
  }
  m_LastDrawn = now;
  const int    width = note.empty() ? 40 : 22;
  const double shown = std::clamp(fraction, 0.0, 1.0);
  const int    filled = static_cast<int>(shown * width);
  std::string  bar(static_cast<std::size_t>(width), ' ');
  std::fill_n(bar.begin(), filled, '=');
  std::string  left;
  const double elapsed = std::chrono::duration<double>(now - m_Start).count();
  if (shown > 0.02 && elapsed > 1.0)
  {
    left = "  " + std::to_string(std::lround(elapsed * (1.0 - shown) / shown)) + " s left";
  }
  std::array<char, 200> line;
  std::snprintf(line.data(),
                line.size(),
                "\r%s [%s] %3.0f %%%-14s%s%-*s",
                m_Label.c_str(),
                bar.c_str(),
                std::floor(100.0 * shown),
                left.c_str(),
                note.empty() ? "" : "  ",
                note.empty() ? 0 : 20,
                note.c_str());
  WriteErrorText(line.data());
  isBarOnTerminal = true;
}

void
ProgressBar::Erase()
{
  if (isBarOnTerminal.exchange(false))
  {
    WriteErrorText('\r' + std::string(78, ' ') + '\r');
  }
}
