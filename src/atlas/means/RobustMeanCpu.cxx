// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/RobustMean.h"
#include "atlas/means/RobustMeanFormulas.h"
#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** Number of voxels that are sorted side by side, so that loops over them are vectorized. */
constexpr int lanes = 16;

/** The values that a task sorts, and their weights, of each image at some voxels. */
struct Columns
{
  int                        images;
  std::vector<float>         keys;
  std::vector<std::uint32_t> weights;

  explicit Columns(int numberOfImages)
    : images(numberOfImages)
    , keys(static_cast<std::size_t>(numberOfImages) * lanes)
    , weights(keys.size())
  {}
};

struct Comparison
{
  std::size_t lower;
  std::size_t upper;
};

/** The comparisons that sort \p n elements, in their order. */
std::vector<Comparison>
SortingNetwork(int n)
{
  std::vector<Comparison> network;
  for (int run = 1; run < n; run *= 2)
  {
    for (int distance = run; distance > 0; distance /= 2)
    {
      for (int i = 0; i + distance < n; ++i)
      {
        if (IsCompared(i, distance, run))
        {
          network.push_back({ static_cast<std::size_t>(i), static_cast<std::size_t>(i + distance) });
        }
      }
    }
  }
  return network;
}

std::vector<std::uint32_t>
IntegerWeights(const RobustMeanArguments & arguments)
{
  const float * weights = arguments.weights;
  const double  scale = WeightScale(*std::max_element(weights, weights + arguments.images), arguments.images);
  std::vector<std::uint32_t> integers(arguments.images);
  std::transform(weights, weights + arguments.images, integers.begin(), [scale](float weight) {
    return IntegerWeight(weight, scale);
  });
  return integers;
}

/** Reads voxels [begin, begin + count), count <= lanes; the other lanes get absent values. */
CUDANEURO_ALWAYS_INLINE void
Read(const RobustMeanArguments & arguments,
     const std::uint32_t *       imageWeights,
     std::int64_t                begin,
     int                         count,
     Columns &                   to)
{
  for (int k = 0; k < to.images; ++k)
  {
    const float * const   values = arguments.values + k * arguments.stride + begin;
    float * const         keys = to.keys.data() + k * lanes;
    std::uint32_t * const weights = to.weights.data() + k * lanes;
    const std::uint32_t   imageWeight = imageWeights[k];
    float                 row[lanes];
    std::fill_n(row, lanes, absentValue);
    std::copy_n(values, count, row);
    for (int lane = 0; lane < lanes; ++lane)
    {
      TakePart(row[lane], imageWeight, keys[lane], weights[lane]);
    }
  }
}

CUDANEURO_ALWAYS_INLINE void
Sort(const std::vector<Comparison> & network, Columns & columns)
{
  for (const Comparison & comparison : network)
  {
    float * const         lower = columns.keys.data() + comparison.lower * lanes;
    float * const         upper = columns.keys.data() + comparison.upper * lanes;
    std::uint32_t * const lowerWeights = columns.weights.data() + comparison.lower * lanes;
    std::uint32_t * const upperWeights = columns.weights.data() + comparison.upper * lanes;
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int lane = 0; lane < lanes; ++lane)
    {
      PutInOrder(lower[lane], upper[lane], lowerWeights[lane], upperWeights[lane]);
    }
  }
}

/** Writes the result of each lane. */
template <typename TSums>
CUDANEURO_ALWAYS_INLINE void
SumUp(const Columns & columns, double trimmedFraction, float * results)
{
  std::uint32_t totals[lanes] = {};
  for (int k = 0; k < columns.images; ++k)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      totals[lane] += columns.weights[k * lanes + lane];
    }
  }
  std::uint32_t below[lanes] = {};
  float         first[lanes] = {};
  double        sums[lanes] = {};
  const float * previous = columns.keys.data();
  for (int k = 0; k < columns.images; ++k)
  {
    const float * const         keys = columns.keys.data() + k * lanes;
    const std::uint32_t * const weights = columns.weights.data() + k * lanes;
    for (int lane = 0; lane < lanes; ++lane)
    {
      const KeptWeight kept(totals[lane], trimmedFraction);
      TSums::Add(kept, below[lane], previous[lane], keys[lane], first[lane], sums[lane]);
      below[lane] += weights[lane];
    }
    previous = keys;
  }
  for (int lane = 0; lane < lanes; ++lane)
  {
    const float result = TSums::Result(KeptWeight(totals[lane], trimmedFraction), first[lane], sums[lane]);
    results[lane] = totals[lane] > 0 ? result : std::numeric_limits<float>::quiet_NaN();
  }
}

} // namespace

void
RobustMean(Context & context, const RobustMeanArguments & arguments)
{
  constexpr std::int64_t           voxelsPerTask = 1024 * lanes;
  const std::vector<std::uint32_t> imageWeights = IntegerWeights(arguments);
  const std::vector<Comparison>    network = SortingNetwork(arguments.images);
  context.ParallelFor(DivideUp(arguments.voxels, voxelsPerTask), [&](std::int64_t task) {
    Columns            columns(arguments.images);
    const std::int64_t end = std::min(arguments.voxels, (task + 1) * voxelsPerTask);
    VectorDispatch([&, task, end] {
      for (std::int64_t begin = task * voxelsPerTask; begin < end; begin += lanes)
      {
        const int count = static_cast<int>(std::min<std::int64_t>(lanes, end - begin));
        Read(arguments, imageWeights.data(), begin, count, columns);
        Sort(network, columns);
        float results[lanes];
        if (arguments.isMedian)
        {
          SumUp<MedianSums>(columns, medianFraction, results);
        }
        else
        {
          SumUp<TrimmedMeanSums>(columns, arguments.trimmedFraction, results);
        }
        std::copy_n(results, count, arguments.output + begin);
      }
    });
  });
}

} // namespace cudaneuro::cpu
