// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearQuality_h
#define cudaneuro_linear_LinearQuality_h

#include "linear/LinearLevel.h"

namespace cudaneuro
{

/** Quality of a registration's result, which separates success from failure. It is the fraction of the images, in
 * blocks of 32 mm weighted by depth in the head, that fits better with the map than 8 mm beside it (see
 * BlockAgreement), minus the standard deviation of that fraction by chance, which is large for the few blocks of a thin
 * stack. Blocks compare gradients, not the optimized metric. Lengths are for a head of HeadDepth's scale 40, and
 * proportional to it. Called in RunDeviceJob. */
double
QualityOf(Context & context, const LinearImages & images, const AffineMap & map);

} // namespace cudaneuro

#endif
