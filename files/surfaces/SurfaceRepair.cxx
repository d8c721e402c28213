// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/PolyData.h"

#include "files/base/Errors.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkFeatureEdges.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkStaticPointLocator.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace cudaneuro::files
{

namespace
{

using Ids = std::vector<vtkIdType>;
using Point = std::array<double, 3>;
using Surface = vtkSmartPointer<vtkPolyData>;

Point
PointAt(vtkPolyData & surface, vtkIdType i)
{
  Point point;
  surface.GetPoint(i, point.data());
  return point;
}

/** A copy of a surface's shape in which equal points are one, without points of no cell and triangles of fewer than
 * three points. Its cells know their numbers in the surface. */
Surface
WithEqualPointsJoined(vtkPolyData & surface)
{
  const vtkNew<vtkPolyData>    shape;
  const vtkNew<vtkIdTypeArray> numbers;
  numbers->SetNumberOfValues(surface.GetNumberOfCells());
  std::iota(numbers->GetPointer(0), numbers->GetPointer(numbers->GetNumberOfValues()), vtkIdType{ 0 });
  shape->CopyStructure(&surface);
  shape->GetCellData()->SetPedigreeIds(numbers);
  const vtkNew<vtkCleanPolyData> clean;
  clean->SetInputData(shape);
  clean->SetTolerance(0.0);
  clean->ConvertPolysToLinesOff();
  clean->ConvertLinesToPointsOff();
  clean->Update();
  return clean->GetOutput();
}

/** The first point near each point; itself where there is none before it. VTK's own merging has threads that change
 * each other's result. */
Ids
FirstNearPoints(vtkPolyData & surface, double tolerance)
{
  constexpr vtkIdType                 none = -1;
  const vtkNew<vtkStaticPointLocator> locator;
  const vtkNew<vtkIdList>             near;
  Ids                                 first(static_cast<std::size_t>(surface.GetNumberOfPoints()), none);
  locator->SetDataSet(&surface);
  locator->BuildLocator();
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i)
  {
    if (first[static_cast<std::size_t>(i)] != none)
    {
      continue;
    }
    locator->FindPointsWithinRadius(tolerance, surface.GetPoint(i), near);
    for (const vtkIdType other : *near)
    {
      vtkIdType & ofOther = first[static_cast<std::size_t>(other)];
      ofOther = ofOther == none ? i : ofOther;
    }
  }
  return first;
}

/** Moves points of open edges to the first of those that are near.
 * \param joined the surface with equal points joined
 * \return how many points were moved, equal ones counted once */
std::size_t
JoinOpenPoints(vtkPolyData & surface, vtkPolyData & joined, double tolerance)
{
  const vtkNew<vtkFeatureEdges> edges;
  edges->SetInputData(&joined);
  edges->BoundaryEdgesOn();
  edges->FeatureEdgesOff();
  edges->NonManifoldEdgesOff();
  edges->ManifoldEdgesOff();
  edges->ColoringOff();
  edges->Update();
  vtkPolyData & open = *edges->GetOutput();
  if (open.GetNumberOfPoints() == 0)
  {
    return 0;
  }
  const Ids              first = FirstNearPoints(open, tolerance);
  std::map<Point, Point> moves;
  for (vtkIdType i = 0; i < open.GetNumberOfPoints(); ++i)
  {
    if (const vtkIdType to = first[static_cast<std::size_t>(i)]; to != i)
    {
      moves[PointAt(open, i)] = PointAt(open, to);
    }
  }
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints() && !moves.empty(); ++i)
  {
    if (const auto move = moves.find(PointAt(surface, i)); move != moves.end())
    {
      surface.GetPoints()->SetPoint(i, move->second.data());
    }
  }
  surface.GetPoints()->Modified();
  return moves.size();
}

/** Removes polygons that are there before with the same corners in the same sense.
 * \return how many they were */
std::size_t
RemoveRepeated(vtkPolyData & surface)
{
  const Surface                          joined = WithEqualPointsJoined(surface);
  std::vector<std::pair<Ids, vtkIdType>> polygons;
  auto &            numbers = *vtkIdTypeArray::SafeDownCast(joined->GetCellData()->GetPedigreeIds());
  vtkIdType         cell = joined->GetNumberOfVerts() + joined->GetNumberOfLines();
  vtkIdType         count = 0;
  const vtkIdType * points = nullptr;
  for (joined->GetPolys()->InitTraversal(); joined->GetPolys()->GetNextCell(count, points) != 0; ++cell)
  {
    Ids turned(points, points + count);
    std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
    polygons.emplace_back(std::move(turned), numbers.GetValue(cell));
  }
  std::sort(polygons.begin(), polygons.end());
  Ids repeated;
  for (std::size_t i = 1; i < polygons.size(); ++i)
  {
    if (polygons[i].first == polygons[i - 1].first)
    {
      repeated.push_back(polygons[i].second);
    }
  }
  if (!repeated.empty())
  {
    surface.BuildCells();
    std::for_each(repeated.begin(), repeated.end(), [&](vtkIdType number) { surface.DeleteCell(number); });
    surface.RemoveDeletedCells();
  }
  return repeated.size();
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
  const Surface     shape = WithEqualPointsJoined(surface);
  const double      diagonal = shape->GetLength();
  const std::size_t joined = JoinOpenPoints(surface, *shape, joiningTolerance * diagonal);
  WarnOf(path, joined, RemoveRepeated(surface), diagonal);
}

} // namespace cudaneuro::files
