// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageChecks.h"

#include "core/ParameterChecks.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

std::string
SizeText(const Grid & grid)
{
  std::ostringstream text;
  text << grid.size[0] << " x " << grid.size[1] << " x " << grid.size[2];
  return text.str();
}

void
RequireRegistrationGrid(const std::string & name, const Grid & grid)
{
  for (int axis = 0; axis < 2; ++axis)
  {
    if (grid.size[axis] < 2)
    {
      const bool isSlice = grid.size[axis] == 1 && grid.size[2] > 1;
      ThrowInvalid("the size of the " + name + " along axis " + std::to_string(axis),
                   grid.size[axis],
                   isSlice ? "2 or greater; exchange axes, as those of a slice are the first two" : "2 or greater");
    }
  }
  constexpr std::int64_t longest = 1 << 22;
  constexpr std::int64_t most = std::int64_t{ 1 } << 31;
  const std::int64_t     size = *std::max_element(grid.size.begin(), grid.size.end());
  if (size > longest || grid.NumberOfVoxels() >= most)
  {
    ThrowInvalid("the size of the " + name, SizeText(grid), "below 2^31 voxels, and at most 2^22 along an axis");
  }
}

void
RequireRegistrationGeometry(const std::string & name, const Geometry & geometry)
{
  RequireGrid(geometry.grid);
  RequireRegistrationGrid(name, geometry.grid);
  for (int axis = 0; axis < 3; ++axis)
  {
    if (!std::isfinite(geometry.origin[axis]))
    {
      ThrowInvalid("origin[" + std::to_string(axis) + "] of the " + name, geometry.origin[axis], "finite");
    }
  }
  try
  {
    PointToIndex(geometry);
  }
  catch (const InvalidParameterError & error)
  {
    throw InvalidParameterError("the direction of the " + name + " has no inverse: " + error.what());
  }
}

void
RequireSameDimension(const Grid & fixedGrid, const Grid & movingGrid)
{
  const bool isFixedFlat = fixedGrid.size[2] == 1;
  if (isFixedFlat != (movingGrid.size[2] == 1))
  {
    const std::string several = isFixedFlat ? "one slice" : "several slices";
    ThrowInvalid(
      "the size of the moving image",
      SizeText(movingGrid),
      "that of " + several + ", as the fixed image's, " + SizeText(fixedGrid) +
        ", is: slices are registered to slices and volumes to volumes. Take the slice out of the volume first, "
        "or give the whole volume in its place");
  }
}

} // namespace cudaneuro
