// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceTriangles.h"

#include "cudaneuro/Error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cudaneuro
{

namespace
{

/** Returns the half diagonal of a patch that is one voxel wider on each side, for derivatives. */
double
ReachOfPatch(int patchSize, double spacing)
{
  return std::sqrt(3.0) * static_cast<double>(patchSize / 2 + 1) * spacing;
}

double
ChooseVoxelSize(const SurfaceTriangles & triangles)
{
  const auto    bounds = triangles.GetBounds();
  const Vector3 sides = Difference(bounds[1], bounds[0]);
  const auto    range = std::minmax_element(sides.begin(), sides.end());
  return std::min({ triangles.GetMeanEdgeLength(), *range.first / 4.0, *range.second / 40.0 });
}

/** Returns the voxel size, and how far the grid extends beyond the surface. */
SurfaceGridResult
ChooseGrid(const SurfaceGridParameters & parameters, const SurfaceTriangles & triangles)
{
  ForEachParameter(
    parameters, [](const auto & parameter, double value) { RequireInRange(parameter.name, value, parameter.range); });
  const auto        bounds = triangles.GetBounds();
  const Vector3     sides = Difference(bounds[1], bounds[0]);
  const double      shortest = *std::min_element(sides.begin(), sides.end());
  SurfaceGridResult grid;
  grid.voxelSize = parameters.voxelSize > 0.0 ? parameters.voxelSize : ChooseVoxelSize(triangles);
  if (!(grid.voxelSize > 0.0) || grid.voxelSize > 0.5 * shortest)
  {
    std::ostringstream text;
    text << "VoxelSize is " << grid.voxelSize
         << " mm; it must be above 0 and no more than half the surface's shortest side, which is " << shortest
         << " mm of " << sides[0] << " x " << sides[1] << " x " << sides[2];
    throw InvalidParameterError(text.str());
  }
  Grid cubic;
  cubic.spacing.fill(grid.voxelSize);
  NonLocalMeansLevelSetParameters largest;
  largest.patchSize = 7;
  grid.reach = parameters.reach > 0.0 ? parameters.reach : RecommendedReach(largest, cubic);
  return grid;
}

Geometry
GeometryAround(const SurfaceTriangles & triangles, const SurfaceGridResult & grid)
{
  const auto bounds = triangles.GetBounds();
  Geometry   geometry;
  double     voxels = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double length = bounds[1][axis] - bounds[0][axis] + 2.0 * grid.reach;
    const double count = std::ceil(length / grid.voxelSize) + 1.0;
    voxels *= count;
    geometry.grid.size[axis] = static_cast<std::int64_t>(std::min(count, 1e9));
    geometry.grid.spacing[axis] = grid.voxelSize;
    // Half of the length that rounding up adds is on either side.
    geometry.origin[axis] = bounds[0][axis] - grid.reach - 0.5 * ((count - 1.0) * grid.voxelSize - length);
  }
  if (voxels > static_cast<double>(maximumSurfaceVoxels))
  {
    const double       factor = std::cbrt(voxels / static_cast<double>(maximumSurfaceVoxels));
    std::ostringstream text;
    text << "VoxelSize is " << grid.voxelSize << " mm, with which the surface needs " << voxels << " voxels, or "
         << voxels * sizeof(float) / 1e9 << " GB; it must be " << 1.01 * factor * grid.voxelSize
         << " mm or more, so that there are 2^31 at most";
    throw InvalidParameterError(text.str());
  }
  return geometry;
}

SignedDistanceImage::Pointer
MakeImage(const Geometry & geometry)
{
  const auto                       image = SignedDistanceImage::New();
  SignedDistanceImage::SizeType    size;
  SignedDistanceImage::PointType   origin;
  SignedDistanceImage::SpacingType spacing;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    size[axis] = static_cast<itk::SizeValueType>(geometry.grid.size[axis]);
    origin[axis] = geometry.origin[axis];
    spacing[axis] = geometry.grid.spacing[axis];
  }
  image->SetRegions(size);
  image->SetOrigin(origin);
  image->SetSpacing(spacing);
  try
  {
    image->Allocate();
  }
  catch (const itk::MemoryAllocationError &)
  {
    const std::size_t bytes = static_cast<std::size_t>(geometry.grid.NumberOfVoxels()) * sizeof(float);
    throw OutOfMemoryError("SurfaceToSignedDistance", bytes, 0);
  }
  return image;
}

} // namespace

double
RecommendedVoxelSize(vtkPolyData * surface)
{
  return ChooseVoxelSize(SurfaceTriangles(ToTriangles(surface)));
}

double
RecommendedReach(const NonLocalMeansLevelSetParameters & parameters, const Grid & grid)
{
  const double bandWidth = parameters.bandWidth > 0.0 ? parameters.bandWidth : RecommendedBandWidth(grid);
  return bandWidth + ReachOfPatch(parameters.patchSize, *std::max_element(grid.spacing.begin(), grid.spacing.end()));
}

SurfaceDefects
FindSurfaceDefects(vtkPolyData * surface)
{
  return FindDefects(SurfaceTriangles(WithJoinedPoints(ToTriangles(surface))).GetView());
}

SignedDistanceImage::Pointer
SurfaceToSignedDistance(Context &                     context,
                        const SurfaceGridParameters & parameters,
                        vtkPolyData *                 surface,
                        SurfaceGridResult *           result)
{
  const SurfaceTriangles             triangles(WithJoinedPoints(ToTriangles(surface)));
  SurfaceGridResult                  grid = ChooseGrid(parameters, triangles);
  const Geometry                     geometry = GeometryAround(triangles, grid);
  const SignedDistanceImage::Pointer image = MakeImage(geometry);
  SignedDistanceParameters           distance;
  distance.reach = grid.reach;
  grid.ambiguousVoxels = SignedDistanceOfSurface(context,
                                                 distance,
                                                 triangles.GetView(),
                                                 geometry,
                                                 { image->GetBufferPointer(), PixelType::Float, MemorySpace::Host })
                           .ambiguousVoxels;
  if (result != nullptr)
  {
    *result = grid;
  }
  return image;
}

} // namespace cudaneuro
