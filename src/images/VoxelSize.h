// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_VoxelSize_h
#define cudaneuro_images_VoxelSize_h

#include "cudaneuro/Volume.h"

#include <cmath>

namespace cudaneuro
{

/** Returns the volume of a voxel in mm^3; in 2D, for a grid of one plane, its area. */
inline double
VoxelSize(const Grid & grid)
{
  return grid.spacing[0] * grid.spacing[1] * (grid.size[2] > 1 ? grid.spacing[2] : 1.0);
}

/** Returns the side of a cube, or in 2D a square, with the volume of a voxel. */
inline double
VoxelSide(const Grid & grid)
{
  return grid.size[2] > 1 ? std::cbrt(VoxelSize(grid)) : std::sqrt(VoxelSize(grid));
}

} // namespace cudaneuro

#endif
