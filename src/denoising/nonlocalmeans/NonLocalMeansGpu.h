// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansGpu_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansGpu_h

#include "cudaneuro/NonLocalMeans.h"

namespace cudaneuro
{
namespace gpu
{

/** NonLocalMeans on a CUDA context; parameters have been checked.
 * \throws Error, OutOfMemoryError, Aborted */
void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output);

} // namespace gpu
} // namespace cudaneuro

#endif
