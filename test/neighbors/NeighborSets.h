// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NeighborSets_h
#define NeighborSets_h

#include "TestVolumes.h"
#include "neighbors/ReferenceNeighbors.h"

#include <algorithm>
#include <cmath>
#include <utility>

/** Vectors to find neighbors of; the same on every machine but for the rounding of square roots. */
namespace neighborsets
{

using referenceneighbors::VectorSet;

/** Components from -1 to 1. */
inline VectorSet
Uniform(std::int64_t count, int dimension)
{
  VectorSet set{ dimension, std::vector<float>(static_cast<std::size_t>(count) * dimension) };
  for (std::size_t i = 0; i < set.values.size(); ++i)
  {
    set.values[i] = static_cast<float>(2.0 * testvolumes::UniformNoise(3, i) - 1.0);
  }
  return set;
}

/** Components 0, 1 and 2. */
inline VectorSet
SmallIntegers(std::int64_t count, int dimension)
{
  VectorSet set = Uniform(count, dimension);
  for (float & value : set.values)
  {
    value = std::floor(1.5f * (value + 1.0f));
  }
  return set;
}

/** Vector v, which has components from -1 to 1 and a first one of 0 or -0, repetitions[v] times, all in an order
 * without pattern. */
inline VectorSet
Repeated(const std::vector<int> & repetitions, int dimension)
{
  const VectorSet vectors = Uniform(static_cast<std::int64_t>(repetitions.size()), dimension);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t vector = 0; vector < repetitions.size(); ++vector)
  {
    for (int i = 0; i < repetitions[vector]; ++i)
    {
      order.emplace_back(testvolumes::UniformNoise(5, order.size()), vector);
    }
  }
  std::sort(order.begin(), order.end());
  VectorSet set{ dimension, {} };
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    const float * const from = vectors.At(static_cast<std::int64_t>(order[i].second));
    set.values.push_back(testvolumes::UniformNoise(6, i) < 0.5 ? 0.0f : -0.0f);
    set.values.insert(set.values.end(), from + 1, from + dimension);
  }
  return set;
}

/** The patches of size^3 around the voxels within 1.2 of a sphere of that radius in voxels, of the signed distance
 * to it, with noise of 0.6 voxels at most. */
inline VectorSet
NoisySphere(double radius, int size)
{
  const int          half = size / 2;
  const int          side = 2 * static_cast<int>(radius + 3.0 + half) + 1;
  std::vector<float> distance(static_cast<std::size_t>(side) * side * side);
  for (std::size_t i = 0; i < distance.size(); ++i)
  {
    const double x = static_cast<double>(i % side) - side / 2;
    const double y = static_cast<double>(i / side % side) - side / 2;
    const double z = static_cast<double>(i / side / side) - side / 2;
    const double noise = 1.2 * (testvolumes::UniformNoise(4, i) - 0.5);
    distance[i] = static_cast<float>(std::sqrt(x * x + y * y + z * z) - radius + noise);
  }
  VectorSet  set{ size * size * size, {} };
  const auto addPatch = [&](int x, int y, int z) {
    for (int patchZ = z - half; patchZ <= z + half; ++patchZ)
    {
      for (int patchY = y - half; patchY <= y + half; ++patchY)
      {
        const auto row = distance.begin() + (static_cast<std::ptrdiff_t>(patchZ) * side + patchY) * side + x;
        set.values.insert(set.values.end(), row - half, row + half + 1);
      }
    }
  };
  for (int z = half; z < side - half; ++z)
  {
    for (int y = half; y < side - half; ++y)
    {
      for (int x = half; x < side - half; ++x)
      {
        if (std::abs(distance[(static_cast<std::size_t>(z) * side + y) * side + x]) <= 1.2f)
        {
          addPatch(x, y, z);
        }
      }
    }
  }
  return set;
}

} // namespace neighborsets

#endif
