// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_NoiseEstimateGpu_h
#define cudaneuro_images_NoiseEstimateGpu_h

#include "cudaneuro/NoiseEstimate.h"

namespace cudaneuro::gpu
{

/** cudaneuro::EstimateNoiseSigma on a CUDA device. */
double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

} // namespace cudaneuro::gpu

#endif
