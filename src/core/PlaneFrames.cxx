// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/PlaneFrames.h"

#include "core/ParameterChecks.h"
#include "core/SpaceMatrices.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Matrix = Matrix3d;
using Vector = Vector3d;

/** The tolerance of cosines for planes at right angles, and for normals in the plane of two axes of space. */
constexpr double tolerance = 1e-9;

Vector
Unit(const Vector & v)
{
  const double length = std::hypot(v[0], v[1], v[2]);
  return { v[0] / length, v[1] / length, v[2] / length };
}

Vector
Column(const Matrix & matrix, int column)
{
  return { matrix[column], matrix[3 + column], matrix[6 + column] };
}

/** Returns the normal of the mapped plane whose normal is \p normal. */
Vector
NormalOfImage(const Matrix & matrix, const Vector & normal)
{
  return Unit(Multiply(Transposed(Inverse(AffineMap{ matrix, {} }).matrix), normal));
}

/** Returns the smallest rotation from one unit vector to another, at most a right angle away: 1 + K + K^2 / (1 + cos),
 * with K v = (from x to) x v. */
Matrix
SmallestRotation(const Vector & from, const Vector & to)
{
  const Matrix cross = CrossProductMatrix(Cross(from, to));
  const Matrix square = Multiply(cross, cross);
  Matrix       rotation = AffineMap().matrix;
  for (int entry = 0; entry < 9; ++entry)
  {
    rotation[entry] += cross[entry] + square[entry] / (1.0 + Dot(from, to));
  }
  return rotation;
}

/** Returns the normal of a grid's plane, about which the rotation from its first to its second axis is positive. */
Vector
NormalOf(const Geometry & geometry)
{
  return Unit(Cross(Column(geometry.direction, 0), Column(geometry.direction, 1)));
}

/** Returns the normal or its opposite, whichever is nearer to the third axis of space, else to the second, else to
 * the first. */
Vector
NearerToAxes(const Vector & normal)
{
  for (int axis = 2; axis > 0; --axis)
  {
    if (std::abs(normal[axis]) > tolerance)
    {
      return Scaled(normal[axis] > 0.0 ? 1.0 : -1.0, normal);
    }
  }
  return Scaled(normal[0] > 0.0 ? 1.0 : -1.0, normal);
}

/** Returns the map from coordinates of a plane to space. */
AffineMap
FrameOf(const Matrix & axes, const Geometry & geometry)
{
  const Vector normal = Column(axes, 2);
  return { axes, Scaled(Dot(normal, geometry.origin), normal) };
}

/** Returns a grid in the coordinates of its plane. */
Geometry
OnPlane(const AffineMap & toPlane, const Geometry & geometry)
{
  Geometry placed = geometry;
  placed.origin = Apply(toPlane, geometry.origin);
  placed.origin[2] = 0.0;
  placed.direction = Multiply(toPlane.matrix, geometry.direction);
  for (int k = 0; k < 2; ++k)
  {
    placed.direction[6 + k] = placed.direction[3 * k + 2] = 0.0;
  }
  placed.direction[8] = 1.0;
  return placed;
}

/** Returns a map between coordinates of planes without its effect on heights. */
AffineMap
Flattened(AffineMap map)
{
  const double normal = map.matrix[8] < 0.0 ? -1.0 : 1.0;
  for (int k = 0; k < 2; ++k)
  {
    map.matrix[6 + k] = map.matrix[3 * k + 2] = 0.0;
  }
  map.matrix[8] = normal;
  map.offset[2] = 0.0;
  return map;
}

} // namespace

AffineMap
InPlane(AffineMap indexMap)
{
  const AffineMap identity;
  for (int k = 0; k < 3; ++k)
  {
    indexMap.matrix[6 + k] = identity.matrix[6 + k];
    indexMap.matrix[3 * k + 2] = identity.matrix[3 * k + 2];
  }
  indexMap.offset[2] = 0.0;
  return indexMap;
}

AffineMap
IndexMapBetween(const Geometry & from, const AffineMap & map, const Geometry & to)
{
  const AffineMap indexMap = Compose(PointToIndex(to), Compose(map, IndexToPoint(from)));
  return IsFlat(from.grid) && IsFlat(to.grid) ? InPlane(indexMap) : indexMap;
}

