// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansCpu_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansCpu_h

#include "cudaneuro/NonLocalMeans.h"

namespace cudaneuro::cpu
{

/** cudaneuro::NonLocalMeans on host memory. The parameters are valid; \p mask may be null; \p output is not the input.
 * The result does not depend on the number of threads.
 * \throws Aborted */
void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const float *                   input,
              const unsigned char *           mask,
              float *                         output);

} // namespace cudaneuro::cpu

#endif
