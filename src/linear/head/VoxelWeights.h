// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_VoxelWeights_h
#define cudaneuro_linear_head_VoxelWeights_h

#include "cudaneuro/LinearRegistration.h"
#include "linear/head/HeadDepth.h"

namespace cudaneuro
{

/** How much the voxels of a grid count, UnsignedChar in 255ths, in memory of the context's device. Inside RunDeviceJob.
 * \param weighting NearHead or Depth */
DeviceMemory
MakeVoxelWeights(Context & context, const HeadDepth & depth, VoxelWeighting weighting, const Geometry & geometry);

/** The same as numbers from 0 to 1: the depth as a part of the head's scale, at most 1. */
DeviceMemory
MakeLinearDepthWeights(Context & context, const HeadDepth & depth, const Geometry & geometry);

} // namespace cudaneuro

#endif
