// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticPopulation.h"

#include "core/CounterRandom.h"
#include "core/ParameterChecks.h"
#include "synthetic/SyntheticPhantom.h"
#include "synthetic/SyntheticVelocity.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cudaneuro
{
namespace
{

using Vector = std::array<double, 3>;

/** The uses of random numbers, which have separate keys. */
enum class Purpose : std::uint64_t
{
  Velocity,
  Noise
};

std::uint64_t
KeyOf(std::uint64_t seed, Purpose purpose, int image)
{
  return RandomBits(RandomBits(seed, static_cast<std::uint64_t>(purpose)), static_cast<std::uint64_t>(image));
}

double
LargestSpacing(const Grid & grid)
{
  const double inPlane = std::max(grid.spacing[0], grid.spacing[1]);
  return grid.size[2] > 1 ? std::max(inPlane, grid.spacing[2]) : inPlane;
}

/** The standard deviation of the coefficients. Subtracting the mean of n numbers multiplies their variance by (n - 1) /
 * n. */
double
CoefficientScale(const VelocityLattice & lattice, const SyntheticPopulationParameters & parameters)
{
  const double images = parameters.numberOfImages;
  return parameters.displacement / lattice.GetRootMeanSquare() * std::sqrt(images / (images - 1.0));
}

/** Calls visit(voxel, position) for every voxel, on the context's threads; positions are in mm along the axes of the
 * grid, from its center. */
template <typename TVisit>
void
ForEachVoxel(Context & context, const Grid & grid, const TVisit & visit)
{
  const auto along = [&grid](std::int64_t index, int axis) {
    return (static_cast<double>(index) - 0.5 * static_cast<double>(grid.size[axis] - 1)) * grid.spacing[axis];
  };
  context.ParallelFor(grid.size[1] * grid.size[2], [&](std::int64_t row) {
    const double y = along(row % grid.size[1], 1);
    const double z = along(row / grid.size[1], 2);
    for (std::int64_t x = 0; x < grid.size[0]; ++x)
    {
      visit(row * grid.size[0] + x, Vector{ along(x, 0), y, z });
    }
  });
}

/** Converts a vector along the axes of the grid to space. */
Vector
ToSpace(const Geometry & geometry, const Vector & vector)
{
  Vector result{};
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      result[row] += geometry.direction[3 * row + column] * vector[column];
    }
  }
  return result;
}

} // namespace

SyntheticPopulation::SyntheticPopulation(const Geometry & geometry, const SyntheticPopulationParameters & parameters)
  : m_Geometry(geometry)
  , m_Parameters(parameters)
{
  RequireGrid(geometry.grid);
  RequireParameters(parameters);
  RequireInRange("Smoothness", parameters.smoothness, { LargestSpacing(geometry.grid), lengthRange.maximum });
  RequireInRange("Displacement", parameters.displacement, Between(0.0, parameters.smoothness));
  const VelocityLattice lattice(geometry.grid, parameters.smoothness);
  const double          scale = CoefficientScale(lattice, parameters) / parameters.numberOfImages;
  m_MeanCoefficients.resize(lattice.GetNumberOfCoefficients());
  for (int image = 0; image < parameters.numberOfImages; ++image)
  {
    lattice.AddNoise(KeyOf(parameters.seed, Purpose::Velocity, image), scale, m_MeanCoefficients);
  }
}

void
SyntheticPopulation::WriteTemplate(Context & context, float * image) const
{
  const SyntheticPhantom phantom(m_Geometry.grid);
  ForEachVoxel(context, m_Geometry.grid, [&](std::int64_t voxel, const Vector & position) {
    image[voxel] = static_cast<float>(phantom.ValueAt(position));
  });
}

void
SyntheticPopulation::WriteImage(Context & context, int index, float * image, float * displacement) const
{
  if (index < 0 || index >= m_Parameters.numberOfImages)
  {
    ThrowInvalid("index", index, "from 0 to " + std::to_string(m_Parameters.numberOfImages - 1));
  }
  const VelocityLattice lattice(m_Geometry.grid, m_Parameters.smoothness);
  std::vector<double>   coefficients(m_MeanCoefficients.size());
  std::transform(m_MeanCoefficients.begin(), m_MeanCoefficients.end(), coefficients.begin(), std::negate<>());
  lattice.AddNoise(
    KeyOf(m_Parameters.seed, Purpose::Velocity, index), CoefficientScale(lattice, m_Parameters), coefficients);
  const SyntheticFlow    flow(lattice, std::move(coefficients));
  const SyntheticPhantom phantom(m_Geometry.grid);
  const std::uint64_t    noiseKey = KeyOf(m_Parameters.seed, Purpose::Noise, index);
  const int              components = lattice.GetNumberOfComponents();
  ForEachVoxel(context, m_Geometry.grid, [&](std::int64_t voxel, const Vector & position) {
    const Vector mapped = flow.Map(position);
    const double noise = m_Parameters.noise * RandomNormal(noiseKey, static_cast<std::uint64_t>(voxel));
    image[voxel] = static_cast<float>(phantom.ValueAt(mapped) + noise);
    if (displacement)
    {
      const Vector inSpace =
        ToSpace(m_Geometry, { mapped[0] - position[0], mapped[1] - position[1], mapped[2] - position[2] });
      for (int component = 0; component < components; ++component)
      {
        displacement[voxel * components + component] = static_cast<float>(inSpace[component]);
      }
    }
  });
}

} // namespace cudaneuro
