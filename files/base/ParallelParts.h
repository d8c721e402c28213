// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_ParallelParts_h
#define files_base_ParallelParts_h

#include <cstdint>
#include <functional>

namespace cudaneuro::files
{

/** Calls body(begin, end) for parts of [0, count) in as many threads as there are cores, or fewer if parts would be
 * smaller than a given size. The body must not throw. */
void
ForParts(std::uint64_t                                                       count,
         std::uint64_t                                                       smallestPart,
         const std::function<void(std::uint64_t begin, std::uint64_t end)> & body);

} // namespace cudaneuro::files

#endif
