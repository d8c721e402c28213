// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_NoiseEstimateCpu_h
#define cudaneuro_images_NoiseEstimateCpu_h

#include "cudaneuro/NoiseEstimate.h"

namespace cudaneuro::cpu
{

/** cudaneuro::EstimateNoiseSigma on host memory. \p mask may be null. The result does not depend on the number of
 * threads.
 * \throws Aborted */
double
EstimateNoiseSigma(Context & context, const Grid & grid, const float * input, const unsigned char * mask);

} // namespace cudaneuro::cpu

#endif
