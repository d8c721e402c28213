// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/PlacedPoints.h"

#include "cudaneuro/ImageOperations.h"
#include "fields/warp/Warp.h"
#include "images/VoxelSize.h"
#include "registration/KernelVolume.h"
#include "registration/RegistrationRun.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace cudaneuro
{

namespace
{

/** Displacements of a field at points of its grid, both in voxels. Beyond the grid, the displacement is that of the
 * border. */
PointList
DisplacementsAt(Context & context, const Extent & extent, const ConstSoAField & field, const PointList & points)
{
  // A warp reads a volume at positions: here each output voxel is a point. Kernels require two voxels or more.
  const int          count = std::max(2, static_cast<int>(points.size()));
  const int          lengths[3] = { extent.x, extent.y, extent.z };
  const Grid         grid{ { count, 3, 1 }, { 1.0, 1.0, 1.0 } };
  const MemorySpace  space = MemorySpaceOf(context);
  std::vector<float> values(3 * static_cast<std::size_t>(count), 0.0f);
  for (std::size_t k = 0; k < points.size(); ++k)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      const double onGrid = std::clamp(points[k][axis], 0.0, static_cast<double>(lengths[axis] - 1));
      values[axis * count + k] = static_cast<float>(axis == 0 ? onGrid - static_cast<double>(k) : onGrid);
    }
  }
  const DeviceMemory places = AllocateFloats(context, grid.NumberOfVoxels());
  const DeviceMemory read = AllocateFloats(context, grid.NumberOfVoxels());
  CopyVolume(
    context, grid, { values.data(), PixelType::Float, MemorySpace::Host }, { places.Data(), PixelType::Float, space });
  const float * const volumes[3] = { field.x, field.y, field.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    VolumeWarp warp;
    warp.inputExtent = extent;
    warp.input = volumes[axis];
    warp.outputExtent = { count, 1, 1 };
    warp.mapping.field = SoAField{ Floats(places), Floats(places) + count, Floats(places) + 2 * count };
    warp.output = Floats(read) + axis * count;
    WarpVolume(context, warp);
  }
  CopyVolume(
    context, grid, { read.Data(), PixelType::Float, space }, { values.data(), PixelType::Float, MemorySpace::Host });
  PointList displacements(points.size());
  for (std::size_t k = 0; k < points.size(); ++k)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      displacements[k][axis] = static_cast<double>(values[axis * count + k]);
    }
  }
  return displacements;
}

PointList
Sum(const PointList & a, double factor, const PointList & b)
{
  PointList sum = a;
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      sum[k][axis] += factor * b[k][axis];
    }
  }
  return sum;
}

/** The points p with p + field(p) = points, in voxels, by the fixed-point iteration p <- points - field(p), which
 * converges where the map does not fold. */
PointList
BeforeField(Context & context, const Extent & extent, const ConstSoAField & field, const PointList & points)
{
  constexpr int iterations = 50;
  PointList     before = points;
  for (int iteration = 0; iteration < iterations; ++iteration)
  {
    before = Sum(points, -1.0, DisplacementsAt(context, extent, field, before));
  }
  return before;
}

} // namespace

PointList
Mapped(const AffineMap & map, const PointList & points)
{
  PointList mapped;
  for (const std::array<double, 3> & point : points)
  {
    std::array<double, 3> sum = map.offset;
    for (int row = 0; row < 3; ++row)
    {
      for (int column = 0; column < 3; ++column)
      {
        sum[row] += map.matrix[3 * row + column] * point[column];
      }
    }
    mapped.push_back(sum);
  }
  return mapped;
}

PlacedPoints
PlacePoints(const RegistrationRun & run, const ConstSoAField & transformField)
{
  const PointPairs & pairs = run.images.points;
  PlacedPoints       placed;
  if (pairs.IsEmpty())
  {
    return placed;
  }
  const Context::ProgressPause pause(run.context);
  const AffineMap              toIndex = PointToIndex(run.GetGeometry());
  placed.fixed = Mapped(toIndex, pairs.fixed);
  placed.moving = Mapped(Compose(toIndex, Inverse(run.images.transform)), pairs.moving);
  if (transformField.x != nullptr)
  {
    placed.moving = BeforeField(run.context, run.GetExtent(), transformField, placed.moving);
  }
  placed.standardDeviations = pairs.standardDeviations;
  placed.standardDeviations.resize(pairs.fixed.size(), pairs.standardDeviations.front());
  return placed;
}

