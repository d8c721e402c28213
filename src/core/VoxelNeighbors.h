// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_VoxelNeighbors_h
#define cudaneuro_core_VoxelNeighbors_h

#include "core/HostDevice.h"
#include "core/SoAField.h"

#include <cstdint>

namespace cudaneuro
{

/** Calls visit(neighbor) for each of the up to 26 neighbors of a voxel, in order. */
template <typename TVisit>
CUDANEURO_HOST_DEVICE void
ForNeighbors(const Extent & extent, std::int64_t voxel, const TVisit & visit)
{
  const int x = static_cast<int>(voxel % extent.x);
  const int y = static_cast<int>(voxel / extent.x % extent.y);
  const int z = static_cast<int>(voxel / extent.x / extent.y);
  for (int nz = z > 0 ? z - 1 : 0; nz <= z + 1 && nz < extent.z; ++nz)
  {
    for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < extent.y; ++ny)
    {
      for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < extent.x; ++nx)
      {
        const std::int64_t neighbor = (std::int64_t{ nz } * extent.y + ny) * extent.x + nx;
        if (neighbor != voxel)
        {
          visit(neighbor);
        }
      }
    }
  }
}

/** Calls visit(neighbor) for each of the up to 6 neighbors that share a face with a voxel, in order. */
template <typename TVisit>
CUDANEURO_HOST_DEVICE void
ForFaceNeighbors(const Extent & extent, std::int64_t voxel, const TVisit & visit)
{
  const std::int64_t lengths[3] = { extent.x, extent.y, extent.z };
  const std::int64_t strides[3] = { 1, extent.x, std::int64_t{ extent.x } * extent.y };
  for (int axis = 0; axis < 3; ++axis)
  {
    const std::int64_t index = voxel / strides[axis] % lengths[axis];
    if (index > 0)
    {
      visit(voxel - strides[axis]);
    }
    if (index + 1 < lengths[axis])
    {
      visit(voxel + strides[axis]);
    }
  }
}

} // namespace cudaneuro

#endif
