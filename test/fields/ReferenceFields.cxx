// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceFields.h"

#include <algorithm>
#include <cmath>

namespace reference
{
namespace
{

using Columns = std::array<Point, 3>;

double
Determinant(const Columns & c)
{
  return c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) + c[0][1] * (c[1][2] * c[2][0] - c[1][0] * c[2][2]) +
         c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
}

/** Displacements of one step along each axis of the grid. */
Columns
AxisVectors(const cudaneuro::Geometry & geometry)
{
  Columns columns{};
  for (int axis = 0; axis < 3; ++axis)
  {
    for (int row = 0; row < 3; ++row)
    {
      columns[axis][row] = geometry.direction[3 * row + axis] * geometry.grid.spacing[axis];
    }
  }
  return columns;
}

std::size_t
Element(const cudaneuro::Grid & grid, const std::array<std::int64_t, 3> & voxel)
{
  return static_cast<std::size_t>(voxel[0] + grid.size[0] * (voxel[1] + grid.size[1] * voxel[2]));
}

/** Calls body(weight, element) for the corners of the cell around an index that have a weight. */
template <typename TBody>
void
ForCorners(const cudaneuro::Grid & grid, const Point & index, const TBody & body)
{
  for (int corner = 0; corner < 8; ++corner)
  {
    double                      weight = 1.0;
    std::array<std::int64_t, 3> voxel{};
    for (int axis = 0; axis < 3; ++axis)
    {
      const double last = static_cast<double>(grid.size[axis] - 1);
      const double position = std::clamp(index[axis], 0.0, last);
      const double lower = std::floor(position);
      const bool   isUpper = (corner >> axis) % 2 == 1;
      weight *= isUpper ? position - lower : 1.0 - (position - lower);
      voxel[axis] = static_cast<std::int64_t>(lower) + (isUpper ? 1 : 0);
    }
    if (weight > 0.0)
    {
      body(weight, Element(grid, voxel));
    }
  }
}

/** The value at an index on the grid, or \p defaultValue. */
double
ValueAt(const cudaneuro::WarpParameters &  parameters,
        const cudaneuro::Grid &            grid,
        const std::vector<double> &        input,
        const std::vector<unsigned char> & mask,
        const Point &                      index)
{
  const auto isMasked = [&](std::size_t element) { return mask.empty() || mask[element] != 0; };
  if (parameters.interpolation == cudaneuro::Interpolation::Nearest)
  {
    std::array<std::int64_t, 3> voxel{};
    for (int axis = 0; axis < 3; ++axis)
    {
      voxel[axis] = static_cast<std::int64_t>(std::floor(index[axis] + 0.5));
    }
    const std::size_t element = Element(grid, voxel);
    return isMasked(element) ? input[element] : parameters.edgePaddingValue;
  }
  double sum = 0.0;
  double sumOfWeights = 0.0;
  ForCorners(grid, index, [&](double weight, std::size_t element) {
    if (isMasked(element))
    {
      sum += weight * input[element];
      sumOfWeights += weight;
    }
  });
  return sumOfWeights > 0.0 ? sum / sumOfWeights : parameters.edgePaddingValue;
}

} // namespace

Point
PointOfIndex(const cudaneuro::Geometry & geometry, const Point & index)
{
  const Columns columns = AxisVectors(geometry);
  Point         point = geometry.origin;
  for (int row = 0; row < 3; ++row)
  {
    point[row] += columns[0][row] * index[0] + columns[1][row] * index[1] + columns[2][row] * index[2];
  }
  return point;
}

Point
IndexOfPoint(const cudaneuro::Geometry & geometry, const Point & point)
{
  // Cramer's rule.
  const Columns columns = AxisVectors(geometry);
  const double  determinant = Determinant(columns);
  Point         index{};
  for (int axis = 0; axis < 3; ++axis)
  {
    Columns replaced = columns;
    for (int row = 0; row < 3; ++row)
    {
      replaced[axis][row] = point[row] - geometry.origin[row];
    }
    index[axis] = Determinant(replaced) / determinant;
  }
  return index;
}

