// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_PointTermFormulas_h
#define cudaneuro_registration_step_PointTermFormulas_h

#include "registration/step/PointTerm.h"

/** The energy and the forces of points, for both compilers. */
namespace cudaneuro
{

/** Interpolates a displacement in a cell of the grid. */
CUDANEURO_HOST_DEVICE void
DisplacementAt(const CellGrid & grid, const Cell & cell, const SoAField & field, float (&displacement)[3])
{
  displacement[0] = cell.Interpolate(grid, field.x);
  displacement[1] = cell.Interpolate(grid, field.y);
  displacement[2] = cell.Interpolate(grid, field.z);
}

/** The displacements that determine a point's force and energy. */
struct PointMaps
{
  SoAField own;
  /** The other side's displacement; null pointers where one map alone moves. */
  SoAField other;
  /** Sign of the wanted displacement: -1 for the map to the fixed image. */
  float sign;
};

/** The displacements of a side's candidate.
 * \param others the other side's map in a symmetric registration, otherwise null */
CUDANEURO_HOST_DEVICE PointMaps
PointMapsOf(const StepState & state, const MapPair & maps, const MapPair * others, float velocitySign)
{
  return { maps.Candidate(state), others != nullptr ? others->Candidate(state) : SoAField(), velocitySign };
}

/** The displacement at a point minus the wanted one, in voxels. */
CUDANEURO_HOST_DEVICE void
ResidualOfPoint(const LevelPoints & points, const PointRecord & point, const PointMaps & maps, float (&residual)[3])
{
  const Cell cell = Cell::Nearest(points.grid, point.position[0], point.position[1], point.position[2]);
  float      ofOther[3] = { 0.0f, 0.0f, 0.0f };
  DisplacementAt(points.grid, cell, maps.own, residual);
  if (maps.other.x != nullptr)
  {
    DisplacementAt(points.grid, cell, maps.other, ofOther);
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    residual[axis] = residual[axis] - ofOther[axis] - maps.sign * point.wanted[axis];
  }
}

CUDANEURO_HOST_DEVICE double
EnergyOfPoint(const LevelPoints & points, int index, const PointMaps & maps)
{
  const PointRecord & point = points.points[index];
  float               residual[3];
  ResidualOfPoint(points, point, maps, residual);
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    square += static_cast<double>(points.squaredSpacing[axis] * residual[axis] * residual[axis]);
  }
  return static_cast<double>(point.energy) * square;
}

/** The sum of the points' forces on a voxel of the list, in the order of the points. Each of the eight voxels around a
 * point recomputes the point's residual, which is faster than synchronizing. */
CUDANEURO_HOST_DEVICE void
PointForcesAt(const LevelPoints & points, int index, const PointMaps & maps, float (&sum)[3])
{
  sum[0] = sum[1] = sum[2] = 0.0f;
  for (int i = points.begins[index]; i < points.begins[index + 1]; ++i)
  {
    const PointShare    share = points.shares[i];
    const PointRecord & point = points.points[share.point];
    float               residual[3];
    ResidualOfPoint(points, point, maps, residual);
    for (int axis = 0; axis < 3; ++axis)
    {
      sum[axis] += share.weight * (point.pull * residual[axis]);
    }
  }
}

CUDANEURO_HOST_DEVICE void
AddForce(int voxel, const float (&added)[3], const SoAField & force)
{
  force.x[voxel] += added[0];
  force.y[voxel] += added[1];
  force.z[voxel] += added[2];
}

} // namespace cudaneuro

#endif
