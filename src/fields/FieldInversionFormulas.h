// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldInversionFormulas_h
#define cudaneuro_fields_FieldInversionFormulas_h

#include "fields/FieldInversion.h"
#include "fields/JacobianFormulas.h"
#include "fields/Sampling.h"

#include <limits>

/** The inverse of a field at one voxel, for both compilers. */
namespace cudaneuro
{

/** An iterate v of the inverse at a voxel i, its residual v + scale * field(i + v), and the step to the next
 * iterate. */
struct InversionState
{
  float x;
  float y;
  float z;
  float residualX;
  float residualY;
  float residualZ;
  float squaredResidual;
  /** The squared length of the residual in the unit of the inversion's spacing. */
  float squaredLength;
  float stepX;
  float stepY;
  float stepZ;
};

/** Sets the step to Newton's, -(I + scale * Du)^-1 residual; near a fold, where the matrix has no useful inverse, to
 * -residual, the step of the fixed-point iteration of Chen et al. 2008. */
CUDANEURO_HOST_DEVICE void
FindStep(const FieldGradient & m, InversionState & state)
{
  constexpr float leastDeterminant = 0.01f;
  const float     determinant = Determinant(m);
  if (!(determinant > leastDeterminant))
  {
    state.stepX = -state.residualX;
    state.stepY = -state.residualY;
    state.stepZ = -state.residualZ;
    return;
  }
  const FieldGradient c = Cofactors(m);
  const float         factor = -1.0f / determinant;
  state.stepX = factor * (c.xx * state.residualX + c.yx * state.residualY + c.zx * state.residualZ);
  state.stepY = factor * (c.xy * state.residualX + c.yy * state.residualY + c.zy * state.residualZ);
  state.stepZ = factor * (c.xz * state.residualX + c.yz * state.residualY + c.zz * state.residualZ);
}

/** Returns the state of the iterate (vx, vy, vz) at voxel (x, y, z). */
template <typename TIndex>
CUDANEURO_HOST_DEVICE InversionState
InversionStateAt(const FieldInversion & inversion, int x, int y, int z, float vx, float vy, float vz)
{
  const SampleCellOf<TIndex> cell({ x, y, z, vx, vy, vz }, inversion.extent);
  const ValueAndGradient     ux = SampleWithGradient(cell, inversion.field.x);
  const ValueAndGradient     uy = SampleWithGradient(cell, inversion.field.y);
  const ValueAndGradient     uz = SampleWithGradient(cell, inversion.field.z);
  InversionState             state{};
  state.x = vx;
  state.y = vy;
  state.z = vz;
  state.residualX = vx + inversion.scale * ux.value;
  state.residualY = vy + inversion.scale * uy.value;
  state.residualZ = vz + inversion.scale * uz.value;
  state.squaredResidual =
    state.residualX * state.residualX + state.residualY * state.residualY + state.residualZ * state.residualZ;
  const float lengthX = inversion.spacing[0] * state.residualX;
  const float lengthY = inversion.spacing[1] * state.residualY;
  const float lengthZ = inversion.spacing[2] * state.residualZ;
  state.squaredLength = lengthX * lengthX + lengthY * lengthY + lengthZ * lengthZ;
  FindStep(IdentityPlus({ ux.x, ux.y, ux.z, uy.x, uy.y, uy.z, uz.x, uz.y, uz.z }, inversion.scale), state);
  return state;
}

/** The iterate with the smallest residual so far. */
struct BestIterate
{
  float x;
  float y;
  float z;
  float squaredResidual;
  float squaredLength;

  CUDANEURO_HOST_DEVICE explicit BestIterate(const InversionState & state)
    : x(state.x)
    , y(state.y)
    , z(state.z)
    , squaredResidual(state.squaredResidual)
    , squaredLength(state.squaredLength)
  {}

