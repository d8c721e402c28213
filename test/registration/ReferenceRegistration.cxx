// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceRegistration.h"
#include "ForEachVoxel.h"

#include <algorithm>
#include <cmath>

namespace reference
{

namespace
{

/** The moving image at x + d(x), as a sum over the voxels around with hat functions as weights. */
double
DeformedAt(const RegistrationProblem & problem, int x, int y, int z)
{
  const std::size_t own = problem.Index(x, y, z);
  const double      position[3] = { x + problem.displacement[0][own],
                                    y + problem.displacement[1][own],
                                    z + problem.displacement[2][own] };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // What single precision does not tell from the edge lies on it.
    const auto rounded = static_cast<float>(position[axis]);
    if (problem.hasEdge && !(rounded >= 0.0f && rounded <= static_cast<float>(problem.size[axis] - 1)))
    {
      return std::nan("");
    }
  }
  double value = 0.0;
  ForEachVoxel(problem.size, [&](int i, int j, int k, std::size_t index) {
    const double wx = std::max(0.0, 1.0 - std::abs(position[0] - i));
    const double wy = std::max(0.0, 1.0 - std::abs(position[1] - j));
    const double wz = std::max(0.0, 1.0 - std::abs(position[2] - k));
    const double weight = wx * wy * wz;
    value += weight > 0.0 ? weight * problem.moving[index] : 0.0;
  });
  return value;
}

/** The derivative of component a along axis b by central differences, one-sided at the border. */
double
Derivative(const RegistrationProblem & problem, int a, int b, std::array<int, 3> voxel)
{
  std::array<int, 3> lower = voxel;
  std::array<int, 3> upper = voxel;
  lower[b] = std::max(0, voxel[b] - 1);
  upper[b] = std::min(problem.size[b] - 1, voxel[b] + 1);
  const int distance = upper[b] - lower[b];
  if (distance == 0)
  {
    return 0.0;
  }
  const auto & d = problem.displacement[a];
  return (d[problem.Index(upper[0], upper[1], upper[2])] - d[problem.Index(lower[0], lower[1], lower[2])]) / distance;
}

double
NumberOfVoxels(const RegistrationProblem & problem)
{
  return static_cast<double>(problem.fixed.size());
}

/** The cubic B-spline around 0. */
double
CubicSpline(double distance)
{
  const double x = std::abs(distance);
  if (x < 1.0)
  {
    return 2.0 / 3.0 - x * x + 0.5 * x * x * x;
  }
  return x < 2.0 ? (2.0 - x) * (2.0 - x) * (2.0 - x) / 6.0 : 0.0;
}

} // namespace

std::vector<double>
Deformed(const RegistrationProblem & problem)
{
  std::vector<double> deformed(problem.fixed.size());
  ForEachVoxel(problem.size, [&](int x, int y, int z, std::size_t i) { deformed[i] = DeformedAt(problem, x, y, z); });
  return deformed;
}

double
MeanSquaresEnergy(const RegistrationProblem & problem)
{
  double sum = 0.0;
  ForEachVoxel(problem.size, [&](int x, int y, int z, std::size_t i) {
    const double difference = DeformedAt(problem, x, y, z) - problem.fixed[i];
    sum += std::isnan(difference) ? 0.0 : 0.5 * difference * difference;
  });
  return sum / NumberOfVoxels(problem);
}

double
BiasEnergy(const RegistrationProblem & problem)
{
  double sum = 0.0;
  ForEachVoxel(problem.size, [&](int x, int y, int z) {
    double m[3][3];
    for (int a = 0; a < 3; ++a)
    {
      for (int b = 0; b < 3; ++b)
      {
        m[a][b] = (a == b ? 1.0 : 0.0) + Derivative(problem, a, b, { x, y, z });
      }
    }
    const double jacobian = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    sum += (jacobian - 1.0) * std::log(jacobian);
  });
  return sum / NumberOfVoxels(problem);
}

double
LocalCorrelationEnergy(const RegistrationProblem & problem, int radius, double varianceFloor)
{
  const std::vector<double> deformed = Deformed(problem);
  double                    sum = 0.0;
  ForEachVoxel(problem.size, [&](int x, int y, int z) {
    std::vector<std::size_t> box;
    ForEachVoxel(problem.size, [&](int i, int j, int k, std::size_t index) {
      if (!std::isnan(deformed[index]) && std::abs(i - x) <= radius && std::abs(j - y) <= radius &&
          std::abs(k - z) <= radius)
      {
        box.push_back(index);
      }
    });
    const auto count = static_cast<double>(box.size());
    double     meanW = 0.0;
    double     meanR = 0.0;
    for (const std::size_t i : box)
    {
      meanW += deformed[i] / count;
      meanR += problem.fixed[i] / count;
    }
    double a = 0.0;
    double b = varianceFloor;
    double c = varianceFloor;
    for (const std::size_t i : box)
    {
      a += (deformed[i] - meanW) * (problem.fixed[i] - meanR) / count;
      b += (deformed[i] - meanW) * (deformed[i] - meanW) / count;
      c += (problem.fixed[i] - meanR) * (problem.fixed[i] - meanR) / count;
    }
    sum += a * a / (b * c);
  });
  return 1.0 - sum / NumberOfVoxels(problem);
}

double
MutualInformationEnergy(const RegistrationProblem & problem, const std::vector<double> & deformed, int bins)
{
  std::vector<std::vector<double>> joint(bins, std::vector<double>(bins, 0.0));
  double                           count = 0.0;
  for (std::size_t i = 0; i < deformed.size(); ++i)
  {
    if (!std::isnan(deformed[i]) && !std::isnan(problem.fixed[i]))
    {
      // The largest intensity belongs to the last bin that has any.
      const int row = std::min(bins - 3, static_cast<int>(std::floor(problem.fixed[i])));
      for (int column = 0; column < bins; ++column)
      {
        joint[row][column] += CubicSpline(deformed[i] - column);
      }
      count += 1.0;
    }
  }
  double sum = 0.0;
  for (int row = 0; row < bins; ++row)
  {
    for (int column = 0; column < bins; ++column)
    {
      double ofRow = 0.0;
      double ofColumn = 0.0;
      for (int k = 0; k < bins; ++k)
      {
        ofRow += joint[row][k];
        ofColumn += joint[k][column];
      }
      const double p = joint[row][column];
      sum += p > 0.0 ? p * std::log(p * count / (ofRow * ofColumn)) : 0.0;
    }
  }
  return -sum / NumberOfVoxels(problem);
}

} // namespace reference
