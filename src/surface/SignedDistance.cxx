// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SignedDistance.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "fields/FieldChecks.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "surface/SignedDistanceAlongGrid.h"
#include "surface/TriangleDistance.h"
#include "surface/WindingNumberFormulas.h"
#include "surface/ZeroLevelDistance.h"

#include <utility>

namespace cudaneuro
{
namespace
{

WindingCounts
DistanceToSurface(Context & context, const SurfaceDistance & distance)
{
  CUDANEURO_DISPATCH(context, DistanceToSurface(context, distance));
}

/** Requires a direction that is a rotation or reflection: only then are distances along the axes of the grid those of
 * space. */
void
RequireOrthonormal(const std::array<double, 9> & direction)
{
  constexpr double tolerance = 1e-4;
  for (int a = 0; a < 3; ++a)
  {
    for (int b = a; b < 3; ++b)
    {
      const double product =
        direction[a] * direction[b] + direction[3 + a] * direction[3 + b] + direction[6 + a] * direction[6 + b];
      const double expected = a == b ? 1.0 : 0.0;
      if (std::abs(product - expected) > tolerance)
      {
        ThrowInvalid("the product of columns " + std::to_string(a) + " and " + std::to_string(b) +
                       " of geometry.direction",
                     product,
                     std::to_string(static_cast<int>(expected)) + " to 1e-4");
      }
    }
  }
}

void
RequireClosed(const ConstTriangles & surface)
{
  if (surface.numberOfTriangles < 1)
  {
    ThrowInvalid("numberOfTriangles", surface.numberOfTriangles, "1 or greater");
  }
  const SurfaceDefects defects = FindDefects(surface);
  if (!defects.IsClosed())
  {
    using Defect = std::pair<const char *, std::int64_t>;
    const Defect defect = defects.openEdges > 0  ? Defect{ "openEdges", defects.openEdges }
                          : defects.oddEdges > 0 ? Defect{ "oddEdges", defects.oddEdges }
                                                 : Defect{ "flippedEdges", defects.flippedEdges };
    ThrowInvalid(defect.first, defect.second, "0, as on a closed surface whose triangles have one sense of rotation");
  }
}

/** The surface's points, in mm along the axes of the grid from the center of its first voxel. */
std::vector<double>
PointsAlongGrid(const Geometry & geometry, const ConstTriangles & surface)
{
  const AffineMap     map = PointToIndex(geometry);
  std::vector<double> points(3 * static_cast<std::size_t>(surface.numberOfPoints));
  for (std::size_t i = 0; i < points.size(); i += 3)
  {
    const double * const point = surface.points + i;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double * const row = map.matrix.data() + 3 * axis;
      const double         index = row[0] * (point[0] - geometry.origin[0]) + row[1] * (point[1] - geometry.origin[1]) +
                           row[2] * (point[2] - geometry.origin[2]);
      points[i + axis] = index * geometry.grid.spacing[axis];
    }
  }
  return points;
}

/** Requires that all points of triangles are between the centers of the grid's voxels, and that signs can be determined
 * on the grid. */
void
RequireInside(const Grid & grid, const ConstTriangles & surface)
{
  constexpr std::int64_t longest = 1 << 16;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double spacing = grid.spacing[axis];
    const auto   last = static_cast<double>(grid.size[axis] - 1);
    double       low = surface.points[3 * std::int64_t{ surface.triangles[0] } + axis] / spacing;
    double       high = low;
    for (std::int64_t i = 1; i < 3 * surface.numberOfTriangles; ++i)
    {
      const double index = surface.points[3 * std::int64_t{ surface.triangles[i] } + axis] / spacing;
      low = std::min(low, index);
      high = std::max(high, index);
    }
    const std::string name = "the surface's extent along axis " + std::to_string(axis) + " of the grid, in voxels,";
    const std::string bounds = "from " + std::to_string(low) + " to " + std::to_string(high);
    constexpr double  rounding = 1e-9;
    if (low < -rounding || high > last + rounding)
    {
      ThrowInvalid(name, bounds, "inside the grid, from 0 to " + std::to_string(grid.size[axis] - 1));
    }
    if (grid.size[axis] > longest)
    {
      ThrowInvalid("size[" + std::to_string(axis) + "]", grid.size[axis], std::to_string(longest) + " or less");
    }
  }
}

void
RequireVoxelsAlongAllAxes(const Grid & grid)
{
  RequireGrid(grid);
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] < 2)
    {
      ThrowInvalid("size[" + std::to_string(axis) + "]", grid.size[axis], "2 voxels or greater");
    }
  }
}

ZeroLevel
DistanceToZeroLevel(Context & context, const ZeroLevelDistance & distance)
{
  CUDANEURO_DISPATCH(context, DistanceToZeroLevel(context, distance));
}

