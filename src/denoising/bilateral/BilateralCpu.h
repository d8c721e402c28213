// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralCpu_h
#define cudaneuro_denoising_bilateral_BilateralCpu_h

#include "cudaneuro/Bilateral.h"

namespace cudaneuro::cpu
{

/** cudaneuro::Bilateral on host memory. The parameters are valid; \p mask may be null; \p output is not the input.
 * \throws Aborted */
void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const float *               input,
          const unsigned char *       mask,
          float *                     output);

} // namespace cudaneuro::cpu

#endif
