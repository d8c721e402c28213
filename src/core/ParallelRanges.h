// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ParallelRanges_h
#define cudaneuro_core_ParallelRanges_h

#include "core/IntegerMath.h"
#include "cudaneuro/Context.h"

#include <algorithm>

namespace cudaneuro
{

/** Calls body(begin, end) for ranges of [0, count) on the context's threads; the ranges depend on the count only.
 * \param length length of all ranges but the last */
template <typename TBody>
void
ForEachRange(Context & context, std::int64_t count, std::int64_t length, const TBody & body)
{
  context.ParallelFor(DivideUp(count, length),
                      [&](std::int64_t task) { body(task * length, std::min((task + 1) * length, count)); });
}

/** Calls body(i) for i in [0, count) on the context's threads, in ranges of some thousand. */
template <typename TBody>
void
ForEachInRanges(Context & context, std::int64_t count, const TBody & body)
{
  constexpr std::int64_t length = 4096;
  ForEachRange(context, count, length, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
    {
      body(i);
    }
  });
}

} // namespace cudaneuro

#endif
