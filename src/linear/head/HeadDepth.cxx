// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/head/HeadDepth.h"

#include "images/GridPart.h"
#include "images/ImageChecks.h"
#include "linear/head/BackgroundSides.h"
#include "linear/head/VoxelMask.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

namespace
{

/** Voxels along the longest axis at which depths are measured: about 4 mm for a head. */
constexpr double voxelsOfLongestAxis = 64.0;

/** Threshold of the head above the background, as a fraction of the mean contrast of bright voxels. */
constexpr double partOfContrast = 0.2;

/** Maximum of GetScale, and its ratio to the largest depth. */
constexpr double largestScale = 40.0;
constexpr double scalePerDepth = 0.6;

/** Downloads the image to the host; NaN outside the mask. */
std::vector<float>
Download(Context & context, const ShrunkImage & shrunk)
{
  std::vector<float> values(static_cast<std::size_t>(shrunk.geometry.grid.NumberOfVoxels()));
  CopyVolume(context, shrunk.geometry.grid, shrunk.image, { values.data(), PixelType::Float, MemorySpace::Host });
  if (shrunk.mask.data != nullptr)
  {
    std::vector<unsigned char> mask(values.size());
    CopyVolume(context, shrunk.geometry.grid, shrunk.mask, { mask.data(), PixelType::UnsignedChar, MemorySpace::Host });
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      values[i] = mask[i] != 0 ? values[i] : std::numeric_limits<float>::quiet_NaN();
    }
  }
  return values;
}

/** The mean of the values in [least, end); \p least where there are none. NaN is excluded. */
double
MeanBetween(const std::vector<float> & values, double least, double end)
{
  double       sum = 0.0;
  std::int64_t count = 0;
  for (const float value : values)
  {
    const auto v = static_cast<double>(value);
    if (v >= least && v < end)
    {
      sum += v;
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : least;
}

/** The intensity above which a voxel belongs to the head: a fraction of the way from the mean of the voxels below the
 * mean to that of the voxels above it. */
double
LeastOfHead(const std::vector<float> & values)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double     mean = MeanBetween(values, -infinity, infinity);
  const double     dark = MeanBetween(values, -infinity, mean);
  const double     bright = MeanBetween(values, mean, infinity);
  return dark + partOfContrast * (bright - dark);
}

/** The sides at which the image ends in air. */
GridSides
SidesInAir(Context & context, const ShrunkImage & shrunk, const std::vector<float> & values)
{
  float least = std::numeric_limits<float>::infinity();
  for (const float value : values)
  {
    least = value < least ? value : least;
  }
  const Extent extent = ExtentOf(shrunk.geometry.grid);
  GridSides    sides = SidesInBackground(context,
                                      extent,
                                      static_cast<const float *>(shrunk.image.data),
                                      static_cast<const unsigned char *>(shrunk.mask.data),
                                      static_cast<double>(least));
  const int    lengths[3] = { extent.x, extent.y, extent.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    sides.lower[axis] = sides.lower[axis] && lengths[axis] > fewSlices;
    sides.upper[axis] = sides.upper[axis] && lengths[axis] > fewSlices;
  }
  return sides;
}

/** The largest connected part of bright or unknown voxels, with its holes filled. */
VoxelMask
HeadOf(const Extent & extent, const GridSides & air, const std::vector<float> & values)
{
  const auto least = static_cast<float>(LeastOfHead(values));
  VoxelMask  bright(values.size());
  VoxelMask  head(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    bright[i] = values[i] > least ? 1 : 0;
    head[i] = bright[i] != 0 || std::isnan(values[i]) ? 1 : 0;
  }
  OpenMask(extent, head);
  KeepLargestPart(extent, bright, head);
  FillHoles(extent, air, head);
  return head;
}

/** A mask padded by one voxel on all sides: outside (0) beyond sides in air, otherwise a copy of the border. */
VoxelMask
WithMargin(const Extent & extent, const GridSides & air, const VoxelMask & mask)
{
  VoxelMask  padded;
  const auto isInAir = [](int i, int length, bool lower, bool upper) {
    return (i < 0 && lower) || (i >= length && upper);
  };
  for (int z = -1; z <= extent.z; ++z)
  {
    for (int y = -1; y <= extent.y; ++y)
    {
      for (int x = -1; x <= extent.x; ++x)
      {
        const auto at = [](int i, int length) { return std::int64_t{ std::clamp(i, 0, length - 1) }; };
        const auto voxel = (at(z, extent.z) * extent.y + at(y, extent.y)) * extent.x + at(x, extent.x);
        const bool isAir = isInAir(x, extent.x, air.lower[0], air.upper[0]) ||
                           isInAir(y, extent.y, air.lower[1], air.upper[1]) ||
                           isInAir(z, extent.z, air.lower[2], air.upper[2]);
        padded.push_back(isAir ? 0 : mask[static_cast<std::size_t>(voxel)]);
      }
    }
  }
  return padded;
}

Geometry
WithMargin(const Geometry & geometry)
{
  Geometry        padded = geometry;
  const AffineMap toPoint = IndexToPoint(geometry);
  for (int axis = 0; axis < 3; ++axis)
  {
    padded.grid.size[axis] += 2;
    padded.origin[axis] =
      toPoint.offset[axis] - toPoint.matrix[3 * axis] - toPoint.matrix[3 * axis + 1] - toPoint.matrix[3 * axis + 2];
  }
  return padded;
}

} // namespace

