// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MapOnGrid_h
#define MapOnGrid_h

#include "ForEachVoxel.h"
#include "cudaneuro/Volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

/** Determinants of maps and errors of inverses, with sums in double that share no code with the engine. */
namespace maps
{

using cudaneuro::Grid;

/** A field of displacements in mm on a grid along the axes of space. */
struct MapOnGrid
{
  const Grid &               grid;
  const std::vector<float> & field;

  /** Displacement of a voxel, in voxels. */
  std::array<double, 3>
  At(const std::array<std::int64_t, 3> & voxel) const
  {
    const std::int64_t    index = (voxel[2] * grid.size[1] + voxel[1]) * grid.size[0] + voxel[0];
    std::array<double, 3> displacement{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      displacement[axis] = static_cast<double>(field[3 * static_cast<std::size_t>(index) + axis]) / grid.spacing[axis];
    }
    return displacement;
  }

  /** As a sum over the voxels around with hat functions as weights; repeated beyond the edge. */
  std::array<double, 3>
  Between(std::array<double, 3> position) const
  {
    std::array<double, 3> sum{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      position[axis] = std::clamp(position[axis], 0.0, static_cast<double>(grid.size[axis] - 1));
    }
    for (unsigned int corner = 0; corner < 8; ++corner)
    {
      double                      weight = 1.0;
      std::array<std::int64_t, 3> voxel{};
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        voxel[axis] = static_cast<std::int64_t>(std::floor(position[axis])) + (corner >> axis & 1U);
        weight *= 1.0 - std::abs(position[axis] - static_cast<double>(voxel[axis]));
        voxel[axis] = std::min(voxel[axis], grid.size[axis] - 1); // of weight 0 beyond
      }
      const std::array<double, 3> at = this->At(voxel);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        sum[axis] += weight * at[axis];
      }
    }
    return sum;
  }

  /** det(I + derivative) by central differences, one-sided at the border. */
  double
  Jacobian(const std::array<std::int64_t, 3> & voxel) const
  {
    double m[3][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::array<std::int64_t, 3> before = voxel;
      std::array<std::int64_t, 3> behind = voxel;
      before[axis] = std::max<std::int64_t>(voxel[axis] - 1, 0);
      behind[axis] = std::min(voxel[axis] + 1, grid.size[axis] - 1);
      const std::array<double, 3> lower = this->At(before);
      const std::array<double, 3> upper = this->At(behind);
      const auto distance = static_cast<double>(std::max<std::int64_t>(1, behind[axis] - before[axis]));
      for (std::size_t row = 0; row < 3; ++row)
      {
        m[row][axis] += (upper[row] - lower[row]) / distance;
      }
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  }
};

template <typename TBody>
void
ForVoxels(const Grid & grid, const TBody & body)
{
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    body(std::array<std::int64_t, 3>{ x, y, z });
  });
}

inline double
LeastJacobian(const MapOnGrid & map)
{
  double least = 1e9;
  ForVoxels(map.grid, [&](const auto & voxel) { least = std::min(least, map.Jacobian(voxel)); });
  return least;
}

struct InverseError
{
  double mean = 0.0;
  double maximum = 0.0;
  double maximumInVoxels = 0.0;
};

/** The length in mm of first(p) + second(p + first(p)), over the voxels that the first map leaves on the grid, which
 * ends half a voxel beyond the last centers. */
inline InverseError
ErrorOfInverse(const MapOnGrid & first, const MapOnGrid & second)
{
  InverseError error;
  double       count = 0.0;
  ForVoxels(first.grid, [&](const auto & voxel) {
    const std::array<double, 3> there = first.At(voxel);
    std::array<double, 3>       position{};
    bool                        isInside = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      position[axis] = static_cast<double>(voxel[axis]) + there[axis];
      isInside =
        isInside && position[axis] >= -0.5 && position[axis] < static_cast<double>(first.grid.size[axis]) - 0.5;
    }
    if (isInside)
    {
      const std::array<double, 3> back = second.Between(position);
      const auto                  residual = [&](std::size_t axis) { return there[axis] + back[axis]; };
      const auto &                spacing = first.grid.spacing;
      const double length = std::hypot(residual(0) * spacing[0], residual(1) * spacing[1], residual(2) * spacing[2]);
      error.mean += length;
      error.maximum = std::max(error.maximum, length);
      error.maximumInVoxels = std::max(error.maximumInVoxels, std::hypot(residual(0), residual(1), residual(2)));
      count += 1.0;
    }
  });
  error.mean /= count;
  return error;
}

} // namespace maps

#endif
