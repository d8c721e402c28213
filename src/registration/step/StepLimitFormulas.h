// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_StepLimitFormulas_h
#define cudaneuro_registration_step_StepLimitFormulas_h

#include "fields/JacobianFormulas.h"

/** Where and by how much a step is shortened so that the Jacobian determinant J stays above its bound, for both
 * compilers. */
namespace cudaneuro
{

/** Minimum fraction of the distance to the bound that a step keeps, so that the forces that grow towards J = 0 have
 * some iterations to act before the bound is reached. */
constexpr float keptDistance = 0.2f;
/** Ratio of the bound that steps keep to the one that decides about the whole candidate, because the two are compared
 * with differently rounded determinants. */
constexpr float boundMargin = 1.0001f;

/** Determinants above this value are not near a bound: from there, no single step shrinks a voxel so far that it would
 * be shortened, except by the bound itself. */
constexpr float farJacobian = 1.5f;

/** A candidate with a larger determinant keeps its distance from the bound unless the accepted determinant is above
 * farJacobian. */
CUDANEURO_HOST_DEVICE float
NearBound(float bound)
{
  const float inner = boundMargin * bound;
  return inner + keptDistance * (farJacobian - inner);
}

/** Whether the step must be shortened at a voxel whose Jacobian determinant it changes from \p accepted to
 * \p candidate. A growing determinant is always allowed. */
CUDANEURO_HOST_DEVICE bool
NeedsLimit(float bound, float accepted, float candidate)
{
  const float inner = boundMargin * bound;
  // NaN fails both comparisons, and needs the limit.
  return !(candidate >= inner + keptDistance * (accepted - inner)) && !(candidate >= accepted);
}

/** Half-width of the box around an offender in which the step is shortened. */
constexpr int limitRadius = 4;

/** Factor of the step at an offender: 1/2 in the first round, then 0. */
CUDANEURO_HOST_DEVICE float
LimitOfRound(int round)
{
  return round == 0 ? 0.5f : 0.0f;
}

/** Factor of the step at a squared distance from an offender, where it is \p limit: the same at the neighbors that its
 * J reads, and rising smoothly to 1 at limitRadius. */
CUDANEURO_HOST_DEVICE float
LimitAround(float limit, int squaredDistance)
{
  constexpr float range = limitRadius * limitRadius - 1;
  const float     u = static_cast<float>(squaredDistance - 1) / range;
  if (u >= 1.0f)
  {
    return 1.0f;
  }
  const float inside = u > 0.0f ? (1.0f - u) * (1.0f - u) : 1.0f;
  return 1.0f - (1.0f - limit) * inside;
}

/** The Jacobian determinant of a map at a voxel. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE float
MapJacobianAt(const ConstSoAField & displacement, const Extent & extent, int x, int y, int z)
{
  return Determinant(IdentityPlus(GradientAt<TIndex>(displacement, extent, x, y, z)));
}

/** Whether the voxel is an offender, which NeedsLimit(). The accepted map is read only near the bound. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE bool
IsOffender(float                 bound,
           const ConstSoAField & accepted,
           const ConstSoAField & candidate,
           const Extent &        extent,
           int                   x,
           int                   y,
           int                   z)
{
  const float jacobian = MapJacobianAt<TIndex>(candidate, extent, x, y, z);
  return !(jacobian >= NearBound(bound)) &&
         NeedsLimit(bound, MapJacobianAt<TIndex>(accepted, extent, x, y, z), jacobian);
}

} // namespace cudaneuro

#endif
