// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/ShrunkImage.h"

#include "cudaneuro/ImageOperations.h"
#include "fields/Warp.h"
#include "images/ImagePreparation.h"
#include "images/ValidImage.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Factors = std::array<int, 3>;

DeviceMemory
AllocateFloats(Context & context, const Grid & grid)
{
  return context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float));
}

/** A mask of a shrunk image: the voxel nearest to the center of the shrunk one. */
DeviceMemory
ShrinkMask(Context & context, const Geometry & geometry, const Geometry & shrunk, const ConstVolume & mask)
{
  const DeviceMemory full = AllocateFloats(context, geometry.grid);
  const DeviceMemory small = AllocateFloats(context, shrunk.grid);
  const MemorySpace  space = MemorySpaceOf(context);
  CopyVolume(context, geometry.grid, mask, { full.Data(), PixelType::Float, space });
  VolumeWarp warp;
  warp.inputExtent = ExtentOf(geometry.grid);
  warp.input = static_cast<const float *>(full.Data());
  warp.outputExtent = ExtentOf(shrunk.grid);
  warp.mapping.indexMap = Compose(PointToIndex(geometry), IndexToPoint(shrunk));
  warp.interpolation = Interpolation::Nearest;
  warp.output = static_cast<float *>(small.Data());
  WarpVolume(context, warp);
  DeviceMemory shrunkMask = context.Allocate(static_cast<std::size_t>(shrunk.grid.NumberOfVoxels()));
  CopyVolume(context,
             shrunk.grid,
             { small.Data(), PixelType::Float, space },
             { shrunkMask.Data(), PixelType::UnsignedChar, space });
  return shrunkMask;
}

/** The image alone; voxels outside the mask, which may be absent, have no weight. */
DeviceMemory
ShrinkIntensities(Context &           context,
                  const Geometry &    geometry,
                  const Factors &     factors,
                  const ConstVolume & image,
                  const ConstVolume & mask)
{
  const MemorySpace space = MemorySpaceOf(context);
  const Grid        shrunkGrid = ShrunkGeometry(geometry, factors).grid;
  const auto        shrink = [&](const float * volume) {
    DeviceMemory shrunk = AllocateFloats(context, shrunkGrid);
    ShrinkImage(
      context, geometry, factors, { volume, PixelType::Float, space }, { shrunk.Data(), PixelType::Float, space });
    return shrunk;
  };
  if (mask.data == nullptr)
  {
    return shrink(static_cast<const float *>(image.data));
  }
  const DeviceMemory inside = CopyInsideMask(context, geometry.grid, image, mask);
  return ApplyOutsideGaps(context,
                          geometry.grid.NumberOfVoxels(),
                          static_cast<float *>(inside.Data()),
                          shrunkGrid.NumberOfVoxels(),
                          anyWeight,
                          shrink);
}

} // namespace

ShrunkImage
ShrinkInsideMask(Context &                  context,
                 const Geometry &           geometry,
                 const ConstVolume &        image,
                 const ConstVolume &        mask,
                 const std::array<int, 3> & factors)
{
  const MemorySpace space = MemorySpaceOf(context);
  ShrunkImage       shrunk;
  shrunk.geometry = ShrunkGeometry(geometry, factors);
  shrunk.image = image;
  shrunk.mask = mask;
  if (shrunk.geometry.grid.size == geometry.grid.size)
  {
    return shrunk;
  }
  shrunk.memory.push_back(ShrinkIntensities(context, geometry, factors, image, mask));
  shrunk.image = { shrunk.memory.back().Data(), PixelType::Float, space };
  if (mask.data != nullptr)
  {
    shrunk.memory.push_back(ShrinkMask(context, geometry, shrunk.geometry, mask));
    shrunk.mask = { shrunk.memory.back().Data(), PixelType::UnsignedChar, space };
  }
  return shrunk;
}

std::array<int, 3>
LimitedFactors(const Grid & grid, std::array<int, 3> factors)
{
  const std::int64_t fewest = grid.size[2] > 1 ? 16 : 32;
  for (int axis = 0; axis < 3; ++axis)
  {
    const std::int64_t most = std::max<std::int64_t>(1, grid.size[axis] / fewest);
    factors[axis] = static_cast<int>(std::min<std::int64_t>(factors[axis], most));
  }
  return factors;
}

std::array<int, 3>
FactorsFor(const Grid & grid, double side)
{
  Factors factors{ 1, 1, 1 };
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto most = static_cast<double>(grid.size[axis]);
    factors[axis] = static_cast<int>(std::clamp(std::round(side / grid.spacing[axis]), 1.0, most));
  }
  return LimitedFactors(grid, factors);
}

double
VoxelSize(const Grid & grid)
{
  return grid.spacing[0] * grid.spacing[1] * (grid.size[2] > 1 ? grid.spacing[2] : 1.0);
}

double
VoxelSide(const Grid & grid)
{
  return grid.size[2] > 1 ? std::cbrt(VoxelSize(grid)) : std::sqrt(VoxelSize(grid));
}

DeviceMemory
CopyInsideMask(Context & context, const Grid & grid, const ConstVolume & image, const ConstVolume & mask)
{
  DeviceMemory inside = AllocateFloats(context, grid);
  auto * const values = static_cast<float *>(inside.Data());
  CopyVolume(context, grid, image, { values, PixelType::Float, MemorySpaceOf(context) });
  const IntensityMap identity{ { 0.0f, 1.0f }, { 0.0f, 1.0f } };
  MapIntensities(context, grid.NumberOfVoxels(), identity, static_cast<const unsigned char *>(mask.data), values);
  return inside;
}

} // namespace cudaneuro
