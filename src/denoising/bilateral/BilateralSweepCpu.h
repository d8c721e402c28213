// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepCpu_h
#define cudaneuro_denoising_bilateral_BilateralSweepCpu_h

#include "cudaneuro/BilateralSweep.h"

namespace cudaneuro::cpu
{

/** cudaneuro::BilateralSweep on host memory. The parameters are valid; \p mask may be null.
 * \throws OutOfMemoryError, Aborted */
void
BilateralSweep(Context &                        context,
               const BilateralSweepParameters & parameters,
               const Grid &                     grid,
               const float *                    input,
               const unsigned char *            mask,
               const std::vector<Volume> &      outputs);

} // namespace cudaneuro::cpu

#endif
