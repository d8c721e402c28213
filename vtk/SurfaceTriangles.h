// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceTriangles_h
#define SurfaceTriangles_h

#include "cudaneuro/VtkSurface.h"

#include <array>
#include <vector>

namespace cudaneuro
{

using Vector3 = std::array<double, 3>;

/** The triangles of a surface of VTK, in the engine's form. */
class SurfaceTriangles
{
public:
  /** \param surface a result of ToTriangles
   * \throws InvalidParameterError for coordinates that are not finite, no triangles, and more than 2^31 - 1 points or
   * triangles */
  explicit SurfaceTriangles(vtkPolyData * surface);

  ConstTriangles
  GetView() const;

  std::size_t
  GetNumberOfTriangles() const
  {
    return m_Triangles.size() / 3;
  }
  std::size_t
  GetNumberOfPoints() const
  {
    return m_Points.size() / 3;
  }
  /** The index of a corner of a triangle. */
  std::size_t
  GetIndex(std::size_t triangle, int corner) const
  {
    return static_cast<std::size_t>(m_Triangles[3 * triangle + static_cast<std::size_t>(corner)]);
  }
  Vector3
  GetPoint(std::size_t index) const
  {
    return { m_Points[3 * index], m_Points[3 * index + 1], m_Points[3 * index + 2] };
  }
  /** The corners of a triangle. */
  std::array<Vector3, 3>
  GetCorners(std::size_t triangle) const;

  double
  GetMeanEdgeLength() const;

  /** The lowest and the highest coordinates of the triangles' corners. */
  std::array<Vector3, 2>
  GetBounds() const;

private:
  std::vector<double>       m_Points;
  std::vector<std::int32_t> m_Triangles;
};

/** Cuts polygons and strips into triangles, which keep their arrays, and removes vertices and lines.
 * \throws InvalidParameterError as SurfaceTriangles does */
vtkSmartPointer<vtkPolyData>
ToTriangles(vtkPolyData * surface);

/** Joins points in the same place, and removes triangles that become lines by this. */
vtkSmartPointer<vtkPolyData>
WithJoinedPoints(vtkPolyData * triangles);

Vector3
Difference(const Vector3 & a, const Vector3 & b);
Vector3
CrossProduct(const Vector3 & a, const Vector3 & b);
double
DotProduct(const Vector3 & a, const Vector3 & b);
double
Length(const Vector3 & a);

/** The area of a triangle. */
double
AreaOf(const std::array<Vector3, 3> & corners);

} // namespace cudaneuro

#endif
