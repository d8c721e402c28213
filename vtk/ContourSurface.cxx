// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ContourSurface.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyDataNormals.h>

namespace cudaneuro
{

vtkSmartPointer<vtkPolyData>
ToVtk(const SurfaceContour & contour)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(contour.points.size() / 3));
  for (vtkIdType i = 0; i < points->GetNumberOfPoints(); ++i)
  {
    points->SetPoint(i, &contour.points[3 * static_cast<std::size_t>(i)]);
  }
  vtkNew<vtkCellArray> triangles;
  for (std::size_t i = 0; i < contour.triangles.size(); i += 3)
  {
    triangles->InsertNextCell({ contour.triangles[i], contour.triangles[i + 1], contour.triangles[i + 2] });
  }
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  surface->SetPoints(points);
  surface->SetPolys(triangles);
  return surface;
}

vtkSmartPointer<vtkPolyData>
WithNormals(vtkPolyData * triangles)
{
  vtkNew<vtkPolyDataNormals> normals;
  normals->SetInputData(triangles);
  normals->SplittingOff();
  normals->ConsistencyOff();
  normals->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  normals->Update();
  return normals->GetOutput();
}

} // namespace cudaneuro
