// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParameterChecks.h"
#include "cudaneuro/SignedDistance.h"
#include "surface/TriangleDistanceFormulas.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cudaneuro
{
namespace
{

std::string
ElementName(const char * array, std::int64_t row, int column)
{
  return std::string(array) + "[" + std::to_string(row) + "][" + std::to_string(column) + "]";
}

void
RequireTriangles(const ConstTriangles & surface)
{
  for (std::int64_t i = 0; i < 3 * surface.numberOfPoints; ++i)
  {
    if (!std::isfinite(surface.points[i]))
    {
      ThrowInvalid(ElementName("points", i / 3, static_cast<int>(i % 3)), surface.points[i], "finite");
    }
  }
  for (std::int64_t i = 0; i < 3 * surface.numberOfTriangles; ++i)
  {
    if (surface.triangles[i] < 0 || surface.triangles[i] >= surface.numberOfPoints)
    {
      ThrowInvalid(ElementName("triangles", i / 3, static_cast<int>(i % 3)),
                   surface.triangles[i],
                   "one of " + std::to_string(surface.numberOfPoints) + " points");
    }
  }
}

bool
HasArea(const ConstTriangles & surface, const std::int32_t * corners)
{
  const SpaceVector<double> a = PointAt(surface.points, corners[0]);
  return HasArea(PointAt(surface.points, corners[1]) - a, PointAt(surface.points, corners[2]) - a);
}

/** A triangle's edge, stored with the one of its points that comes first. */
struct HalfEdge
{
  std::int32_t otherPoint;
  bool         isForward; // whether it leads away from that point
};

/** The edges of all triangles, in the order of the points with which they are stored. */
class EdgeTable
{
public:
  explicit EdgeTable(const ConstTriangles & surface)
    : m_Begin(static_cast<std::size_t>(surface.numberOfPoints) + 1)
  {
    ForEachEdge(surface, [this](std::int32_t from, std::int32_t to) { ++m_Begin[std::min(from, to) + 1]; });
    for (std::size_t point = 1; point < m_Begin.size(); ++point)
    {
      m_Begin[point] += m_Begin[point - 1];
    }
    m_Edges.resize(static_cast<std::size_t>(m_Begin.back()));
    std::vector<std::int64_t> next = m_Begin;
    ForEachEdge(surface, [this, &next](std::int32_t from, std::int32_t to) {
      m_Edges[next[std::min(from, to)]++] = { std::max(from, to), from < to };
    });
  }

  /** Counts the defects of the edges. */
  void
  Count(SurfaceDefects & defects)
  {
    for (std::size_t point = 0; point + 1 < m_Begin.size(); ++point)
    {
      const auto begin = m_Edges.begin() + m_Begin[point];
      const auto end = m_Edges.begin() + m_Begin[point + 1];
      std::sort(begin, end, [](const HalfEdge & a, const HalfEdge & b) { return a.otherPoint < b.otherPoint; });
      for (auto edge = begin; edge != end;)
      {
        const auto next =
          std::find_if(edge, end, [&edge](const HalfEdge & other) { return other.otherPoint != edge->otherPoint; });
        const auto uses = next - edge;
        const auto forward = std::count_if(edge, next, [](const HalfEdge & half) { return half.isForward; });
        defects.openEdges += uses == 1 ? 1 : 0;
        defects.sharedEdges += uses > 2 ? 1 : 0;
        defects.oddEdges += uses > 2 && uses % 2 == 1 ? 1 : 0;
        defects.flippedEdges += uses % 2 == 0 && 2 * forward != uses ? 1 : 0;
        edge = next;
      }
    }
  }

private:
  /** Calls body(from, to). A triangle with a repeated point has no edges: it would run along one in both directions. */
  template <typename TBody>
  static void
  ForEachEdge(const ConstTriangles & surface, const TBody & body)
  {
    for (std::int64_t triangle = 0; triangle < surface.numberOfTriangles; ++triangle)
    {
      const std::int32_t * const corners = surface.triangles + 3 * triangle;
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      {
        body(corners[0], corners[1]);
        body(corners[1], corners[2]);
        body(corners[2], corners[0]);
      }
    }
  }

  std::vector<std::int64_t> m_Begin;
  std::vector<HalfEdge>     m_Edges;
};

} // namespace

SurfaceDefects
FindDefects(const ConstTriangles & surface)
{
  RequireTriangles(surface);
  SurfaceDefects defects;
  for (std::int64_t triangle = 0; triangle < surface.numberOfTriangles; ++triangle)
  {
    defects.degenerateTriangles += HasArea(surface, surface.triangles + 3 * triangle) ? 0 : 1;
  }
  EdgeTable(surface).Count(defects);
  return defects;
}

} // namespace cudaneuro
