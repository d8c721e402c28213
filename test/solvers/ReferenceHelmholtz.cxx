// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceHelmholtz.h"
#include "ForEachVoxel.h"

#include <cmath>

namespace reference
{
namespace
{

using cudaneuro::Extent;
using cudaneuro::HelmholtzParameters;

std::size_t
IndexOf(const Extent & extent, int x, int y, int z)
{
  return (static_cast<std::size_t>(z) * static_cast<std::size_t>(extent.y) + static_cast<std::size_t>(y)) *
           static_cast<std::size_t>(extent.x) +
         static_cast<std::size_t>(x);
}

template <typename TBody>
void
ForAllVoxels(const Extent & extent, const TBody & body)
{
  ForEachVoxel(std::array<int, 3>{ extent.x, extent.y, extent.z }, body);
}

double
ValueOrZero(const Extent & extent, const Component & v, int x, int y, int z)
{
  const bool isInside = x >= 0 && x < extent.x && y >= 0 && y < extent.y && z >= 0 && z < extent.z;
  return isInside ? v[IndexOf(extent, x, y, z)] : 0.0;
}

double
SumOfNeighbors(const Extent & extent, const Component & v, int x, int y, int z)
{
  return ValueOrZero(extent, v, x - 1, y, z) + ValueOrZero(extent, v, x + 1, y, z) +
         ValueOrZero(extent, v, x, y - 1, z) + ValueOrZero(extent, v, x, y + 1, z) +
         ValueOrZero(extent, v, x, y, z - 1) + ValueOrZero(extent, v, x, y, z + 1);
}

double
DiagonalOf(const Extent & extent, const HelmholtzParameters & parameters)
{
  return (extent.z == 1 ? 4.0 : 6.0) * parameters.alpha + parameters.gamma;
}

double
Wrapped(const Extent & extent, const Component & v, int x, int y, int z)
{
  return v[IndexOf(extent, (x + extent.x) % extent.x, (y + extent.y) % extent.y, (z + extent.z) % extent.z)];
}

/** Central difference along an axis of the periodic grid. */
Component
Difference(const Extent & extent, const Component & v, int axis)
{
  Component result(v.size());
  const int dx = axis == 0 ? 1 : 0;
  const int dy = axis == 1 ? 1 : 0;
  const int dz = axis == 2 ? 1 : 0;
  ForAllVoxels(extent, [&](int x, int y, int z, std::size_t i) {
    result[i] = 0.5 * (Wrapped(extent, v, x + dx, y + dy, z + dz) - Wrapped(extent, v, x - dx, y - dy, z - dz));
  });
  return result;
}

} // namespace

Component
ApplyHelmholtz(const Extent & extent, const HelmholtzParameters & parameters, const Component & v)
{
  Component    result(v.size());
  const double diagonal = DiagonalOf(extent, parameters);
  ForAllVoxels(extent, [&](int x, int y, int z, std::size_t i) {
    result[i] = diagonal * v[i] - parameters.alpha * SumOfNeighbors(extent, v, x, y, z);
  });
  return result;
}

Components
ApplyPeriodic(const Extent & extent, const HelmholtzParameters & parameters, const Components & v)
{
  Component divergence(v[0].size(), 0.0);
  for (int axis = 0; axis < 3; ++axis)
  {
    const Component difference = Difference(extent, v[static_cast<std::size_t>(axis)], axis);
    for (std::size_t i = 0; i < divergence.size(); ++i)
    {
      divergence[i] += difference[i];
    }
  }
  Components result;
  for (int axis = 0; axis < 3; ++axis)
  {
    const Component & component = v[static_cast<std::size_t>(axis)];
    const Component   gradient = Difference(extent, divergence, axis);
    Component &       applied = result[static_cast<std::size_t>(axis)];
    applied.resize(component.size());
    ForAllVoxels(extent, [&](int x, int y, int z, std::size_t i) {
      const double neighbors = Wrapped(extent, component, x - 1, y, z) + Wrapped(extent, component, x + 1, y, z) +
                               Wrapped(extent, component, x, y - 1, z) + Wrapped(extent, component, x, y + 1, z) +
                               Wrapped(extent, component, x, y, z - 1) + Wrapped(extent, component, x, y, z + 1);
      applied[i] = parameters.alpha * (6.0 * component[i] - neighbors) - parameters.beta * gradient[i] +
                   parameters.gamma * component[i];
    });
  }
  return result;
}

void
Sweep(const Extent & extent, const HelmholtzParameters & parameters, const Component & force, Component & v)
{
  const double diagonal = DiagonalOf(extent, parameters);
  for (int color = 0; color < 2; ++color)
  {
    ForAllVoxels(extent, [&](int x, int y, int z, std::size_t i) {
      if ((x + y + z) % 2 == color)
      {
        const double solved = (force[i] + parameters.alpha * SumOfNeighbors(extent, v, x, y, z)) / diagonal;
        v[i] += parameters.omega * (solved - v[i]);
      }
    });
  }
}

double
MeasureJacobiSpectralRadius(const Extent & extent, const HelmholtzParameters & parameters)
{
  const double diagonal = DiagonalOf(extent, parameters);
  const auto   iterate = [&](const Component & v) {
    Component result(v.size());
    ForAllVoxels(extent, [&](int x, int y, int z, std::size_t i) {
      result[i] = parameters.alpha * SumOfNeighbors(extent, v, x, y, z) / diagonal;
    });
    return result;
  };
  const auto length = [](const Component & v) {
    double square = 0.0;
    for (const double value : v)
    {
      square += value * value;
    }
    return std::sqrt(square);
  };
  Component v(static_cast<std::size_t>(cudaneuro::NumberOfVoxels(extent)), 1.0);
  double    growth = 0.0;
  for (int iteration = 0; iteration < 400; ++iteration)
  {
    const double before = length(v);
    for (double & value : v)
    {
      value /= before;
    }
    // Twice: eigenvalues come in pairs of both signs.
    v = iterate(iterate(v));
    growth = std::sqrt(length(v));
  }
  return growth;
}

} // namespace reference
