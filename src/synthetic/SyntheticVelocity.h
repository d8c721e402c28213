// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticVelocity_h
#define cudaneuro_synthetic_SyntheticVelocity_h

#include "cudaneuro/Volume.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace cudaneuro
{

/** The nodes of velocities' coefficients, a lattice around the center of a grid. Nodes are 2 standard deviations apart,
 * because a quadratic B-spline with nodes h apart has the standard deviation h / 2. Only nodes inside the grid have
 * coefficients; velocities vanish beyond. */
class VelocityLattice
{
public:
  VelocityLattice(const Grid & grid, double standardDeviation);

  double
  GetDistance() const
  {
    return m_Distance;
  }
  int
  GetNumberOfComponents() const
  {
    return m_Components;
  }
  std::size_t
  GetNumberOfCoefficients() const;

  /** Adds \p scale times normal random numbers, a function of \p key, to the coefficients. */
  void
  AddNoise(std::uint64_t key, double scale, std::vector<double> & coefficients) const;

  /** Multiplies the coefficients of each node by a function of its position, in mm along the axes of the grid from its
   * center. */
  void
  Multiply(const std::function<double(const std::array<double, 3> &)> & factorAt,
           std::vector<double> &                                        coefficients) const;

  /** The root mean square of the velocity's length, far from the border, for coefficients of standard deviation
   * 1. */
  double
  GetRootMeanSquare() const;

  /** A bound of the maximum norm of the velocity's derivative: a spline's derivative is a mean of differences of
   * neighboring coefficients, divided by their distance. */
  double
  BoundOfDerivative(const std::vector<double> & coefficients) const;

  std::array<double, 3>
  VelocityAt(const double * coefficients, const std::array<double, 3> & position) const;

private:
  std::size_t
  Index(int x, int y, int z) const
  {
    return (static_cast<std::size_t>(z) * m_Size[1] + y) * m_Size[0] + x;
  }
  /** Calls visit(index of the node's first coefficient, {x, y, z}) for the nodes that have coefficients. */
  template <typename TVisit>
  void
  ForEachNode(const TVisit & visit) const;

  double             m_Distance;
  int                m_Components;
  std::array<int, 3> m_Size{ 1, 1, 1 };
  /** Indices of the node at the center. */
  std::array<int, 3> m_Center{ 0, 0, 0 };
};

/** The flow of a velocity over unit time, by Euler steps that are invertible. */
class SyntheticFlow
{
public:
  SyntheticFlow(const VelocityLattice & lattice, std::vector<double> coefficients);

  /** The position, in mm along the axes of the grid from its center, to which a position flows. */
  std::array<double, 3>
  Map(const std::array<double, 3> & position) const;

private:
  VelocityLattice     m_Lattice;
  std::vector<double> m_Coefficients;
  int                 m_Steps;
};

} // namespace cudaneuro

#endif
