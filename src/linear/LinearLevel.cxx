// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearLevel.h"

#include "cudaneuro/ImageOperations.h"
#include "fields/Warp.h"
#include "images/ImagePreparation.h"
#include "linear/LinearMetricChecks.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Factors = std::array<int, 3>;

/** Leaves enough voxels for a histogram. */
Factors
LimitFactors(const Grid & grid, Factors factors)
{
  const std::int64_t fewest = grid.size[2] > 1 ? 16 : 32;
  for (int axis = 0; axis < 3; ++axis)
  {
    const std::int64_t most = std::max<std::int64_t>(1, grid.size[axis] / fewest);
    factors[axis] = static_cast<int>(std::min<std::int64_t>(factors[axis], most));
  }
  return factors;
}

/** In 2D the area. */
double
VoxelSize(const Grid & grid)
{
  return grid.spacing[0] * grid.spacing[1] * (grid.size[2] > 1 ? grid.spacing[2] : 1.0);
}

/** The side of a cube, or square, as large as a voxel. */
double
VoxelSide(const Grid & grid)
{
  return grid.size[2] > 1 ? std::cbrt(VoxelSize(grid)) : std::sqrt(VoxelSize(grid));
}

/** Factors that make the voxels of a grid about as large as \p side along each axis. */
Factors
FactorsFor(const Grid & grid, double side)
{
  Factors factors{ 1, 1, 1 };
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto most = static_cast<double>(grid.size[axis]);
    factors[axis] = static_cast<int>(std::clamp(std::round(side / grid.spacing[axis]), 1.0, most));
  }
  return LimitFactors(grid, factors);
}

DeviceMemory
AllocateFloats(Context & context, const Grid & grid)
{
  return context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float));
}

/** A mask of a shrunk image: the voxel nearest to the center of the shrunk one. */
ConstVolume
ShrinkMask(
  Context & context, const Geometry & geometry, const Geometry & shrunk, const ConstVolume & mask, LinearLevel & level)
{
  const std::int64_t voxels = shrunk.grid.NumberOfVoxels();
  const DeviceMemory full = AllocateFloats(context, geometry.grid);
  const DeviceMemory small = AllocateFloats(context, shrunk.grid);
  const MemorySpace  space = MemorySpaceOf(context);
  CopyVolume(context, geometry.grid, mask, { full.Data(), PixelType::Float, space });
  IndexMapping mapping;
  mapping.indexMap = Compose(PointToIndex(geometry), IndexToPoint(shrunk));
  VolumeWarp warp;
  warp.inputExtent = ExtentOf(geometry.grid);
  warp.input = static_cast<const float *>(full.Data());
  warp.outputExtent = ExtentOf(shrunk.grid);
  warp.mapping = mapping;
  warp.interpolation = Interpolation::Nearest;
  warp.output = static_cast<float *>(small.Data());
  WarpVolume(context, warp);
  level.memory.push_back(context.Allocate(static_cast<std::size_t>(voxels)));
  void * const data = level.memory.back().Data();
  CopyVolume(context, shrunk.grid, { small.Data(), PixelType::Float, space }, { data, PixelType::UnsignedChar, space });
  return { data, PixelType::UnsignedChar, space };
}

/** A copy of an image, both in memory of the context's device: NaN outside the mask. */
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

/** Shrinks an image in memory of the context's device. Voxels outside the mask, which may be absent, have no weight; NaN where all are
 * outside of it. */
DeviceMemory
ShrinkInsideMask(Context &           context,
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

/** Shrinks an image and its mask in place of what they were. */
void
Shrink(Context &       context,
       const Factors & factors,
       Geometry &      geometry,
       ConstVolume &   image,
       ConstVolume &   mask,
       LinearLevel &   level)
{
  const Geometry shrunk = ShrunkGeometry(geometry, factors);
  if (shrunk.grid.size == geometry.grid.size)
  {
    return;
  }
  level.memory.push_back(ShrinkInsideMask(context, geometry, factors, image, mask));
  image = { level.memory.back().Data(), PixelType::Float, MemorySpaceOf(context) };
  if (mask.data != nullptr)
  {
    mask = ShrinkMask(context, geometry, shrunk, mask, level);
  }
  geometry = shrunk;
}

/** Takes away a mask that the caller did not give, and makes the voxels outside of it NaN, in a copy that is returned: a metric ends
 * an image's background where it gets a mask. */
DeviceMemory
TakeMaskAway(Context & context, const LinearImage & whole, const Grid & grid, ConstVolume & image, ConstVolume & mask)
{
  if (whole.HasMask() || mask.data == nullptr)
  {
    return {};
  }
  DeviceMemory inside = CopyInsideMask(context, grid, image, mask);
  image.data = inside.Data();
  mask = {};
  return inside;
}

std::unique_ptr<LinearMetric>
MakeMetric(Context &                      context,
           const LinearMetricParameters & parameters,
           const LinearImages &           whole,
           LinearMetricImages             images)
{
  const DeviceMemory fixed =
    TakeMaskAway(context, whole.GetFixed(), images.fixedGeometry.grid, images.fixedImage, images.fixedMask);
  const DeviceMemory moving =
    TakeMaskAway(context, whole.GetMoving(), images.movingGeometry.grid, images.movingImage, images.movingMask);
  return std::make_unique<LinearMetric>(context, parameters, images);
}

} // namespace

LinearImage::LinearImage(Context &           context,
                         const std::string & name,
                         const Grid &        grid,
                         const ConstVolume & image,
                         const ConstVolume & mask,
                         bool                repairOutliers)
  : m_Image(context, grid, image)
  , m_Valid(context, name, grid, m_Image.Data(), mask, repairOutliers)
  , m_Space(MemorySpaceOf(context))
{
  RequireContrast(name, m_Valid);
  m_Size = VoxelSize(grid) * static_cast<double>(m_Valid.GetStatistics().count);
}

LinearImages::LinearImages(Context & context, const LinearMetricImages & images, bool repairOutliers)
  : m_Fixed(context, "fixed image", images.fixedGeometry.grid, images.fixedImage, images.fixedMask, repairOutliers)
  , m_Moving(context, "moving image", images.movingGeometry.grid, images.movingImage, images.movingMask, repairOutliers)
  , m_Volumes{ images.fixedGeometry,  m_Fixed.GetImage(),  m_Fixed.GetMask(),
               images.movingGeometry, m_Moving.GetImage(), m_Moving.GetMask() }
{}

LinearLevel
MakeLinearLevel(Context &                      context,
                const LinearMetricParameters & parameters,
                const LinearImages &           images,
                const std::array<int, 3> &     factors)
{
  LinearLevel level;
  level.images = images.GetVolumes();
  Shrink(context,
         LimitFactors(level.images.fixedGeometry.grid, factors),
         level.images.fixedGeometry,
         level.images.fixedImage,
         level.images.fixedMask,
         level);
  level.voxel = VoxelSide(level.images.fixedGeometry.grid);
  Shrink(context,
         FactorsFor(level.images.movingGeometry.grid, level.voxel),
         level.images.movingGeometry,
         level.images.movingImage,
         level.images.movingMask,
         level);
  level.metric = MakeMetric(context, parameters, images, level.images);
  return level;
}

} // namespace cudaneuro
