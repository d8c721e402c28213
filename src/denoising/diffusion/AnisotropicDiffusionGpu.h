// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_AnisotropicDiffusionGpu_h
#define cudaneuro_denoising_diffusion_AnisotropicDiffusionGpu_h

#include "cudaneuro/AnisotropicDiffusion.h"

namespace cudaneuro
{
namespace gpu
{

/** AnisotropicDiffusion on a CUDA context; parameters have been checked.
 * \param reference the ReferenceIntensity of the input
 * \throws Error, OutOfMemoryError, Aborted */
void
AnisotropicDiffusion(Context &                              context,
                     const AnisotropicDiffusionParameters & parameters,
                     const Grid &                           grid,
                     float                                  reference,
                     const ConstVolume &                    input,
                     const ConstVolume &                    mask,
                     const Volume &                         output);

} // namespace gpu
} // namespace cudaneuro

#endif
