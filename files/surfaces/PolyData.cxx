// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/PolyData.h"

#include "files/input/InputFile.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <utility>
#include <vector>

namespace cudaneuro::files
{

namespace
{

/** Checks that cells have points that are there, and end where the next ones begin. */
void
CheckCells(const std::string & path, vtkPolyData & surface, vtkCellArray & cells)
{
  vtkDataArray & offsets = *cells.GetOffsetsArray();
  vtkDataArray & points = *cells.GetConnectivityArray();
  double         before = 0.0;
  for (vtkIdType i = 0; i < offsets.GetNumberOfTuples(); ++i)
  {
    const double offset = offsets.GetComponent(i, 0);
    if (offset < before || offset > static_cast<double>(points.GetNumberOfTuples()) || (i == 0 && offset != 0.0))
    {
      RefuseField(path,
                  "the offset of cell " + std::to_string(i),
                  static_cast<std::int64_t>(offset),
                  "it must be in the array of the cells' points");
    }
    before = offset;
  }
  for (vtkIdType i = 0; i < points.GetNumberOfTuples(); ++i)
  {
    const double point = points.GetComponent(i, 0);
    if (point < 0.0 || point >= static_cast<double>(surface.GetNumberOfPoints()))
    {
      RefuseField(path,
                  "a point of a cell",
                  static_cast<std::int64_t>(point),
                  "counted from 0, there are " + std::to_string(surface.GetNumberOfPoints()) + " points");
    }
  }
}

} // namespace

vtkSmartPointer<vtkPolyData>
FromPointData(const PointData & data)
{
  auto              surface = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(data.GetNumberOfPoints()));
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    points->SetPoint(static_cast<vtkIdType>(i), data.coordinates.data() + 3 * i);
  }
  vtkNew<vtkCellArray> vertices;
  vtkNew<vtkCellArray> lines;
  vtkNew<vtkCellArray> polygons;
  for (const MeshCell & cell : data.cells)
  {
    const std::vector<vtkIdType> corners(cell.points.begin(), cell.points.end());
    vtkCellArray &               cells = cell.kind == MeshCell::Kind::Vertex ? *vertices
                                         : cell.kind == MeshCell::Kind::Line ? *lines
                                                                             : *polygons;
    cells.InsertNextCell(static_cast<vtkIdType>(corners.size()), corners.data());
  }
  surface->SetPoints(points);
  surface->SetVerts(vertices);
  surface->SetLines(lines);
  surface->SetPolys(polygons);
  return surface;
}

PointData
ToPointData(vtkPolyData & surface, const MeshNotes & notes)
{
  PointData data;
  data.mesh = notes;
  data.coordinates.resize(3 * static_cast<std::size_t>(surface.GetNumberOfPoints()));
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i)
  {
    surface.GetPoint(i, data.coordinates.data() + 3 * i);
  }
  vtkIdType         count = 0;
  const vtkIdType * points = nullptr;
  for (const auto & [kind, cells] : { std::pair(MeshCell::Kind::Vertex, surface.GetVerts()),
                                      std::pair(MeshCell::Kind::Line, surface.GetLines()),
                                      std::pair(MeshCell::Kind::Polygon, surface.GetPolys()) })
  {
    for (cells->InitTraversal(); cells->GetNextCell(count, points) != 0;)
    {
      data.cells.push_back({ kind, { points, points + count } });
    }
  }
  return data;
}

void
TurnAround(vtkPolyData & surface)
{
  const auto turn = [](vtkDataArray & array) {
    auto turned = vtkSmartPointer<vtkDataArray>::Take(array.NewInstance());
    turned->DeepCopy(&array);
    for (vtkIdType i = 0; i < turned->GetNumberOfTuples(); ++i)
    {
      // 0.0 - x rather than -x, so that 0 stays 0.
      turned->SetComponent(i, 0, 0.0 - turned->GetComponent(i, 0));
      turned->SetComponent(i, 1, 0.0 - turned->GetComponent(i, 1));
    }
    return turned;
  };
  const vtkNew<vtkPoints>             points;
  const vtkSmartPointer<vtkDataArray> coordinates = turn(*surface.GetPoints()->GetData());
  points->SetData(coordinates);
  surface.SetPoints(points);
  for (vtkDataSetAttributes * const attributes : { static_cast<vtkDataSetAttributes *>(surface.GetPointData()),
                                                   static_cast<vtkDataSetAttributes *>(surface.GetCellData()) })
  {
    if (attributes->GetNormals() != nullptr)
    {
      attributes->SetNormals(turn(*attributes->GetNormals()));
    }
    if (attributes->GetVectors() != nullptr)
    {
      attributes->SetVectors(turn(*attributes->GetVectors()));
    }
  }
}

std::size_t
RemoveShortCells(vtkPolyData & surface)
{
  struct Kind
  {
    vtkCellArray * cells;
    vtkIdType      least;
  };
  const vtkNew<vtkCellData>                  numbers;
  std::vector<vtkSmartPointer<vtkCellArray>> kept;
  vtkIdType                                  cell = 0;
  vtkIdType                                  next = 0;
  numbers->CopyAllOn();
  numbers->CopyAllocate(surface.GetCellData());
  for (const auto & [cells, least] : { Kind{ surface.GetVerts(), 1 },
                                       Kind{ surface.GetLines(), 2 },
                                       Kind{ surface.GetPolys(), 3 },
                                       Kind{ surface.GetStrips(), 3 } })
  {
    vtkIdType         count = 0;
    const vtkIdType * points = nullptr;
    kept.push_back(vtkSmartPointer<vtkCellArray>::New());
    for (cells->InitTraversal(); cells->GetNextCell(count, points) != 0; ++cell)
    {
      if (count >= least)
      {
        kept.back()->InsertNextCell(count, points);
        numbers->CopyData(surface.GetCellData(), cell, next++);
      }
    }
  }
  if (next < cell)
  {
    surface.SetVerts(kept[0]);
    surface.SetLines(kept[1]);
    surface.SetPolys(kept[2]);
    surface.SetStrips(kept[3]);
    surface.GetCellData()->ShallowCopy(numbers);
  }
  return static_cast<std::size_t>(cell - next);
}

void
CheckSurface(const std::string & path, vtkPolyData & surface)
{
  for (vtkCellArray * const cells : { surface.GetPolys(), surface.GetStrips(), surface.GetLines(), surface.GetVerts() })
  {
    CheckCells(path, surface, *cells);
  }
  if (surface.GetNumberOfPolys() + surface.GetNumberOfStrips() == 0)
  {
    RefuseInput(path,
                "it has no triangles or other polygons, of " + std::to_string(surface.GetNumberOfCells()) +
                  " cells and " + std::to_string(surface.GetNumberOfPoints()) + " points");
  }
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i)
  {
    double point[3];
    surface.GetPoint(i, point);
    for (const double coordinate : point)
    {
      CheckCoordinate(path, "a coordinate of point " + std::to_string(i), coordinate);
    }
  }
}

} // namespace cudaneuro::files
