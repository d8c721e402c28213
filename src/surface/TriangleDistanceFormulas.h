// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_TriangleDistanceFormulas_h
#define cudaneuro_surface_TriangleDistanceFormulas_h

#include "core/HostDevice.h"

#include <cmath>

/** The distance from a point to a triangle, for both compilers. */
namespace cudaneuro
{

template <typename T>
struct SpaceVector
{
  T x;
  T y;
  T z;
};

template <typename T>
CUDANEURO_HOST_DEVICE SpaceVector<T>
                      operator-(const SpaceVector<T> & a, const SpaceVector<T> & b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}

template <typename T>
CUDANEURO_HOST_DEVICE SpaceVector<T>
                      operator*(T factor, const SpaceVector<T> & a)
{
  return { factor * a.x, factor * a.y, factor * a.z };
}

/** a * b + c. The GPU's compiler may fuse the operations or not, differently in two copies of a formula within a
 * kernel. On the GPU they are fused explicitly here, so that formulas written with this function have the same bits in
 * all copies. */
template <typename T>
CUDANEURO_HOST_DEVICE T
MultiplyAdd(T a, T b, T c)
{
#if defined(__CUDA_ARCH__)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

template <typename T>
CUDANEURO_HOST_DEVICE SpaceVector<T>
                      MultiplyAdd(T factor, const SpaceVector<T> & a, const SpaceVector<T> & b)
{
  return { MultiplyAdd(factor, a.x, b.x), MultiplyAdd(factor, a.y, b.y), MultiplyAdd(factor, a.z, b.z) };
}

template <typename T>
CUDANEURO_HOST_DEVICE T
Dot(const SpaceVector<T> & a, const SpaceVector<T> & b)
{
  return MultiplyAdd(a.z, b.z, MultiplyAdd(a.y, b.y, a.x * b.x));
}

template <typename T>
CUDANEURO_HOST_DEVICE SpaceVector<T>
                      Cross(const SpaceVector<T> & a, const SpaceVector<T> & b)
{
  return { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

CUDANEURO_HOST_DEVICE SpaceVector<float>
                      ToFloat(const SpaceVector<double> & a)
{
  return { static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z) };
}

/** Coordinates in double precision, three for each point, as vectors. */
CUDANEURO_HOST_DEVICE SpaceVector<double>
                      PointAt(const double * points, int point)
{
  const double * const coordinates = points + 3 * static_cast<long long>(point);
  return { coordinates[0], coordinates[1], coordinates[2] };
}

/** Whether a triangle with these edges from one corner has an area. Otherwise its height is less than 5e-7 of its
 * longest edge, and it is treated as its edges. With a limit near 1e-7, the resolution of coordinates in single
 * precision, points beyond the tip of a needle would sometimes be taken for points over it. */
CUDANEURO_HOST_DEVICE bool
HasArea(const SpaceVector<double> & ab, const SpaceVector<double> & ac)
{
  const SpaceVector<double> bc = ac - ab;
  const SpaceVector<double> normal = Cross(ab, ac);
  double                    longest = Dot(ab, ab);
  longest = Dot(ac, ac) > longest ? Dot(ac, ac) : longest;
  longest = Dot(bc, bc) > longest ? Dot(bc, bc) : longest;
  return Dot(normal, normal) > 2.5e-13 * longest * longest;
}

/** A triangle ABC, prepared for the distances of many points. Its coordinates should be relative to a point nearby:
 * distances have an error of 1e-7 of the largest coordinate. */
struct TriangleShape
{
  SpaceVector<float> a;
  SpaceVector<float> ab;
  SpaceVector<float> ac;
  SpaceVector<float> bc;
  /** Unit normal, or 0 for a triangle without area. */
  SpaceVector<float> normal;
  /** Unit vectors in the plane of the triangle, perpendicular to an edge and pointing away from the triangle; 0 for a
   * triangle without area. */
  SpaceVector<float> beyondAb;
  SpaceVector<float> beyondAc;
  SpaceVector<float> beyondBc;
  /** 1 / |edge|^2, or 0 for an edge without length. */
  float perSquaredAb;
  float perSquaredAc;
  float perSquaredBc;
};

CUDANEURO_HOST_DEVICE double
InverseOrZero(double x)
{
  return x > 0.0 ? 1.0 / x : 0.0;
}

/** Prepares the triangle with the corners \p a, \p b and \p c. */
CUDANEURO_HOST_DEVICE TriangleShape
MakeTriangleShape(const SpaceVector<double> & a, const SpaceVector<double> & b, const SpaceVector<double> & c)
{
  const SpaceVector<double> ab = b - a;
  const SpaceVector<double> ac = c - a;
  const SpaceVector<double> bc = c - b;
  const double              perAb = InverseOrZero(Dot(ab, ab));
  const double              perAc = InverseOrZero(Dot(ac, ac));
  const double              perBc = InverseOrZero(Dot(bc, bc));
  const SpaceVector<double> cross = Cross(ab, ac);
  // A triangle with an area has edges with a length.
  const double              perArea = HasArea(ab, ac) ? 1.0 / std::sqrt(Dot(cross, cross)) : 0.0;
  const SpaceVector<double> normal = perArea * cross;
  return { ToFloat(a),
           ToFloat(ab),
           ToFloat(ac),
           ToFloat(bc),
           ToFloat(normal),
           ToFloat(std::sqrt(perAb) * Cross(ab, normal)),
           ToFloat(std::sqrt(perAc) * Cross(normal, ac)),
           ToFloat(std::sqrt(perBc) * Cross(bc, normal)),
           static_cast<float>(perAb),
           static_cast<float>(perAc),
           static_cast<float>(perBc) };
}

/** The squared distance from the start of a segment plus \p offset to the segment. */
CUDANEURO_HOST_DEVICE float
SquaredDistanceToSegment(const SpaceVector<float> & offset, const SpaceVector<float> & segment, float perSquaredLength)
{
  float along = Dot(offset, segment) * perSquaredLength;
  along = along > 0.0f ? along : 0.0f;
  along = along < 1.0f ? along : 1.0f;
  const SpaceVector<float> rest = MultiplyAdd(-along, segment, offset);
  return Dot(rest, rest);
}

/** The squared distance to the plane if the foot of the perpendicular is inside the triangle, otherwise to the nearest
 * edge. */
CUDANEURO_HOST_DEVICE float
SquaredDistance(const TriangleShape & triangle, const SpaceVector<float> & point)
{
  const SpaceVector<float> fromA = point - triangle.a;
  const SpaceVector<float> fromB = fromA - triangle.ab;
  const float              toAb = SquaredDistanceToSegment(fromA, triangle.ab, triangle.perSquaredAb);
  const float              toAc = SquaredDistanceToSegment(fromA, triangle.ac, triangle.perSquaredAc);
  const float              toBc = SquaredDistanceToSegment(fromB, triangle.bc, triangle.perSquaredBc);
  const float              toNearer = toAb < toAc ? toAb : toAc;
  const float              toEdge = toNearer < toBc ? toNearer : toBc;
  const float              toPlane = Dot(fromA, triangle.normal);
  // False for triangles without area, whose vectors are 0. Integers avoid a branch between the three comparisons.
  const bool isOverTriangle =
    (static_cast<int>(Dot(fromA, triangle.beyondAb) < 0.0f) & static_cast<int>(Dot(fromA, triangle.beyondAc) < 0.0f) &
     static_cast<int>(Dot(fromB, triangle.beyondBc) < 0.0f)) != 0;
  return isOverTriangle ? toPlane * toPlane : toEdge;
}

/** A point that represents the zero level near it. */
struct PointShape
{
  SpaceVector<float> position;
};

CUDANEURO_HOST_DEVICE float
SquaredDistance(const PointShape & shape, const SpaceVector<float> & point)
{
  const SpaceVector<float> difference = point - shape.position;
  return Dot(difference, difference);
}

/** The squared distance of a coordinate from [0, length]. */
CUDANEURO_HOST_DEVICE float
SquaredBeyond(float coordinate, float length)
{
  const float above = coordinate - length;
  const float beyond = coordinate < 0.0f ? coordinate : (above > 0.0f ? above : 0.0f);
  return beyond * beyond;
}

/** The square root of a squared distance, bounded by reach. */
CUDANEURO_HOST_DEVICE float
DistanceWithin(float reach, float squared)
{
  return squared < reach * reach ? std::sqrt(squared) : reach;
}

} // namespace cudaneuro

#endif
