// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_TouchingPlanes_h
#define cudaneuro_surface_TouchingPlanes_h

#include "surface/SyntheticVectors.h"

#include <vector>

namespace cudaneuro::synthetic
{

/** Planes that touch the surface, and the point that is nearest to all of them. */
class TouchingPlanes
{
public:
  void
  Add(const Vector & point, const Vector & normal)
  {
    m_Points.push_back(point);
    m_Normals.push_back(normal);
  }

  Vector
  Mean() const
  {
    Vector mean{};
    for (const Vector & point : m_Points)
    {
      mean = Sum(mean, 1.0 / static_cast<double>(m_Points.size()), point);
    }
    return mean;
  }

  /** Whether two of the normals differ by more than the angle. */
  bool
  HaveEdge(double cosineOfAngle) const
  {
    for (const Vector & a : m_Normals)
    {
      for (const Vector & b : m_Normals)
      {
        if (Dot(a, b) < cosineOfAngle)
        {
          return true;
        }
      }
    }
    return false;
  }

  /** The least sum of squared distances to the planes, that point of all that is nearest to the mean. Each iteration
   * moves the pull towards the mean to the point found. */
  Vector
  Meeting(double pull, int numberOfIterations) const
  {
    Vector point = this->Mean();
    for (int iteration = 0; iteration < numberOfIterations; ++iteration)
    {
      std::array<Vector, 3> rows{};
      Vector                right{};
      for (std::size_t plane = 0; plane < m_Points.size(); ++plane)
      {
        const Vector & normal = m_Normals[plane];
        const double   height = Dot(normal, Difference(m_Points[plane], point));
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
  /** By Cramer's rule; the matrix is symmetric and far from singular. */
  static Vector
  Solve(const std::array<Vector, 3> & rows, const Vector & right)
  {
    const Vector first = Cross(rows[1], rows[2]);
    const Vector second = Cross(rows[2], rows[0]);
    const Vector third = Cross(rows[0], rows[1]);
    const double determinant = Dot(rows[0], first);
    Vector       solution{};
    for (int axis = 0; axis < 3; ++axis)
    {
      solution[axis] = (right[0] * first[axis] + right[1] * second[axis] + right[2] * third[axis]) / determinant;
    }
    return solution;
  }

  std::vector<Vector> m_Points;
  std::vector<Vector> m_Normals;
};

} // namespace cudaneuro::synthetic

#endif
