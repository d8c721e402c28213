// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/NeighborVectors.h"

#include "core/IntegerMath.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** Pads the vectors [begin, end). Returns the index of their first invalid component; -1 if there is none. */
std::int64_t
PadSome(const VectorPadding & padding, std::int64_t begin, std::int64_t end)
{
  std::int64_t refused = -1;
  for (std::int64_t vector = begin; vector < end; ++vector)
  {
    const float * const from = padding.input + vector * padding.dimension;
    float * const       to = padding.output + vector * padding.stride;
    std::copy_n(from, padding.dimension, to);
    std::fill(to + padding.dimension, to + padding.stride, 0.0f);
    const float * const found = std::find_if_not(from, from + padding.dimension, IsSearchable);
    if (refused < 0 && found != from + padding.dimension)
    {
      refused = found - padding.input;
    }
  }
  return refused;
}

} // namespace

RefusedComponent
PadVectors(Context & context, const VectorPadding & padding)
{
  constexpr std::int64_t    vectorsPerTask = 1024;
  const std::int64_t        tasks = DivideUp(padding.count, vectorsPerTask);
  std::vector<std::int64_t> refused(static_cast<std::size_t>(tasks));
  context.ParallelFor(tasks, [&](std::int64_t task) {
    const std::int64_t begin = task * vectorsPerTask;
    refused[static_cast<std::size_t>(task)] = PadSome(padding, begin, std::min(padding.count, begin + vectorsPerTask));
  });
  const auto first = std::find_if(refused.begin(), refused.end(), [](std::int64_t index) { return index >= 0; });
  return first == refused.end() ? RefusedComponent() : RefusedComponent{ *first, padding.input[*first] };
}

} // namespace cudaneuro::cpu
