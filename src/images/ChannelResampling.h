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

/** A channel's image and mask on another grid, with their memory if it is not the caller's. */
struct ResampledVolume
{
  ConstVolume  image;
  ConstVolume  mask;
  DeviceMemory imageMemory;
  DeviceMemory maskMemory;
};

/** Returns a channel on the first channel's grid: the image is interpolated linearly between voxels that are finite and
 * inside the mask, and NaN where there are none; the mask is that of the nearest voxel, and 0 outside its grid. If the
 * grids are equal and the transform is the identity, the volumes are the caller's. Call it inside RunDeviceJob.
 * \param name name of the image in errors
 * \param transform from points of \p grid to points of the channel
 * \throws InvalidParameterError if no voxel of the image is valid, or none is on the grid */
ResampledVolume
ResampleChannel(Context &             context,
                const std::string &   name,
                const ChannelVolume & volume,
                const AffineMap &     transform,
                const Geometry &      grid);

} // namespace cudaneuro

#endif
