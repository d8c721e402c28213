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
    const double most = static_cast<double>(grid.size[axis]);
    factors[axis] = static_cast<int>(std::clamp(std::round(side / grid.spacing[axis]), 1.0, most));
  }
  return LimitFactors(grid, factors);
}

/** A mask of a shrunk image: the voxel nearest to the center of the shrunk one. */
ConstVolume
ShrinkMask(
  Context & context, const Geometry & geometry, const Geometry & shrunk, const ConstVolume & mask, LinearLevel & level)
{
  const std::int64_t voxels = shrunk.grid.NumberOfVoxels();
  const DeviceMemory full = context.Allocate(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()) * sizeof(float));
  const DeviceMemory small = context.Allocate(static_cast<std::size_t>(voxels) * sizeof(float));
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

struct MaskedVolume
{
  ConstVolume image;
  ConstVolume mask;
};

/** Shrinks an image, of which voxels outside the mask have no weight; NaN where all are outside of it.
 * \param input float, and a mask, in memory of the context's device */
void
ShrinkInsideMask(Context &            context,
                 const Geometry &     geometry,
                 const Factors &      factors,
                 const MaskedVolume & input,
                 const Volume &       output)
{
  const std::int64_t voxels = geometry.grid.NumberOfVoxels();
  const std::int64_t shrunkVoxels = ShrunkGeometry(geometry, factors).grid.NumberOfVoxels();
  const DeviceMemory inside = context.Allocate(static_cast<std::size_t>(voxels) * sizeof(float));
  auto * const       values = static_cast<float *>(inside.Data());
  CopyVolume(context, geometry.grid, input.image, { values, PixelType::Float, input.image.space });
  const IntensityMap identity{ { 0.0f, 1.0f }, { 0.0f, 1.0f } };
  MapIntensities(context, voxels, identity, static_cast<const unsigned char *>(input.mask.data), values);
  const auto shrink = [&](const float * volume) {
    DeviceMemory shrunk = context.Allocate(static_cast<std::size_t>(shrunkVoxels) * sizeof(float));
    ShrinkImage(context,
                geometry,
                factors,
                { volume, PixelType::Float, output.space },
                { shrunk.Data(), PixelType::Float, output.space });
    return shrunk;
  };
  const DeviceMemory shrunk = ApplyOutsideGaps(context, voxels, values, shrunkVoxels, anyWeight, shrink);
  CopyVolume(
    context, ShrunkGeometry(geometry, factors).grid, { shrunk.Data(), PixelType::Float, output.space }, output);
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
  level.memory.push_back(context.Allocate(static_cast<std::size_t>(shrunk.grid.NumberOfVoxels()) * sizeof(float)));
  const Volume small{ level.memory.back().Data(), PixelType::Float, MemorySpaceOf(context) };
  if (mask.data == nullptr)
  {
    ShrinkImage(context, geometry, factors, image, small);
  }
  else
  {
    ShrinkInsideMask(context, geometry, factors, { image, mask }, small);
    mask = ShrinkMask(context, geometry, shrunk, mask, level);
  }
  image = { small.data, small.type, small.space };
  geometry = shrunk;
}

} // namespace

LinearImage::LinearImage(
  Context & context, const std::string & name, const Grid & grid, const ConstVolume & image, const ConstVolume & mask)
  : m_Image(context, grid, image)
  , m_Valid(context, name, grid, m_Image.Data(), mask)
  , m_Space(MemorySpaceOf(context))
{
  RequireContrast(name, m_Valid);
  m_Size = VoxelSize(grid) * static_cast<double>(m_Valid.GetStatistics().count);
}

LinearImages::LinearImages(Context & context, const LinearMetricImages & images)
  : m_Fixed(context, "fixed image", images.fixedGeometry.grid, images.fixedImage, images.fixedMask)
  , m_Moving(context, "moving image", images.movingGeometry.grid, images.movingImage, images.movingMask)
  , m_Volumes{ images.fixedGeometry,  m_Fixed.GetImage(),  m_Fixed.GetMask(),
               images.movingGeometry, m_Moving.GetImage(), m_Moving.GetMask() }
{}

LinearLevel
MakeLinearLevel(Context &                      context,
                const LinearMetricParameters & parameters,
                const LinearMetricImages &     images,
                const std::array<int, 3> &     factors)
{
  LinearLevel level;
  level.images = images;
  Shrink(context,
         LimitFactors(images.fixedGeometry.grid, factors),
         level.images.fixedGeometry,
         level.images.fixedImage,
         level.images.fixedMask,
         level);
  level.voxel = VoxelSide(level.images.fixedGeometry.grid);
  Shrink(context,
         FactorsFor(images.movingGeometry.grid, level.voxel),
         level.images.movingGeometry,
         level.images.movingImage,
         level.images.movingMask,
         level);
  level.metric = std::make_unique<LinearMetric>(context, parameters, level.images);
  return level;
}

} // namespace cudaneuro
