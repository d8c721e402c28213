// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_StepLimitFormulas_h
#define cudaneuro_registration_step_StepLimitFormulas_h

#include "fields/JacobianFormulas.h"

/** Where and by how much a step is shortened so that the Jacobian determinant J keeps above its bound, for both
 * compilers. */
namespace cudaneuro
{

/** Part of the distance to the bound that a step leaves at least: the forces that grow towards J = 0 get some
 * iterations to act before the bound is reached. */
constexpr float keptDistance = 0.2f;
/** Room between the bound that steps keep and the one that decides about the whole candidate, as the two come from
 * differently rounded determinants. */
constexpr float boundMargin = 1.0001f;

/** Larger determinants than this are not near a bound: no step shrinks a voxel from there so far that it would be
 * shortened, but for the bound itself. */
constexpr float farJacobian = 1.5f;

/** A candidate with a larger determinant keeps its distance from the bound unless the accepted one is beyond
 * farJacobian. */
CUDANEURO_HOST_DEVICE float
NearBound(float bound)
{
  const float inner = boundMargin * bound;
  return inner + keptDistance * (farJacobian - inner);
}

/** Whether the step must be shortened at a voxel whose Jacobian determinant it takes from \p accepted to \p candidate.
 * A determinant that grows is never in the way. */
CUDANEURO_HOST_DEVICE bool
NeedsLimit(float bound, float accepted, float candidate)
{
  const float inner = boundMargin * bound;
  // NaN is in the way.
  return !(candidate >= inner + keptDistance * (accepted - inner)) && !(candidate >= accepted);
}

/** Half-width of the box around an offender in which the step is shortened. */
constexpr int limitRadius = 4;

/** Factor of the step at an offender: half first, then none. */
CUDANEURO_HOST_DEVICE float
LimitOfRound(int round)
{
  return round == 0 ? 0.5f : 0.0f;
}

/** Factor of the step at a squared distance from an offender where it is \p limit: the same at the neighbors that its J
 * reads, and smoothly up to 1 at limitRadius. */
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

/** Whether the voxel is an offender. The accepted map is read only near the bound. */
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
