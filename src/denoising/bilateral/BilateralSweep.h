// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweep_h
#define cudaneuro_denoising_bilateral_BilateralSweep_h

#include "cudaneuro/BilateralSweep.h"
#include "core/Dispatch.h"

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

/** Filters with all sigmas and radii. On a GPU, an intensity over rangeSigma beyond 1e38 is excluded, as NaN is.
 * \throws Error, OutOfMemoryError, Aborted */
CUDANEURO_ON_BOTH(void BilateralSweep(Context & context, const BilateralSweepCall & call));

} // namespace cudaneuro

#endif
