// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/SharedVertices.h"

#include <algorithm>
#include <cstddef>

namespace cudaneuro
{
namespace
{

struct SurfaceVertex
{
  VertexEdge  on;
  std::size_t surface;
  std::size_t vertex;

  /** Ends of an edge that is crossed once each way are side by side. */
  bool
  operator<(const SurfaceVertex & other) const
  {
    return on.edge != other.on.edge ? on.edge < other.on.edge : on.isLowInside < other.on.isLowInside;
  }
};

double *
PointOf(std::vector<LabelSurface> & surfaces, const SurfaceVertex & vertex)
{
  return surfaces[vertex.surface].surface.points.data() + 3 * vertex.vertex;
}

} // namespace

std::vector<VertexEdge>
EdgesInImage(const Grid & grid, const LabelGrid & labelGrid, const LabelBox & box, const BandContour & contour)
{
  std::array<std::int64_t, 3> size{};
  std::array<std::int64_t, 3> shift{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // The margin is that of all labels.
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

/** Moves the vertices of edges that are crossed once each way. */
void
JoinSorted(const std::vector<SurfaceVertex> & vertices, std::vector<LabelSurface> & surfaces)
{
  for (std::size_t begin = 0, end = 0; begin < vertices.size(); begin = end)
  {
    while (end < vertices.size() && vertices[end].on.edge == vertices[begin].on.edge)
    {
      ++end;
    }
    if (end - begin == 2 && vertices[begin].on.isLowInside != vertices[begin + 1].on.isLowInside)
    {
      double * const a = PointOf(surfaces, vertices[begin]);
      double * const b = PointOf(surfaces, vertices[begin + 1]);
      for (int axis = 0; axis < 3; ++axis)
      {
        a[axis] = b[axis] = 0.5 * (a[axis] + b[axis]);
      }
    }
  }
}

} // namespace

void
JoinVertices(Context &                                    context,
             const std::vector<std::vector<VertexEdge>> & edges,
             std::vector<LabelSurface> &                  surfaces)
{
  // All vertices of an edge are in one group.
  constexpr std::size_t                   groups = 256;
  std::vector<std::vector<SurfaceVertex>> vertices(groups);
  for (std::size_t surface = 0; surface < edges.size() && edges.size() > 1; ++surface)
  {
    for (std::size_t vertex = 0; vertex < edges[surface].size(); ++vertex)
    {
      const VertexEdge & on = edges[surface][vertex];
      vertices[static_cast<std::size_t>(on.edge) % groups].push_back({ on, surface, vertex });
    }
  }
  context.ParallelFor(groups, [&](std::int64_t group) {
    std::vector<SurfaceVertex> & own = vertices[static_cast<std::size_t>(group)];
    std::sort(own.begin(), own.end());
    JoinSorted(own, surfaces);
  });
}

} // namespace cudaneuro
