// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticSurfaces.h"

#include "core/CounterRandom.h"
#include "core/ParameterChecks.h"
#include "core/SpaceMatrices.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

using Vector = Vector3d;

Vector
PointAt(const ConstTriangles & surface, std::int64_t point)
{
  const double * p = surface.points + 3 * point;
  return { p[0], p[1], p[2] };
}

struct Corners
{
  Vector a;
  Vector b;
  Vector c;

  /** The vector along the normal whose length is twice the area. */
  Vector
  DoubledArea() const
  {
    return Cross(Difference(b, a), Difference(c, a));
  }

  Vector
  Middle() const
  {
    Vector middle{};
    for (int axis = 0; axis < 3; ++axis)
    {
      middle[axis] = (a[axis] + b[axis] + c[axis]) / 3.0;
    }
    return middle;
  }
};

Corners
CornersOf(const ConstTriangles & surface, std::int64_t triangle)
{
  const std::int32_t * corners = surface.triangles + 3 * triangle;
  return { PointAt(surface, corners[0]), PointAt(surface, corners[1]), PointAt(surface, corners[2]) };
}

/** Area-weighted normals of the triangles around each vertex; 0 for a vertex without triangles. */
std::vector<Vector>
NormalsOfVertices(const ConstTriangles & surface)
{
  std::vector<Vector> normals(static_cast<std::size_t>(surface.numberOfPoints), Vector{});
  for (std::int64_t triangle = 0; triangle < surface.numberOfTriangles; ++triangle)
  {
    const Vector area = CornersOf(surface, triangle).DoubledArea();
    for (int corner = 0; corner < 3; ++corner)
    {
      Vector & normal = normals[surface.triangles[3 * triangle + corner]];
      for (int axis = 0; axis < 3; ++axis)
      {
        normal[axis] += area[axis];
      }
    }
  }
  for (Vector & normal : normals)
  {
    const double length = Length(normal);
    for (int axis = 0; axis < 3 && length > 0.0; ++axis)
    {
      normal[axis] /= length;
    }
  }
  return normals;
}

} // namespace

SyntheticMesh
AddNoise(const SyntheticMesh & mesh, const SurfaceNoiseParameters & parameters)
{
  constexpr double impulsiveShare = 0.2;
  RequireParameters(parameters);
  const double              scale = parameters.deviation * MeanEdgeLength(mesh.View());
  const double              share = parameters.noiseKind == SurfaceNoise::Impulsive ? impulsiveShare : 1.0;
  const std::uint64_t       chances = RandomBits(parameters.seed, 0);
  const std::uint64_t       distances = RandomBits(parameters.seed, 1);
  const std::vector<Vector> normals = NormalsOfVertices(mesh.View());
  SyntheticMesh             noisy = mesh;
  for (std::size_t vertex = 0; vertex < normals.size(); ++vertex)
  {
    if (RandomUniform(chances, vertex) < share)
    {
      const double distance = scale * RandomNormal(distances, vertex);
      for (int axis = 0; axis < 3; ++axis)
      {
        noisy.points[3 * vertex + axis] += distance * normals[vertex][axis];
      }
    }
  }
  return noisy;
}

double
MeanEdgeLength(const ConstTriangles & surface)
{
  double sum = 0.0;
  for (std::int64_t triangle = 0; triangle < surface.numberOfTriangles; ++triangle)
  {
    const Corners corners = CornersOf(surface, triangle);
    sum += Length(Difference(corners.a, corners.b)) + Length(Difference(corners.b, corners.c)) +
           Length(Difference(corners.c, corners.a));
  }
  return sum / (3.0 * static_cast<double>(std::max<std::int64_t>(surface.numberOfTriangles, 1)));
}

double
EnclosedVolume(const ConstTriangles & surface)
{
  double sum = 0.0;
  for (std::int64_t triangle = 0; triangle < surface.numberOfTriangles; ++triangle)
  {
    const Corners corners = CornersOf(surface, triangle);
    sum += Dot(corners.a, Cross(corners.b, corners.c));
  }
  return sum / 6.0;
}

SurfaceErrors
MeasureErrors(const SyntheticSurface & truth, const ConstTriangles & surface)
{
  constexpr double degreesPerRadian = 57.29577951308232;
  double           area = 0.0;
  SurfaceErrors    errors;
  for (std::int64_t triangle = 0; triangle < surface.numberOfTriangles; ++triangle)
  {
    const Corners     corners = CornersOf(surface, triangle);
    const Vector      normal = corners.DoubledArea();
    const double      weight = Length(normal);
    const SurfaceView view = truth.At(corners.Middle());
    // The arctangent of the angle's tangent is exact near 0, too.
    errors.meanAngle += weight * std::atan2(Length(Cross(normal, view.normal)), Dot(normal, view.normal));
    errors.rootMeanSquareDistance += weight * view.distance * view.distance;
    area += weight;
  }
  if (!(area > 0.0))
  {
    throw InvalidParameterError("The surface has no area");
  }
  errors.meanAngle *= degreesPerRadian / area;
  errors.rootMeanSquareDistance = std::sqrt(errors.rootMeanSquareDistance / area);
  for (std::int64_t point = 0; point < surface.numberOfPoints; ++point)
  {
    errors.largestDistance = std::max(errors.largestDistance, std::abs(truth.At(PointAt(surface, point)).distance));
  }
  return errors;
}

} // namespace cudaneuro
