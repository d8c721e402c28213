// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/head/BackgroundSides.h"

#include "fields/warp/Warp.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace cudaneuro
{

namespace
{

constexpr int mostVoxels = 32;

/** Sampled voxels of a grid, which include the outermost ones; NaN where they are excluded. */
struct Sample
{
  Extent             extent;
  std::vector<float> values;
};

Sample
TakeSample(Context & context, const Extent & extent, const float * image, const unsigned char * mask)
{
  const int lengths[3] = { extent.x, extent.y, extent.z };
  int       counts[3];
  AffineMap toIndex;
  for (int axis = 0; axis < 3; ++axis)
  {
    counts[axis] = std::min(lengths[axis], mostVoxels);
    toIndex.matrix[4 * axis] = counts[axis] > 1 ? (lengths[axis] - 1.0) / (counts[axis] - 1.0) : 1.0;
  }
  Sample sample;
  sample.extent = { counts[0], counts[1], counts[2] };
  const auto         voxels = static_cast<std::size_t>(NumberOfVoxels(sample.extent));
  const DeviceMemory memory = context.Allocate(voxels * sizeof(float));
  VolumeWarp         warp;
  warp.inputExtent = extent;
  warp.input = image;
  warp.inputMask = mask;
  warp.outputExtent = sample.extent;
  warp.mapping.indexMap = toIndex;
  warp.interpolation = Interpolation::Nearest;
  warp.defaultValue = std::numeric_limits<float>::quiet_NaN();
  warp.output = static_cast<float *>(memory.Data());
  WarpVolume(context, warp);
  sample.values.resize(voxels);
  Grid grid;
  grid.size = { counts[0], counts[1], counts[2] };
  const MemorySpace space = MemorySpaceOf(context);
  CopyVolume(context,
             grid,
             { memory.Data(), PixelType::Float, space },
             { sample.values.data(), PixelType::Float, MemorySpace::Host });
  return sample;
}

/** The mean of the voxels whose index along an axis is in [begin, end); NaN where all of them are
 * excluded. */
double
MeanOf(const Sample & sample, int axis, int begin, int end)
{
  const Extent & extent = sample.extent;
  double         sum = 0.0;
  std::int64_t   count = 0;
  std::size_t    i = 0;
  for (int z = 0; z < extent.z; ++z)
  {
    for (int y = 0; y < extent.y; ++y)
    {
      for (int x = 0; x < extent.x; ++x, ++i)
      {
        const int index[3] = { x, y, z };
        if (index[axis] >= begin && index[axis] < end && !std::isnan(sample.values[i]))
        {
          sum += static_cast<double>(sample.values[i]);
          ++count;
        }
      }
    }
  }
  return sum / static_cast<double>(count);
}

} // namespace

GridSides
SidesInBackground(
  Context & context, const Extent & extent, const float * image, const unsigned char * mask, double least)
{
  const Sample sample = TakeSample(context, extent, image, mask);
  const int    lengths[3] = { sample.extent.x, sample.extent.y, sample.extent.z };
  const double brightest = 0.5 * (least + MeanOf(sample, 0, 0, lengths[0]));
  GridSides    sides;
  for (int axis = 0; axis < 3; ++axis)
  {
    sides.lower[axis] = MeanOf(sample, axis, 0, 1) <= brightest;
    sides.upper[axis] = MeanOf(sample, axis, lengths[axis] - 1, lengths[axis]) <= brightest;
  }
  return sides;
}

} // namespace cudaneuro
