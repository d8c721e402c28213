// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_UnbiasedFormulas_h
#define cudaneuro_registration_step_UnbiasedFormulas_h

#include "core/ApproximateMath.h"
#include "fields/JacobianFormulas.h"

/** The symmetric Kullback-Leibler distance of a map from the identity (Lee et al., eq. 10 and 11). */
namespace cudaneuro
{

/** The bias of one voxel. */
struct BiasTerm
{
  float jacobian;
  /** (J - 1) log J */
  float energy;
  /** L'(J) = 1 + log J - 1 / J, the derivative of the energy. */
  float derivative;
};

/** The bias for a Jacobian determinant, without meaning where the determinant is not positive. */
CUDANEURO_HOST_DEVICE BiasTerm
BiasTermOf(float jacobian)
{
  const float logarithm = LogOfPositive(jacobian);
  return { jacobian, (jacobian - 1.0f) * logarithm, 1.0f + logarithm - ReciprocalOfPositive(jacobian) };
}

/** Weight with which the stress at position \p i enters its neighbors' force along an axis, the transpose of central
 * differences that are one-sided at the border. */
CUDANEURO_HOST_DEVICE float
StressWeight(int i, int length)
{
  return i == 0 || i == length - 1 ? 1.0f : 0.5f;
}

} // namespace cudaneuro

#endif
