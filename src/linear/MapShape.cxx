// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/MapShape.h"

#include "core/SymmetricEigenvectors.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

constexpr double degreesPerRadian = 180.0 / 3.14159265358979323846;

double
AngleOfCosine(double cosine)
{
  return degreesPerRadian * std::acos(std::clamp(cosine, -1.0, 1.0));
}

} // namespace

LinearMapShape
ShapeOf(const Matrix3d & matrix, const Vector3d & normal)
{
  // M = R U with M^T M = U^2, whose eigenvalues are the squared stretches and whose eigenvectors are their axes.
  const Eigensystem<3> system = EigensystemOf(AsSquareMatrix(Multiply(Transposed(matrix), matrix)));
  Matrix3d             inverseOfStretch{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto & v = system.vectors[axis];
    for (int entry = 0; entry < 9; ++entry)
    {
      inverseOfStretch[entry] += v[entry / 3] * v[entry % 3] / std::sqrt(system.values[axis]);
    }
  }
  const Matrix3d rotation = Multiply(matrix, inverseOfStretch);
  const Vector3d turned = Multiply(rotation, normal);
  LinearMapShape shape;
  shape.rotation = AngleOfCosine(0.5 * (rotation[0] + rotation[4] + rotation[8] - 1.0));
  shape.tilt = AngleOfCosine(normal[0] * turned[0] + normal[1] * turned[1] + normal[2] * turned[2]);
  shape.largestScale = std::sqrt(system.values[0]);
  shape.leastScale = std::sqrt(std::max(0.0, system.values[2]));
  shape.shear = 90.0 - 2.0 * degreesPerRadian * std::atan2(shape.leastScale, shape.largestScale);
  return shape;
}

bool
IsWithinLimits(const LinearMapShape & shape, const LinearRegistrationParameters & parameters)
{
  // The rounding error of a rotation must not exceed a limit of 1 or 0.
  constexpr double tolerance = 1e-6;
  return shape.largestScale <= parameters.maximumScale + tolerance &&
         shape.leastScale >= 1.0 / parameters.maximumScale - tolerance &&
         shape.shear <= parameters.maximumShear + tolerance && shape.rotation <= parameters.maximumRotation + tolerance;
}

} // namespace cudaneuro
