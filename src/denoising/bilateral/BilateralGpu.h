// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralGpu_h
#define cudaneuro_denoising_bilateral_BilateralGpu_h

#include "cudaneuro/Bilateral.h"

namespace cudaneuro
{
namespace gpu
{

/** Bilateral on a CUDA context; parameters have been checked. A voxel whose intensity over rangeSigma is beyond 1e38
 * counts as not finite.
 * \throws Error, OutOfMemoryError, Aborted */
void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output);

} // namespace gpu
} // namespace cudaneuro

#endif
