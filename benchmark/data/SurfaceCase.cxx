// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/SurfaceCase.h"

#include "core/CounterRandom.h"

#include <cmath>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

/** Returns the radius of a sphere whose band has that many voxels, at the recommended thickness on each side. */
double
RadiusOf(std::int64_t bandVoxels)
{
  constexpr double pi = 3.14159265358979323846;
  const double     thickness = 2.0 * RecommendedBandWidth(Grid());
  return std::sqrt(static_cast<double>(bandVoxels) / (4.0 * pi * thickness));
}

/** Returns uniform noise of standard deviation 0.1 voxels. */
double
NoiseAt(std::uint64_t voxel)
{
  return 0.1 * std::sqrt(12.0) * (RandomUniform(7, voxel) - 0.5);
}

double
DistanceAt(double x, double y, double z, double radius)
{
  const double bumps = 0.7 * std::sin(0.25 * x) * std::sin(0.27 * y) * std::sin(0.23 * z);
  return std::sqrt(x * x + y * y + z * z) - radius + bumps;
}

} // namespace

SurfaceCase::SurfaceCase(const Device & device, std::int64_t bandVoxels)
  : m_Context(device)
  , m_Space(device.IsCuda() ? MemorySpace::Device : MemorySpace::Host)
{
  const double       radius = RadiusOf(bandVoxels);
  const std::int64_t center = static_cast<std::int64_t>(radius) + 8;
  const std::int64_t side = 2 * center + 1;
  m_Grid.size = { side, side, side };
  std::vector<float> values(static_cast<std::size_t>(m_Grid.NumberOfVoxels()));
  Context            host{ Device() };
  host.ParallelFor(side, [&](std::int64_t z) {
    for (std::int64_t i = z * side * side; i < (z + 1) * side * side; ++i)
    {
      const auto x = static_cast<double>(i % side - center);
      const auto y = static_cast<double>(i / side % side - center);
      values[static_cast<std::size_t>(i)] = static_cast<float>(
        DistanceAt(x, y, static_cast<double>(z - center), radius) + NoiseAt(static_cast<std::uint64_t>(i)));
    }
  });
  m_Input = m_Context.Allocate(values.size() * sizeof(float));
  m_Output = m_Context.Allocate(values.size() * sizeof(float));
  CopyVolume(m_Context,
             m_Grid,
             { values.data(), PixelType::Float, MemorySpace::Host },
             { m_Input.Data(), PixelType::Float, m_Space });
  m_BandVoxels = this->Denoise().bandVoxels;
}

NonLocalMeansLevelSetResult
SurfaceCase::Denoise()
{
  return NonLocalMeansLevelSet(
    m_Context, {}, m_Grid, this->GetInput(), {}, { m_Output.Data(), PixelType::Float, m_Space });
}

} // namespace cudaneuro::benchmark
