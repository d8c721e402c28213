// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Report_h
#define Report_h

#include "Table.h"
#include "Tuning.h"

#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

/** The measurements of a run, with device, date and command. */
struct Report
{
  std::string                      commit;
  std::string                      device;
  std::string                      date;
  std::string                      command;
  Limits                           limits;
  std::vector<Record>              records;
  std::vector<tuning::KernelSweep> sweeps;
};

/** The time now, in UTC, as 2026-01-31T12:00:00Z. */
std::string
CurrentDate();

/** Prints date, device and command of the measurement on standard output. */
void
PrintHeading(const Report & report);

/** Prints a line for each shape. */
void
Print(const tuning::KernelSweep & sweep);

/** Returns the report as JSON, from which tables.py makes tables. limit_value is the minimum time, in ms, that the
 * limit allows. Rows that failed have only name, size and error. */
std::string
JsonOf(const Report & report);

} // namespace cudaneuro::benchmark

#endif
