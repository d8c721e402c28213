// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_Bilateral_h
#define cudaneuro_denoising_bilateral_Bilateral_h

#include "cudaneuro/Bilateral.h"
#include "core/Dispatch.h"
#include "images/noise/NoiseValues.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::Bilateral, which have been checked. */
struct BilateralCall
{
  const BilateralParameters & parameters;
  const Grid &                grid;
  const ConstVolume &         input;
  const ConstVolume &         mask;
  const Volume &              output;
  /** The noise at each voxel, or absent where it is constant. The scalar parameters hold for the largest noise. */
  ConstVolume noise;
  NoiseValues noiseValues;
};

/** Filters the image. On a GPU, a voxel whose intensity over rangeSigma is beyond 1e38 is excluded, as NaN is.
 * \throws Error, OutOfMemoryError, Aborted */
CUDANEURO_ON_BOTH(void Bilateral(Context & context, const BilateralCall & call));

} // namespace cudaneuro

#endif
