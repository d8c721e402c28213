// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ProgressBar_h
#define apps_shared_ProgressBar_h

#include <chrono>
#include <string>

/** A line on standard error with a bar, the percentage done and the time left, if that is a terminal. It is erased in
 * the end. */
class ProgressBar
{
public:
  explicit ProgressBar(const std::string & label, bool isQuiet = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &
  operator=(const ProgressBar &) = delete;

  /** Draws the bar for a fraction in [0, 1], at most ten times a second. A note, of up to 20 characters, stands behind
   * it. */
  void
  Show(double fraction, const std::string & note = "");

  /** Erases the bar that is on the terminal, if any, to make room for other output. */
  static void
  Erase();

private:
  using Clock = std::chrono::steady_clock;

  const std::string       m_Label;
  const bool              m_IsVisible;
  const Clock::time_point m_Start = Clock::now();
  Clock::time_point       m_LastDrawn;
};

#endif
