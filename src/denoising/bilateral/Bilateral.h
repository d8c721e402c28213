// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_Bilateral_h
#define cudaneuro_denoising_bilateral_Bilateral_h

#include "cudaneuro/Bilateral.h"

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
};

namespace cpu
{
/** \throws OutOfMemoryError, Aborted */
void
Bilateral(Context & context, const BilateralCall & call);
} // namespace cpu

namespace gpu
{
/** A voxel whose intensity over rangeSigma is beyond 1e38 counts as not finite.
 * \throws Error, OutOfMemoryError, Aborted */
void
Bilateral(Context & context, const BilateralCall & call);
} // namespace gpu

} // namespace cudaneuro

#endif
