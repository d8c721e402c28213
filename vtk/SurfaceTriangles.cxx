// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceTriangles.h"

#include "cudaneuro/Error.h"

#include <vtkCellArray.h>
#include <vtkCleanPolyData.h>
#include <vtkNew.h>
#include <vtkTriangleFilter.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace cudaneuro
{

namespace
{

void
RequireCount(const char * what, vtkIdType count)
{
  constexpr vtkIdType most = std::numeric_limits<std::int32_t>::max();
  if (count > most)
  {
    throw InvalidParameterError("surface has " + std::to_string(count) + " " + what + "; it must have " +
                                std::to_string(most) + " or fewer");
  }
}

/** Requires finite coordinates, without which the filters of VTK that join points never finish. */
void
RequireFinitePoints(vtkPolyData * surface)
{
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    Vector3 point;
    surface->GetPoint(i, point.data());
    for (const double coordinate : point)
    {
      if (!std::isfinite(coordinate))
      {
        std::ostringstream text;
        text << "surface has the coordinate " << coordinate << " at point " << i << "; all must be finite";
        throw InvalidParameterError(text.str());
      }
    }
  }
}

} // namespace

SurfaceTriangles::SurfaceTriangles(vtkPolyData * surface)
{
  RequireCount("points", surface->GetNumberOfPoints());
  RequireCount("triangles", surface->GetNumberOfPolys());
  m_Points.resize(3 * static_cast<std::size_t>(surface->GetNumberOfPoints()));
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    surface->GetPoint(i, m_Points.data() + 3 * i);
  }
  m_Triangles.reserve(3 * static_cast<std::size_t>(surface->GetNumberOfPolys()));
  vtkCellArray * const polygons = surface->GetPolys();
  vtkIdType            count = 0;
  const vtkIdType *    corners = nullptr;
  for (polygons->InitTraversal(); polygons->GetNextCell(count, corners) != 0;)
  {
    std::transform(
      corners, corners + 3, std::back_inserter(m_Triangles), [](vtkIdType i) { return static_cast<std::int32_t>(i); });
  }
}

ConstTriangles
SurfaceTriangles::GetView() const
{
  return { m_Points.data(),
           static_cast<std::int64_t>(this->GetNumberOfPoints()),
           m_Triangles.data(),
           static_cast<std::int64_t>(this->GetNumberOfTriangles()) };
}

std::array<Vector3, 3>
SurfaceTriangles::GetCorners(std::size_t triangle) const
{
  return { this->GetPoint(this->GetIndex(triangle, 0)),
           this->GetPoint(this->GetIndex(triangle, 1)),
           this->GetPoint(this->GetIndex(triangle, 2)) };
}

double
SurfaceTriangles::GetMeanEdgeLength() const
{
  double sum = 0.0;
  for (std::size_t i = 0; i < this->GetNumberOfTriangles(); ++i)
  {
    const auto corners = this->GetCorners(i);
    sum += Length(Difference(corners[0], corners[1])) + Length(Difference(corners[1], corners[2])) +
           Length(Difference(corners[2], corners[0]));
  }
  return sum / (3.0 * static_cast<double>(this->GetNumberOfTriangles()));
}

std::array<Vector3, 2>
SurfaceTriangles::GetBounds() const
{
  Vector3 lowest = this->GetPoint(this->GetIndex(0, 0));
  Vector3 highest = lowest;
  for (const std::int32_t index : m_Triangles)
  {
    const Vector3 point = this->GetPoint(static_cast<std::size_t>(index));
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      lowest[axis] = std::min(lowest[axis], point[axis]);
      highest[axis] = std::max(highest[axis], point[axis]);
    }
  }
  return { lowest, highest };
}

vtkSmartPointer<vtkPolyData>
ToTriangles(vtkPolyData * surface)
{
  RequireFinitePoints(surface);
  vtkNew<vtkTriangleFilter> filter;
  filter->SetInputData(surface);
  filter->PassVertsOff();
  filter->PassLinesOff();
  filter->Update();
  if (filter->GetOutput()->GetNumberOfPolys() == 0)
  {
    throw InvalidParameterError("surface has no triangles, among " + std::to_string(surface->GetNumberOfCells()) +
                                " cells of " + std::to_string(surface->GetNumberOfPoints()) + " points");
  }
  return filter->GetOutput();
}

vtkSmartPointer<vtkPolyData>
WithJoinedPoints(vtkPolyData * triangles)
{
  vtkNew<vtkCleanPolyData> filter;
  filter->SetInputData(triangles);
  filter->SetTolerance(0.0);
  filter->Update();
  if (filter->GetOutput()->GetNumberOfPolys() == 0)
  {
    throw InvalidParameterError("surface has " + std::to_string(triangles->GetNumberOfPolys()) +
                                " triangles, none of which has three different corners");
  }
  return filter->GetOutput();
}

Vector3
Difference(const Vector3 & a, const Vector3 & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

Vector3
CrossProduct(const Vector3 & a, const Vector3 & b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

double
DotProduct(const Vector3 & a, const Vector3 & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double
Length(const Vector3 & a)
{
  return std::sqrt(DotProduct(a, a));
}

double
AreaOf(const std::array<Vector3, 3> & corners)
{
  return 0.5 * Length(CrossProduct(Difference(corners[1], corners[0]), Difference(corners[2], corners[0])));
}

} // namespace cudaneuro
