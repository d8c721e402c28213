// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_PointTermFormulas_h
#define cudaneuro_registration_PointTermFormulas_h

#include "registration/PointTerm.h"

/** The energy and the forces of points, for both compilers. */
namespace cudaneuro
{

/** Interpolates a displacement at a cell of the grid. */
CUDANEURO_HOST_DEVICE void
DisplacementAt(const CellGrid & grid, const Cell & cell, const SoAField & field, float (&displacement)[3])
{
  displacement[0] = cell.Interpolate(grid, field.x);
  displacement[1] = cell.Interpolate(grid, field.y);
  displacement[2] = cell.Interpolate(grid, field.z);
}

/** Writes what a point pulls with, and returns its energy.
 * \param sign of the wanted displacement: -1 for the map to the fixed image
 * \param others null where one map alone moves */
CUDANEURO_HOST_DEVICE double
PullOfPoint(const LevelPoints & points, int index, float sign, const SoAField & own, const SoAField * others)
{
  const PointRecord & point = points.points[index];
  const Cell          cell = Cell::Nearest(points.grid, point.position[0], point.position[1], point.position[2]);
  float               displacement[3];
  float               ofOther[3] = { 0.0f, 0.0f, 0.0f };
  DisplacementAt(points.grid, cell, own, displacement);
  if (others != nullptr)
  {
    DisplacementAt(points.grid, cell, *others, ofOther);
  }
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    const float residual = displacement[axis] - ofOther[axis] - sign * point.wanted[axis];
    points.pulls[3 * index + axis] = point.pull * residual;
    square += static_cast<double>(points.squaredSpacing[axis] * residual * residual);
  }
  return static_cast<double>(point.energy) * square;
}

/** Adds the forces of its points to a voxel, in their order. */
CUDANEURO_HOST_DEVICE void
AddPulls(const LevelPoints & points, int index, const SoAField & force)
{
  const int voxel = points.voxels[index];
  float     sum[3] = { 0.0f, 0.0f, 0.0f };
  for (int i = points.begins[index]; i < points.begins[index + 1]; ++i)
  {
    const PointShare share = points.shares[i];
    for (int axis = 0; axis < 3; ++axis)
    {
      sum[axis] += share.weight * points.pulls[3 * share.point + axis];
    }
  }
  force.x[voxel] += sum[0];
  force.y[voxel] += sum[1];
  force.z[voxel] += sum[2];
}

} // namespace cudaneuro

#endif
