// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_AnisotropicDiffusionCpu_h
#define cudaneuro_denoising_diffusion_AnisotropicDiffusionCpu_h

#include "cudaneuro/AnisotropicDiffusion.h"

namespace cudaneuro::cpu
{

/** cudaneuro::AnisotropicDiffusion on host memory. The parameters are valid; \p mask may be null; \p output may be the
 * input.
 * \param reference the ReferenceIntensity of the input
 * \throws OutOfMemoryError, Aborted */
void
AnisotropicDiffusion(Context &                              context,
                     const AnisotropicDiffusionParameters & parameters,
                     const Grid &                           grid,
                     float                                  reference,
                     const float *                          input,
                     const unsigned char *                  mask,
                     float *                                output);

} // namespace cudaneuro::cpu

#endif
