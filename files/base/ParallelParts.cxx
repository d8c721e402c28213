// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/ParallelParts.h"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace cudaneuro::files
{

void
ForParts(std::uint64_t                                             count,
         std::uint64_t                                             smallestPart,
         const std::function<void(std::uint64_t, std::uint64_t)> & body)
{
  const std::uint64_t            most = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t            parts = std::clamp<std::uint64_t>(count / smallestPart, 1, most);
  std::vector<std::future<void>> others;
  for (std::uint64_t part = 1; part < parts; ++part)
  {
    others.push_back(std::async(
      std::launch::async, body, count / parts * part, part + 1 < parts ? count / parts * (part + 1) : count));
  }
  body(0, parts > 1 ? count / parts : count);
  for (std::future<void> & other : others)
  {
    other.get();
  }
}

} // namespace cudaneuro::files
