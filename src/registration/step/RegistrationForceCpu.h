// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_RegistrationForceCpu_h
#define cudaneuro_registration_step_RegistrationForceCpu_h

#include "registration/step/StepFormulas.h"

namespace cudaneuro::cpu
{

/** The force on the map x + displacement(x): the gradient of its energy by the displacement. The map moves against
 * it.
 * \param derivative the derivative of the image energy by the deformed image; the sums then omit the image energy. If
 * it is null, the image energy is half the squared difference of the images. */
ForceSums
RegistrationForce(Context &                      context,
                  const RegistrationParameters & parameters,
                  const ImagePair &              images,
                  const ConstSoAField &          displacement,
                  const float *                  derivative,
                  const SoAField &               force,
                  ForceUse                       use = ForceUse::Whole);

/** Writes the deformed moving image; NaN where it or the fixed image, which may be null, has no value. */
void
DeformImage(Context & context, const ImagePair & images, const ConstSoAField & displacement, float * deformed);

/** Computes the derivative of minus the sum of squared local correlations by the deformed image.
 * \param radius half-width of the boxes in voxels
 * \return minus the sum */
double
DeformedCorrelation(
  Context & context, int radius, const ImagePair & images, const ConstSoAField & displacement, float * derivative);

/** Computes the derivative of minus the mutual information, times the number of voxels at which both images have a
 * value, by the deformed image; NaN at other voxels. Intensities are in bins, see MutualInformationFormulas.h.
 * \return minus the information, times that number */
double
DeformedInformation(
  Context & context, int bins, const ImagePair & images, const ConstSoAField & displacement, float * derivative);

} // namespace cudaneuro::cpu

#endif
