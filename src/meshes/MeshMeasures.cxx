// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshMeasures.h"

#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "meshes/PointVectors.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

using namespace pointvectors;

/** Calls add(i, sum) for all i of each block, and include(sum) for the blocks' sums in their order. */
template <typename TSum, typename TAdd, typename TInclude>
void
SumByBlocks(Context & context, std::int64_t count, const TAdd & add, const TInclude & include)
{
  constexpr std::int64_t block = 16384;
  std::vector<TSum>      sums(static_cast<std::size_t>(DivideUp(count, block)));
  context.ParallelFor(static_cast<std::int64_t>(sums.size()), [&](std::int64_t number) {
    TSum sum{};
    for (std::int64_t i = number * block; i < std::min((number + 1) * block, count); ++i)
    {
      add(i, sum);
    }
    sums[number] = sum;
  });
  for (const TSum & sum : sums)
  {
    include(sum);
  }
}

struct VertexSums
{
  Vector sum{};
  Vector low{ HUGE_VAL, HUGE_VAL, HUGE_VAL };
  Vector high{ -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  double count = 0.0;
};

struct EdgeSums
{
  double length = 0.0;
  double square = 0.0;
};

} // namespace

double
MeshMeasures::Extent() const
{
  return std::max({ high[0] - low[0], high[1] - low[1], high[2] - low[2] });
}

double
VolumeAround(Context & context, const ConstTriangles & surface, const std::array<double, 3> & center)
{
  double volume = 0.0;
  SumByBlocks<double>(
    context,
    surface.numberOfTriangles,
    [&](std::int64_t i, double & sum) {
      const std::int32_t * const corners = surface.triangles + 3 * i;
      const Vector               a = Difference(PointAt(surface, corners[0]), center);
      const Vector               b = Difference(PointAt(surface, corners[1]), center);
      const Vector               c = Difference(PointAt(surface, corners[2]), center);
      sum +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6.0;
    },
    [&](double sum) { volume += sum; });
  return volume;
}

MeshMeasures
MeasureMesh(Context & context, const ConstTriangles & surface)
{
  const Context::ProgressPause pause(context);
  VertexSums                   all;
  SumByBlocks<VertexSums>(
    context,
    surface.numberOfPoints,
    [&](std::int64_t i, VertexSums & sums) {
      const Vector point = PointAt(surface, i);
      sums.count += 1.0;
      for (int axis = 0; axis < 3; ++axis)
      {
        sums.sum[axis] += point[axis];
        sums.low[axis] = std::min(sums.low[axis], point[axis]);
        sums.high[axis] = std::max(sums.high[axis], point[axis]);
      }
    },
    [&](const VertexSums & sums) {
      all.count += sums.count;
      for (int axis = 0; axis < 3; ++axis)
      {
        all.sum[axis] += sums.sum[axis];
        all.low[axis] = std::min(sums.low[axis], all.low[axis]);
        all.high[axis] = std::max(sums.high[axis], all.high[axis]);
      }
    });
  MeshMeasures measures;
  measures.low = all.low;
  measures.high = all.high;
  for (int axis = 0; axis < 3; ++axis)
  {
    measures.center[axis] = all.sum[axis] / all.count;
  }
  EdgeSums edges;
  SumByBlocks<EdgeSums>(
    context,
    surface.numberOfTriangles,
    [&](std::int64_t i, EdgeSums & sums) {
      const std::int32_t * const corners = surface.triangles + 3 * i;
      for (int side = 0; side < 3; ++side)
      {
        const Vector edge = Difference(PointAt(surface, corners[side]), PointAt(surface, corners[(side + 1) % 3]));
        sums.length += Length(edge);
        sums.square += Dot(edge, edge);
      }
    },
    [&](const EdgeSums & sums) {
      edges.length += sums.length;
      edges.square += sums.square;
    });
  const double sides = 3.0 * static_cast<double>(surface.numberOfTriangles);
  measures.edgeLength = edges.length / sides;
  if (!(measures.edgeLength > 0.0))
  {
    ThrowInvalid("the mean edge length", measures.edgeLength, "above 0");
  }
  const double meanSquare = edges.square / (sides * measures.edgeLength * measures.edgeLength);
  measures.edgeSpread = std::sqrt(std::max(0.0, meanSquare - 1.0));
  measures.volume = VolumeAround(context, surface, measures.center);
  return measures;
}

} // namespace cudaneuro
