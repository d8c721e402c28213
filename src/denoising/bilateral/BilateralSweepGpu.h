// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepGpu_h
#define cudaneuro_denoising_bilateral_BilateralSweepGpu_h

#include "cudaneuro/BilateralSweep.h"

namespace cudaneuro
{
namespace gpu
{

/** BilateralSweep on a CUDA context; parameters have been checked. A voxel whose intensity over rangeSigma is beyond
 * 1e38 counts as not finite.
 * \throws Error, OutOfMemoryError, Aborted */
void
BilateralSweep(Context &                        context,
               const BilateralSweepParameters & parameters,
               const Grid &                     grid,
               const ConstVolume &              input,
               const ConstVolume &              mask,
               const std::vector<Volume> &      outputs);

} // namespace gpu
} // namespace cudaneuro

#endif