  CUDANEURO_HOST_DEVICE void
  Consider(const InversionState & state)
  {
    *this = state.squaredResidual < squaredResidual ? BestIterate(state) : *this;
  }
};

/** Sum and maximum of the residuals of some voxels. The sum is NaN if one of the residuals is NaN. */
struct InversionPartial
{
  double       sum;
  std::int64_t count;
  float        maximum;
  int          iterations;

  CUDANEURO_HOST_DEVICE static InversionPartial
  Empty()
  {
    return { 0.0, 0, 0.0f, 0 };
  }

  CUDANEURO_HOST_DEVICE void
  Include(const InversionPartial & other)
  {
    sum += other.sum;
    count += other.count;
    maximum = maximum > other.maximum ? maximum : other.maximum;
    iterations = iterations > other.iterations ? iterations : other.iterations;
  }
};

/** The minimum factor of a step. Shorter steps only end at a kink: at the center of a voxel, where iterations start,
 * the derivative inside one of the adjacent cells need not point to where the residual decreases. */
constexpr float leastDamping = 0.05f;

/** Writes the inverse at voxel (x, y, z), element \p index, by a damped Newton iteration that starts from 0 or from the
 * given inverse: a step that does not reduce the residual is halved; below leastDamping, one fixed-point step follows
 * instead. The iteration ends when the residual is within the tolerance, or returns the best iterate; if no
 * iterate has a finite residual, because the field around is NaN or infinite, the inverse is NaN. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE void
InvertAt(const FieldInversion & inversion, int x, int y, int z, TIndex index, InversionPartial & partial)
{
  const float    limit = inversion.tolerance * inversion.tolerance;
  const bool     isGiven = inversion.startsFromInverse;
  InversionState state = InversionStateAt<TIndex>(inversion,
                                                  x,
                                                  y,
                                                  z,
                                                  isGiven ? inversion.inverse.x[index] : 0.0f,
                                                  isGiven ? inversion.inverse.y[index] : 0.0f,
                                                  isGiven ? inversion.inverse.z[index] : 0.0f);
  BestIterate    best(state);
  float          damping = 1.0f;
  int            iteration = 1;
  while (best.squaredResidual > limit && iteration < inversion.maximumIterations)
  {
    const bool           isStuck = damping < leastDamping;
    const float          stepX = isStuck ? -state.residualX : damping * state.stepX;
    const float          stepY = isStuck ? -state.residualY : damping * state.stepY;
    const float          stepZ = isStuck ? -state.residualZ : damping * state.stepZ;
    const InversionState next =
      InversionStateAt<TIndex>(inversion, x, y, z, state.x + stepX, state.y + stepY, state.z + stepZ);
    const bool isBetter = next.squaredResidual < state.squaredResidual;
    damping = isStuck ? 1.0f : (isBetter ? (damping < 0.5f ? 2.0f * damping : 1.0f) : 0.5f * damping);
    state = isBetter || isStuck ? next : state;
    best.Consider(state);
    ++iteration;
  }
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const bool      isFound = best.squaredResidual < std::numeric_limits<float>::infinity();
  inversion.inverse.x[index] = isFound ? best.x : nan;
  inversion.inverse.y[index] = isFound ? best.y : nan;
  inversion.inverse.z[index] = isFound ? best.z : nan;
  if (!isFound || IsInside({ x, y, z, best.x, best.y, best.z }, inversion.extent))
  {
    const float residual = isFound ? std::sqrt(best.squaredLength) : nan;
    partial.Include({ residual, 1, residual, iteration });
  }
}

inline InversionResult
MakeInversionResult(const InversionPartial & partial)
{
  InversionResult result;
  result.numberOfIterations = partial.iterations;
  result.meanResidual = partial.count > 0 ? partial.sum / static_cast<double>(partial.count) : 0.0;
  result.maximumResidual = std::isnan(partial.sum) ? partial.sum : partial.maximum;
  return result;
}

} // namespace cudaneuro

#endif
