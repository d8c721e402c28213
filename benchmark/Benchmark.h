// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Benchmark_h
#define Benchmark_h

#include "cudaneuro/Device.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

using Size = std::array<std::int64_t, 3>;

/** "576x576x300" */
std::string
NameOf(const Size & size);

double
VoxelsOf(const Size & size);

/** The size of that name.
 * \throws std::invalid_argument */
Size
SizeOfName(const std::string & name);

/** The least time that a limit of this machine allows, and the name of the limit. */
struct Floor
{
  /** Empty where no limit is known. */
  std::string name;
  double      milliseconds = 0.0;
};

/** One line of the table. */
struct Result
{
  std::string name;
  Size        size{ 0, 0, 0 };
  double      milliseconds = 0.0;
  Floor       floor;
  /** What went wrong with a row that has no time; empty where all is well. */
  std::string error;

  /** The limit's time over the measured one: 1 at the limit, 0 where no limit is known. */
  double
  ShareOfLimit() const
  {
    return milliseconds > 0.0 ? floor.milliseconds / milliseconds : 0.0;
  }
};

/** The peak device memory of a job. */
struct MemoryResult
{
  std::string name;
  Size        size{ 0, 0, 0 };
  std::size_t bytes = 0;

  /** The memory in volumes of float of that size. */
  double
  Volumes() const
  {
    return static_cast<double>(bytes) / (sizeof(float) * VoxelsOf(size));
  }
};

/** How near landmarks came to their targets, and what it took. Distances in mm. */
struct MatchingResult
{
  std::string name;
  /** Points, time steps, targets. */
  Size   size{ 0, 0, 0 };
  double meanBefore = 0.0;
  double maximumBefore = 0.0;
  double meanAfter = 0.0;
  double maximumAfter = 0.0;
  double iterations = 0.0;
  /** Evaluations of the loss and its gradient. */
  double evaluations = 0.0;
  double seconds = 0.0;
};

/** The number of runs of a case. */
struct Repetition
{
  /** Number of timed runs after the first, which is not counted; 0 chooses it by time. */
  int count = 0;
  /** Without a count: runs stop at mostRuns, or after this many seconds once there are three. */
  int    mostRuns = 15;
  double seconds = 0.4;
};

/** The registrations to run. */
struct RegistrationSettings
{
  std::vector<Size> unbiasedSizes;
  std::vector<Size> greedySizes;
  std::vector<Size> linearSizes;
  /** Number of iterations of each level of a whole registration. */
  int iterations = 100;
};

struct Settings
{
  Device               device;
  std::vector<Size>    sizes;
  RegistrationSettings registration;
  Repetition           repetition;
  /** Small volumes and few iterations. */
  bool isQuick = false;
  /** Whether a row of that name is wanted. */
  std::function<bool(const std::string &)> wants;
  /** Called with each row when it is measured, or has failed. */
  std::function<void(const Result &)>         report;
  std::function<void(const MemoryResult &)>   reportMemory;
  std::function<void(const MatchingResult &)> reportMatching;
};

/** Runs the measurement of rows if one of them is wanted. Where it throws, the rows that are wanted are reported with
 * the error, and the rows after them go on.
 * \throws Interrupted, Aborted, itk::ProcessAborted: a program that was asked to end does so. */
void
RunRows(const Settings &                 settings,
        const std::vector<std::string> & names,
        const Size &                     size,
        const std::function<void()> &    run);

/** The same for one row. */
void
RunRow(const Settings & settings, const std::string & name, const Size & size, const std::function<void()> & run);

/** The sizes of Howison's table of run times. */
std::vector<Size>
SizesOfThePaper();

} // namespace cudaneuro::benchmark

#endif
