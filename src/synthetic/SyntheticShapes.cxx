// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticShapes.h"


#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

using Vector = std::array<double, 3>;

/** A rotation by the quaternion (4, 1, 2, 1), whose matrix has rational entries, divided by 22. It keeps all edges of
 * the shapes away from the axes. */
constexpr double rotation[3][3] = { { 12.0, -4.0, 18.0 }, { 12.0, 18.0, -4.0 }, { -14.0, 12.0, 12.0 } };
constexpr double rotationDivisor = 22.0;

/** \param isInverse whether to use the transposed matrix */
Vector
Rotated(const Vector & x, bool isInverse)
{
  Vector y{};
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      y[row] += (isInverse ? rotation[column][row] : rotation[row][column]) * x[column];
    }
    y[row] /= rotationDivisor;
  }
  return y;
}

/** The view of a prism with an outline in the plane, which extends up and down by a height. */
SurfaceView
ViewOfPrism(const OutlineView & outline, double z, double height)
{
  const double beyond = std::abs(z) - height;
  const double up = z < 0.0 ? -1.0 : 1.0;
  if (outline.distance > 0.0 && beyond > 0.0)
  {
    const double distance = std::sqrt(outline.distance * outline.distance + beyond * beyond);
    const double sideways = outline.distance / distance;
    return { distance, { sideways * outline.normal[0], sideways * outline.normal[1], up * beyond / distance } };
  }
  if (outline.distance > beyond)
  {
    return { outline.distance, { outline.normal[0], outline.normal[1], 0.0 } };
  }
  return { beyond, { 0.0, 0.0, up } };
}

SurfaceView
ViewOfPrism(const Outline & outline, const Vector & x, double height)
{
  return ViewOfPrism(ViewOfOutline(outline, true, { x[0], x[1] }), x[2], height);
}

/** The view of an outline turned around the z axis; it runs from the axis, counterclockwise, back to the axis. */
SurfaceView
ViewOfTurned(const Outline & outline, const Vector & x)
{
  const double      radius = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  const OutlineView view = ViewOfOutline(outline, false, { radius, x[2] });
  const double      along = radius > 0.0 ? view.normal[0] / radius : 0.0;
  return { view.distance, { along * x[0], along * x[1], view.normal[1] } };
}

/** A rectangle in space, with sides along the axes, and its normal along an axis. */
struct Face
{
  Vector low;
  Vector high;
  int    axis;
  double sign;
};

/** The lower block is [-1, 1]^2 x [-0.7, 0], the upper one [-0.5, 0.5]^2 x [0, 0.7]. */
constexpr double lowerHalf = 1.0;
constexpr double upperHalf = 0.5;
constexpr double blockHeight = 0.7;

std::vector<Face>
MakeFacesOfBlocks()
{
  constexpr double  a = lowerHalf;
  constexpr double  b = upperHalf;
  constexpr double  h = blockHeight;
  std::vector<Face> faces{ { { -a, -a, -h }, { a, a, -h }, 2, -1.0 }, { { -b, -b, h }, { b, b, h }, 2, 1.0 },
                           { { -a, -a, 0 }, { -b, a, 0 }, 2, 1.0 },   { { b, -a, 0 }, { a, a, 0 }, 2, 1.0 },
                           { { -b, -a, 0 }, { b, -b, 0 }, 2, 1.0 },   { { -b, b, 0 }, { b, a, 0 }, 2, 1.0 } };
  for (const double side : { -1.0, 1.0 })
  {
    faces.push_back({ { side * a, -a, -h }, { side * a, a, 0 }, 0, side });
    faces.push_back({ { -a, side * a, -h }, { a, side * a, 0 }, 1, side });
    faces.push_back({ { side * b, -b, 0 }, { side * b, b, h }, 0, side });
    faces.push_back({ { -b, side * b, 0 }, { b, side * b, h }, 1, side });
  }
  return faces;
}

bool
IsInsideBlocks(const Vector & x)
{
  const double largest = std::max(std::abs(x[0]), std::abs(x[1]));
  return std::abs(x[2]) < blockHeight && largest < (x[2] < 0.0 ? lowerHalf : upperHalf);
}

SurfaceView
ViewOfBlocks(const Vector & x)
{
  constexpr double               touching = 1e-9;
  static const std::vector<Face> faces = MakeFacesOfBlocks();
  double                         nearestSquare = 1e300;
  Vector                         nearestOffset{};
  const Face *                   nearest = &faces.front();
  for (const Face & face : faces)
  {
    Vector offset{};
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      offset[axis] = x[axis] - std::min(std::max(x[axis], face.low[axis]), face.high[axis]);
      square += offset[axis] * offset[axis];
    }
    if (square < nearestSquare)
    {
      nearestSquare = square;
      nearestOffset = offset;
      nearest = &face;
    }
  }
  const double distance = std::sqrt(nearestSquare);
  const double sign = IsInsideBlocks(x) ? -1.0 : 1.0;
  SurfaceView  view{ sign * distance, {} };
  view.normal[nearest->axis] = nearest->sign;
  for (int axis = 0; axis < 3 && distance > touching; ++axis)
  {
    view.normal[axis] = sign * nearestOffset[axis] / distance;
  }
  return view;
}

constexpr double halfRootOf3 = 0.86602540378443864676;

