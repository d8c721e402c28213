// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/SynthesisRun.h"

#include "files/system/SystemFile.h"
#include "shared/CommandOptions.h"

#include <CLI/CLI.hpp>

#include <filesystem>

void
AddSynthesisFolder(CLI::App & app, SynthesisOptions & options, const std::string & text)
{
  app.add_option("-o,--output-folder", options.folder, text)
    ->option_text("FOLDER")
    ->type_name("directory output")
    ->required()
    ->group("Outputs");
}

void
AddSynthesisComputing(CLI::App & app, SynthesisOptions & options)
{
  const char * const group = "Computing";
  app.add_option("-t,--threads", options.numberOfThreads, "Number of CPU threads, at least 1. Default: all cores")
    ->check(AtLeast(1))
    ->option_text("N")
    ->group(group);
  app.add_flag("-q,--quiet", options.isQuiet, "No progress bar and no summary")->group(group);
}

SynthesisRun::SynthesisRun(const SynthesisOptions & options)
  : context(cudaneuro::Device(), options.numberOfThreads)
  , m_Options(options)
  , m_Bar("Synthesizing", options.isQuiet)
{}

std::string
SynthesisRun::PathOf(const std::string & name) const
{
  return NameInFolder(m_Options.folder, name);
}

void
SynthesisRun::FollowProgress(int part, int numberOfParts)
{
  context.SetProgressFunction([this, part, numberOfParts](float fraction) {
    m_Bar.Show((part + static_cast<double>(fraction)) / numberOfParts);
    return !IsInterrupted();
  });
}

void
SynthesisRun::Finish(Report & report, const OutputFile * json) const
{
  report.Set("/seconds/total", m_Stopwatch.GetSeconds());
  report.WriteAndPrint(m_Options.json, json, m_Options.isQuiet);
}
