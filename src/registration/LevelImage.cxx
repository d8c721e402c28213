// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelImage.h"

#include "images/smoothing/GaussianSmoothing.h"
#include "images/ValidImage.h"
#include "registration/RegistrationRun.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

namespace
{

/** A copy in which voxels outside \p mask, which may be null, are NaN. */
DeviceMemory
CopyInsideMask(Context & context, const Extent & extent, const float * image, const unsigned char * mask)
{
  DeviceMemory copy = AllocateFloats(context, NumberOfVoxels(extent));
  WarpVolume(context,
             { extent,
               image,
               mask,
               extent,
               IndexMapping(),
               Interpolation::Nearest,
               std::numeric_limits<float>::quiet_NaN(),
               Floats(copy) });
  return copy;
}

/** Smooths an image; voxels outside the mask, which may be null, are excluded. */
DeviceMemory
SmoothInsideMask(Context &                     context,
                 const std::array<double, 3> & sigma,
                 const Extent &                extent,
                 const float *                 image,
                 const unsigned char *         mask)
{
  const std::int64_t voxels = NumberOfVoxels(extent);
  const DeviceMemory scratch = AllocateFloats(context, voxels);
  const auto         smooth = [&](const float * volume) {
    DeviceMemory smoothed = AllocateFloats(context, voxels);
    SmoothVolume(context, sigma, { extent, Boundary::Repeat, volume, Floats(scratch), Floats(smoothed) });
    return smoothed;
  };
  if (mask == nullptr)
  {
    return smooth(image);
  }
  const DeviceMemory inside = CopyInsideMask(context, extent, image, mask);
  return ApplyOutsideGaps(context, voxels, Floats(inside), voxels, anyWeight, smooth);
}

} // namespace

void
ResampleImage(Context &             context,
              const Grid &          movingGrid,
              const float *         moving,
              const unsigned char * mask,
              const IndexMapping &  mapping,
              const Extent &        outputExtent,
              float *               output)
{
  std::array<double, 3> sigma{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const double * const row = mapping.indexMap.matrix.data() + 3 * axis;
    const double         ratio = std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    sigma[axis] = ratio > 1.0 + 1e-6 ? 0.5 * std::sqrt(ratio * ratio - 1.0) : 0.0;
  }
  DeviceMemory smoothed;
  if (sigma[0] > 0.0 || sigma[1] > 0.0 || sigma[2] > 0.0)
  {
    smoothed = SmoothInsideMask(context, sigma, ExtentOf(movingGrid), moving, mask);
    moving = Floats(smoothed);
  }
  WarpVolume(context,
             { ExtentOf(movingGrid),
               moving,
               mask,
               outputExtent,
               mapping,
               Interpolation::Linear,
               std::numeric_limits<float>::quiet_NaN(),
               output });
}

DeviceMemory
ShrinkImage(Context &                  context,
            const Geometry &           geometry,
            const float *              image,
            bool                       hasGaps,
            const Geometry &           levelGeometry,
            const std::array<int, 3> & factors)
{
  std::array<double, 3> sigma{};
  for (int axis = 0; axis < 3; ++axis)
  {
    sigma[axis] = factors[axis] > 1 && geometry.grid.size[axis] > 1 ? 0.5 * factors[axis] : 0.0;
  }
  IndexMapping mapping;
  mapping.indexMap = Compose(PointToIndex(geometry), IndexToPoint(levelGeometry));
  const Extent       extent = ExtentOf(geometry.grid);
  const std::int64_t fullVoxels = geometry.grid.NumberOfVoxels();
  const std::int64_t voxels = levelGeometry.grid.NumberOfVoxels();
  const DeviceMemory full = AllocateFloats(context, fullVoxels);
  const DeviceMemory scratch = AllocateFloats(context, fullVoxels);
  const auto         smoothAndShrink = [&](const float * volume) {
    SmoothVolume(context, sigma, { extent, Boundary::Repeat, volume, Floats(scratch), Floats(full) });
    DeviceMemory small = AllocateFloats(context, voxels);
    WarpVolume(context,
               { extent,
                 Floats(full),
                 nullptr,
                 ExtentOf(levelGeometry.grid),
                 mapping,
                 Interpolation::Linear,
                 0.0f,
                 Floats(small) });
    return small;
  };
  if (!hasGaps)
  {
    return smoothAndShrink(image);
  }
  const DeviceMemory copy = CopyInsideMask(context, extent, image, nullptr);
  return ApplyOutsideGaps(context, fullVoxels, Floats(copy), voxels, 0.5f, smoothAndShrink);
}

std::array<float, 3>
DescentScale(const Grid & grid)
{
  std::array<float, 3> scale{};
  double               smallest = std::numeric_limits<double>::max();
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] > 1)
    {
      smallest = std::min(smallest, grid.spacing[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    const double ratio = grid.size[axis] > 1 ? smallest / grid.spacing[axis] : 1.0;
    scale[axis] = static_cast<float>(ratio * ratio);
  }
  return scale;
}

} // namespace cudaneuro
