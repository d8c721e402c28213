// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/PolyData.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

vtkSmartPointer<vtkPolyData>
FromPointData(const PointData & data)
{
  auto                 surface = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints>    points;
  vtkNew<vtkCellArray> polygons;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(data.GetNumberOfPoints()));
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    points->SetPoint(static_cast<vtkIdType>(i), data.coordinates.data() + 3 * i);
  }
  for (const MeshCell & cell : data.cells)
  {
    if (cell.kind == MeshCell::Kind::Polygon)
    {
      const std::vector<vtkIdType> corners(cell.points.begin(), cell.points.end());
      polygons->InsertNextCell(static_cast<vtkIdType>(corners.size()), corners.data());
    }
  }
  surface->SetPoints(points);
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
  for (surface.GetPolys()->InitTraversal(); surface.GetPolys()->GetNextCell(count, points) != 0;)
  {
    data.cells.push_back({ MeshCell::Kind::Polygon, { points, points + count } });
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