void
MakeLabelSides(Context & context, const LabelSides & levels)
{
  CUDANEURO_DISPATCH(context, MakeLabelSides(context, levels));
}

SpaceVector<double>
SpacingOf(const Grid & grid)
{
  return { grid.spacing[0], grid.spacing[1], grid.spacing[2] };
}

} // namespace

SignedDistanceResult
SignedDistanceOfSurface(Context &                        context,
                        const SignedDistanceParameters & parameters,
                        const ConstTriangles &           surface,
                        const Geometry &                 geometry,
                        const Volume &                   output)
{
  const Grid & grid = geometry.grid;
  RequireGeometry("geometry", geometry);
  RequireOrthonormal(geometry.direction);
  RequireParameters(parameters);
  RequireVolume("output", context, output);
  RequireClosed(surface);
  const std::vector<double> points = PointsAlongGrid(geometry, surface);
  ConstTriangles            alongGrid = surface;
  alongGrid.points = points.data();
  return SignedDistanceAlongGrid(context, parameters, alongGrid, grid, output);
}

SignedDistanceResult
SignedDistanceAlongGrid(Context &                        context,
                        const SignedDistanceParameters & parameters,
                        const ConstTriangles &           surface,
                        const Grid &                     grid,
                        const Volume &                   output)
{
  RequireInside(grid, surface);
  SignedDistanceResult result;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.9);
    FloatOutput         distances(context, grid, output);
    const Extent        extent = ExtentOf(grid);
    const WindingCounts counts = DistanceToSurface(context,
                                                   { extent,
                                                     SpacingOf(grid),
                                                     parameters.reach,
                                                     WindingFractionBits(std::max(extent.y, extent.z)),
                                                     surface,
                                                     distances.Data() });
    result.ambiguousVoxels = counts.Ambiguous();
    progress.UpTo(1.0);
    distances.Finish();
  });
  context.ReportProgress(1.0);
  return result;
}

void
SignedDistanceOfLabel(Context &                        context,
                      const SignedDistanceParameters & parameters,
                      double                           label,
                      const Grid &                     grid,
                      const ConstVolume &              labels,
                      const Volume &                   output)
{
  RequireVoxelsAlongAllAxes(grid);
  RequireParameters(parameters);
  RequireVolume("labels", context, labels);
  RequireVolume("output", context, output);
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.1);
    const std::int64_t voxels = grid.NumberOfVoxels();
    const DeviceMemory levels = context.Allocate(static_cast<std::size_t>(voxels) * sizeof(float));
    auto * const       field = static_cast<float *>(levels.Data());
    {
      const LabelInput input(context, grid, labels);
      progress.UpTo(0.2);
      MakeLabelSides(context, { voxels, input.Data(), labels.type, label, field });
    }
    FloatOutput distances(context, grid, output);
    progress.UpTo(0.9);
    const ZeroLevel zeroLevel = DistanceToZeroLevel(context,
                                                    { ExtentOf(grid),
                                                      SpacingOf(grid),
                                                      static_cast<float>(parameters.reach),
                                                      ZeroLevelShape::Midpoints,
                                                      field,
                                                      distances.Data() });
    if (zeroLevel.cells == 0)
    {
      ThrowInvalid("label", label, "that of some voxels, and not of all");
    }
    progress.UpTo(1.0);
    distances.Finish();
  });
  context.ReportProgress(1.0);
}

void
ReinitializeSignedDistance(Context &                        context,
                           const SignedDistanceParameters & parameters,
                           const Grid &                     grid,
                           const ConstVolume &              input,
                           const Volume &                   output)
{
  RequireVoxelsAlongAllAxes(grid);
  RequireParameters(parameters);
  RequireVolume("input", context, input);
  RequireVolume("output", context, output);
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.1);
    const FloatInput field(context, grid, input);
    FloatOutput      distances(context, grid, output, input.data);
    progress.UpTo(0.9);
    const ZeroLevel zeroLevel = DistanceToZeroLevel(context,
                                                    { ExtentOf(grid),
                                                      SpacingOf(grid),
                                                      static_cast<float>(parameters.reach),
                                                      ZeroLevelShape::Triangles,
                                                      field.Data(),
                                                      distances.Data() });
    if (zeroLevel.valuesNotFinite > 0)
    {
      ThrowInvalid("the number of values of the input that are not finite", zeroLevel.valuesNotFinite, "0");
    }
    if (zeroLevel.cells == 0)
    {
      ThrowInvalid("the number of cells of the grid that the zero level of the input passes", 0, "1 or greater");
    }
    progress.UpTo(1.0);
    distances.Finish();
  });
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
