// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeans_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeans_h

#include "cudaneuro/NonLocalMeans.h"
#include "core/Dispatch.h"
#include "images/noise/NoiseValues.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::NonLocalMeans, which have been checked. */
struct NonLocalMeansCall
{
  const NonLocalMeansParameters & parameters;
  const Grid &                    grid;
  const ConstVolume &             input;
  const ConstVolume &             mask;
  const Volume &                  output;
  /** The noise at each voxel, or absent where it is constant. The scalar parameters hold for the largest noise. */
  ConstVolume noise;
  NoiseValues noiseValues;
};

/** Denoises the image. The result of the CPU does not depend on the number of threads.
 * \throws InvalidParameterError, Error, OutOfMemoryError, Aborted */
CUDANEURO_ON_BOTH(void NonLocalMeans(Context & context, const NonLocalMeansCall & call));

} // namespace cudaneuro

#endif
