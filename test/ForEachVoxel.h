// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ForEachVoxel_h
#define ForEachVoxel_h

#include <array>
#include <cstddef>
#include <type_traits>

/** Calls body(x, y, z), or body(x, y, z, index), for the voxels of a volume in the order in which memory has them. */
template <typename TSize, typename TBody>
void
ForEachVoxel(const std::array<TSize, 3> & size, const TBody & body)
{
  [[maybe_unused]] std::size_t index = 0;
  for (TSize z = 0; z < size[2]; ++z)
  {
    for (TSize y = 0; y < size[1]; ++y)
    {
      for (TSize x = 0; x < size[0]; ++x)
      {
        if constexpr (std::is_invocable_v<TBody, TSize, TSize, TSize, std::size_t>)
        {
          body(x, y, z, index++);
        }
        else
        {
          body(x, y, z);
        }
      }
    }
  }
}

#endif
