// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearQuality_h
#define cudaneuro_linear_LinearQuality_h

#include "linear/LinearLevel.h"

namespace cudaneuro
{

/** Tells a success from a failure: the part of the images, in blocks of 32 mm and by their depth in the head, that
 * fits better where the map has it than 8 mm beside, see BlockAgreement, less the standard deviation that chance
 * gives such a part of so many blocks: a thin stack has few. It is judged by gradients, and not by the metric that
 * was optimized. Lengths are those for a head of HeadDepth's scale 40; smaller things have smaller blocks. Inside
 * RunDeviceJob. */
double
QualityOf(Context & context, const LinearImages & images, const AffineMap & map);

} // namespace cudaneuro

#endif
