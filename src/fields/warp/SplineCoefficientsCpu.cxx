// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/warp/SplineCoefficients.h"

#include "core/IntegerMath.h"
#include "core/ParallelRows.h"
#include "fields/warp/SplineFormulas.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

constexpr int lanes = 16;

/** The values of neighbors along x, which are filtered in SIMD lanes. */
struct Lanes
{
  float values[lanes];
};

CUDANEURO_ALWAYS_INLINE Lanes
operator+(const Lanes & a, const Lanes & b)
{
  Lanes result;
  for (int i = 0; i < lanes; ++i)
  {
    result.values[i] = a.values[i] + b.values[i];
  }
  return result;
}

CUDANEURO_ALWAYS_INLINE Lanes
operator-(const Lanes & a, const Lanes & b)
{
  Lanes result;
  for (int i = 0; i < lanes; ++i)
  {
    result.values[i] = a.values[i] - b.values[i];
  }
  return result;
}

CUDANEURO_ALWAYS_INLINE Lanes
operator*(float factor, const Lanes & a)
{
  Lanes result;
  for (int i = 0; i < lanes; ++i)
  {
    result.values[i] = factor * a.values[i];
  }
  return result;
}

/** Replaces values that are not finite in a row, and filters it.
 * \returns whether all were finite */
bool
FilterRow(const float * row, int length, std::vector<float> & finite, std::vector<float> & causal, float * result)
{
  bool isFinite = true;
  for (int x = 0; x < length; ++x)
  {
    isFinite = isFinite && IsFinite(row[x]);
    finite[static_cast<std::size_t>(x)] = IsFinite(row[x]) ? row[x] : FiniteValue(row, x, length);
  }
  if (length == 1)
  {
    result[0] = finite[0];
    return isFinite;
  }
  FilterSpline<float>(
    0,
    length,
    causal,
    [&](int x) { return finite[static_cast<std::size_t>(MirroredPlace(x, length))]; },
    [&](int x, float coefficient) { result[x] = coefficient; });
  return isFinite;
}

/** Filters the rows of \p volume into \p result.
 * \returns whether all voxels are finite */
bool
FilterRows(Context & context, const Extent & extent, const float * volume, float * result)
{
  constexpr int      rowsPerTask = 64;
  const std::int64_t rows = std::int64_t{ extent.y } * extent.z;
  std::atomic<bool>  isFinite{ true };
  context.ParallelFor(DivideUp(rows, rowsPerTask), [&](std::int64_t task) {
    std::vector<float> finite(static_cast<std::size_t>(extent.x));
    std::vector<float> causal(static_cast<std::size_t>(extent.x) + splineHorizon);
    for (std::int64_t row = task * rowsPerTask; row < std::min(rows, (task + 1) * rowsPerTask); ++row)
    {
      const std::int64_t begin = row * extent.x;
      if (!FilterRow(volume + begin, extent.x, finite, causal, result + begin))
      {
        isFinite = false;
      }
    }
  });
  return isFinite;
}

/** Filters the lines of voxels along y or z, in place: \p length voxels, \p stride elements apart. */
void
FilterLines(Context & context, const Extent & extent, int length, std::int64_t stride, float * volume)
{
  const std::int64_t blocksOfRow = DivideUp(extent.x, lanes);
  const std::int64_t rows = NumberOfVoxels(extent) / extent.x / length;
  const std::int64_t rowsBetween = stride / extent.x;
  context.ParallelFor(rows * blocksOfRow, [&](std::int64_t task) {
    const std::int64_t row = task / blocksOfRow;
    const int          x = static_cast<int>(task % blocksOfRow) * lanes;
    const int          width = std::min(lanes, extent.x - x);
    // The rows between two voxels of a line contain the first voxels of other lines.
    float * const begin =
      volume + (row / rowsBetween * rowsBetween * length + row % rowsBetween) * std::int64_t{ extent.x } + x;
    std::vector<Lanes> causal(static_cast<std::size_t>(length) + splineHorizon);
    VectorDispatch([&] {
      const auto load = [&](int place) {
        Lanes result{};
        std::copy_n(begin + MirroredPlace(place, length) * stride, width, result.values);
        return result;
      };
      const auto store = [&](int place, const Lanes & coefficients) {
        std::copy_n(coefficients.values, width, begin + place * stride);
      };
      FilterSpline<Lanes>(0, length, causal, load, store);
    });
  });
}

} // namespace

SplineCoefficients
MakeSplineCoefficients(Context & context, const Extent & extent, const float * volume)
{
  SplineCoefficients coefficients;
  coefficients.values = context.Allocate(static_cast<std::size_t>(NumberOfVoxels(extent)) * sizeof(float));
  coefficients.hasNotFinite = context.Allocate(sizeof(int));
  auto * const           values = static_cast<float *>(coefficients.values.Data());
  Context::ProgressSteps progress(context);
  progress.UpTo(0.4);
  *static_cast<int *>(coefficients.hasNotFinite.Data()) = FilterRows(context, extent, volume, values) ? 0 : 1;
  progress.UpTo(0.7);
  if (extent.y > 1)
  {
    FilterLines(context, extent, extent.y, extent.x, values);
  }
  progress.UpTo(1.0);
  if (extent.z > 1)
  {
    FilterLines(context, extent, extent.z, std::int64_t{ extent.x } * extent.y, values);
  }
  return coefficients;
}

} // namespace cudaneuro::cpu
