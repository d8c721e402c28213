// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/SplineTiles.h"

#include "core/IntegerMath.h"

namespace cudaneuro
{

SplineTiles
MakeSplineTiles(const Extent & box, const std::vector<std::int32_t> & voxels)
{
  SplineTiles    tiles{ { DivideUp(box.x, tileSide), DivideUp(box.y, tileSide), DivideUp(box.z, tileSide) }, {}, {} };
  const Extent & extent = tiles.extent;
  tiles.numbers.assign(
    static_cast<std::size_t>(extent.x) * static_cast<std::size_t>(extent.y) * static_cast<std::size_t>(extent.z), -1);
  for (const std::int32_t voxel : voxels)
  {
    const int          x = voxel % box.x / tileSide;
    const int          y = voxel / box.x % box.y / tileSide;
    const int          z = voxel / box.x / box.y / tileSide;
    const std::int32_t place = (z * extent.y + y) * extent.x + x;
    std::int32_t &     number = tiles.numbers[static_cast<std::size_t>(place)];
    if (number < 0)
    {
      number = static_cast<std::int32_t>(tiles.places.size());
      tiles.places.push_back(place);
    }
  }
  return tiles;
}

} // namespace cudaneuro
