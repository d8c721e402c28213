// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/FiniteRangeCpu.h"
#include "core/IntegerMath.h"

#include "core/Exp2.h"
#include "core/VectorDispatch.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** Values that a thread looks at at a time. */
constexpr std::int64_t blockSize = std::int64_t{ 1 } << 18;

struct Range
{
  float smallest = std::numeric_limits<float>::infinity();
  float largest = -std::numeric_limits<float>::infinity();

  void
  Include(const Range & other)
  {
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
  }
};

/** Several ranges side by side, so that the loop is a loop over vectors. */
CUDANEURO_ALWAYS_INLINE Range
ComputeRange(std::int64_t count, const float * input)
{
  constexpr int lanes = 32;
  const Range   empty;
  float         smallest[lanes];
  float         largest[lanes];
  std::fill_n(smallest, lanes, empty.smallest);
  std::fill_n(largest, lanes, empty.largest);
  const auto include = [&](float value, int lane) {
    const float low = IsFinite(value) ? value : empty.smallest;
    const float high = IsFinite(value) ? value : empty.largest;
    smallest[lane] = low < smallest[lane] ? low : smallest[lane];
    largest[lane] = high > largest[lane] ? high : largest[lane];
  };
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      include(input[i + lane], lane);
    }
  }
  for (; i < count; ++i)
  {
    include(input[i], 0);
  }
  return { *std::min_element(smallest, smallest + lanes), *std::max_element(largest, largest + lanes) };
}

} // namespace

std::array<double, 2>
ComputeFiniteRange(Context & context, std::int64_t count, const float * input)
{
  const std::int64_t numberOfBlocks = DivideUp(count, blockSize);
  std::vector<Range> ranges(numberOfBlocks);
  context.ParallelFor(numberOfBlocks, [&](std::int64_t block) {
    const std::int64_t begin = block * blockSize;
    VectorDispatch([&, begin] { ranges[block] = ComputeRange(std::min(blockSize, count - begin), input + begin); });
  });
  Range range;
  for (const Range & blockRange : ranges)
  {
    range.Include(blockRange);
  }
  if (range.smallest > range.largest)
  {
    return { 0.0, 0.0 };
  }
  return { double{ range.smallest }, double{ range.largest } };
}

} // namespace cudaneuro::cpu
