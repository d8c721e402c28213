// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ProgressBar_h
#define apps_shared_ProgressBar_h

#include <chrono>
#include <string>

/** Shows the progress of a stage of a run: on a terminal, a line on standard error with a bar, the percentage done and
 * the time left, which is erased at the end; in a run of 3D Slicer, a line of XML on standard output for each step. */
class ProgressBar
{
public:
  explicit ProgressBar(const std::string & label, bool isQuiet = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &
  operator=(const ProgressBar &) = delete;

  /** Sets the number of stages of a run, 1 at first, from which Slicer gets the progress of the whole run. */
  static void
  ExpectStages(unsigned int count);

  /** Draws the bar for a fraction in [0, 1], at most ten times a second. A note, of up to 20 characters, stands behind
   * it. */
  void
  Show(double fraction, const std::string & note = "");

  /** Erases the bar that is on the terminal, if any, to make room for other output. */
  static void
  Erase();

private:
  using Clock = std::chrono::steady_clock;

  void
  Draw(double fraction, const std::string & note, double seconds);

  const std::string       m_Label;
  const bool              m_IsForSlicer;
  const bool              m_IsVisible;
  const int               m_Exceptions;
  const Clock::time_point m_Start = Clock::now();
  Clock::time_point       m_LastDrawn;
};

#endif
