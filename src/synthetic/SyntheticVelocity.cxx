// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticVelocity.h"

#include "core/CounterRandom.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

/** Number of nodes without coefficients around those that have some: a spline reaches 1.5 nodes. */
constexpr int margin = 3;

struct SplineWeights
{
  int                   first;
  std::array<double, 3> weights;
};

/** The weights of the three nodes whose quadratic splines reach a position, in nodes. */
SplineWeights
WeightsAt(double position)
{
  const double nearest = std::floor(position + 0.5);
  const double u = position - nearest;
  return { static_cast<int>(nearest) - 1, { 0.5 * (0.5 - u) * (0.5 - u), 0.75 - u * u, 0.5 * (0.5 + u) * (0.5 + u) } };
}

} // namespace

VelocityLattice::VelocityLattice(const Grid & grid, double standardDeviation)
  : m_Distance(2.0 * standardDeviation)
  , m_Components(grid.size[2] == 1 ? 2 : 3)
{
  for (int axis = 0; axis < m_Components; ++axis)
  {
    const double half = 0.5 * grid.spacing[axis] * static_cast<double>(grid.size[axis]);
    const int    inside = std::max(0, static_cast<int>(std::ceil(half / m_Distance)) - 1);
    m_Center[axis] = inside + margin;
    m_Size[axis] = 2 * m_Center[axis] + 1;
  }
}

std::size_t
VelocityLattice::GetNumberOfCoefficients() const
{
  return this->Index(0, 0, m_Size[2]) * m_Components;
}

template <typename TVisit>
void
VelocityLattice::ForEachNode(const TVisit & visit) const
{
  const int marginZ = m_Components == 3 ? margin : 0;
  for (int z = marginZ; z < m_Size[2] - marginZ; ++z)
  {
    for (int y = margin; y < m_Size[1] - margin; ++y)
    {
      for (int x = margin; x < m_Size[0] - margin; ++x)
      {
        visit(this->Index(x, y, z) * m_Components, std::array<int, 3>{ x, y, z });
      }
    }
  }
}

void
VelocityLattice::AddNoise(std::uint64_t key, double scale, std::vector<double> & coefficients) const
{
  this->ForEachNode([&](std::size_t node, const std::array<int, 3> &) {
    for (int component = 0; component < m_Components; ++component)
    {
      coefficients[node + component] += scale * RandomNormal(key, node + component);
    }
  });
}

void
VelocityLattice::Multiply(const std::function<double(const std::array<double, 3> &)> & factorAt,
                          std::vector<double> &                                        coefficients) const
{
  this->ForEachNode([&](std::size_t node, const std::array<int, 3> & index) {
    std::array<double, 3> position{};
    for (int axis = 0; axis < m_Components; ++axis)
    {
      position[axis] = m_Distance * (index[axis] - m_Center[axis]);
    }
    const double factor = factorAt(position);
    for (int component = 0; component < m_Components; ++component)
    {
      coefficients[node + component] *= factor;
    }
  });
}

double
VelocityLattice::GetRootMeanSquare() const
{
  // The sum of the squares of a spline's values at all nodes, averaged over positions.
  constexpr double meanSquareOfSpline = 0.55;
  double           square = m_Components;
  for (int axis = 0; axis < m_Components; ++axis)
  {
    square *= meanSquareOfSpline;
  }
  return std::sqrt(square);
}

double
VelocityLattice::BoundOfDerivative(const std::vector<double> & coefficients) const
{
  const std::array<std::size_t, 3> next{ this->Index(1, 0, 0) * m_Components,
                                         this->Index(0, 1, 0) * m_Components,
                                         this->Index(0, 0, 1) * m_Components };
  std::array<double, 9>            largest{};
  this->ForEachNode([&](std::size_t node, const std::array<int, 3> &) {
    for (int component = 0; component < m_Components; ++component)
    {
      for (int axis = 0; axis < m_Components; ++axis)
      {
        const double value = coefficients[node + component];
        const double difference = std::max(std::abs(value - coefficients[node + component + next[axis]]),
                                           std::abs(value - coefficients[node + component - next[axis]]));
        double &     entry = largest[3 * component + axis];
        entry = std::max(entry, difference);
      }
    }
  });
  double norm = 0.0;
  for (int row = 0; row < 3; ++row)
  {
    norm = std::max(norm, largest[3 * row] + largest[3 * row + 1] + largest[3 * row + 2]);
  }
  return norm / m_Distance;
}

std::array<double, 3>
VelocityLattice::VelocityAt(const double * coefficients, const std::array<double, 3> & position) const
{
  std::array<SplineWeights, 3> splines{};
  splines[2] = { 0, { 1.0, 0.0, 0.0 } };
  for (int axis = 0; axis < m_Components; ++axis)
  {
    // At the second last node, only splines of nodes without coefficients are left.
    const double farthest = m_Center[axis] - 1;
    const double along = std::min(std::max(position[axis] / m_Distance, -farthest), farthest);
    splines[axis] = WeightsAt(along + m_Center[axis]);
  }
  std::array<double, 3> velocity{};
  for (int z = 0; z < (m_Components == 3 ? 3 : 1); ++z)
  {
    for (int y = 0; y < 3; ++y)
    {
      const double         weight = splines[2].weights[z] * splines[1].weights[y];
      const double * const row =
        coefficients + this->Index(splines[0].first, splines[1].first + y, splines[2].first + z) * m_Components;
      for (int x = 0; x < 3; ++x)
      {
        for (int component = 0; component < m_Components; ++component)
        {
          velocity[component] += weight * splines[0].weights[x] * row[x * m_Components + component];
        }
      }
    }
  }
  return velocity;
}

SyntheticFlow::SyntheticFlow(const VelocityLattice & lattice, std::vector<double> coefficients)
  : m_Lattice(lattice)
  , m_Coefficients(std::move(coefficients))
{
  // A step p + v(p) / n is invertible if the norm of the derivative of v / n is below 1. Half of that also keeps the
  // error of Euler's method small.
  constexpr int fewestSteps = 4;
  m_Steps = std::max(fewestSteps, static_cast<int>(std::ceil(2.0 * m_Lattice.BoundOfDerivative(m_Coefficients))));
}

std::array<double, 3>
SyntheticFlow::Map(const std::array<double, 3> & position) const
{
  const double          step = 1.0 / m_Steps;
  std::array<double, 3> mapped = position;
  for (int i = 0; i < m_Steps; ++i)
  {
    const std::array<double, 3> velocity = m_Lattice.VelocityAt(m_Coefficients.data(), mapped);
    for (int axis = 0; axis < 3; ++axis)
    {
      mapped[axis] += step * velocity[axis];
    }
  }
  return mapped;
}

} // namespace cudaneuro