namespace
{

/** The standard deviations of points on a level, in mm. Images of a coarse level are smoothed by half a coarse voxel,
 * and points are blurred alike: a point with the precision of a small part of a voxel would leave the images no
 * influence on the step. */
std::vector<double>
DeviationsOnLevel(const RegistrationRun & run, const PlacedPoints & points, const Geometry & level)
{
  std::vector<double> deviations = points.standardDeviations;
  if (!IsSameGeometry(level, run.GetGeometry()))
  {
    const double side = VoxelSide(level.grid);
    for (double & deviation : deviations)
    {
      deviation = std::hypot(deviation, 0.5 * side);
    }
  }
  return deviations;
}

PointTermSetting
SettingOfLevel(const RegistrationRun & run, const PlacedPoints & points, int index)
{
  const std::array<int, 3> & factors = run.parameters.levels[static_cast<std::size_t>(index)].shrinkFactors;
  const Geometry             level = ShrunkGeometry(run.GetGeometry(), factors);
  const AffineMap            toLevel = Compose(PointToIndex(level), IndexToPoint(run.GetGeometry()));
  const PointList            fixed = Mapped(toLevel, points.fixed);
  const PointList            moving = Mapped(toLevel, points.moving);
  PointTermSetting           setting;
  setting.extent = ExtentOf(level.grid);
  setting.spacing = level.grid.spacing;
  setting.wanted = Sum(moving, -1.0, fixed);
  // Two maps that move by opposite velocities meet halfway between both points.
  setting.positions = run.parameters.isSymmetric ? Sum(fixed, 0.5, setting.wanted) : fixed;
  setting.standardDeviations = DeviationsOnLevel(run, points, level);
  setting.kernelVolume = KernelVolume(VelocityParameters(run.parameters, index), setting.extent);
  setting.weight = run.parameters.pointWeight;
  return setting;
}

} // namespace

PointTerms::PointTerms(const RegistrationRun & run, PlacedPoints points)
{
  if (points.fixed.empty() || run.parameters.pointWeight == 0.0)
  {
    return;
  }
  const auto shared = std::make_shared<const PlacedPoints>(std::move(points));
  // Where the system grants no thread, each list is computed when it is requested.
  const std::launch when =
    run.context.GetNumberOfThreads() > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
  for (int level = 0; level < static_cast<int>(run.parameters.levels.size()); ++level)
  {
    m_Lists.push_back(
      std::async(when, [&run, shared, level] { return PointTermLists(SettingOfLevel(run, *shared, level)); }));
  }
}

std::optional<PointTerm>
PointTerms::Take(Context & context, std::size_t level)
{
  return m_Lists.empty() ? std::nullopt : std::make_optional<PointTerm>(context, m_Lists[level].get());
}

std::vector<double>
DistancesOfPoints(const RegistrationRun & run, const ConstSoAField & transformField, const ConstSoAField & displacement)
{
  if (run.images.points.IsEmpty())
  {
    return {};
  }
  const Context::ProgressPause pause(run.context);
  const PointList              fixed = Mapped(PointToIndex(run.GetGeometry()), run.images.points.fixed);
  const auto                   follow = [&](const ConstSoAField & field, const PointList & from) {
    return field.x == nullptr ? from : Sum(from, 1.0, DisplacementsAt(run.context, run.GetExtent(), field, from));
  };
  const PointList     onGrid = follow(transformField, follow(displacement, fixed));
  const PointList     reached = Mapped(Compose(run.images.transform, IndexToPoint(run.GetGeometry())), onGrid);
  std::vector<double> distances;
  for (std::size_t k = 0; k < reached.size(); ++k)
  {
    const std::array<double, 3> & wanted = run.images.points.moving[k];
    distances.push_back(std::hypot(reached[k][0] - wanted[0], reached[k][1] - wanted[1], reached[k][2] - wanted[2]));
  }
  return distances;
}

} // namespace cudaneuro
