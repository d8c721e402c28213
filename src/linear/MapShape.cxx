// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/MapShape.h"

#include "linear/LinearStart.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Matrix = std::array<double, 9>;

constexpr double degreesPerRadian = 180.0 / 3.14159265358979323846;

Matrix
Product(const Matrix & a, const Matrix & b)
{
  return Compose({ a, {} }, { b, {} }).matrix;
}

Matrix
Transposed(const Matrix & m)
{
  return { m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8] };
}

double
AngleOfCosine(double cosine)
{
  return degreesPerRadian * std::acos(std::clamp(cosine, -1.0, 1.0));
}

} // namespace

LinearMapShape
ShapeOf(const Matrix & matrix, const std::array<double, 3> & normal)
{
  const Matrix square = Product(Transposed(matrix), matrix);
  const Matrix axes = PrincipalAxesOf(square);
  const Matrix diagonal = Product(Transposed(axes), Product(square, axes));
  // M U^-1, with U^-1 = V diag(1 / stretch) V^T.
  Matrix         inverse{};
  LinearMapShape shape;
  shape.largestScale = std::sqrt(std::max({ diagonal[0], diagonal[4], diagonal[8] }));
  shape.leastScale = std::sqrt(std::max(0.0, std::min({ diagonal[0], diagonal[4], diagonal[8] })));
  for (int axis = 0; axis < 3; ++axis)
  {
    inverse[4 * axis] = 1.0 / std::sqrt(diagonal[4 * axis]);
  }
  const Matrix rotation = Product(matrix, Product(axes, Product(inverse, Transposed(axes))));
  shape.rotation = AngleOfCosine(0.5 * (rotation[0] + rotation[4] + rotation[8] - 1.0));
  double cosine = 0.0;
  for (int entry = 0; entry < 9; ++entry)
  {
    cosine += normal[entry / 3] * rotation[entry] * normal[entry % 3];
  }
  shape.tilt = AngleOfCosine(cosine);
  shape.shear = 90.0 - 2.0 * degreesPerRadian * std::atan2(shape.leastScale, shape.largestScale);
  return shape;
}

bool
IsWithinLimits(const LinearMapShape & shape, const LinearRegistrationParameters & parameters)
{
  // What rounding does to a rotation is not to exceed a limit of 1 or 0.
  constexpr double tolerance = 1e-6;
  return shape.largestScale <= parameters.maximumScale + tolerance &&
         shape.leastScale >= 1.0 / parameters.maximumScale - tolerance &&
         shape.shear <= parameters.maximumShear + tolerance && shape.rotation <= parameters.maximumRotation + tolerance;
}

} // namespace cudaneuro
