// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef VtkSurfaces_h
#define VtkSurfaces_h

#include "cudaneuro/SyntheticSurfaces.h"

#include <vtkCellArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkWindowedSincPolyDataFilter.h>

#include <algorithm>
#include <utility>
#include <vector>

/** Meshes as surfaces of VTK, for the comparisons. */

inline vtkSmartPointer<vtkPolyData>
ToVtk(const cudaneuro::SyntheticMesh & mesh)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (std::size_t i = 0; i < mesh.points.size(); i += 3)
  {
    points->InsertNextPoint(&mesh.points[i]);
  }
  vtkNew<vtkCellArray> cells;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
  {
    const vtkIdType corners[3] = { mesh.triangles[i], mesh.triangles[i + 1], mesh.triangles[i + 2] };
    cells->InsertNextCell(3, corners);
  }
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  surface->SetPoints(points);
  surface->SetPolys(cells);
  return surface;
}

inline cudaneuro::SyntheticMesh
FromVtk(vtkPolyData * surface)
{
  cudaneuro::SyntheticMesh mesh;
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    const double * point = surface->GetPoint(i);
    mesh.points.insert(mesh.points.end(), point, point + 3);
  }
  vtkIdType         count = 0;
  const vtkIdType * corners = nullptr;
  vtkCellArray *    cells = surface->GetPolys();
  for (cells->InitTraversal(); cells->GetNextCell(count, corners) != 0;)
  {
    for (vtkIdType corner = 0; corner < 3; ++corner)
    {
      mesh.triangles.push_back(static_cast<std::int32_t>(corners[corner]));
    }
  }
  if (cudaneuro::EnclosedVolume(mesh.View()) < 0.0)
  {
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
    {
      std::swap(mesh.triangles[i], mesh.triangles[i + 1]);
    }
  }
  return mesh;
}

/** Where the numbers of a grid's voxels pass a value. */
inline vtkSmartPointer<vtkPolyData>
ContourOf(const cudaneuro::Geometry & geometry, vtkDataArray * numbers, double value)
{
  const auto &         grid = geometry.grid;
  vtkNew<vtkImageData> image;
  image->SetDimensions(static_cast<int>(grid.size[0]), static_cast<int>(grid.size[1]), static_cast<int>(grid.size[2]));
  image->SetSpacing(grid.spacing.data());
  image->SetOrigin(geometry.origin.data());
  image->GetPointData()->SetScalars(numbers);
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(image);
  contour->SetValue(0, value);
  contour->ComputeNormalsOff();
  contour->ComputeScalarsOff();
  contour->Update();
  return contour->GetOutput();
}

inline cudaneuro::SyntheticMesh
Smoothed(vtkPolyData * surface, double passBand, int iterations)
{
  vtkNew<vtkWindowedSincPolyDataFilter> filter;
  filter->SetInputData(surface);
  filter->SetPassBand(passBand);
  filter->SetNumberOfIterations(iterations);
  filter->NormalizeCoordinatesOn();
  filter->NonManifoldSmoothingOn();
  filter->Update();
  return FromVtk(filter->GetOutput());
}

/** The least angle and the least distance, each the best of 14 pass bands and these numbers of iterations. */
inline cudaneuro::SurfaceErrors
BestOfWindowedSinc(const cudaneuro::SyntheticSurface & truth,
                   const cudaneuro::SyntheticMesh &    noisy,
                   const std::vector<int> &            numbersOfIterations)
{
  const vtkSmartPointer<vtkPolyData> surface = ToVtk(noisy);
  cudaneuro::SurfaceErrors           best{ 1e30, 1e30, 1e30 };
  for (const int iterations : numbersOfIterations)
  {
    for (const double passBand : { 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.17, 0.22, 0.3, 0.4, 0.5 })
    {
      const auto errors = MeasureErrors(truth, Smoothed(surface, passBand, iterations).View());
      best.meanAngle = std::min(best.meanAngle, errors.meanAngle);
      best.rootMeanSquareDistance = std::min(best.rootMeanSquareDistance, errors.rootMeanSquareDistance);
    }
  }
  return best;
}

#endif
