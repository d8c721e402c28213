// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/FiniteRange.h"

#include "core/ApproximateMath.h"
#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "jobs/DeviceVolumes.h"

#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** The number of values that a thread processes at a time. */
constexpr std::int64_t blockSize = std::int64_t{ 1 } << 18;

/** Computes the range in several SIMD lanes, so that compilers vectorize the loop. */
CUDANEURO_ALWAYS_INLINE FiniteRange
RangeOf(std::int64_t count, const float * input)
{
  constexpr int     lanes = 32;
  const FiniteRange empty;
  float             smallest[lanes];
  float             largest[lanes];
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
ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.02);
  const FloatInput         source(context, grid, input);
  const float * const      values = source.Data();
  const std::int64_t       count = grid.NumberOfVoxels();
  const std::int64_t       numberOfBlocks = DivideUp(count, blockSize);
  std::vector<FiniteRange> ranges(numberOfBlocks);
  progress.UpTo(1.0);
  context.ParallelFor(numberOfBlocks, [&](std::int64_t block) {
    const std::int64_t begin = block * blockSize;
    VectorDispatch([&, begin] { ranges[block] = RangeOf(std::min(blockSize, count - begin), values + begin); });
  });
  FiniteRange all;
  for (const FiniteRange & range : ranges)
  {
    all.Include(range);
  }
  return all.ToArray();
}

} // namespace cudaneuro::cpu
