// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_TriangleDistance_h
#define cudaneuro_surface_TriangleDistance_h

#include "cudaneuro/SignedDistance.h"
#include "core/Dispatch.h"
#include "core/SoAField.h"
#include "surface/IndexBox.h"
#include "surface/TriangleDistanceFormulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace cudaneuro
{

/** The distances of a grid's voxels to a closed surface that lies between them. */
struct SurfaceDistance
{
  Extent              extent{};
  SpaceVector<double> spacing{};
  double              reach = 0.0;
  /** Number of fraction bits in the fixed point of WindingNumberFormulas.h. */
  int fractionBits = 0;
  /** The surface in mm along the axes of the grid, from the center of its first voxel. In host memory. */
  ConstTriangles surface{};
  /** The signed distance of each voxel, in the memory of the context's device. */
  float * output = nullptr;
};

/** The voxels that have a triangle within reach, including the rows that cross it. */
inline IndexBox
VoxelsAround(const SurfaceDistance & distance, std::int64_t triangle)
{
  const std::array<int, 3>    sizes{ distance.extent.x, distance.extent.y, distance.extent.z };
  const std::array<double, 3> spacing{ distance.spacing.x, distance.spacing.y, distance.spacing.z };
  const std::int32_t * const  corners = distance.surface.triangles + 3 * triangle;
  const double * const        points = distance.surface.points;
  IndexBox                    box{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto [low, high] = std::minmax({ points[3 * std::int64_t{ corners[0] } + axis],
                                           points[3 * std::int64_t{ corners[1] } + axis],
                                           points[3 * std::int64_t{ corners[2] } + axis] });
    // Rounding coordinates to integers moves rows by less than this.
    const double margin = std::max(distance.reach / spacing[axis], 0.01);
    const double begin = std::ceil(low / spacing[axis] - margin);
    const double end = std::floor(high / spacing[axis] + margin) + 1.0;
    const double size = sizes[axis];
    box.begin[axis] = static_cast<int>(std::max(begin, 0.0));
    box.end[axis] = static_cast<int>(std::max<double>(std::min(end, size), box.begin[axis]));
  }
  return box;
}

/** Counts of voxels by their winding number. */
struct WindingCounts
{
  /** Numbers of voxels with winding number 1, with -1, and with a magnitude above 1. */
  std::int64_t once = 0;
  std::int64_t onceReversed = 0;
  std::int64_t several = 0;

  void
  Add(int winding)
  {
    once += winding == 1 ? 1 : 0;
    onceReversed += winding == -1 ? 1 : 0;
    several += winding * winding > 1 ? 1 : 0;
  }

  void
  Include(const WindingCounts & other)
  {
    once += other.once;
    onceReversed += other.onceReversed;
    several += other.several;
  }

  /** The number of voxels inside the surface whose winding number is not that of the majority. */
  std::int64_t
  Ambiguous() const
  {
    return several + std::min(once, onceReversed);
  }
};

/** Computes signed distances. Waits for the result. */
CUDANEURO_ON_BOTH(WindingCounts DistanceToSurface(Context & context, const SurfaceDistance & distance));

} // namespace cudaneuro

#endif
