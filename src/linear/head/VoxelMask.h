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

/** Opens the mask: keeps the voxels whose 6 neighbors are all inside (erosion), then adds their neighbors (dilation).
 * The border is extended beyond the grid. */
void
OpenMask(const Extent & extent, VoxelMask & mask);

/** Keeps the connected part that contains most of the voxels of \p counted. */
void
KeepLargestPart(const Extent & extent, const VoxelMask & counted, VoxelMask & mask);

/** Fills holes: outside voxels that are not connected with the border at \p sides, through other outside voxels. */
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
