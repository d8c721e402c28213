// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ProgressBar.h"

#include "files/base/ErrorStream.h"
#include "files/system/Streams.h"
#include "shared/Files.h"
#include "shared/SlicerRun.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>

namespace
{

// Atomic, because threads print warnings.
std::atomic<bool> isBarOnTerminal{ false };

/** The stages of a run, in the elements that Slicer reads on standard output. */
class SlicerStages
{
public:
  void
  Expect(unsigned int count)
  {
    m_Expected = std::max(count, 1u);
  }

  void
  Start(const std::string & name)
  {
    std::ostringstream text;
    text << "<filter-start>\n<filter-name>" << name << "</filter-name>\n<filter-comment>" << name
         << "</filter-comment>\n</filter-start>\n";
    this->Write(text.str());
    this->Show(0.0);
  }

  /** Shows the fraction of the stage, and of the run, which may have more stages than expected. */
  void
  Show(double fraction)
  {
    const double       done = std::min(m_Done + fraction, static_cast<double>(m_Expected)) / m_Expected;
    std::ostringstream text;
    text << "<filter-progress>" << done << "</filter-progress>\n<filter-stage-progress>" << fraction
         << "</filter-stage-progress>\n";
    this->Write(text.str());
  }

  void
  End(const std::string & name, double seconds)
  {
    this->Show(1.0);
    m_Done += 1.0;
    std::ostringstream text;
    text << "<filter-end>\n<filter-name>" << name << "</filter-name>\n<filter-time>" << seconds
         << "</filter-time>\n</filter-end>\n";
    this->Write(text.str());
  }

private:
  /** Flushes, because Slicer reads while the program runs. */
  static void
  Write(const std::string & text)
  {
    std::cout << text << std::flush;
  }

  unsigned int m_Expected = 1;
  double       m_Done = 0.0;
};

SlicerStages slicerStages;

} // namespace

ProgressBar::ProgressBar(const std::string & label, bool isQuiet)
  : m_Label(label)
  , m_IsForSlicer(!isQuiet && IsSlicerRun())
  , m_IsVisible(!isQuiet && !IsSlicerRun() && cudaneuro::files::IsStandardErrorATerminal())
  , m_Exceptions(std::uncaught_exceptions())
{
  if (m_IsForSlicer)
  {
    slicerStages.Start(label);
  }
}

ProgressBar::~ProgressBar()
{
  if (m_IsForSlicer && std::uncaught_exceptions() == m_Exceptions)
  {
    slicerStages.End(m_Label, std::chrono::duration<double>(Clock::now() - m_Start).count());
  }
  Erase();
}

void
ProgressBar::ExpectStages(unsigned int count)
{
  slicerStages.Expect(count);
}

void
ProgressBar::Show(double fraction, const std::string & note)
{
  const Clock::time_point now = Clock::now();
  if (!(m_IsVisible || m_IsForSlicer) || now - m_LastDrawn < std::chrono::milliseconds(100))
  {
    return;
  }
  m_LastDrawn = now;
  const double shown = std::clamp(fraction, 0.0, 1.0);
  if (m_IsForSlicer)
  {
    slicerStages.Show(shown);
    return;
  }
  this->Draw(shown, note, std::chrono::duration<double>(now - m_Start).count());
}

void
ProgressBar::Draw(double fraction, const std::string & note, double seconds)
{
  const int   width = note.empty() ? 40 : 22;
  const int   filled = static_cast<int>(fraction * width);
  std::string bar(static_cast<std::size_t>(width), ' ');
  std::fill_n(bar.begin(), filled, '=');
  std::string left;
  if (fraction > 0.02 && seconds > 1.0)
  {
    left = "  " + std::to_string(std::lround(seconds * (1.0 - fraction) / fraction)) + " s left";
  }
  std::array<char, 200> line;
  std::snprintf(line.data(),
                line.size(),
                "\r%s [%s] %3.0f %%%-14s%s%-*s",
                m_Label.c_str(),
                bar.c_str(),
                std::floor(100.0 * fraction),
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
