// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseEstimate_h
#define cudaneuro_images_noise_NoiseEstimate_h

#include "cudaneuro/Context.h"

/** EstimateNoiseSigma for checked arguments, on a grid whose axes of one voxel come last. */
namespace cudaneuro::cpu
{
double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);
}
namespace cudaneuro::gpu
{
double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);
}

#endif
