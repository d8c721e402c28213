// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "limits/Limits.h"

#include "Timing.h"
#include "cudaneuro/Context.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace cudaneuro::benchmark
{

Limits
MeasureHostLimits()
{
  constexpr std::size_t bytes = std::size_t{ 256 } << 20;
  constexpr std::size_t blockBytes = std::size_t{ 1 } << 20;
  Context               context{ Device() };
  const DeviceMemory    from = context.Allocate(bytes);
  const DeviceMemory    to = context.Allocate(bytes);
  const auto            forEachBlock = [&](auto && work) {
    context.ParallelFor(bytes / blockBytes, [&](std::int64_t block) {
      const std::size_t offset = static_cast<std::size_t>(block) * blockBytes;
      work(static_cast<char *>(from.Data()) + offset, static_cast<char *>(to.Data()) + offset);
    });
  };
  // The blocks are written first, because unwritten pages all map to one page of zeros, which is faster to read.
  forEachBlock([](char * source, char *) { std::memset(source, 1, blockBytes); });

  double shortest = 0.0;
  for (int repetition = 0; repetition < 6; ++repetition)
  {
    const double milliseconds = WallMilliseconds(
      [&] { forEachBlock([](char * source, char * target) { std::memcpy(target, source, blockBytes); }); });
    shortest = repetition == 0 ? milliseconds : std::min(shortest, milliseconds);
  }
  Limits limits;
  limits.copyBytes = 2.0 * static_cast<double>(bytes) / (1.0e-3 * shortest);
  return limits;
}

} // namespace cudaneuro::benchmark
