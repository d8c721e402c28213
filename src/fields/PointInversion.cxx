// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/PointInversion.h"

#include "fields/FieldInversionFormulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

namespace
{

/** The residual, in voxels, at which the iteration ends, and the largest one of a valid result. Displacements are
 * float, whose rounding error is below 1e-5 voxels for displacements below 100. */
constexpr double goal = 1e-5;
constexpr double largestResidual = 1e-3;
constexpr int    mostIterations = 200;

/** An iterate, its residual p + field(p) - target, and the step to the next one. */
struct PointState
{
  Vector3d position{};
  Vector3d residual{};
  Vector3d step{};
  double   squaredResidual = std::numeric_limits<double>::infinity();
};

SplitPosition
Split(const Vector3d & position)
{
  constexpr double farAway = 1e9;
  int              voxels[3] = {};
  float            rests[3] = {};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double whole = std::clamp(std::floor(position[axis]), -farAway, farAway);
    voxels[axis] = static_cast<int>(whole);
    rests[axis] = static_cast<float>(position[axis] - whole);
  }
  return { voxels[0], voxels[1], voxels[2], rests[0], rests[1], rests[2] };
}

/** Returns the state of an iterate; its residual is infinite where the field is infinite or NaN. */
PointState
StateAt(const Extent & extent, const ConstSoAField & field, const Vector3d & target, const Vector3d & position)
{
  PointState state;
  state.position = position;
  if (!std::isfinite(position[0] + position[1] + position[2]))
  {
    return state;
  }
  const SampleCell       cell(Split(position), extent);
  const ValueAndGradient ux = SampleWithGradient(cell, field.x);
  const ValueAndGradient uy = SampleWithGradient(cell, field.y);
  const ValueAndGradient uz = SampleWithGradient(cell, field.z);
  const float            values[3] = { ux.value, uy.value, uz.value };
  double                 square = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    state.residual[axis] = position[axis] + static_cast<double>(values[axis]) - target[axis];
    square += state.residual[axis] * state.residual[axis];
  }
  if (!std::isfinite(square))
  {
    return state;
  }
  state.squaredResidual = square;
  InversionState newton{};
  newton.residualX = static_cast<float>(state.residual[0]);
  newton.residualY = static_cast<float>(state.residual[1]);
  newton.residualZ = static_cast<float>(state.residual[2]);
  FindStep(IdentityPlus({ ux.x, ux.y, ux.z, uy.x, uy.y, uy.z, uz.x, uz.y, uz.z }), newton);
  state.step = { static_cast<double>(newton.stepX),
                 static_cast<double>(newton.stepY),
                 static_cast<double>(newton.stepZ) };
  return state;
}

} // namespace

std::optional<Vector3d>
InvertAtPoint(const Extent & extent, const ConstSoAField & field, const Vector3d & target)
{
  PointState state = StateAt(extent, field, target, target);
  PointState best = state;
  double     damping = 1.0;
  for (int i = 0; i < mostIterations && !(best.squaredResidual <= goal * goal); ++i)
  {
    if (!std::isfinite(state.squaredResidual))
    {
      break;
    }
    // As in InvertAt: if several halvings of a step do not help, the next step is that of the fixed-point iteration.
    const bool       isStuck = damping < static_cast<double>(leastDamping);
    const PointState next =
      StateAt(extent,
              field,
              target,
              isStuck ? Sum(state.position, -1.0, state.residual) : Sum(state.position, damping, state.step));
    const bool isBetter = next.squaredResidual < state.squaredResidual;
    damping = isStuck ? 1.0 : (isBetter ? std::min(1.0, 2.0 * damping) : 0.5 * damping);
    state = isBetter || isStuck ? next : state;
    best = state.squaredResidual < best.squaredResidual ? state : best;
  }
  return best.squaredResidual <= largestResidual * largestResidual ? std::optional(best.position) : std::nullopt;
}

} // namespace cudaneuro
