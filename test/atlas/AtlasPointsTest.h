// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef AtlasPointsTest_h
#define AtlasPointsTest_h

#include "TestVolumes.h"
#include "atlas/AtlasTest.h"

#include <array>
#include <cstddef>
#include <vector>

/** Atlases whose images have points: the fixture, a population, and points on its template. */
namespace atlaspoints
{

using namespace cudaneuro;
using namespace testpopulation;

using Place = std::array<double, 3>;
using Places = std::vector<Place>;

class AtlasOfPoints : public AtlasTest
{};

inline AtlasParameters
FewIterations()
{
  AtlasParameters parameters;
  parameters.registration.levels = { { { 2, 2, 2 }, 12 }, { { 1, 1, 1 }, 8 } };
  return parameters;
}

/** A population whose template's grid has a spacing, an origin and a turned direction, and weights. */
inline Population
MakeTurnedPopulation()
{
  Population population = MakePopulation(4, { 24, 22, 20 });
  population.weights = { 2.0, 1.0, 1.0, 0.5 };
  population.geometry.grid.spacing = { 1.5, 1.0, 1.25 };
  population.geometry.origin = { 30.0, -20.0, 7.0 };
  population.geometry.direction = { 0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0 };
  return population;
}

inline Place
Mapped(const AffineMap & map, const Place & point)
{
  Place mapped = map.offset;
  for (std::size_t i = 0; i < 9; ++i)
  {
    mapped[i / 3] += map.matrix[i] * point[i % 3];
  }
  return mapped;
}

/** Points of the template, away from its border. */
inline Places
PlacesInside(const Geometry & geometry, std::size_t count)
{
  Places places;
  for (std::size_t i = 0; i < count; ++i)
  {
    Place index{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      index[axis] = 4.0 + testvolumes::UniformNoise(5 + axis, i) * static_cast<double>(geometry.grid.size[axis] - 9);
    }
    places.push_back(Mapped(IndexToPoint(geometry), index));
  }
  return places;
}

inline AtlasPoints
PointsOf(const Population & population, const Places & places)
{
  AtlasPoints points;
  points.name = "points";
  points.geometry = population.geometry;
  points.positions = places;
  return points;
}

} // namespace atlaspoints

#endif
