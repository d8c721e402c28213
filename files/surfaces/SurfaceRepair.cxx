// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/PolyData.h"

#include "files/base/Errors.h"

#include <vtkCellArray.h>
#include <vtkCleanPolyData.h>
#include <vtkFeatureEdges.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkStaticPointLocator.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace cudaneuro::files
{

namespace
{

using Ids = std::vector<vtkIdType>;
using Surface = vtkSmartPointer<vtkPolyData>;

/** A surface in which equal points are one, without triangles that vanish by that. */
Surface
WithEqualPointsJoined(vtkPolyData & surface)
{
  const vtkNew<vtkCleanPolyData> clean;
  clean->SetInputData(&surface);
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
 * \return how many points were moved */
std::size_t
JoinOpenPoints(vtkPolyData & surface, double tolerance)
{
  constexpr const char *        name = "number of the point";
  const vtkNew<vtkIdTypeArray>  numbers;
  const vtkNew<vtkFeatureEdges> edges;
  numbers->SetName(name);
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i)
  {
    numbers->InsertNextValue(i);
  }
  surface.GetPointData()->AddArray(numbers);
  edges->SetInputData(&surface);
  edges->BoundaryEdgesOn();
  edges->FeatureEdgesOff();
  edges->NonManifoldEdgesOff();
  edges->ManifoldEdgesOff();
  edges->ColoringOff();
  edges->Update();
  surface.GetPointData()->RemoveArray(name);
  vtkPolyData &   open = *edges->GetOutput();
  const vtkIdType count = open.GetNumberOfPoints();
  if (count == 0)
  {
    return 0;
  }
  const Ids   first = FirstNearPoints(open, tolerance);
  auto &      from = *vtkIdTypeArray::SafeDownCast(open.GetPointData()->GetArray(name));
  std::size_t joined = 0;
  for (vtkIdType i = 0; i < count; ++i)
  {
    const vtkIdType to = first[static_cast<std::size_t>(i)];
    joined += to != i ? 1u : 0u;
    surface.GetPoints()->SetPoint(from.GetValue(i), open.GetPoint(to));
  }
  return joined;
}

/** Removes polygons that are there before with the same corners in the same sense.
 * \return how many they were */
std::size_t
RemoveRepeated(vtkPolyData & surface)
{
  std::vector<std::pair<Ids, vtkIdType>> polygons;
  vtkIdType                              cell = surface.GetNumberOfVerts() + surface.GetNumberOfLines();
  vtkIdType                              count = 0;
  const vtkIdType *                      points = nullptr;
  for (surface.GetPolys()->InitTraversal(); surface.GetPolys()->GetNextCell(count, points) != 0; ++cell)
  {
    Ids turned(points, points + count);
    std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
    polygons.emplace_back(std::move(turned), cell);
  }
  std::sort(polygons.begin(), polygons.end());
  std::size_t repeated = 0;
  surface.BuildCells();
  for (std::size_t i = 1; i < polygons.size(); ++i)
  {
    if (polygons[i].first == polygons[i - 1].first)
    {
      surface.DeleteCell(polygons[i].second);
      ++repeated;
    }
  }
  surface.RemoveDeletedCells();
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
  const double      diagonal = surface.GetLength();
  Surface           repaired = WithEqualPointsJoined(surface);
  const std::size_t joined = JoinOpenPoints(*repaired, joiningTolerance * diagonal);
  repaired = joined > 0 ? WithEqualPointsJoined(*repaired) : repaired;
  const std::size_t repeated = RemoveRepeated(*repaired);
  WarnOf(path, joined, repeated, diagonal);
  if (joined > 0 || repeated > 0)
  {
    surface.ShallowCopy(repaired);
  }
}

} // namespace cudaneuro::files
