// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweep_h
#define cudaneuro_denoising_bilateral_BilateralSweep_h

#include "cudaneuro/BilateralSweep.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::BilateralSweep, which have been checked. */
struct BilateralSweepCall
{
  const BilateralSweepParameters & parameters;
  const Grid &                     grid;
  const ConstVolume &              input;
  const ConstVolume &              mask;
  const std::vector<Volume> &      outputs;
};

namespace cpu
{
/** \throws OutOfMemoryError, Aborted */
void
BilateralSweep(Context & context, const BilateralSweepCall & call);
} // namespace cpu

namespace gpu
{
/** A voxel whose intensity over rangeSigma is beyond 1e38 counts as not finite.
 * \throws Error, OutOfMemoryError, Aborted */
void
BilateralSweep(Context & context, const BilateralSweepCall & call);
} // namespace gpu

} // namespace cudaneuro

#endif
