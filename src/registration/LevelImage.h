// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelImage_h
#define cudaneuro_registration_LevelImage_h

#include "fields/warp/Warp.h"

/** Images on the grids of a registration, in memory of the context's device. A voxel without a value is NaN. */
namespace cudaneuro
{

/** output(i) = moving(mapping(i)), interpolated linearly; NaN where the image or its mask has no value. If the image
 * has smaller voxels than the output, it is smoothed first, within its mask, to suppress details that the output's grid
 * cannot represent. Where there is no mask (null), all voxels must be finite. */
void
ResampleImage(Context &             context,
              const Grid &          movingGrid,
              const float *         moving,
              const unsigned char * mask,
              const IndexMapping &  mapping,
              const Extent &        outputExtent,
              float *               output);

/** Resamples an image on the coarser grid of a level, after smoothing by half a coarse voxel.
 * \param hasGaps whether some voxels have no value */
DeviceMemory
ShrinkImage(Context &                  context,
            const Geometry &           geometry,
            const float *              image,
            bool                       hasGaps,
            const Geometry &           levelGeometry,
            const std::array<int, 3> & factors);

/** See ImagePair::descentScale. */
std::array<float, 3>
DescentScale(const Grid & grid);

} // namespace cudaneuro

#endif
