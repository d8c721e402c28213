// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/FlatFaces.h"

#include "meshes/PointVectors.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace cudaneuro
{
namespace
{

using namespace pointvectors;

/** A side of a triangle. */
struct Side
{
  std::int32_t first;
  std::int32_t second;
  std::int64_t triangle;
};

/** Calls use(side) for the sides of all triangles. */
template <typename TUse>
void
ForEachSide(const ConstTriangles & surface, const TUse & use)
{
  for (std::int64_t i = 0; i < 3 * surface.numberOfTriangles; ++i)
  {
    const std::int64_t next = i - i % 3 + (i + 1) % 3;
    use(Difference(PointAt(surface, surface.triangles[next]), PointAt(surface, surface.triangles[i])));
  }
}

Vector
UnitNormal(const ConstTriangles & surface, std::int64_t triangle)
{
  const std::int32_t * const corners = surface.triangles + 3 * triangle;
  const Vector               origin = PointAt(surface, corners[0]);
  const Vector               normal =
    Cross(Difference(PointAt(surface, corners[1]), origin), Difference(PointAt(surface, corners[2]), origin));
  const double length = Length(normal);
  return length > 0.0 ? Vector{ normal[0] / length, normal[1] / length, normal[2] / length } : Vector{};
}

} // namespace

EdgeCounts
CountEdges(const ConstTriangles & surface)
{
  constexpr double  largestSine = 1e-4; // above the error of rounded coordinates
  std::vector<Side> sides;
  sides.reserve(static_cast<std::size_t>(3 * surface.numberOfTriangles));
  for (std::int64_t i = 0; i < 3 * surface.numberOfTriangles; ++i)
  {
    const std::int64_t         triangle = i / 3;
    const std::int32_t * const corners = surface.triangles + 3 * triangle;
    const auto [a, b] = std::minmax(surface.triangles[i], corners[(i + 1) % 3]);
    // A triangle with a repeated point has no edges: it would run along one in both directions.
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
    {
      sides.push_back({ a, b, triangle });
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side & a, const Side & b) {
    return std::tie(a.first, a.second, a.triangle) < std::tie(b.first, b.second, b.triangle);
  });
  const auto isSameEdge = [](const Side & a, const Side & b) { return a.first == b.first && a.second == b.second; };
  EdgeCounts counts;
  for (auto begin = sides.begin(); begin != sides.end();)
  {
    const auto end = std::find_if_not(begin, sides.end(), [&](const Side & side) { return isSameEdge(*begin, side); });
    counts.border += end - begin == 1 ? 1 : 0;
    if (end - begin == 2)
    {
      const Vector a = UnitNormal(surface, begin[0].triangle);
      const Vector b = UnitNormal(surface, begin[1].triangle);
      counts.flat += Dot(a, b) > 0.0 && Length(Cross(a, b)) < largestSine ? 1 : 0;
      ++counts.shared;
    }
    begin = end;
  }
  return counts;
}

bool
HasUnevenEdges(const ConstTriangles & surface, const MeshMeasures & measures)
{
  constexpr double leastSpread = 0.5;
  if (measures.edgeSpread < leastSpread)
  {
    return false;
  }
  Vector squares{};
  ForEachSide(surface, [&](const Vector & side) {
    for (int axis = 0; axis < 3; ++axis)
    {
      squares[axis] += side[axis] * side[axis];
    }
  });
  double length = 0.0;
  double square = 0.0;
  ForEachSide(surface, [&](const Vector & side) {
    double scaled = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      scaled += squares[axis] > 0.0 ? side[axis] * side[axis] / squares[axis] : 0.0;
    }
    length += std::sqrt(scaled);
    square += scaled;
  });
  const double sides = 3.0 * static_cast<double>(surface.numberOfTriangles);
  return square * sides >= (1.0 + leastSpread * leastSpread) * length * length;
}

bool
HasFlatFaces(const EdgeCounts & counts)
{
  constexpr double leastShare = 0.25;
  return counts.flat > 0 && static_cast<double>(counts.flat) >= leastShare * static_cast<double>(counts.shared);
}

} // namespace cudaneuro
