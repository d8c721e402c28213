// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_VoxelMask_h
#define cudaneuro_linear_head_VoxelMask_h

#include "core/SoAField.h"
#include "cudaneuro/Context.h"
#include "metrics/MetricEvaluator.h"

#include <array>
#include <vector>

/** Operations on small masks in memory of the host, x fastest; voxels are 0 or 1. */
namespace cudaneuro
{

using VoxelMask = std::vector<unsigned char>;

/** Leaves the voxels of which all 6 neighbors are inside (erosion), and then those and their neighbors (dilation).
 * Beyond the grid is as at its ends. */
void
OpenMask(const Extent & extent, VoxelMask & mask);

/** Leaves the part, whose voxels are neighbors of each other, that has most of the voxels of \p counted. */
void
KeepLargestPart(const Extent & extent, const VoxelMask & counted, VoxelMask & mask);

/** Takes to the inside what is not connected outside with the voxels at some sides of the grid. */
void
FillHoles(const Extent & extent, const GridSides & sides, VoxelMask & mask);

/** The squared distance of each voxel from the nearest voxel whose value is \p to; infinite where there is none
 * (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", Theory of Computing 2012).
 * \param spacing of the voxels */
std::vector<float>
SquaredDistances(Context &                     context,
                 const Extent &                extent,
                 const std::array<double, 3> & spacing,
                 const VoxelMask &             mask,
                 unsigned char                 to);

} // namespace cudaneuro

#endif
