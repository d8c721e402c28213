// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/SurfaceRepair.h"

#include "files/base/Errors.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkStaticPointLocator.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace
{

using Ids = std::vector<vtkIdType>;

/** For each point, the first of those that are as near as the tolerance. */
Ids
FirstOfNear(vtkPoints & points, double tolerance)
{
  vtkNew<vtkPolyData> cloud;
  cloud->SetPoints(&points);
  Ids                                 first(static_cast<std::size_t>(points.GetNumberOfPoints()));
  const vtkNew<vtkStaticPointLocator> locator;
  locator->SetDataSet(cloud);
  locator->BuildLocator();
  locator->MergePoints(tolerance, first.data());
  return first;
}

/** Calls body(cell, corners) for each polygon, with the points that stand for its corners. */
template <typename TBody>
void
ForEachPolygon(vtkPolyData & surface, const Ids & pointOf, const TBody & body)
{
  vtkIdType         cell = surface.GetNumberOfVerts() + surface.GetNumberOfLines();
  vtkIdType         count = 0;
  const vtkIdType * points = nullptr;
  Ids               corners;
  for (surface.GetPolys()->InitTraversal(); surface.GetPolys()->GetNextCell(count, points) != 0; ++cell)
  {
    corners.resize(static_cast<std::size_t>(count));
    std::transform(points, points + count, corners.begin(), [&](vtkIdType point) {
      return pointOf[static_cast<std::size_t>(point)];
    });
    body(cell, corners);
  }
}

/** The points of edges that have one polygon, each once. */
Ids
PointsOfOpenEdges(vtkPolyData & surface, const Ids & pointOf)
{
  std::vector<std::pair<vtkIdType, vtkIdType>> edges;
  ForEachPolygon(surface, pointOf, [&](vtkIdType, const Ids & corners) {
    for (std::size_t i = 0; i < corners.size(); ++i)
    {
      const auto ends = std::minmax(corners[i], corners[(i + 1) % corners.size()]);
      edges.emplace_back(ends.first, ends.second);
    }
  });
  std::sort(edges.begin(), edges.end());
  Ids open;
  for (auto edge = edges.begin(); edge != edges.end();)
  {
    const auto next = std::upper_bound(edge, edges.end(), *edge);
    if (next - edge == 1 && edge->first != edge->second)
    {
      open.push_back(edge->first);
      open.push_back(edge->second);
    }
    edge = next;
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

/** \return how many points were joined to another one */
std::size_t
JoinOpenPoints(vtkPolyData & surface, const Ids & open, Ids & pointOf)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const vtkIdType point : open)
  {
    points->InsertNextPoint(surface.GetPoint(point));
  }
  const Ids   first = FirstOfNear(*points, joiningTolerance * surface.GetLength());
  Ids         moved(pointOf.size(), -1);
  std::size_t joined = 0;
  for (std::size_t i = 0; i < open.size(); ++i)
  {
    const vtkIdType to = open[static_cast<std::size_t>(first[i])];
    moved[static_cast<std::size_t>(open[i])] = to;
    joined += to != open[i] ? 1u : 0u;
  }
  for (vtkIdType & point : pointOf)
  {
    const vtkIdType to = moved[static_cast<std::size_t>(point)];
    point = to < 0 ? point : to;
  }
  return joined;
}

/** The polygons that are there before with the same corners in the same sense. */
Ids
FindRepeated(vtkPolyData & surface, const Ids & pointOf)
{
  std::vector<std::pair<Ids, vtkIdType>> polygons;
  polygons.reserve(static_cast<std::size_t>(surface.GetNumberOfPolys()));
  ForEachPolygon(surface, pointOf, [&](vtkIdType cell, const Ids & corners) {
    Ids turned = corners;
    std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
    polygons.emplace_back(std::move(turned), cell);
  });
  std::sort(polygons.begin(), polygons.end());
  Ids repeated;
  for (std::size_t i = 1; i < polygons.size(); ++i)
  {
    if (polygons[i].first == polygons[i - 1].first)
    {
      repeated.push_back(polygons[i].second);
    }
  }
  return repeated;
}

void
WarnOf(const std::string & path, std::size_t joined, std::size_t repeated, double diagonal)
{
  std::ostringstream text;
  if (joined > 0)
  {
    text << path << ": " << joined << " points of open edges are joined with others that are within "
         << joiningTolerance * diagonal << " mm, " << joiningTolerance << " of the box's diagonal";
    Warn(text.str());
  }
  if (repeated > 0)
  {
    Warn(path + ": " + std::to_string(repeated) +
         (repeated == 1 ? " triangle is there twice; it is dropped" : " triangles are there twice; they are dropped"));
  }
}

} // namespace

void
RepairSurface(const std::string & path, vtkPolyData & surface)
{
  Ids               pointOf = FirstOfNear(*surface.GetPoints(), 0.0);
  const Ids         open = PointsOfOpenEdges(surface, pointOf);
  const std::size_t joined = open.empty() ? 0 : JoinOpenPoints(surface, open, pointOf);
  const Ids         repeated = FindRepeated(surface, pointOf);
  WarnOf(path, joined, repeated.size(), surface.GetLength());
  if (joined == 0 && repeated.empty())
  {
    return;
  }
  surface.BuildCells();
  std::vector<std::pair<vtkIdType, Ids>> changed;
  ForEachPolygon(surface, pointOf, [&](vtkIdType cell, const Ids & corners) { changed.emplace_back(cell, corners); });
  for (const auto & [cell, corners] : changed)
  {
    Ids distinct = corners;
    std::sort(distinct.begin(), distinct.end());
    if (std::unique(distinct.begin(), distinct.end()) - distinct.begin() < 3)
    {
      surface.DeleteCell(cell);
    }
    else if (joined > 0)
    {
      surface.ReplaceCell(cell, static_cast<int>(corners.size()), corners.data());
    }
  }
  for (const vtkIdType cell : repeated)
  {
    surface.DeleteCell(cell);
  }
  surface.RemoveDeletedCells();
}
