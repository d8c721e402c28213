// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_AnisotropicDiffusion_h
#define cudaneuro_denoising_diffusion_AnisotropicDiffusion_h

#include "cudaneuro/AnisotropicDiffusion.h"
#include "core/Dispatch.h"
#include "images/noise/NoiseValues.h"

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
  /** The noise at each voxel, or absent where it is constant. The scalar parameters hold for the largest noise. */
  ConstVolume noise;
  NoiseValues noiseValues;
};

/** Diffuses the image explicitly. \throws Error, OutOfMemoryError, Aborted */
CUDANEURO_ON_BOTH(void AnisotropicDiffusion(Context & context, const DiffusionCall & call));

} // namespace cudaneuro

#endif
