// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticContour.h"

#include "core/DualContour.h"
#include "core/TouchingPlanes.h"
#include "synthetic/SyntheticShapes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cudaneuro
{
namespace
{

using Vector = Vector3d;
using Index = CellIndex<int>;

struct Vertex
{
  Vector position;
  /** The position to use if the triangles around the vertex would fold. */
  Vector safePosition;
  bool   isOnEdge;
};

class Contour
{
public:
  Contour(const SyntheticSurface & surface, double spacing)
    : m_Surface(surface)
    , m_Spacing(spacing)
    , m_Size(2 * static_cast<int>(largestExtentOfShapes * surface.GetSize() / spacing) + 5)
  {}

  SyntheticMesh
  Make(Context & context)
  {
    this->FindInside(context);
    this->MakeTriangles();
    this->Unfold();
    this->Weld();
    this->Relax();
    SyntheticMesh mesh;
    for (const Vertex & vertex : m_Vertices)
    {
      mesh.points.insert(mesh.points.end(), vertex.position.begin(), vertex.position.end());
    }
    mesh.triangles = std::move(m_Triangles);
    return mesh;
  }

private:
  std::size_t
  Offset(const Index & i) const
  {
    return (static_cast<std::size_t>(i[2]) * m_Size + i[1]) * m_Size + i[0];
  }

  /** The position of a grid point. A shift breaks the shapes' symmetries, so that no face is in a plane of the grid. */
  Vector
  PositionOf(const Index & i) const
  {
    constexpr Vector shift{ 0.137, 0.211, 0.071 };
    Vector           position{};
    for (int axis = 0; axis < 3; ++axis)
    {
      position[axis] = (static_cast<double>(i[axis] - m_Size / 2) + shift[axis]) * m_Spacing;
    }
    return position;
  }

  bool
  IsInside(const Index & i) const
  {
    return m_IsInside[this->Offset(i)] != 0;
  }

  void
  FindInside(Context & context)
  {
    m_IsInside.resize(this->Offset({ 0, 0, m_Size }));
    m_VertexOfCell.assign(m_IsInside.size(), -1);
    context.ParallelFor(m_Size, [this](std::int64_t plane) {
      Index i{ 0, 0, static_cast<int>(plane) };
      for (i[1] = 0; i[1] < m_Size; ++i[1])
      {
        for (i[0] = 0; i[0] < m_Size; ++i[0])
        {
          m_IsInside[this->Offset(i)] = m_Surface.IsInside(this->PositionOf(i)) ? 1 : 0;
        }
      }
    });
  }

  /** The crossing of the surface on the line between a point inside and one outside, by bisection. */
  Vector
  CrossingBetween(Vector inside, Vector outside) const
  {
    constexpr int numberOfSteps = 40;
    for (int step = 0; step < numberOfSteps; ++step)
    {
      const Vector middle = Sum(inside, 0.5, Difference(outside, inside));
      (m_Surface.IsInside(middle) ? inside : outside) = middle;
    }
    return inside;
  }

  Vector
  Projected(Vector point) const
  {
    constexpr int numberOfSteps = 2;
    for (int step = 0; step < numberOfSteps; ++step)
    {
      const SurfaceView view = m_Surface.At(point);
      point = Sum(point, -view.distance, view.normal);
    }
    return point;
  }

  Vector
  ClampedToCell(Vector point, const Index & cell, double margin) const
  {
    const Vector low = this->PositionOf(cell);
    for (int axis = 0; axis < 3; ++axis)
    {
      point[axis] =
        std::min(std::max(point[axis], low[axis] - margin * m_Spacing), low[axis] + (1.0 + margin) * m_Spacing);
    }
    return point;
  }

  Vertex
  MakeVertex(const Index & cell) const
  {
    constexpr double margin = 0.3;
    constexpr double cosineOfEdge = 0.8; // cosine of 37 degrees
    constexpr double pull = 0.01;
    constexpr int    numberOfIterations = 20;
    TouchingPlanes   planes;
    ForEachEdgeOfCell(cell, [&](const Index & from, const Index & to) {
      if (this->IsInside(from) != this->IsInside(to))
      {
        const bool   fromIsInside = this->IsInside(from);
        const Vector a = this->PositionOf(from);
        const Vector b = this->PositionOf(to);
        const Vector crossing = this->CrossingBetween(fromIsInside ? a : b, fromIsInside ? b : a);
        planes.Add(crossing, m_Surface.At(crossing).normal);
      }
    });
    if (!planes.HaveEdge(cosineOfEdge))
    {
      const Vector position = this->Projected(planes.Mean());
      return { position, position, false };
    }
    const Vector meeting = planes.Meeting(pull, numberOfIterations);
    return { this->Projected(this->ClampedToCell(meeting, cell, margin)),
             this->Projected(this->ClampedToCell(meeting, cell, 0.0)),
             true };
  }

  std::int32_t
  VertexOf(const Index & cell)
  {
    return VertexOfCell(m_VertexOfCell[this->Offset(cell)], m_Vertices, [&] { return this->MakeVertex(cell); });
  }

  double
  Diagonal(const std::array<std::int32_t, 4> & corners, int begin) const
  {
    return Length(Difference(m_Vertices[corners[begin]].position, m_Vertices[corners[begin + 2]].position));
  }

  /** Whether a diagonal follows an edge of the surface, and neither triangle is then degenerate. */
  bool
  Suits(const std::array<std::int32_t, 4> & corners, int begin) const
  {
    constexpr double leastArea = 0.02;
    const Vertex &   a = m_Vertices[corners[begin]];
    const Vertex &   b = m_Vertices[corners[begin + 2]];
    const Vector     diagonal = Difference(b.position, a.position);
    double           area = leastArea * m_Spacing * m_Spacing;
    for (const int other : { begin + 1, (begin + 3) % 4 })
    {
      area = std::min(area, Length(Cross(diagonal, Difference(m_Vertices[corners[other]].position, a.position))));
    }
    return a.isOnEdge && b.isOnEdge && area >= leastArea * m_Spacing * m_Spacing;
  }

  /** Adds two triangles for the cells around an edge of the grid, on either side of the diagonal that suits, or
   * otherwise of the shorter one. */
  void
  AddTriangles(std::array<std::int32_t, 4> corners, bool isReversed)
  {
    if (isReversed)
    {
      std::swap(corners[1], corners[3]);
    }
    const bool isFirst = this->Suits(corners, 0) != this->Suits(corners, 1)
                           ? this->Suits(corners, 0)
                           : this->Diagonal(corners, 0) < this->Diagonal(corners, 1);
    AddQuadrangle(corners, isFirst ? 0 : 1, m_Triangles);
  }

  void
  MakeTriangles()
  {
    Index i{};
    for (i[2] = 1; i[2] < m_Size - 1; ++i[2])
    {
      for (i[1] = 1; i[1] < m_Size - 1; ++i[1])
      {
        for (i[0] = 1; i[0] < m_Size - 1; ++i[0])
        {
          for (int axis = 0; axis < 3; ++axis)
          {
            Index next = i;
            ++next[axis];
            if (this->IsInside(i) != this->IsInside(next))
            {
              this->AddAroundEdge(i, axis);
            }
          }
        }
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
    this->AddTriangles(corners, !this->IsInside(from));
  }

  /** Whether a triangle's normal is far from the surface's normal. */
  bool
  IsFolded(std::size_t triangle) const
  {
    constexpr double leastCosine = 0.3;
    const Vector &   a = m_Vertices[m_Triangles[triangle]].position;
    const Vector &   b = m_Vertices[m_Triangles[triangle + 1]].position;
    const Vector &   c = m_Vertices[m_Triangles[triangle + 2]].position;
    const Vector     normal = Cross(Difference(b, a), Difference(c, a));
    const Vector     middle = Sum(a, 1.0 / 3.0, Sum(Difference(b, a), 1.0, Difference(c, a)));
    return Dot(normal, m_Surface.At(middle).normal) < leastCosine * std::sqrt(Dot(normal, normal));
  }

  void
  Unfold()
  {
    for (std::size_t triangle = 0; triangle < m_Triangles.size(); triangle += 3)
    {
      if (this->IsFolded(triangle))
      {
        for (std::size_t corner = triangle; corner < triangle + 3; ++corner)
        {
          Vertex & vertex = m_Vertices[m_Triangles[corner]];
          vertex.position = vertex.safePosition;
        }
      }
    }
  }

  /** The vertex that replaces this one after welding. */
  static std::int32_t
  Representative(const std::vector<std::int32_t> & representatives, std::int32_t vertex)
  {
    while (representatives[vertex] != vertex)
    {
      vertex = representatives[vertex];
    }
    return vertex;
  }

  /** Merges vertices that are nearly at the same place, as those of several cells near a corner are. */
  void
  Weld()
  {
    constexpr double          shortest = 0.1;
    std::vector<std::int32_t> representatives(m_Vertices.size());
    std::iota(representatives.begin(), representatives.end(), 0);
    for (std::size_t corner = 0; corner < m_Triangles.size(); ++corner)
    {
      const std::size_t  next = corner % 3 == 2 ? corner - 2 : corner + 1;
      const std::int32_t a = Representative(representatives, m_Triangles[corner]);
      const std::int32_t b = Representative(representatives, m_Triangles[next]);
      if (Length(Difference(m_Vertices[a].position, m_Vertices[b].position)) < shortest * m_Spacing)
      {
        const bool isFirst = m_Vertices[a].isOnEdge != m_Vertices[b].isOnEdge ? m_Vertices[a].isOnEdge : a < b;
        representatives[isFirst ? b : a] = isFirst ? a : b;
      }
    }
    this->Compact(representatives);
  }

  /** Removes triangles that lost a corner, and vertices without triangles. */
  void
  Compact(const std::vector<std::int32_t> & representatives)
  {
    std::vector<std::int32_t> newIndices(m_Vertices.size(), -1);
    std::vector<Vertex>       vertices;
    std::vector<std::int32_t> triangles;
    for (std::size_t triangle = 0; triangle < m_Triangles.size(); triangle += 3)
    {
      std::array<std::int32_t, 3> corners{};
      for (int corner = 0; corner < 3; ++corner)
      {
        corners[corner] = Representative(representatives, m_Triangles[triangle + corner]);
      }
      if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
      {
        continue;
      }
      for (const std::int32_t vertex : corners)
      {
        if (newIndices[vertex] < 0)
        {
          newIndices[vertex] = static_cast<std::int32_t>(vertices.size());
          vertices.push_back(m_Vertices[vertex]);
        }
        triangles.push_back(newIndices[vertex]);
      }
    }
    m_Vertices = std::move(vertices);
    m_Triangles = std::move(triangles);
  }

  /** Moves vertices that are not on edges halfway to their neighbors' mean, and projects them onto the surface. */
  void
  Relax()
  {
    constexpr int numberOfIterations = 5;
    for (int iteration = 0; iteration < numberOfIterations; ++iteration)
    {
      std::vector<Vector> sums(m_Vertices.size(), Vector{});
      std::vector<int>    counts(m_Vertices.size(), 0);
      for (std::size_t corner = 0; corner < m_Triangles.size(); ++corner)
      {
        const std::size_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
        sums[m_Triangles[corner]] = Sum(sums[m_Triangles[corner]], 1.0, m_Vertices[m_Triangles[next]].position);
        ++counts[m_Triangles[corner]];
      }
      for (std::size_t index = 0; index < m_Vertices.size(); ++index)
      {
        Vertex & vertex = m_Vertices[index];
        if (!vertex.isOnEdge)
        {
          const Vector mean = Sum({}, 1.0 / counts[index], sums[index]);
          vertex.position = this->Projected(Sum(vertex.position, 0.5, Difference(mean, vertex.position)));
        }
      }
    }
  }

  const SyntheticSurface &   m_Surface;
  double                     m_Spacing;
  int                        m_Size;
  std::vector<unsigned char> m_IsInside;
  std::vector<std::int32_t>  m_VertexOfCell;
  std::vector<Vertex>        m_Vertices;
  std::vector<std::int32_t>  m_Triangles;
};

} // namespace

SyntheticMesh
ContourOf(Context & context, const SyntheticSurface & surface, double spacing)
{
  return Contour(surface, spacing).Make(context);
}

} // namespace cudaneuro
