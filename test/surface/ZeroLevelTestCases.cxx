// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ZeroLevelTestCases.h"

#include <algorithm>

using cudaneuro::Grid;
using testvolumes::UniformNoise;

namespace distancetests
{

Point
CenterOf(const Grid & grid, std::int64_t i)
{
  cudaneuro::Geometry geometry;
  geometry.grid = grid;
  return VoxelCenter(geometry, i);
}

std::vector<float>
Sample(const Grid & grid, const Field & field)
{
  std::vector<float> values;
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    values.push_back(static_cast<float>(field(CenterOf(grid, i))));
  }
  return values;
}

Field
Ball(const Point & center, double radius)
{
  return [=](const Point & point) { return Length(point - center) - radius; };
}

std::vector<float>
RandomField(const Grid & grid, std::uint64_t seed)
{
  std::vector<float> values = Sample(grid, [seed](const Point & p) {
    const double phase = static_cast<double>(seed);
    return std::sin(0.9 * p[0] + phase) + std::sin(0.8 * p[1] - 2.0 * phase) + std::sin(0.7 * p[2] + p[0] * 0.3) - 0.4;
  });
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (UniformNoise(seed, i) < 0.05)
    {
      values[i] = 0.0f;
    }
  }
  return values;
}

std::vector<double>
DistancesToMesh(const Grid & grid, const Mesh & mesh)
{
  std::vector<double> distances;
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    distances.push_back(DistanceToMesh(mesh, CenterOf(grid, i)));
  }
  return distances;
}

std::vector<double>
Signed(const std::vector<float> & field, const std::vector<double> & distances, double reach)
{
  std::vector<double> values;
  for (std::size_t i = 0; i < field.size(); ++i)
  {
    const double distance = std::min(distances[i], reach);
    values.push_back(field[i] < 0.0f ? -distance : distance);
  }
  return values;
}

void
ExpectNear(const std::vector<float> & values, const std::vector<double> & expected)
{
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    ASSERT_NEAR(values[i], expected[i], fieldTolerance) << "voxel " << i;
  }
}

} // namespace distancetests
