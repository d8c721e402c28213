// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_TouchingPlanes_h
#define cudaneuro_core_TouchingPlanes_h

#include "core/SpaceMatrices.h"

#include <vector>

namespace cudaneuro
{

/** Planes that touch the surface, and the point with the smallest sum of squared distances to them. */
class TouchingPlanes
{
public:
  void
  Add(const Vector3d & point, const Vector3d & normal)
  {
    m_Points.push_back(point);
    m_Normals.push_back(normal);
  }

  Vector3d
  Mean() const
  {
    Vector3d mean{};
    for (const Vector3d & point : m_Points)
    {
      mean = Sum(mean, 1.0 / static_cast<double>(m_Points.size()), point);
    }
    return mean;
  }

  /** Returns whether two of the normals differ by more than the angle. */
  bool
  HaveEdge(double cosineOfAngle) const
  {
    for (const Vector3d & a : m_Normals)
    {
      for (const Vector3d & b : m_Normals)
      {
        if (Dot(a, b) < cosineOfAngle)
        {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the point with the minimum sum of squared distances to the planes, of several the one nearest to the mean.
   * Each iteration moves the center of the pull from the mean to the point found. */
  Vector3d
  Meeting(double pull, int numberOfIterations) const
  {
    Vector3d point = this->Mean();
    for (int iteration = 0; iteration < numberOfIterations; ++iteration)
    {
      std::array<Vector3d, 3> rows{};
      Vector3d                right{};
      for (std::size_t plane = 0; plane < m_Points.size(); ++plane)
      {
        const Vector3d & normal = m_Normals[plane];
        const double     height = Dot(normal, Difference(m_Points[plane], point));
        right = Sum(right, height, normal);
        for (int row = 0; row < 3; ++row)
        {
          rows[row] = Sum(rows[row], normal[row], normal);
        }
      }
      for (int row = 0; row < 3; ++row)
      {
        rows[row][row] += pull * static_cast<double>(m_Points.size());
      }
      point = Sum(point, 1.0, Solve(rows, right));
    }
    return point;
  }

private:
  /** Solves by Cramer's rule; the matrix is symmetric and far from singular. */
  static Vector3d
  Solve(const std::array<Vector3d, 3> & rows, const Vector3d & right)
  {
    const Vector3d first = Cross(rows[1], rows[2]);
    const Vector3d second = Cross(rows[2], rows[0]);
    const Vector3d third = Cross(rows[0], rows[1]);
    const double   determinant = Dot(rows[0], first);
    Vector3d       solution{};
    for (int axis = 0; axis < 3; ++axis)
    {
      solution[axis] = (right[0] * first[axis] + right[1] * second[axis] + right[2] * third[axis]) / determinant;
    }
    return solution;
  }

  std::vector<Vector3d> m_Points;
  std::vector<Vector3d> m_Normals;
};

} // namespace cudaneuro

#endif
