// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageChecks.h"

#include "core/ParameterChecks.h"

#include <algorithm>

namespace cudaneuro
{

void
RequireRegistrationGrid(const std::string & name, const Grid & grid)
{
  for (int axis = 0; axis < 2; ++axis)
  {
    if (grid.size[axis] < 2)
    {
      ThrowInvalid("the size of the " + name + " along axis " + std::to_string(axis), grid.size[axis], "2 or greater");
    }
  }
  constexpr std::int64_t longest = 1 << 22;
  constexpr std::int64_t most = std::int64_t{ 1 } << 31;
  const std::int64_t     size = *std::max_element(grid.size.begin(), grid.size.end());
  if (size > longest || grid.NumberOfVoxels() >= most)
  {
    std::ostringstream given;
    given << grid.size[0] << " x " << grid.size[1] << " x " << grid.size[2];
    ThrowInvalid("the size of the " + name, given.str(), "below 2^31 voxels, and at most 2^22 along an axis");
  }
}

void
RequireSameDimension(const Grid & fixedGrid, const Grid & movingGrid)
{
  const bool isFixedFlat = fixedGrid.size[2] == 1;
  const bool isMovingFlat = movingGrid.size[2] == 1;
  if (isFixedFlat != isMovingFlat)
  {
    ThrowInvalid("the size of the moving image along its third axis",
                 movingGrid.size[2],
                 isFixedFlat ? "1, as that of the fixed image is" : "greater than 1, as that of the fixed image is");
  }
}

} // namespace cudaneuro
