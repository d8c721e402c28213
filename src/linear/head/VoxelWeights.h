// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_VoxelWeights_h
#define cudaneuro_linear_head_VoxelWeights_h

#include "cudaneuro/LinearRegistration.h"
#include "linear/head/HeadDepth.h"

namespace cudaneuro
{

/** Weights of a grid's voxels, UnsignedChar in 255ths, in memory of the context's device. Inside RunDeviceJob.
 * \param weighting NearHead or Depth */
DeviceMemory
MakeVoxelWeights(Context & context, const HeadDepth & depth, VoxelWeighting weighting, const Geometry & geometry);

/** Weights from 0 to 1 as float: the depth as a fraction of the head's scale, at most 1. */
DeviceMemory
MakeLinearDepthWeights(Context & context, const HeadDepth & depth, const Geometry & geometry);

} // namespace cudaneuro

#endif