bool
IsIdentity(const AffineMap & map)
{
  const AffineMap identity;
  return map.matrix == identity.matrix && map.offset == identity.offset;
}

PlaneFrames::PlaneFrames(const Geometry & fixed, const Geometry & moving)
{
  const Vector ofFixedGrid = NormalOf(fixed);
  const Vector ofMovingGrid = NormalOf(moving);
  const Vector ofFixed = NearerToAxes(ofFixedGrid);
  const double cosine = Dot(ofFixed, ofMovingGrid);
  const double sign = std::abs(cosine) > tolerance ? cosine : Dot(ofFixed, ofFixedGrid);
  const Matrix axes = SmallestRotation({ 0.0, 0.0, 1.0 }, ofFixed);
  const Matrix turn = SmallestRotation(ofFixed, Scaled(sign > 0.0 ? 1.0 : -1.0, ofMovingGrid));
  m_FromFixed = FrameOf(axes, fixed);
  m_FromMoving = FrameOf(Multiply(turn, axes), moving);
  m_ToFixed = Inverse(m_FromFixed);
  m_ToMoving = Inverse(m_FromMoving);
  m_Fixed = OnPlane(m_ToFixed, fixed);
  m_Moving = OnPlane(m_ToMoving, moving);
}

AffineMap
PlaneFrames::InFrames(const AffineMap & map) const
{
  return Compose(m_ToMoving, Compose(map, m_FromFixed));
}

AffineMap
PlaneFrames::ToPlanes(const AffineMap & map) const
{
  return Flattened(this->InFrames(map));
}

AffineMap
PlaneFrames::TurnedToPlanes(const AffineMap & map) const
{
  const AffineMap inFrames = this->InFrames(map);
  const Vector    third{ 0.0, 0.0, 1.0 };
  const Vector    normal = NormalOfImage(inFrames.matrix, third);
  const Matrix    turn = SmallestRotation(Scaled(normal[2] < 0.0 ? -1.0 : 1.0, normal), third);
  return Flattened(Compose({ turn, {} }, inFrames));
}

AffineMap
PlaneFrames::ToSpace(const AffineMap & map) const
{
  return Compose(m_FromMoving, Compose(map, m_ToFixed));
}

Geometry
PlaneFrames::MovingOnFixedPlane() const
{
  Geometry placed = m_Moving;
  placed.origin = Apply(m_FromFixed, m_Moving.origin);
  placed.direction = Multiply(m_FromFixed.matrix, m_Moving.direction);
  return placed;
}

AffineMap
PlaneFrames::ToFixedPlane(const AffineMap & map) const
{
  return Compose(m_FromFixed, Compose(this->ToPlanes(map), m_ToFixed));
}

double
PlaneFrames::DistanceFromPlane(const AffineMap & map) const
{
  const AffineMap fromIndex = Compose(this->InFrames(map), IndexToPoint(m_Fixed));
  const auto      width = static_cast<double>(m_Fixed.grid.size[0] - 1);
  const auto      height = static_cast<double>(m_Fixed.grid.size[1] - 1);
  double          largest = 0.0;
  for (const Vector & corner : { Vector{}, Vector{ width, 0.0, 0.0 }, { 0.0, height, 0.0 }, { width, height, 0.0 } })
  {
    largest = std::max(largest, std::abs(Apply(fromIndex, corner)[2]));
  }
  return largest;
}

void
RequireOnPlane(const std::string & name, const PlaneFrames & frames, const AffineMap & map, double tolerance)
{
  const double distance = frames.DistanceFromPlane(map);
  if (!(distance <= tolerance))
  {
    std::ostringstream value;
    value << distance << " mm";
    std::ostringstream limit;
    limit << "0 to " << tolerance << " mm, as images of one slice are compared in their planes";
    ThrowInvalid("the distance by which " + name + " misses the plane of the moving slice", value.str(), limit.str());
  }
}

void
RequireInSlice(const std::string & name, const Geometry & fixed, const AffineMap & map, const Geometry & moving)
{
  if (IsFlat(fixed.grid) && IsFlat(moving.grid))
  {
    RequireOnPlane(name, PlaneFrames(fixed, moving), map, 0.5 * moving.grid.spacing[2]);
  }
}

} // namespace cudaneuro
