// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SurfaceContour.h"

#include "core/DualContour.h"
#include "core/ParameterChecks.h"
#include "core/TouchingPlanes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace cudaneuro
{
namespace
{

using Vector = Vector3d;
using Index = CellIndex<std::int64_t>;

class Contour
{
public:
  Contour(const Geometry & geometry, const float * distances)
    : m_Geometry(geometry)
    , m_Size{ geometry.grid.size[0], geometry.grid.size[1], geometry.grid.size[2] }
    , m_Distances(distances)
    , m_Clearance(SurfaceClearance(geometry))
    , m_VertexOfCell(static_cast<std::size_t>(m_Size[0] * m_Size[1] * m_Size[2]), -1)
  {}

  SurfaceContour
  Make(Context & context)
  {
    Index i{};
    for (i[2] = 0; i[2] < m_Size[2]; ++i[2])
    {
      context.ReportProgress(static_cast<double>(i[2]) / static_cast<double>(m_Size[2]));
      for (i[1] = 0; i[1] < m_Size[1]; ++i[1])
      {
        for (i[0] = 0; i[0] < m_Size[0]; ++i[0])
        {
          this->AddAtVoxel(i);
        }
      }
    }
    SurfaceContour contour;
    for (const Vector & vertex : m_Vertices)
    {
      const Vector point = this->PointOf(vertex);
      contour.points.insert(contour.points.end(), point.begin(), point.end());
    }
    contour.triangles = std::move(m_Triangles);
    return contour;
  }

private:
  std::size_t
  Offset(const Index & i) const
  {
    return static_cast<std::size_t>((i[2] * m_Size[1] + i[1]) * m_Size[0] + i[0]);
  }

  double
  At(const Index & i) const
  {
    return m_Distances[this->Offset(i)];
  }

  bool
  IsInside(const Index & i) const
  {
    return m_Distances[this->Offset(i)] < 0.0f;
  }

  /** The position in mm along the axes of the grid, from its first voxel. */
  Vector
  PositionOf(const Index & i) const
  {
    const auto & spacing = m_Geometry.grid.spacing;
    return { static_cast<double>(i[0]) * spacing[0],
             static_cast<double>(i[1]) * spacing[1],
             static_cast<double>(i[2]) * spacing[2] };
  }

  Vector
  PointOf(const Vector & position) const
  {
    Vector point = { m_Geometry.origin[0], m_Geometry.origin[1], m_Geometry.origin[2] };
    for (int row = 0; row < 3; ++row)
    {
      for (int column = 0; column < 3; ++column)
      {
        point[row] += m_Geometry.direction[3 * row + column] * position[column];
      }
    }
    return point;
  }

  bool
  IsReflected() const
  {
    const auto & d = m_Geometry.direction;
    return Dot({ d[0], d[1], d[2] }, Cross({ d[3], d[4], d[5] }, { d[6], d[7], d[8] })) < 0.0;
  }

  /** The argument of smaller magnitude. */
  static double
  Lesser(double a, double b)
  {
    return std::abs(a) < std::abs(b) ? a : b;
  }

  /** The derivative by second-order ENO differences: on the side with the smaller second difference, one-sided with the
   * smaller of both second differences that include this voxel and the next one. */
  double
  Derivative(const Index & i, int axis) const
  {
    const auto at = [&](int step) {
      Index there = i;
      there[axis] = std::min(std::max<std::int64_t>(i[axis] + step, 0), m_Size[axis] - 1);
      return this->At(there);
    };
    const double here = at(0);
    const double middle = at(1) - 2.0 * here + at(-1);
    const double below = here - 2.0 * at(-1) + at(-2);
    const double above = at(2) - 2.0 * at(1) + here;
    const double backward = here - at(-1) + 0.5 * Lesser(below, middle);
    const double forward = at(1) - here - 0.5 * Lesser(above, middle);
    return (std::abs(below) < std::abs(above) ? backward : forward) / m_Geometry.grid.spacing[axis];
  }

  Vector
  GradientAt(const Index & i) const
  {
    return { this->Derivative(i, 0), this->Derivative(i, 1), this->Derivative(i, 2) };
  }

  /** The normal at a crossing between voxels, at fraction \p part from the first to the second: the gradient at the
   * nearer one, unless the gradient at one of them has clearly more the length 1 of a distance's gradient. */
  Vector
  NormalBetween(const Index & from, const Index & to, double part) const
  {
    constexpr double clearly = 0.1;
    const Vector     first = this->GradientAt(from);
    const Vector     second = this->GradientAt(to);
    const double     firstError = std::abs(Length(first) - 1.0);
    const double     secondError = std::abs(Length(second) - 1.0);
    const bool       isFirst = std::abs(firstError - secondError) > clearly ? firstError < secondError : part < 0.5;
    const Vector &   normal = isFirst ? first : second;
    const double     length = Length(normal);
    return length > 0.0 ? Sum({}, 1.0 / length, normal) : normal;
  }

  TouchingPlanes
  PlanesOf(const Index & cell) const
  {
    TouchingPlanes planes;
    ForEachEdgeOfCell(cell, [&](const Index & from, const Index & to) {
      if (this->IsInside(from) != this->IsInside(to))
      {
        const double part = this->At(from) / (this->At(from) - this->At(to));
        const Vector step = Difference(this->PositionOf(to), this->PositionOf(from));
        planes.Add(Sum(this->PositionOf(from), part, step), this->NormalBetween(from, to, part));
      }
    });
    return planes;
  }

  Vector
  MakeVertex(const Index & cell) const
  {
    constexpr double     cosineOfEdge = 0.7;
    constexpr double     pull = 0.05;
    constexpr int        numberOfIterations = 4;
    const TouchingPlanes planes = this->PlanesOf(cell);
    if (!planes.HaveEdge(cosineOfEdge))
    {
      return planes.Mean();
    }
    Vector       vertex = planes.Meeting(pull, numberOfIterations);
    const Vector low = this->PositionOf(cell);
    const Vector high = this->PositionOf({ cell[0] + 1, cell[1] + 1, cell[2] + 1 });
    for (int axis = 0; axis < 3; ++axis)
    {
      const double clearance = m_Clearance * m_Geometry.grid.spacing[axis];
      vertex[axis] = std::min(std::max(vertex[axis], low[axis] + clearance), high[axis] - clearance);
    }
    return vertex;
  }

  std::int32_t
  VertexOf(const Index & cell)
  {
    return VertexOfCell(m_VertexOfCell[this->Offset(cell)], m_Vertices, [&] { return this->MakeVertex(cell); });
  }

  /** Adds the crossed edges of the grid from a voxel upwards, except those on the faces of the image, which are not
   * surrounded by cells. */
  void
  AddAtVoxel(const Index & from)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      const int u = (axis + 1) % 3;
      const int v = (axis + 2) % 3;
      Index     to = from;
      ++to[axis];
      const bool hasCells =
        to[axis] < m_Size[axis] && from[u] > 0 && from[v] > 0 && from[u] + 1 < m_Size[u] && from[v] + 1 < m_Size[v];
      if (hasCells && this->IsInside(from) != this->IsInside(to))
      {
        this->AddAroundEdge(from, axis);
      }
    }
  }

  void
  AddAroundEdge(const Index & from, int axis)
  {
    std::array<std::int32_t, 4> corners{};
    const auto                  cells = CellsAroundEdge(from, static_cast<std::size_t>(axis));
    std::transform(
      cells.begin(), cells.end(), corners.begin(), [this](const Index & cell) { return this->VertexOf(cell); });
    if (this->IsInside(from) == this->IsReflected())
    {
      std::swap(corners[1], corners[3]);
    }
    AddQuadrangle(corners, this->IsFirstDiagonal(corners) ? 0 : 1, m_Triangles);
  }

  /** Whether the first diagonal is nearer to the surface or, if both are equally near, shorter. */
  bool
  IsFirstDiagonal(const std::array<std::int32_t, 4> & corners) const
  {
    constexpr double asNear = 0.02;
    const Vector     first = Sum(m_Vertices[corners[0]], 1.0, m_Vertices[corners[2]]);
    const Vector     second = Sum(m_Vertices[corners[1]], 1.0, m_Vertices[corners[3]]);
    const double     firstHeight = std::abs(this->DistanceAt(Sum({}, 0.5, first)));
    const double     secondHeight = std::abs(this->DistanceAt(Sum({}, 0.5, second)));
    if (std::abs(firstHeight - secondHeight) > asNear * m_Geometry.grid.spacing[0])
    {
      return firstHeight < secondHeight;
    }
    return Length(Difference(m_Vertices[corners[0]], m_Vertices[corners[2]])) <
           Length(Difference(m_Vertices[corners[1]], m_Vertices[corners[3]]));
  }

  /** Trilinear interpolation of the distances at a position inside the image. */
  double
  DistanceAt(const Vector & position) const
  {
    Index  low{};
    Vector part{};
    for (int axis = 0; axis < 3; ++axis)
    {
      const double index = position[axis] / m_Geometry.grid.spacing[axis];
      low[axis] = std::min(static_cast<std::int64_t>(index), m_Size[axis] - 2);
      part[axis] = index - static_cast<double>(low[axis]);
    }
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner)
    {
      Index  i = low;
      double weight = 1.0;
      for (int axis = 0; axis < 3; ++axis)
      {
        const int high = (corner >> axis) & 1;
        i[axis] += high;
        weight *= high == 1 ? part[axis] : 1.0 - part[axis];
      }
      sum += weight * this->At(i);
    }
    return sum;
  }

  const Geometry &          m_Geometry;
  Index                     m_Size;
  const float *             m_Distances;
  double                    m_Clearance;
  std::vector<std::int32_t> m_VertexOfCell;
  std::vector<Vector>       m_Vertices;
  std::vector<std::int32_t> m_Triangles;
};

} // namespace