HeadDepth::HeadDepth(Context & context, const Geometry & geometry, const ConstVolume & image, const ConstVolume & mask)
{
  const Grid & grid = geometry.grid;
  double       longest = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    longest = std::max(longest, static_cast<double>(grid.size[axis]) * grid.spacing[axis]);
  }
  const ShrunkImage shrunk =
    ShrinkInsideMask(context, geometry, image, mask, FactorsFor(grid, longest / voxelsOfLongestAxis));
  const std::vector<float> values = Download(context, shrunk);
  const Extent             extent = ExtentOf(shrunk.geometry.grid);
  const GridSides          air = SidesInAir(context, shrunk, values);
  const VoxelMask          head = HeadOf(extent, air, values);

  m_Geometry = WithMargin(shrunk.geometry);
  const Extent                padded = ExtentOf(m_Geometry.grid);
  const std::array<double, 3> spacing{ m_Geometry.grid.spacing[0],
                                       m_Geometry.grid.spacing[1],
                                       m_Geometry.grid.spacing[2] };
  const VoxelMask             inside = WithMargin(extent, air, head);
  const std::vector<float>    toOutside = SquaredDistances(context, padded, spacing, inside, 0);
  const std::vector<float>    toHead = SquaredDistances(context, padded, spacing, inside, 1);
  m_Depth.resize(inside.size());
  double deepest = 0.0;
  for (std::size_t i = 0; i < inside.size(); ++i)
  {
    m_Depth[i] = inside[i] != 0 ? std::sqrt(toOutside[i]) : -std::sqrt(toHead[i]);
    deepest = std::max(deepest, static_cast<double>(m_Depth[i]));
  }
  // Without an outside, or without a head larger than specks, all voxels are deep.
  const double largest = std::hypot(grid.size[0] * spacing[0], grid.size[1] * spacing[1], grid.size[2] * spacing[2]);
  for (float & depth : m_Depth)
  {
    depth = deepest > 0.0 ? std::min(depth, static_cast<float>(largest)) : static_cast<float>(largest);
  }
  m_Scale = deepest > 0.0 ? std::min(largestScale, scalePerDepth * deepest) : largestScale;
}

Geometry
HeadDepth::PartWithHead(const Geometry & geometry) const
{
  const Extent extent = ExtentOf(m_Geometry.grid);
  IndexBounds  ofDepth;
  for (std::size_t i = 0; i < m_Depth.size(); ++i)
  {
    if (m_Depth[i] > 0.0f)
    {
      const auto voxel = static_cast<int>(i);
      const int  row = voxel / extent.x;
      const int  plane = row / extent.y;
      ofDepth.Include({ static_cast<double>(voxel - row * extent.x),
                        static_cast<double>(row - plane * extent.y),
                        static_cast<double>(plane) });
    }
  }
  // Both grids have the same axes: the map scales and shifts each of them.
  const AffineMap toIndex = Compose(PointToIndex(geometry), IndexToPoint(m_Geometry));
  IndexBounds     bounds;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const auto inGrid = [&](double voxel) {
      const auto last = static_cast<double>(geometry.grid.size[axis] - 1);
      return std::clamp(toIndex.matrix[4 * axis] * voxel + toIndex.offset[axis], 0.0, last);
    };
    bounds.least[axis] = inGrid(ofDepth.least[axis] - 1.0);
    bounds.largest[axis] = inGrid(ofDepth.largest[axis] + 1.0);
  }
  return PartOfGrid(geometry, bounds);
}

} // namespace cudaneuro
