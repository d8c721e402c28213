// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceTriangles.h"

#include "cudaneuro/Error.h"

#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataNormals.h>

#include <algorithm>
#include <numeric>

namespace cudaneuro
{

namespace
{

/** The vertices of a surface: points in the same place are one vertex. */
struct Vertices
{
  std::vector<double>       points;
  std::vector<std::int32_t> triangles;
  /** The index of the vertex of each point of the surface. */
  std::vector<std::int32_t> vertexOfPoint;
};

/** Joins points that are in the same place, and removes triangles whose corners are not three different vertices.
 * Vertices are in the order of their first points. */
Vertices
Join(const SurfaceTriangles & surface)
{
  const std::size_t         count = surface.GetNumberOfPoints();
  std::vector<std::int32_t> order(count);
  std::vector<std::int32_t> first(count);
  std::iota(order.begin(), order.end(), 0);
  const auto pointAt = [&](std::int32_t i) { return surface.GetPoint(static_cast<std::size_t>(i)); };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::make_pair(pointAt(a), a) < std::make_pair(pointAt(b), b);
  });
  for (std::size_t i = 0; i < count; ++i)
  {
    const bool isSame = i > 0 && pointAt(order[i]) == pointAt(order[i - 1]);
    first[static_cast<std::size_t>(order[i])] = isSame ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  Vertices vertices;
  vertices.vertexOfPoint.resize(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    const auto firstPoint = static_cast<std::size_t>(first[i]);
    if (firstPoint == i)
    {
      const Vector3 point = surface.GetPoint(i);
      vertices.vertexOfPoint[i] = static_cast<std::int32_t>(vertices.points.size() / 3);
      vertices.points.insert(vertices.points.end(), point.begin(), point.end());
    }
    else
    {
      vertices.vertexOfPoint[i] = vertices.vertexOfPoint[firstPoint];
    }
  }
  for (std::size_t i = 0; i < surface.GetNumberOfTriangles(); ++i)
  {
    std::array<std::int32_t, 3> corners{};
    for (int corner = 0; corner < 3; ++corner)
    {
      corners[static_cast<std::size_t>(corner)] = vertices.vertexOfPoint[surface.GetIndex(i, corner)];
    }
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
    {
      vertices.triangles.insert(vertices.triangles.end(), corners.begin(), corners.end());
    }
  }
  if (vertices.triangles.empty())
  {
    throw InvalidParameterError("surface has " + std::to_string(surface.GetNumberOfTriangles()) +
                                " triangles, none of which has three different corners");
  }
  return vertices;
}

/** Recomputes the normals that a surface has, at points and cells. */
void
RenewNormals(vtkPolyData & surface)
{
  vtkDataArray * const ofPoints = surface.GetPointData()->GetNormals();
  vtkDataArray * const ofCells = surface.GetCellData()->GetNormals();
  if (ofPoints == nullptr && ofCells == nullptr)
  {
    return;
  }
  const auto renew = [](vtkDataSetAttributes & attributes, vtkDataArray * old, vtkDataArray * made) {
    if (old == nullptr)
    {
      return;
    }
    const std::string name = old->GetName() == nullptr ? "Normals" : old->GetName();
    attributes.SetNormals(nullptr);
    attributes.RemoveArray(name.c_str());
    // Strips are returned as triangles, whose normals do not belong to the cells.
    if (made != nullptr && made->GetNumberOfTuples() == old->GetNumberOfTuples())
    {
      made->SetName(name.c_str());
      attributes.SetNormals(made);
    }
  };
  const vtkNew<vtkPolyData> shape;
  shape->CopyStructure(&surface);
  vtkNew<vtkPolyDataNormals> normals;
  normals->SetInputData(shape);
  normals->SplittingOff();
  normals->ConsistencyOff();
  normals->ComputeCellNormalsOn();
  normals->Update();
  const vtkSmartPointer<vtkDataArray> keptOfPoints = ofPoints;
  const vtkSmartPointer<vtkDataArray> keptOfCells = ofCells;
  renew(*surface.GetPointData(), keptOfPoints, normals->GetOutput()->GetPointData()->GetNormals());
  renew(*surface.GetCellData(), keptOfCells, normals->GetOutput()->GetCellData()->GetNormals());
}

} // namespace

vtkSmartPointer<vtkPolyData>
DenoiseSurface(Context &                       context,
               const MeshDenoisingParameters & parameters,
               vtkPolyData *                   surface,
               MeshDenoisingResult *           result)
{
  Vertices             vertices = Join(SurfaceTriangles(ToTriangles(surface)));
  const ConstTriangles view{ vertices.points.data(),
                             static_cast<std::int64_t>(vertices.points.size() / 3),
                             vertices.triangles.data(),
                             static_cast<std::int64_t>(vertices.triangles.size() / 3) };
  const auto           record = DenoiseMesh(context, parameters, view, vertices.points.data());
  if (result != nullptr)
  {
    *result = record;
  }
  const vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(surface->GetNumberOfPoints());
  for (vtkIdType i = 0; i < points->GetNumberOfPoints(); ++i)
  {
    const auto vertex = static_cast<std::size_t>(vertices.vertexOfPoint[static_cast<std::size_t>(i)]);
    points->SetPoint(i, &vertices.points[3 * vertex]);
  }
  auto denoised = vtkSmartPointer<vtkPolyData>::New();
  denoised->ShallowCopy(surface);
  denoised->SetPoints(points);
  RenewNormals(*denoised);
  return denoised;
}

} // namespace cudaneuro
