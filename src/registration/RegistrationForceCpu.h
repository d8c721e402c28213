// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationForceCpu_h
#define cudaneuro_registration_RegistrationForceCpu_h

#include "registration/LevelSolver.h"

namespace cudaneuro::cpu
{

/** Sums over the grid, and the least Jacobian determinant. */
struct ForceSums
{
  double imageEnergy = 0.0;
  double biasEnergy = 0.0;
  float  minimumJacobian = std::numeric_limits<float>::max();
};

/** The negative gradient of the energy of the map x - displacement(x). Where \p derivative is null, the image's energy is
 * half the squared difference of the images; else derivative is that of the energy by the deformed image, and the image's
 * energy is left out of the sums. */
ForceSums
RegistrationForce(Context &                      context,
                  const RegistrationParameters & parameters,
                  const LevelProblem &           problem,
                  const ConstSoAField &          displacement,
                  const float *                  derivative,
                  const SoAField &               force);

/** The derivative of minus the sum of squared local correlations by the deformed image, into \p derivative.
 * \return that sum. */
double
LocalCorrelation(Context &                      context,
                 const RegistrationParameters & parameters,
                 const LevelProblem &           problem,
                 const ConstSoAField &          displacement,
                 float *                        derivative);

} // namespace cudaneuro::cpu

#endif