Point
Apply(const cudaneuro::AffineMap & map, const Point & point)
{
  Point result = map.offset;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      result[row] += map.matrix[3 * row + column] * point[column];
    }
  }
  return result;
}

bool
IsInside(const cudaneuro::Grid & grid, const Point & index)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    if (!(index[axis] >= -0.5 && index[axis] < static_cast<double>(grid.size[axis]) - 0.5))
    {
      return false;
    }
  }
  return true;
}

Point
DisplacementAt(const cudaneuro::Geometry & geometry, const std::vector<double> & field, const Point & point)
{
  Point displacement{};
  ForCorners(geometry.grid, IndexOfPoint(geometry, point), [&](double weight, std::size_t element) {
    for (int axis = 0; axis < 3; ++axis)
    {
      displacement[axis] += weight * field[3 * element + axis];
    }
  });
  return displacement;
}

std::vector<double>
Warp(const cudaneuro::WarpParameters &  parameters,
     const cudaneuro::Geometry &        inputGeometry,
     const std::vector<double> &        input,
     const std::vector<unsigned char> & mask,
     const cudaneuro::Geometry &        outputGeometry,
     const cudaneuro::AffineMap &       transform,
     const std::vector<double> &        field)
{
  std::vector<double> output(static_cast<std::size_t>(outputGeometry.grid.NumberOfVoxels()));
  ForAllVoxels(outputGeometry.grid, [&](const Point & voxel, std::size_t i) {
    Point point = PointOfIndex(outputGeometry, voxel);
    for (int axis = 0; axis < 3 && !field.empty(); ++axis)
    {
      point[axis] += field[3 * i + axis];
    }
    const Point index = IndexOfPoint(inputGeometry, Apply(transform, point));
    output[i] = IsInside(inputGeometry.grid, index) ? ValueAt(parameters, inputGeometry.grid, input, mask, index)
                                                    : parameters.edgePaddingValue;
  });
  return output;
}

std::vector<double>
ComposeFields(const cudaneuro::Geometry & geometry,
              const std::vector<double> & first,
              const cudaneuro::Geometry & geometryOfSecond,
              const std::vector<double> & second)
{
  std::vector<double> output(first.size());
  ForAllVoxels(geometry.grid, [&](const Point & voxel, std::size_t i) {
    Point point = PointOfIndex(geometry, voxel);
    for (int axis = 0; axis < 3; ++axis)
    {
      point[axis] += first[3 * i + axis];
    }
    const Point displacement = DisplacementAt(geometryOfSecond, second, point);
    for (int axis = 0; axis < 3; ++axis)
    {
      output[3 * i + axis] = first[3 * i + axis] + displacement[axis];
    }
  });
  return output;
}

std::vector<double>
JacobianDeterminants(const cudaneuro::Geometry & geometry, const std::vector<double> & field)
{
  std::vector<double> determinants(field.size() / 3);
  const Columns       axes = AxisVectors(geometry);
  ForAllVoxels(geometry.grid, [&](const Point & voxel, std::size_t i) {
    // The map takes the steps along the grid's axes to steps + differences; the determinant is the ratio of volumes.
    Columns moved = axes;
    for (int axis = 0; axis < 3; ++axis)
    {
      std::array<std::int64_t, 3> lower{};
      for (int j = 0; j < 3; ++j)
      {
        lower[j] = static_cast<std::int64_t>(voxel[j]);
      }
      std::array<std::int64_t, 3> upper = lower;
      lower[axis] = std::max<std::int64_t>(lower[axis] - 1, 0);
      upper[axis] = std::min<std::int64_t>(upper[axis] + 1, geometry.grid.size[axis] - 1);
      const auto steps = static_cast<double>(upper[axis] - lower[axis]);
      for (int row = 0; row < 3 && steps > 0.0; ++row)
      {
        moved[axis][row] +=
          (field[3 * Element(geometry.grid, upper) + row] - field[3 * Element(geometry.grid, lower) + row]) / steps;
      }
    }
    determinants[i] = Determinant(moved) / Determinant(axes);
  });
  return determinants;
}

} // namespace reference
