// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ChannelResampling_h
#define cudaneuro_images_ChannelResampling_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"

#include <string>

namespace cudaneuro
{

/** An image of a channel and its mask, which may be absent. */
struct ChannelVolume
{
  Geometry    geometry;
  ConstVolume image;
  ConstVolume mask;
};

/** The same on another grid, with the memory where it is not that of the caller. */
struct ResampledVolume
{
  ConstVolume  image;
  ConstVolume  mask;
  DeviceMemory imageMemory;
  DeviceMemory maskMemory;
};

/** A channel on the grid of the first one: linearly interpolated between the voxels that are inside the mask and
 * finite, and NaN where there are none; the mask is that of the nearest voxel, and 0 beyond its grid. Where the grids
 * are the same and the transform is the identity, the volumes are the caller's. Inside RunDeviceJob.
 * \param name of the image
 * \param transform from points of \p grid to points of the channel
 * \throws InvalidParameterError where no voxel of the image is valid, or none is on the grid */
ResampledVolume
ResampleChannel(Context &             context,
                const std::string &   name,
                const ChannelVolume & volume,
                const AffineMap &     transform,
                const Geometry &      grid);

} // namespace cudaneuro

#endif
