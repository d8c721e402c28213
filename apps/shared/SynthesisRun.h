// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SynthesisRun_h
#define SynthesisRun_h

#include "cudaneuro/Context.h"
#include "files/output/NewFolders.h"
#include "shared/CommandLine.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/Report.h"

#include <string>

/** Options of commands that write synthetic data. They compute on the CPU, so that every machine makes the same. */
struct SynthesisOptions
{
  std::string  folder;
  std::string  json;
  bool         isQuiet = false;
  unsigned int numberOfThreads = 0;
};

/** Adds --output-folder. */
void
AddSynthesisFolder(CLI::App & app, SynthesisOptions & options, const std::string & text);

/** Adds --threads and --quiet. */
void
AddSynthesisComputing(CLI::App & app, SynthesisOptions & options);

/** A run of a command that writes synthetic data. */
class SynthesisRun
{
public:
  explicit SynthesisRun(const SynthesisOptions & options);

  /** The path of a file of the output folder. */
  std::string
  PathOf(const std::string & name) const;

  /** Draws the progress of a part of the work, counted from 0. */
  void
  FollowProgress(int part, int numberOfParts);

  /** Adds the time that has passed to the report, writes it and prints it. */
  void
  Finish(Report & report, const OutputFile * json) const;

  cudaneuro::Context context;
  NewFolders         folders;

private:
  const SynthesisOptions & m_Options;
  Stopwatch                m_Stopwatch;
  ProgressBar              m_Bar;
};

#endif
