// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_MemberStepFormulas_h
#define cudaneuro_atlas_members_MemberStepFormulas_h

#include "atlas/members/MemberStep.h"
#include "fields/CellSampler.h"
#include "fields/JacobianFormulas.h"
#include "images/ImagePreparationFormulas.h"
#include "registration/step/StepFormulas.h"

/** The deformed image and the check of a new map, for both compilers. */
namespace cudaneuro
{

/** The image at a position of its grid, which extends half a voxel beyond the centers of its outermost voxels; NaN
 * elsewhere. */
CUDANEURO_HOST_DEVICE float
DeformedValue(const CellGrid & grid, const float * moving, float x, float y, float z)
{
  const bool isInside = x >= -0.5f && x <= grid.lastX + 0.5f && y >= -0.5f && y <= grid.lastY + 0.5f && z >= -0.5f &&
                        z <= grid.lastZ + 0.5f;
  return isInside ? Cell::Nearest(grid, x, y, z).Interpolate(grid, moving) : NoValue();
}

/** The contribution of a part of the new map to the decision about it. */
struct MapExtremes
{
  float minimumJacobian;
  /** Largest absolute displacement along each axis. */
  float largest[3];

  CUDANEURO_HOST_DEVICE static MapExtremes
  Empty()
  {
    return { 3.4e38f, { 0.0f, 0.0f, 0.0f } };
  }
  /** Adds a voxel; a determinant of NaN counts as negative. */
  CUDANEURO_HOST_DEVICE void
  Add(float jacobian, float dx, float dy, float dz)
  {
    const float counted = jacobian == jacobian ? jacobian : -1.0f;
    this->Include({ counted, { std::fabs(dx), std::fabs(dy), std::fabs(dz) } });
  }
  CUDANEURO_HOST_DEVICE void
  Include(const MapExtremes & other)
  {
    minimumJacobian = std::fmin(minimumJacobian, other.minimumJacobian);
    for (int axis = 0; axis < 3; ++axis)
    {
      largest[axis] = std::fmax(largest[axis], other.largest[axis]);
    }
  }
};

/** Accepts or rejects the new map by its minimum Jacobian determinant, and prepares the state for the next step, whose
 * candidate is the accepted map. */
CUDANEURO_HOST_DEVICE void
SettleStep(const MapExtremes & extremes, MemberState & state)
{
  const StepRecord & last = state.records[state.step.numberOfRecords > 0 ? state.step.numberOfRecords - 1 : 0];
  MemberRecord &     record = state.record;
  record.imageEnergy = last.imageEnergy;
  record.biasEnergy = last.biasEnergy;
  for (int term = 0; term < numberOfTerms; ++term)
  {
    record.termEnergies[term] = last.termEnergies[term];
  }
  record.hasFolded = !(extremes.minimumJacobian > leastJacobian);
  if (record.hasFolded)
  {
    state.step.stepFraction *= stepFactorAfterFold;
  }
  else
  {
    record.minimumJacobian = extremes.minimumJacobian;
    for (int axis = 0; axis < 3; ++axis)
    {
      record.largest[axis] = extremes.largest[axis];
    }
  }
  state.step.accepted = 0;
  state.step.numberOfRecords = state.step.numberOfRecords > 0 ? 1 : 0;
}

} // namespace cudaneuro

#endif
