// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/SharedVertices.h"

#include "core/ParallelRanges.h"

#include <algorithm>
#include <cstddef>

namespace cudaneuro
{
std::vector<VertexEdge>
EdgesInImage(const Grid & grid, const LabelGrid & labelGrid, const LabelBox & box, const BandContour & contour)
{
  std::array<std::int64_t, 3> size{};
  std::array<std::int64_t, 3> shift{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // The margin is the same for all labels.
    const std::int64_t margin = box.low[axis] - labelGrid.first[axis];
    size[axis] = (grid.size[axis] + 2 * margin) * labelGrid.division[axis];
    shift[axis] = box.low[axis] * labelGrid.division[axis];
  }
  std::vector<VertexEdge> result;
  result.reserve(contour.edges.size());
  for (const BandContour::Edge & edge : contour.edges)
  {
    const std::array<int, 3> i = labelGrid.IndexOf(edge.voxel);
    const std::int64_t       voxel = ((i[2] + shift[2]) * size[1] + i[1] + shift[1]) * size[0] + i[0] + shift[0];
    result.push_back({ 3 * voxel + edge.axis, edge.isLowInside });
  }
  return result;
}

namespace
{

struct VertexOnEdge
{
  VertexEdge    on;
  SurfaceVertex vertex;

  /** Sorts both crossings of an edge, one in each direction, next to each other. */
  bool
  operator<(const VertexOnEdge & other) const
  {
    return on.edge != other.on.edge ? on.edge < other.on.edge : on.isLowInside < other.on.isLowInside;
  }
};

/** The pairs of vertices on edges that are crossed once in each direction. */
std::vector<VertexPair>
PairsOfSorted(const std::vector<VertexOnEdge> & vertices)
{
  std::vector<VertexPair> pairs;
  for (std::size_t begin = 0, end = 0; begin < vertices.size(); begin = end)
  {
    while (end < vertices.size() && vertices[end].on.edge == vertices[begin].on.edge)
    {
      ++end;
    }
    if (end - begin == 2 && vertices[begin].on.isLowInside != vertices[begin + 1].on.isLowInside)
    {
      pairs.push_back({ vertices[begin].vertex, vertices[begin + 1].vertex });
    }
  }
  return pairs;
}

} // namespace

std::vector<VertexPair>
FindPairs(Context & context, const std::vector<std::vector<VertexEdge>> & edges)
{
  // All vertices of an edge are in one group.
  constexpr std::size_t                  groups = 256;
  std::vector<std::vector<VertexOnEdge>> vertices(groups);
  for (std::size_t surface = 0; surface < edges.size() && edges.size() > 1; ++surface)
  {
    for (std::size_t vertex = 0; vertex < edges[surface].size(); ++vertex)
    {
      const VertexEdge & on = edges[surface][vertex];
      vertices[static_cast<std::size_t>(on.edge) % groups].push_back({ on, { surface, vertex } });
    }
  }
  std::vector<std::vector<VertexPair>> pairsOfGroups(groups);
  context.ParallelFor(groups, [&](std::int64_t group) {
    const auto i = static_cast<std::size_t>(group);
    std::sort(vertices[i].begin(), vertices[i].end());
    pairsOfGroups[i] = PairsOfSorted(vertices[i]);
  });
  std::vector<VertexPair> pairs;
  for (const std::vector<VertexPair> & group : pairsOfGroups)
  {
    pairs.insert(pairs.end(), group.begin(), group.end());
  }
  return pairs;
}

void
JoinVertices(Context & context, const std::vector<VertexPair> & pairs, std::vector<LabelSurface> & surfaces)
{
  const auto pointOf = [&](const SurfaceVertex & vertex) {
    return surfaces[vertex.surface].surface.points.data() + 3 * vertex.vertex;
  };
  ForEachInRanges(context, static_cast<std::int64_t>(pairs.size()), [&](std::int64_t i) {
    const VertexPair & pair = pairs[static_cast<std::size_t>(i)];
    double * const     a = pointOf(pair[0]);
    double * const     b = pointOf(pair[1]);
    for (int axis = 0; axis < 3; ++axis)
    {
      a[axis] = b[axis] = 0.5 * (a[axis] + b[axis]);
    }
  });
}

} // namespace cudaneuro
