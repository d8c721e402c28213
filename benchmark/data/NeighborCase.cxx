// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/NeighborCase.h"

#include "core/CounterRandom.h"

#include <cmath>

namespace cudaneuro::benchmark
{

namespace
{

constexpr int    halfPatch = 2;
constexpr double halfBand = 1.2;
constexpr double noiseOfDistance = 0.3;

/** A volume of distances, in voxels. */
struct DistanceVolume
{
  std::int64_t       side = 0;
  std::vector<float> values;

  const float *
  RowAt(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    return values.data() + (z * side + y) * side + x;
  }
};

/** Returns the sum of four uniform numbers: nearly a Gaussian of mean 0 and variance 1. */
double
Noise(std::uint64_t counter)
{
  const std::uint64_t bits = RandomBits(5, counter);
  double              sum = -2.0;
  for (int shift = 0; shift < 64; shift += 16)
  {
    sum += static_cast<double>((bits >> shift) & 0xffff) / 65535.0;
  }
  return std::sqrt(3.0) * sum;
}

/** Returns the radius of a sphere whose band has somewhat more voxels than \p count. */
double
RadiusOf(std::int64_t count)
{
  constexpr double pi = 3.14159265358979323846;
  return 1.1 * std::sqrt(static_cast<double>(count) / (8.0 * pi * halfBand)) + 1.0;
}

DistanceVolume
MakeDistance(double radius)
{
  DistanceVolume     volume;
  const std::int64_t center = static_cast<std::int64_t>(radius) + 4 + halfPatch;
  volume.side = 2 * center + 1;
  volume.values.resize(static_cast<std::size_t>(volume.side * volume.side * volume.side));
  for (std::size_t i = 0; i < volume.values.size(); ++i)
  {
    const auto   index = static_cast<std::int64_t>(i);
    const auto   x = static_cast<double>(index % volume.side - center);
    const auto   y = static_cast<double>(index / volume.side % volume.side - center);
    const auto   z = static_cast<double>(index / volume.side / volume.side - center);
    const double dents = std::sin(0.3 * x) * std::sin(0.3 * y) * std::sin(0.3 * z);
    volume.values[i] =
      static_cast<float>(std::sqrt(x * x + y * y + z * z) - radius + dents + noiseOfDistance * Noise(i));
  }
  return volume;
}

void
AppendPatch(const DistanceVolume & volume, std::int64_t x, std::int64_t y, std::int64_t z, std::vector<float> & patches)
{
  for (std::int64_t patchZ = z - halfPatch; patchZ <= z + halfPatch; ++patchZ)
  {
    for (std::int64_t patchY = y - halfPatch; patchY <= y + halfPatch; ++patchY)
    {
      const float * const row = volume.RowAt(x, patchY, patchZ);
      patches.insert(patches.end(), row - halfPatch, row + halfPatch + 1);
    }
  }
}

} // namespace

std::vector<float>
MakeSurfacePatches(std::int64_t count)
{
  const DistanceVolume volume = MakeDistance(RadiusOf(count));
  const std::size_t    wanted = static_cast<std::size_t>(count) * patchDimension;
  std::vector<float>   patches;
  patches.reserve(wanted);
  for (std::int64_t z = halfPatch; z < volume.side - halfPatch; ++z)
  {
    for (std::int64_t y = halfPatch; y < volume.side - halfPatch; ++y)
    {
      for (std::int64_t x = halfPatch; x < volume.side - halfPatch && patches.size() < wanted; ++x)
      {
        if (std::abs(*volume.RowAt(x, y, z)) <= halfBand)
        {
          AppendPatch(volume, x, y, z, patches);
        }
      }
    }
  }
  return patches;
}

} // namespace cudaneuro::benchmark
