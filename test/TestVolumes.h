// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TestVolumes_h
#define TestVolumes_h

#include "ForEachVoxel.h"
#include "cudaneuro/Volume.h"
#include "denoising/ReferenceDenoising.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

/** Volumes for tests: the same on every machine, without the standard library's distributions, which differ. */
namespace testvolumes
{

/** splitmix64 of a counter: random numbers that depend on the seed and the voxel alone. */
inline double
UniformNoise(std::uint64_t seed, std::uint64_t i)
{
  std::uint64_t x = seed * 0x9E3779B97F4A7C15ULL + i + 0x632BE59BD9B4E019ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return (static_cast<double>((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/** Standard normal (Box and Muller 1958). */
inline double
NormalNoise(std::uint64_t seed, std::uint64_t i)
{
  constexpr double twoPi = 6.283185307179586;
  return std::sqrt(-2.0 * std::log(UniformNoise(seed, 2 * i))) * std::cos(twoPi * UniformNoise(seed, 2 * i + 1));
}

inline cudaneuro::Grid
MakeGrid(std::array<std::int64_t, 3> size, std::array<double, 3> spacing = { 1.0, 1.0, 1.0 })
{
  cudaneuro::Grid grid;
  grid.size = size;
  grid.spacing = spacing;
  return grid;
}

/** Noise-free phantom in [0, 1000]: a smooth ellipsoid with an inner ellipsoid and bars with sharp edges, as a function
 * of the voxel's position in fractions of the volume. */
inline double
Phantom(double x, double y, double z)
{
  const double u = 2.0 * x - 1.0;
  const double v = 2.0 * y - 1.0;
  const double w = 2.0 * z - 1.0;
  const double head = u * u / 0.81 + v * v / 0.72 + w * w / 0.9;
  const double inner = (u - 0.2) * (u - 0.2) / 0.12 + (v + 0.1) * (v + 0.1) / 0.2 + w * w / 0.3;
  if (head > 1.0)
  {
    return 20.0;
  }
  if (inner < 1.0)
  {
    return 850.0 - 150.0 * inner;
  }
  const bool bar = std::fmod(x * 8.0, 2.0) < 1.0 && y > 0.5;
  return (bar ? 600.0 : 350.0) + 60.0 * std::sin(5.0 * y) * std::cos(4.0 * z);
}

/** The phantom with Rician noise: the magnitude of signal plus complex Gaussian noise of standard deviation sigma. */
inline std::vector<float>
NoisyPhantom(const cudaneuro::Grid & grid, double sigma = 30.0, std::uint64_t seed = 1)
{
  std::vector<float> values(static_cast<std::size_t>(grid.NumberOfVoxels()));
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    const double signal =
      Phantom((x + 0.5) / grid.size[0], (y + 0.5) / grid.size[1], grid.size[2] == 1 ? 0.5 : (z + 0.5) / grid.size[2]);
    values[i] =
      static_cast<float>(std::hypot(signal + sigma * NormalNoise(seed, i), sigma * NormalNoise(seed + 1000, i)));
  });
  return values;
}

/** Puts NaN, infinity and -infinity at about one voxel in \p oneIn, at random places. */
inline void
SprinkleNotFinite(std::vector<float> & values, int oneIn = 23, std::uint64_t seed = 7)
{
  const float notFinite[3] = { std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity() };
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (UniformNoise(seed, i) * oneIn < 1.0)
    {
      values[i] = notFinite[i % 3];
    }
  }
}

/** A ball that leaves out the corners, with holes at random places; values 0, 1 and 255. */
inline std::vector<unsigned char>
BallMask(const cudaneuro::Grid & grid)
{
  std::vector<unsigned char> mask;
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto distance = [&](std::int64_t i, int axis) {
      return grid.size[axis] == 1 ? 0.0 : 2.0 * (i + 0.5) / grid.size[axis] - 1.0;
    };
    const double u = distance(x, 0);
    const double v = distance(y, 1);
    const double w = distance(z, 2);
    const bool   hole = UniformNoise(3, mask.size()) < 0.05;
    mask.push_back(u * u + v * v + w * w < 1.0 && !hole ? (x % 2 == 0 ? 1 : 255) : 0);
  });
  return mask;
}

inline reference::Image
ToReference(const cudaneuro::Grid & grid, const std::vector<float> & values, std::vector<unsigned char> mask = {})
{
  return { grid, std::vector<double>(values.begin(), values.end()), std::move(mask) };
}

} // namespace testvolumes

#endif
