// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Timing.h"

#include "core/Dispatch.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

double
Median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

} // namespace

double
MedianOfRuns(const Repetition & repetition, const std::function<double()> & run)
{
  // A case that takes many times its share of time runs on a slow CPU, where one run suffices.
  constexpr double tooLong = 10.0;
  constexpr int    fewestRuns = 3;

  double       first = 0.0;
  const double warmUpMilliseconds = WallMilliseconds([&] { first = run(); });
  if (repetition.count == 0 && warmUpMilliseconds > 1000.0 * tooLong * repetition.seconds)
  {
    return first;
  }
  std::vector<double> times;
  double              elapsedMilliseconds = 0.0;
  const auto          isEnough = [&] {
    const int runs = static_cast<int>(times.size());
    if (repetition.count > 0)
    {
      return runs >= repetition.count;
    }
    return runs >= repetition.mostRuns || (runs >= fewestRuns && elapsedMilliseconds > 1000.0 * repetition.seconds);
  };
  while (!isEnough())
  {
    elapsedMilliseconds += WallMilliseconds([&] { times.push_back(run()); });
  }
  return Median(times);
}

double
MedianByTheClock(const Repetition & repetition, const std::function<void()> & work)
{
  return MedianOfRuns(repetition, [&] { return WallMilliseconds(work); });
}

double
DeviceMilliseconds(Context & context, const std::function<void()> & work)
{
  context.ResetStatistics();
  const double milliseconds = WallMilliseconds(work);
  return context.GetDevice().IsCuda() ? context.GetStatistics().deviceMilliseconds : milliseconds;
}

double
MedianOnDevice(const Repetition & repetition, Context & context, const std::function<void()> & work)
{
  return MedianOfRuns(repetition, [&] { return DeviceMilliseconds(context, work); });
}

double
PeakDeviceBytes(const Device & device, const std::function<void()> & work)
{
  if constexpr (builtWithCuda)
  {
    return PeakBytesOfPool(device, work);
  }
  return 0.0;
}

} // namespace cudaneuro::benchmark
