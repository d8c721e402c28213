// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelImage.h"

#include "images/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "registration/RegistrationRun.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

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
    smoothed = AllocateFloats(context, movingGrid.NumberOfVoxels());
    const DeviceMemory scratch = AllocateFloats(context, movingGrid.NumberOfVoxels());
    SmoothVolume(context, sigma, { ExtentOf(movingGrid), Boundary::Repeat, moving, Floats(scratch), Floats(smoothed) });
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
  const DeviceMemory weight = AllocateFloats(context, fullVoxels);
  const DeviceMemory filled = AllocateFloats(context, fullVoxels);
  WarpVolume(context, { extent, image, nullptr, extent, IndexMapping(), Interpolation::Nearest, 0.0f, Floats(filled) });
  SplitWeights(context, fullVoxels, Floats(filled), Floats(weight));
  DeviceMemory       small = smoothAndShrink(Floats(filled));
  const DeviceMemory smallWeight = smoothAndShrink(Floats(weight));
  JoinWeights(context, voxels, Floats(smallWeight), Floats(small));
  return small;
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
