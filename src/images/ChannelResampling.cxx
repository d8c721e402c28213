// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ChannelResampling.h"

#include "core/PlaneFrames.h"
#include "fields/warp/Warp.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"

#include <limits>

namespace cudaneuro
{

namespace
{

/** Returns the arguments that the image and the mask of a channel share. */
VolumeWarp
WarpBetween(const Geometry & from, const AffineMap & transform, const Geometry & grid)
{
  VolumeWarp warp;
  warp.inputExtent = ExtentOf(from.grid);
  warp.outputExtent = ExtentOf(grid.grid);
  warp.mapping.indexMap = IndexMapBetween(grid, transform, from);
  return warp;
}

DeviceMemory
WarpFloats(Context & context, const Grid & grid, VolumeWarp warp)
{
  DeviceMemory output = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float));
  warp.output = static_cast<float *>(output.Data());
  WarpVolume(context, warp);
  return output;
}

/** Warps the mask. Every value but 0 is inside, so values must not be averaged: the nearest voxel is taken. */
DeviceMemory
WarpMask(Context & context, const Grid & from, const ConstVolume & mask, const Grid & grid, VolumeWarp warp)
{
  const FloatInput values(context, from, mask);
  warp.input = values.Data();
  warp.interpolation = Interpolation::Nearest;
  warp.defaultValue = 0.0f;
  const DeviceMemory warped = WarpFloats(context, grid, warp);
  DeviceMemory       result = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()));
  const MemorySpace  space = MemorySpaceOf(context);
  CopyVolume(
    context, grid, { warped.Data(), PixelType::Float, space }, { result.Data(), PixelType::UnsignedChar, space });
  return result;
}

} // namespace

ResampledVolume
ResampleChannel(Context &             context,
                const std::string &   name,
                const ChannelVolume & volume,
                const AffineMap &     transform,
                const Geometry &      grid)
{
  ResampledVolume resampled;
  if (IsIdentity(transform) && IsSameGeometry(volume.geometry, grid))
  {
    resampled.image = volume.image;
    resampled.mask = volume.mask;
    return resampled;
  }
  const MemorySpace space = MemorySpaceOf(context);
  const FloatInput  image(context, volume.geometry.grid, volume.image);
  const ValidImage  valid(context, name, volume.geometry.grid, image.Data(), volume.mask, false);
  VolumeWarp        warp = WarpBetween(volume.geometry, transform, grid);
  if (volume.mask.data != nullptr)
  {
    resampled.maskMemory = WarpMask(context, volume.geometry.grid, volume.mask, grid.grid, warp);
    resampled.mask = { resampled.maskMemory.Data(), PixelType::UnsignedChar, space };
  }
  warp.input = valid.Image();
  warp.inputMask = valid.Mask();
  warp.defaultValue = std::numeric_limits<float>::quiet_NaN();
  resampled.imageMemory = WarpFloats(context, grid.grid, warp);
  resampled.image = { resampled.imageMemory.Data(), PixelType::Float, space };
  return resampled;
}

} // namespace cudaneuro
