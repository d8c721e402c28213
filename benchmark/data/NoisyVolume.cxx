// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/NoisyVolume.h"

#include <cmath>
#include <cstdint>

namespace cudaneuro::benchmark
{

namespace
{

/** splitmix64: 64 random bits that depend on the counter alone. */
std::uint64_t
RandomBits(std::uint64_t counter)
{
  std::uint64_t x = counter * 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/** Returns the sum of four uniform numbers: nearly a Gaussian of mean 0 and variance 1. */
float
Noise(std::uint64_t counter)
{
  const std::uint64_t bits = RandomBits(counter);
  float               sum = -2.0f;
  for (int shift = 0; shift < 64; shift += 16)
  {
    sum += static_cast<float>((bits >> shift) & 0xffff) * (1.0f / 65535.0f);
  }
  return 1.7320508f * sum;
}

float
Signal(float x, float y, float z)
{
  const float radius = std::sqrt(x * x + y * y + 0.8f * z * z);
  return radius > 0.9f ? 0.0f : 500.0f + 300.0f * std::sin(23.0f * radius + 3.0f * x);
}

} // namespace

void
FillNoisyVolume(const Grid & grid, unsigned int seed, float * values)
{
  Context    context{ Device() };
  const auto position = [&grid](std::int64_t i, int axis) {
    return 2.0f * static_cast<float>(i) / static_cast<float>(grid.size[axis]) - 1.0f;
  };
  const std::int64_t rows = grid.size[1] * grid.size[2];
  context.ParallelFor(rows, [&](std::int64_t row) {
    const float y = position(row % grid.size[1], 1);
    const float z = position(row / grid.size[1], 2);
    for (std::int64_t x = 0; x < grid.size[0]; ++x)
    {
      const auto i = static_cast<std::uint64_t>(row * grid.size[0] + x);
      const auto counter = (static_cast<std::uint64_t>(seed) << 40) + i;
      values[i] = std::abs(Signal(position(x, 0), y, z) + static_cast<float>(noiseSigma) * Noise(counter));
    }
  });
}

} // namespace cudaneuro::benchmark