double
SurfaceClearance(const Geometry & geometry)
{
  double farthest = 0.0;
  for (unsigned int corner = 0; corner < 8; ++corner)
  {
    for (std::size_t row = 0; row < 3; ++row)
    {
      double coordinate = geometry.origin[row];
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const double length = static_cast<double>(geometry.grid.size[axis] - 1) * geometry.grid.spacing[axis];
        coordinate += ((corner >> axis) & 1u) * geometry.direction[3 * row + axis] * length;
      }
      farthest = std::max(farthest, std::abs(coordinate));
    }
  }
  const auto & spacing = geometry.grid.spacing;
  const double step =
    farthest * std::numeric_limits<float>::epsilon() / std::min({ spacing[0], spacing[1], spacing[2] });
  return std::min(std::max(1e-3, 16.0 * step), 0.25);
}

SurfaceContour
ContourWithEdges(Context & context, const Geometry & geometry, const ConstVolume & distances)
{
  RequireGrid(geometry.grid);
  RequireVolume("distances", context, distances);
  if (distances.type != PixelType::Float || distances.space != MemorySpace::Host)
  {
    throw InvalidParameterError("The distances must be of type float, in host memory");
  }
  const auto * const values = static_cast<const float *>(distances.data);
  const auto * const end = values + geometry.grid.NumberOfVoxels();
  const auto * const invalid = std::find_if_not(values, end, [](float value) { return std::isfinite(value); });
  if (invalid != end)
  {
    ThrowInvalid("distances[" + std::to_string(invalid - values) + ']', *invalid, "finite");
  }
  return Contour(geometry, values).Make(context);
}

} // namespace cudaneuro
