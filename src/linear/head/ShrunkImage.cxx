// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/head/ShrunkImage.h"

#include "cudaneuro/ImageOperations.h"
#include "fields/warp/Warp.h"
#include "images/ImagePreparation.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

/** Resamples an image on another grid from the nearest voxels. */
DeviceMemory
TakeNearest(Context & context, const Geometry & geometry, const Geometry & wanted, const ConstVolume & image)
{
  const FloatInput from(context, geometry.grid, image);
  DeviceMemory     to = AllocateFloats(context, wanted.grid);
  VolumeWarp       warp;
  warp.inputExtent = ExtentOf(geometry.grid);
  warp.input = from.Data();
  warp.outputExtent = ExtentOf(wanted.grid);
  warp.mapping.indexMap = Compose(PointToIndex(geometry), IndexToPoint(wanted));
  warp.interpolation = Interpolation::Nearest;
  warp.output = static_cast<float *>(to.Data());
  WarpVolume(context, warp);
  return to;
}

/** Resamples a mask in the same way. */
DeviceMemory
TakeNearestOfMask(Context & context, const Geometry & geometry, const Geometry & wanted, const ConstVolume & mask)
{
  const DeviceMemory values = TakeNearest(context, geometry, wanted, mask);
  DeviceMemory       taken = context.Allocate(static_cast<std::size_t>(wanted.grid.NumberOfVoxels()));
  const MemorySpace  space = MemorySpaceOf(context);
  CopyVolume(
    context, wanted.grid, { values.Data(), PixelType::Float, space }, { taken.Data(), PixelType::UnsignedChar, space });
  return taken;
}

/** Returns whether any voxel is inside a mask. A shrunk mask that was thinner than its voxels may have none. */
bool
HasVoxels(Context & context, const Grid & grid, const DeviceMemory & mask)
{
  std::vector<unsigned char> values(static_cast<std::size_t>(grid.NumberOfVoxels()));
  CopyVolume(context,
             grid,
             { mask.Data(), PixelType::UnsignedChar, MemorySpaceOf(context) },
             { values.data(), PixelType::UnsignedChar, MemorySpace::Host });
  return std::any_of(values.begin(), values.end(), [](unsigned char value) { return value != 0; });
}

/** Shrinks the image alone; voxels outside the mask, which may be absent, are excluded. */
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
    const float * const values = static_cast<const float *>(shrunk.memory.back().Data());
    DeviceMemory        nearest = TakeNearestOfMask(context, geometry, shrunk.geometry, mask);
    if (!HasVoxels(context, shrunk.geometry.grid, nearest))
    {
      auto * const inside = static_cast<unsigned char *>(nearest.Data());
      MarkValid(context, shrunk.geometry.grid.NumberOfVoxels(), values, nullptr, {}, inside);
    }
    shrunk.memory.push_back(std::move(nearest));
    shrunk.mask = { shrunk.memory.back().Data(), PixelType::UnsignedChar, space };
  }
  return shrunk;
}

ShrunkImage
TakePart(Context & context, const ShrunkImage & image, const Geometry & part)
{
  const MemorySpace space = MemorySpaceOf(context);
  ShrunkImage       taken;
  taken.geometry = part;
  taken.memory.push_back(TakeNearest(context, image.geometry, part, image.image));
  taken.image = { taken.memory.back().Data(), PixelType::Float, space };
  if (image.mask.data != nullptr)
  {
    taken.memory.push_back(TakeNearestOfMask(context, image.geometry, part, image.mask));
    taken.mask = { taken.memory.back().Data(), PixelType::UnsignedChar, space };
  }
  return taken;
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