const Outline &
OutlineOf(SyntheticShape shape)
{
  static const Outline square{ { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
  static const Outline triangle{ { -1, -0.4 }, { 1, -0.4 }, { -1, 0.7 } };
  static const Outline bracket{ { -0.8, -0.8 }, { 0.8, -0.8 }, { 0.8, -0.2 }, { 0.1, -0.2 },
                                { -0.2, 0.1 },  { -0.2, 0.8 }, { -0.8, 0.8 } };
  static const Outline hexagon{ { 1, 0 },  { 0.5, halfRootOf3 },   { -0.5, halfRootOf3 },
                                { -1, 0 }, { -0.5, -halfRootOf3 }, { 0.5, -halfRootOf3 } };
  static const Outline cylinder{ { 0, -1 }, { 0.8, -1 }, { 0.8, 1 }, { 0, 1 } };
  static const Outline cone{ { 0, -0.8 }, { 1, -0.8 }, { 0.3, 0.8 }, { 0, 0.8 } };
  static const Outline shaft{ { 0, -1 },    { 0.9, -1 },   { 0.9, -0.6 }, { 0.45, -0.3 }, { 0.45, 0.3 },
                              { 0.8, 0.3 }, { 0.8, 0.65 }, { 0.5, 1 },    { 0, 1 } };
  switch (shape)
  {
    case SyntheticShape::Wedge:
      return triangle;
    case SyntheticShape::Bracket:
      return bracket;
    case SyntheticShape::Nut:
      return hexagon;
    case SyntheticShape::Cylinder:
      return cylinder;
    case SyntheticShape::Cone:
      return cone;
    case SyntheticShape::Shaft:
      return shaft;
    default:
      return square;
  }
}

/** A hexagon with a round hole. */
SurfaceView
ViewOfNut(const Vector & x)
{
  constexpr double  holeRadius = 0.5;
  constexpr double  height = 0.45;
  OutlineView       outline = ViewOfOutline(OutlineOf(SyntheticShape::Nut), true, { x[0], x[1] });
  const double      radius = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  const OutlineView hole{ holeRadius - radius,
                          { radius > 0.0 ? -x[0] / radius : -1.0, radius > 0.0 ? -x[1] / radius : 0.0 } };
  return ViewOfPrism(hole.distance > outline.distance ? hole : outline, x[2], height);
}

SurfaceView
ViewOfSphere(const Vector & x)
{
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  return { length - 1.0,
           length > 0.0 ? Vector{ x[0] / length, x[1] / length, x[2] / length } : Vector{ 1.0, 0.0, 0.0 } };
}

SurfaceView
ViewOfTorus(const Vector & x)
{
  constexpr double ringRadius = 0.7;
  constexpr double tubeRadius = 0.3;
  const double     radius = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  const double     across = radius - ringRadius;
  const double     length = std::sqrt(across * across + x[2] * x[2]);
  const double     sideways = length > 0.0 && radius > 0.0 ? across / (length * radius) : 0.0;
  return { length - tubeRadius, { sideways * x[0], sideways * x[1], length > 0.0 ? x[2] / length : 1.0 } };
}

/** The view in the shape's own axes. */
SurfaceView
ViewAlongAxes(SyntheticShape shape, const Vector & x)
{
  constexpr double tiltedBoxHeight = 0.8;
  constexpr double wedgeHeight = 0.7;
  constexpr double bracketHeight = 0.6;
  switch (shape)
  {
    case SyntheticShape::Box:
      return ViewOfPrism(OutlineOf(shape), x, 1.0);
    case SyntheticShape::TiltedBox:
      return ViewOfPrism(OutlineOf(shape), x, tiltedBoxHeight);
    case SyntheticShape::Blocks:
    case SyntheticShape::TiltedBlocks:
      return ViewOfBlocks(x);
    case SyntheticShape::Cylinder:
    case SyntheticShape::Cone:
    case SyntheticShape::Shaft:
      return ViewOfTurned(OutlineOf(shape), x);
    case SyntheticShape::Wedge:
      return ViewOfPrism(OutlineOf(shape), x, wedgeHeight);
    case SyntheticShape::Bracket:
      return ViewOfPrism(OutlineOf(shape), x, bracketHeight);
    case SyntheticShape::Nut:
      return ViewOfNut(x);
    case SyntheticShape::Sphere:
      return ViewOfSphere(x);
    case SyntheticShape::Torus:
      return ViewOfTorus(x);
    case SyntheticShape::Folds:
      break;
  }
  return ViewOfFolds(x);
}

bool
IsTilted(SyntheticShape shape)
{
  switch (shape)
  {
    case SyntheticShape::Box:
    case SyntheticShape::Blocks:
    case SyntheticShape::Sphere:
    case SyntheticShape::Folds:
      return false;
    default:
      return true;
  }
}

} // namespace

SurfaceView
ViewOfShape(SyntheticShape shape, const Vector & point)
{
  if (!IsTilted(shape))
  {
    return ViewAlongAxes(shape, point);
  }
  SurfaceView view = ViewAlongAxes(shape, Rotated(point, true));
  view.normal = Rotated(view.normal, false);
  return view;
}

bool
IsInsideShape(SyntheticShape shape, const Vector & point)
{
  return shape == SyntheticShape::Folds ? IsInsideFolds(point) : ViewOfShape(shape, point).distance < 0.0;
}

} // namespace cudaneuro
