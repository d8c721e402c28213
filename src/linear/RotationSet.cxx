// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/RotationSet.h"

#include "linear/LinearTransformParameters.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Matrix = std::array<double, 9>;

constexpr double pi = 3.14159265358979323846;

/** A unit quaternion, scalar last. */
using Quaternion = std::array<double, 4>;

Quaternion
SuperFibonacci(int index, int count)
{
  // The two irrational numbers of the paper: the square root of 2, and the positive root of x^4 = x + 4.
  constexpr double phi = 1.41421356237309504880;
  constexpr double psi = 1.533751168755204288118;
  const double     s = index + 0.5;
  const double     t = s / count;
  const double     alpha = 2.0 * pi * s / phi;
  const double     beta = 2.0 * pi * s / psi;
  const double     r = std::sqrt(t);
  const double     rest = std::sqrt(1.0 - t);
  return { r * std::sin(alpha), r * std::cos(alpha), rest * std::sin(beta), rest * std::cos(beta) };
}

double
AngleOf(const Quaternion & q)
{
  return 2.0 * std::acos(std::min(1.0, std::abs(q[3])));
}

Matrix
MatrixOf(const Quaternion & q)
{
  const auto [x, y, z, w] = q;
  return { 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
           2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
           2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y) };
}

} // namespace

std::vector<Matrix>
MakeRotationSet(double largestAngle, double spacing, bool isFlat)
{
  std::vector<Matrix> rotations{ RotationMatrix({ 0.0, 0.0, 0.0 }) };
  if (isFlat)
  {
    // A rotation by 180 degrees occurs once, although it is both ends of the range.
    const int steps = static_cast<int>(std::ceil(largestAngle / spacing - 1e-9));
    for (int step = 1; step <= steps; ++step)
    {
      const double angle = largestAngle * step / steps;
      rotations.push_back(RotationMatrix({ 0.0, 0.0, angle }));
      if (angle < pi - 1e-9)
      {
        rotations.push_back(RotationMatrix({ 0.0, 0.0, -angle }));
      }
    }
    return rotations;
  }
  // The volume of all rotations, as vectors of axis and angle near 0, is 8 pi^2.
  const int count = static_cast<int>(std::ceil(8.0 * pi * pi / (spacing * spacing * spacing)));
  for (int index = 0; index < count; ++index)
  {
    const Quaternion rotation = SuperFibonacci(index, count);
    if (AngleOf(rotation) <= largestAngle)
    {
      rotations.push_back(MatrixOf(rotation));
    }
  }
  return rotations;
}

} // namespace cudaneuro
