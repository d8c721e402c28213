// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LabelForces_h
#define LabelForces_h

#include "data/RegistrationPair.h"
#include "Timing.h"

namespace cudaneuro::benchmark
{

constexpr int numberOfForceLabels = 54;

/** Returns the milliseconds of the labels' force in an iteration: 53 regions in a ball with bent borders and its
 * surroundings, under the map half way between the images. On 256 x 256 x 256 voxels, 7 % have a force; in a map of 32
 * regions of the cortex, 6 % of the cells have several labels.
 * \param isSymmetric whether both maps move */
double
TimeLabelForce(const Repetition & repetition, Context & context, const RegistrationPair & pair, bool isSymmetric);

} // namespace cudaneuro::benchmark

#endif
