// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_AnisotropicDiffusion_h
#define cudaneuro_denoising_diffusion_AnisotropicDiffusion_h

#include "cudaneuro/AnisotropicDiffusion.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::AnisotropicDiffusion, which have been checked. */
struct DiffusionCall
{
  const AnisotropicDiffusionParameters & parameters;
  const Grid &                           grid;
  float                                  reference; // ReferenceIntensity of the input
  const ConstVolume &                    input;
  const ConstVolume &                    mask;
  const Volume &                         output;
};

namespace cpu
{
/** \throws OutOfMemoryError, Aborted */
void
AnisotropicDiffusion(Context & context, const DiffusionCall & call);
} // namespace cpu

namespace gpu
{
/** \throws Error, OutOfMemoryError, Aborted */
void
AnisotropicDiffusion(Context & context, const DiffusionCall & call);
} // namespace gpu

} // namespace cudaneuro

#endif
