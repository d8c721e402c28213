// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticLandmarks.h"

#include "core/ParameterChecks.h"
#include "synthetic/SyntheticSurface.h"

#include <cmath>
#include <map>
#include <utility>

namespace cudaneuro
{
namespace
{

using Vector = std::array<double, 3>;

/** A mesh on the unit sphere that is refined. */
class Sphere
{
public:
  Sphere()
  {
    // The corners of three golden rectangles, perpendicular to each other, form an icosahedron.
    const double longSide = 0.5 * (1.0 + std::sqrt(5.0));
    for (int axis = 0; axis < 3; ++axis)
    {
      for (const double shortSign : { -1.0, 1.0 })
      {
        for (const double longSign : { -1.0, 1.0 })
        {
          Vector corner{};
          corner[(axis + 1) % 3] = shortSign;
          corner[(axis + 2) % 3] = longSign * longSide;
          this->AddVertex(corner);
        }
      }
    }
    this->AddFaces();
  }

  void
  Refine()
  {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> midpoints;
    const auto                                                    midpoint = [&](std::int64_t a, std::int64_t b) {
      const auto [known, isNew] = midpoints.try_emplace(std::minmax(a, b), this->GetNumberOfVertices());
      if (isNew)
      {
        const Vector first = this->VertexAt(a);
        const Vector second = this->VertexAt(b);
        this->AddVertex({ first[0] + second[0], first[1] + second[1], first[2] + second[2] });
      }
      return known->second;
    };
    const std::vector<std::int64_t> coarse = std::move(m_Mesh.triangles);
    m_Mesh.triangles.clear();
    for (std::size_t i = 0; i < coarse.size(); i += 3)
    {
      const std::int64_t a = coarse[i];
      const std::int64_t b = coarse[i + 1];
      const std::int64_t c = coarse[i + 2];
      const std::int64_t ab = midpoint(a, b);
      const std::int64_t bc = midpoint(b, c);
      const std::int64_t ca = midpoint(c, a);
      m_Mesh.triangles.insert(m_Mesh.triangles.end(), { a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca });
    }
  }

  SyntheticSurfaceMesh
  Take()
  {
    return std::move(m_Mesh);
  }

private:
  std::int64_t
  GetNumberOfVertices() const
  {
    return static_cast<std::int64_t>(m_Mesh.positions.size() / 3);
  }
  Vector
  VertexAt(std::int64_t vertex) const
  {
    return { m_Mesh.positions[3 * vertex], m_Mesh.positions[3 * vertex + 1], m_Mesh.positions[3 * vertex + 2] };
  }
  void
  AddVertex(const Vector & direction)
  {
    const double length =
      std::sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    for (const double coordinate : direction)
    {
      m_Mesh.positions.push_back(coordinate / length);
    }
  }

  /** Adds a face for each three corners that are all neighbors. Directions of neighbors are 63 degrees apart, others at
   * least 117. */
  void
  AddFaces()
  {
    const auto areNeighbors = [this](std::int64_t a, std::int64_t b) {
      const Vector first = this->VertexAt(a);
      const Vector second = this->VertexAt(b);
      return first[0] * second[0] + first[1] * second[1] + first[2] * second[2] > 0.0;
    };
    const std::int64_t count = this->GetNumberOfVertices();
    for (std::int64_t a = 0; a < count; ++a)
    {
      for (std::int64_t b = a + 1; b < count; ++b)
      {
        for (std::int64_t c = b + 1; c < count; ++c)
        {
          if (areNeighbors(a, b) && areNeighbors(b, c) && areNeighbors(c, a))
          {
            this->AddOutwardFace(a, b, c);
          }
        }
      }
    }
  }
  void
  AddOutwardFace(std::int64_t a, std::int64_t b, std::int64_t c)
  {
    const Vector p = this->VertexAt(a);
    const Vector q = this->VertexAt(b);
    const Vector r = this->VertexAt(c);
    const double determinant =
      p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
    const bool isOutward = determinant > 0.0;
    m_Mesh.triangles.insert(m_Mesh.triangles.end(), { a, isOutward ? b : c, isOutward ? c : b });
  }

  SyntheticSurfaceMesh m_Mesh;
};

} // namespace

SyntheticSurfaceMesh
SyntheticLandmarks::MakeSurface(int subdivisions)
{
  constexpr int most = 8;
  if (subdivisions < 0 || subdivisions > most)
  {
    ThrowInvalid("subdivisions", subdivisions, "from 0 to " + std::to_string(most));
  }
  Sphere sphere;
  for (int i = 0; i < subdivisions; ++i)
  {
    sphere.Refine();
  }
  SyntheticSurfaceMesh mesh = sphere.Take();
  for (std::size_t i = 0; i < mesh.positions.size(); i += 3)
  {
    const Vector position = SurfaceAt({ mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2] }).position;
    mesh.positions[i] = position[0];
    mesh.positions[i + 1] = position[1];
    mesh.positions[i + 2] = position[2];
  }
  return mesh;
}

} // namespace cudaneuro
