// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Report_h
#define Report_h

#include "Benchmark.h"
#include "Limits.h"
#include "Tuning.h"

#include <ostream>
#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

/** What was measured, where, when, and by which command. */
struct Report
{
  std::string                      commit;
  std::string                      device;
  std::string                      date;
  std::string                      command;
  Limits                           limits;
  std::vector<Result>              results;
  std::vector<MemoryResult>        memory;
  std::vector<tuning::KernelSweep> sweeps;
};

/** Now, in UTC, as 2026-01-31T12:00:00Z. */
std::string
CurrentDate();

void
PrintHeading(std::ostream & os, const Report & report);
void
PrintTableHeading(std::ostream & os);
void
PrintRow(std::ostream & os, const Result & result);
/** Nothing where there is nothing. */
void
PrintMemory(std::ostream & os, const std::vector<MemoryResult> & memory);
/** Best, default and worst shape of each kernel. */
void
PrintSweeps(std::ostream & os, const std::vector<tuning::KernelSweep> & sweeps);

/** As JSON. limit_value is in milliseconds: the least time that the limit allows. */
std::string
JsonOf(const Report & report);

/** As tables of Markdown. */
std::string
MarkdownOf(const Report & report);

} // namespace cudaneuro::benchmark

#endif
